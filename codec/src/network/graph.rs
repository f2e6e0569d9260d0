//! The network: an ONNX graph that scores moves.
//!
//! All its numbers are integers times powers of two, small enough that `f32` arithmetic on
//! them is exact (see [`proof`]), so that its outputs are the same bits in whatever order and
//! with whatever registers they are computed. What is run is lowered from the nodes of the file (see
//! [`partition`]). The generated input whose output the file records is run when a network is
//! loaded: a machine that computes anything else refuses the model.

use pulp::NullaryFnOnce;
use rayon::prelude::*;

use super::onnx::{self, ModelProto};
use super::partition::{Parts, partition};
use super::product::{Activations, byte_of};
use super::{layers, proof};
use crate::features::index::{moves, slots};
use crate::features::{BOARD_FEATURES, BOARD_SLOTS, BoardIndices, MOVE_FEATURES, MoveIndices};
use crate::split_mix::SplitMix;
use crate::{Error, Result};

/// A position that the network scores.
#[derive(Debug, Clone)]
pub struct Query {
    /// The features of the position.
    pub board: BoardIndices,
    /// The features of its legal moves, 1 to 256 of them.
    pub moves: Vec<MoveIndices>,
}

/// The network's output for a position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scores {
    /// A logit for each legal move, in units of 2<sup>-16</sup> nat.
    pub moves: Vec<i32>,
    /// The log-odds that the game ends here, in the same unit.
    pub end: i32,
    /// The vector of each legal move, one move after the other: the input of the last product of the move's layers, its
    /// last hidden layer, in numbers from 0 to 127 ([`Network::vector`] of them). Empty if it was not asked for.
    pub vectors: Vec<u8>,
}

/// A network that is ready to run. Shared between threads by reference.
#[derive(Debug)]
pub struct Network {
    parts: Parts,
}

/// What one thread needs to run a network.
#[derive(Debug)]
struct Scratch {
    position: layers::Numbers,
    squares: Activations,
    row: layers::Numbers,
}

/// The metadata with the BLAKE3 of the output of the generated input, in hexadecimal digits.
pub const CHECK: &str = "plyzip.check";

/// The only operator set whose operations mean here what they say.
const OPERATOR_SET: i64 = 13;

fn model_error(error: impl std::fmt::Display) -> Error {
    Error::Model(format!("{error:#}"))
}

