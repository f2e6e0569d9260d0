//! The network: an ONNX graph that scores moves.
//!
//! All its numbers are integers times powers of two, small enough that `f32` arithmetic on
//! them is exact (see [`proof`]), so that its outputs are the same bits in whatever order and
//! with whatever registers they are computed. What is run is lowered from the nodes of the file (see
//! [`partition`]). The generated input whose output the file records is run when a network is
//! loaded: a machine that computes anything else refuses the model.

use rayon::prelude::*;
use tract_onnx::pb::ModelProto;

use super::partition::{Parts, partition};
use super::product::Activations;
use super::{layers, proof};
use crate::features::index::slots;
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

/// What the network says of a position, in units of 2<sup>-16</sup> nat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scores {
    /// A logit for each legal move.
    pub moves: Vec<i32>,
    /// The log-odds that the game ends here.
    pub end: i32,
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

/// The only operator set whose operations mean here what they say.
const OPERATOR_SET: i64 = 13;

fn model_error(error: impl std::fmt::Display) -> Error {
    Error::Model(format!("{error:#}"))
}

impl Network {
    /// The network in an ONNX file's bytes.
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

    /// Runs the generated input of `training/export.py`.
    fn verify(&self, check: &str) -> Result<()> {
        const QUERIES: usize = 4;
        const MOVES: usize = 160;
        let mut numbers = SplitMix(1);
        let mut random = |bound: usize| (numbers.next() % bound as u64) as u16;
        let mut queries = vec![Query { board: [0; BOARD_SLOTS], moves: vec![] }; QUERIES];
        for query in &mut queries {
            query.board = std::array::from_fn(|_| random(BOARD_FEATURES));
        }
        let mut places = vec![];
        for _ in 0..MOVES {
            let mut row: MoveIndices = std::array::from_fn(|_| random(MOVE_FEATURES));
            row[slots::FROM] %= 384;
            row[slots::TO] = row[slots::TO] % 384 + 384;
            let position = usize::from(random(QUERIES));
            places.push((position, queries[position].moves.len()));
            queries[position].moves.push(row);
        }
        let mut scratch = self.scratch();
        let scores: Vec<Scores> =
            queries.iter().map(|query| self.score_one(query, &mut scratch)).collect();
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

    /// The scores of each query, in order; queries are run in parallel on the current rayon pool.
    pub fn score(&self, queries: &[&Query]) -> Vec<Scores> {
        let queries = queries.par_iter().with_min_len(8);
        queries
            .map_init(|| self.scratch(), |scratch, query| self.score_one(query, scratch))
            .collect()
    }

    fn score_one(&self, query: &Query, scratch: &mut Scratch) -> Scores {
        let Parts { boards, moves, activation, position_layers, squares, move_layers } =
            &self.parts;
        let Scratch { position, squares: square_inputs, row } = scratch;
        let sum = position_layers.input(position, 0);
        boards.sum(&query.board, sum);
        activation.apply(sum);
        position_layers.run(position);
        let projected = position_layers.output(position, 0);
        square_inputs.set(position_layers.output(position, 1));
        let end = position_layers.output(position, 2)[0];
        let logits = query.moves.iter().map(|indices| {
            let sum = move_layers.input(row, 0);
            moves.sum(indices, sum);
            sum.iter_mut().zip(projected).for_each(|(sum, projected)| *sum += projected);
            activation.apply(sum);
            let score = |slot: usize| squares.score(square_inputs, usize::from(indices[slot]));
            move_layers.input(row, 1)[0] = score(slots::FROM) + score(slots::TO);
            move_layers.run(row);
            // An integer below 2^24 in magnitude: the conversion is exact.
            move_layers.output(row, 0)[0] as i32
        });
        Scores { moves: logits.collect(), end: end as i32 }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;
    use tract_onnx::prelude::*;

    use super::*;
    use crate::chess::{History, legal_moves};
    use crate::features::{GameContext, MOVE_SLOTS, Tactics, board_features, move_features};
    use crate::network::embedded_network;

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
        let proto = embedded_network();
        let check = proto.metadata_props.iter().find(|property| property.key == "plyzip.check");
        let check = check.unwrap().value.clone();
        Network::from_proto(proto, &check).unwrap()
    }

    /// What tract computes of the graph as the file has it, all positions and moves in one batch.
    fn run_by_tract(queries: &[Query]) -> Vec<Scores> {
        let rows: Vec<(usize, &MoveIndices)> = queries
            .iter()
            .enumerate()
            .flat_map(|(position, query)| query.moves.iter().map(move |row| (position, row)))
            .collect();
        let tensor = |shape: &[usize], indices: &mut dyn Iterator<Item = usize>| {
            let indices: Vec<i64> = indices.map(|index| index as i64).collect();
            Tensor::from_shape(shape, &indices).unwrap()
        };
        let square = |position: usize, index: u16| position * 768 + usize::from(index);
        let inputs = [
            tensor(
                &[queries.len(), BOARD_SLOTS],
                &mut queries.iter().flat_map(|query| query.board).map(usize::from),
            ),
            tensor(
                &[rows.len(), MOVE_SLOTS],
                &mut rows.iter().flat_map(|&(_, row)| *row).map(usize::from),
            ),
            tensor(&[rows.len()], &mut rows.iter().map(|&(position, _)| position)),
            tensor(
                &[rows.len(), 2],
                &mut rows.iter().flat_map(|&(position, row)| {
                    [row[slots::FROM], row[slots::TO]].map(|index| square(position, index))
                }),
            ),
        ];
        let mut model = tract_onnx::onnx().model_for_proto_model(&embedded_network()).unwrap();
        for (place, input) in inputs.iter().enumerate() {
            model.set_input_fact(place, i64::fact(input.shape()).into()).unwrap();
        }
        let plan = model.into_optimized().unwrap().into_runnable().unwrap();
        let outputs = plan.run(inputs.into_iter().map(TValue::from).collect()).unwrap();
        let numbers = |place: usize| -> Vec<i32> {
            let view = outputs[place].to_plain_array_view::<f32>().unwrap();
            view.iter().map(|&number: &f32| number as i32).collect()
        };
        let mut logits = numbers(0).into_iter();
        let scores = queries.iter().zip(numbers(1)).map(|(query, end)| Scores {
            moves: logits.by_ref().take(query.moves.len()).collect(),
            end,
        });
        scores.collect()
    }

    #[test]
    fn tract_computes_the_same() {
        let queries = queries(20);
        let all: Vec<&Query> = queries.iter().collect();
        assert_eq!(network().score(&all), run_by_tract(&queries));
    }

    #[test]
    fn scores_do_not_depend_on_the_batch_or_on_threads() {
        let network = network();
        let queries = queries(70);
        let all: Vec<&Query> = queries.iter().collect();
        let together = network.score(&all);
        assert!(together.iter().any(|scores| scores.end != together[0].end));
        for size in [1, 2, 3, 31, 32, 33] {
            let apart: Vec<Scores> =
                all.chunks(size).flat_map(|chunk| network.score(chunk)).collect();
            assert_eq!(apart, together, "batches of {size}");
        }
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| network.score(&all)), together);
        }
    }
}