impl Network {
    /// The network in the bytes of a model's file, without what else the file has.
    ///
    /// # Errors
    /// [`Error::Model`] if it is no ONNX file or has no check value, and those of [`Network::from_proto`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Network> {
        let mut proto = onnx::decode(bytes)?;
        let properties = std::mem::take(&mut proto.metadata_props);
        let check = properties.into_iter().find(|property| property.key == CHECK);
        let check = check.ok_or_else(|| Error::Model(format!("the file has no `{CHECK}`")))?;
        Network::from_proto(proto, &check.value)
    }

    /// The network in an ONNX file, which records the BLAKE3 of its output as `check`.
    ///
    /// # Errors
    /// [`Error::Model`] if it is no network of this program, is not provably exact, or does not
    /// compute here what it computed where it was made.
    pub fn from_proto(mut proto: ModelProto, check: &str) -> Result<Network> {
        // Another operator set could mean other things by the same names.
        match &proto.opset_import[..] {
            [set] if set.domain.is_empty() && set.version == OPERATOR_SET => {}
            _ => return Err(model_error("the file needs another operator set than 13")),
        }
        let graph = proto.graph.take().ok_or_else(|| model_error("the file has no graph"))?;
        let network = Network { parts: partition(&proof::prove(graph)?)? };
        network.verify(check)?;
        Ok(network)
    }

    /// Runs the generated input of `training/bag/export.py`.
    fn verify(&self, check: &str) -> Result<()> {
        const QUERIES: usize = 4;
        const MOVES: usize = 160;
        /// A role on a square of departure or of arrival.
        const SQUARES: u16 = moves::TO as u16;
        let mut numbers = SplitMix(1);
        let mut random = |bound: usize| (numbers.next() % bound as u64) as u16;
        let mut queries = vec![Query { board: [0; BOARD_SLOTS], moves: vec![] }; QUERIES];
        for query in &mut queries {
            query.board = std::array::from_fn(|_| random(BOARD_FEATURES));
        }
        let mut places = vec![];
        for _ in 0..MOVES {
            let mut row: MoveIndices = std::array::from_fn(|_| random(MOVE_FEATURES));
            row[slots::FROM] %= SQUARES;
            row[slots::TO] = row[slots::TO] % SQUARES + SQUARES;
            let position = usize::from(random(QUERIES));
            places.push((position, queries[position].moves.len()));
            queries[position].moves.push(row);
        }
        let mut scratch = self.scratch();
        let scores: Vec<Scores> =
            queries.iter().map(|query| self.score_one(query, false, &mut scratch)).collect();
        let mut bytes = vec![];
        for &(position, index) in &places {
            bytes.extend(scores[position].moves[index].to_le_bytes());
        }
        bytes.extend(scores.iter().flat_map(|scores| scores.end.to_le_bytes()));
        if blake3::hash(&bytes).to_hex().as_str() != check {
            return Err(Error::Model(
                "the network does not compute here what its file says it must".into(),
            ));
        }
        Ok(())
    }

    fn scratch(&self) -> Scratch {
        Scratch {
            position: self.parts.position_layers.numbers(),
            squares: Activations::default(),
            row: self.parts.move_layers.numbers(),
        }
    }

    /// How many numbers the vector of a move has.
    pub fn vector(&self) -> usize {
        self.parts.move_layers.last_factor_width()
    }

    /// The scores of each query, in order, with or without [`Scores::vectors`]; queries are run in parallel on the current
    /// rayon pool.
    pub fn score(&self, queries: &[&Query], vectors: bool) -> Vec<Scores> {
        let queries = queries.par_iter().with_min_len(8);
        queries
            .map_init(|| self.scratch(), |scratch, query| self.score_one(query, vectors, scratch))
            .collect()
    }

    /// The scores of a query, with what lies between sums and products compiled for the widest registers.
    fn score_one(&self, query: &Query, with_vectors: bool, scratch: &mut Scratch) -> Scores {
        let run = Run { network: self, query, with_vectors, scratch };
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(simd) = pulp::x86::V4::try_new() {
                return simd.vectorize(run);
            }
            if let Some(simd) = pulp::x86::V3::try_new() {
                return simd.vectorize(run);
            }
        }
        run.call()
    }

    #[cfg_attr(target_arch = "x86_64", inline(always))]
    fn score_here(&self, query: &Query, with_vectors: bool, scratch: &mut Scratch) -> Scores {
        let Parts { boards, moves, activation, position_layers, squares, move_layers } =
            &self.parts;
        let Scratch { position, squares: square_inputs, row } = scratch;
        boards.prefetch(&query.board);
        if let Some(first) = query.moves.first() {
            moves.prefetch(first);
        }
        let sum = position_layers.input(position, 0);
        boards.sum(&query.board, sum);
        activation.apply(sum);
        position_layers.run(position);
        let projected = position_layers.output(position, 0);
        square_inputs.set(position_layers.output(position, 1));
        let end = position_layers.output(position, 2)[0];
        let mut vectors = vec![];
        if with_vectors {
            vectors.reserve_exact(query.moves.len() * self.vector());
        }
        let mut logits = Vec::with_capacity(query.moves.len());
        // A loop, since a closure would be compiled for any processor.
        for (place, indices) in query.moves.iter().enumerate() {
            if let Some(next) = query.moves.get(place + 1) {
                moves.prefetch(next);
            }
            let sum = move_layers.input(row, 0);
            moves.sum(indices, sum);
            for (sum, projected) in sum.iter_mut().zip(projected) {
                *sum += projected;
            }
            activation.apply(sum);
            let [from, to] = [slots::FROM, slots::TO].map(|slot| usize::from(indices[slot]));
            move_layers.input(row, 1)[0] =
                squares.score(square_inputs, from) + squares.score(square_inputs, to);
            move_layers.run(row);
            if with_vectors {
                let numbers = move_layers.last_factor(row);
                let first = vectors.len();
                vectors.resize(first + numbers.len(), 0);
                for (byte, &number) in vectors[first..].iter_mut().zip(numbers) {
                    *byte = byte_of(number);
                }
            }
            // An integer below 2^24 in magnitude: the conversion is exact.
            logits.push(move_layers.output(row, 0)[0] as i32);
        }
        Scores { moves: logits, end: end as i32, vectors }
    }
}

/// A query to be scored, compiled for one kind of registers.
struct Run<'a> {
    network: &'a Network,
    query: &'a Query,
    with_vectors: bool,
    scratch: &'a mut Scratch,
}

impl NullaryFnOnce for Run<'_> {
    type Output = Scores;

    #[cfg_attr(target_arch = "x86_64", inline(always))]
    fn call(self) -> Scores {
        self.network.score_here(self.query, self.with_vectors, self.scratch)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;
    use crate::chess::{History, legal_moves};
    use crate::features::{GameContext, Tactics, board_features, move_features};
    use crate::network::model_file;

    /// The positions of a game in which everybody plays the first legal move but some.
    fn queries(count: usize) -> Vec<Query> {
        let mut history = History::new(Chess::default());
        let mut queries = vec![];
        while queries.len() < count {
            let legal = legal_moves(history.position());
            if legal.is_empty() || history.ply() > 150 {
                history = History::new(Chess::default());
                continue;
            }
            let tactics = Tactics::new(&history, &legal);
            let board = board_features(&history, &GameContext::default(), &tactics);
            let mut moves = vec![];
            move_features(&history, &legal, Some(&tactics), &mut moves);
            queries.push(Query { board, moves });
            history.play(legal[history.ply() * 7 % legal.len()]);
        }
        queries
    }

    fn network() -> Network {
        Network::from_bytes(&model_file("standard.onnx")).unwrap()
    }

    #[test]
    fn scores_do_not_depend_on_the_batch_or_on_threads() {
        let network = network();
        let queries = queries(70);
        let all: Vec<&Query> = queries.iter().collect();
        let together = network.score(&all, true);
        assert!(together.iter().any(|scores| scores.end != together[0].end));
        for size in [1, 2, 3, 31, 32, 33] {
            let apart: Vec<Scores> =
                all.chunks(size).flat_map(|chunk| network.score(chunk, true)).collect();
            assert_eq!(apart, together, "batches of {size}");
        }
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| network.score(&all, true)), together);
        }
    }
}
