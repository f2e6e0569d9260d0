//! The network: an ONNX graph, run by tract, that scores moves.
//!
//! What tract runs is the graph without its look-ups (see [`partition`]), in batches of positions
//! and in batches of moves, whose sizes need not agree.
//!
//! All its numbers are integers times powers of two, small enough that `f32` arithmetic on
//! them is exact, so that its outputs are the same bits whatever kernels
//! tract picks, in batches of any size (see `training/export.py`). The
//! generated input whose output the file records is run when a network is
//! loaded: a machine that computes anything else refuses the model.

use std::sync::Arc;

use ndarray::{Array1, Array2};
use rayon::prelude::*;
use tract_onnx::pb::{GraphProto, ModelProto, OperatorSetIdProto};
use tract_onnx::prelude::*;

use super::activation::Activation;
use super::embedding_bag::EmbeddingBag;
use super::operation;
use super::partition::{Parts, partition};
use super::proof;
use crate::features::index::slots;
use crate::features::{BOARD_FEATURES, BOARD_SLOTS, BoardIndices, MOVE_FEATURES, MoveIndices};
use crate::{Error, Result};

/// One place for each (role, square), for squares of departure and of arrival.
const SQUARE_SCORES: usize = 2 * 384;

/// A position for the network to judge.
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

/// A compiled graph for batches of one size.
#[derive(Debug)]
struct Plan {
    size: usize,
    runnable: Arc<TypedRunnableModel>,
}

/// A network that is ready to run. Shared between threads by reference.
#[derive(Debug)]
pub struct Network {
    boards: EmbeddingBag,
    moves: EmbeddingBag,
    activation: Activation,
    /// From the largest batch to the smallest.
    positions: Vec<Plan>,
    /// Likewise.
    rows: Vec<Plan>,
}

/// Positions in the batches that are compiled.
const POSITIONS: [usize; 2] = [32, 2];

/// Moves in the batches that are compiled.
const ROWS: [usize; 3] = [256, 64, 16];

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
        let Parts { boards, moves, activation, position_graph, move_graph } =
            partition(&proof::prove(graph)?)?;
        let network = Network {
            positions: compile(position_graph, &POSITIONS, &[Some(boards.width())])?,
            rows: compile(move_graph, &ROWS, &[Some(moves.width()), None])?,
            boards,
            moves,
            activation,
        };
        network.verify(check)?;
        Ok(network)
    }

    /// Runs the generated input of `training/export.py`.
    fn verify(&self, check: &str) -> Result<()> {
        const QUERIES: usize = 4;
        const MOVES: usize = 160;
        let mut state = 1u64;
        let mut random = |bound: usize| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) % bound as u64) as u16
        };
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
        let queries: Vec<&Query> = queries.iter().collect();
        let pairs = self.positions.iter().flat_map(|p| self.rows.iter().map(move |r| (p, r)));
        for (positions, rows) in pairs {
            let batches = queries.chunks(positions.size);
            let scores =
                batches.map(|batch| self.run(positions, std::slice::from_ref(rows), batch));
            let scores = scores.collect::<Result<Vec<_>>>()?.concat();
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
        }
        Ok(())
    }

    /// The scores of each query, in order; batches are run in parallel on the current
    /// rayon pool. How the queries are divided into batches changes nothing.
    ///
    /// # Errors
    /// [`Error::Model`] if the graph fails.
    pub fn score(&self, queries: &[&Query]) -> Result<Vec<Scores>> {
        let mut batches = vec![];
        let mut rest = queries;
        while !rest.is_empty() {
            let plan = Plan::fitting(&self.positions, rest.len());
            let (batch, left) = rest.split_at(plan.size.min(rest.len()));
            batches.push((plan, batch));
            rest = left;
        }
        let scores: Vec<Vec<Scores>> = batches
            .into_par_iter()
            .map(|(plan, batch)| self.run(plan, &self.rows, batch))
            .collect::<Result<_>>()?;
        Ok(scores.into_iter().flatten().collect())
    }

    /// Runs one batch of positions and, in as many batches as it takes, their moves.
    fn run(&self, plan: &Plan, rows: &[Plan], queries: &[&Query]) -> Result<Vec<Scores>> {
        // What no query fills stays zero, and its scores are dropped.
        let mut sums = Array2::<f32>::zeros((plan.size, self.boards.width()));
        for (query, mut sum) in queries.iter().zip(sums.rows_mut()) {
            let sum = sum.as_slice_mut().unwrap_or_default();
            self.boards.sum(&query.board, sum);
            self.activation.apply(sum);
        }
        let outputs = plan.runnable.run(tvec!(Tensor::from(sums).into())).map_err(model_error)?;
        let [projected, squares, ends] = &outputs[..] else {
            return Err(Error::Model("the graph has other outputs than were compiled".into()));
        };
        let width = self.moves.width();
        let projected = entries(projected, plan.size * width)?;
        let squares = entries(squares, plan.size * SQUARE_SCORES)?;
        let ends = entries(ends, plan.size)?;

        let moves = queries.iter().zip(projected.chunks(width)).zip(squares.chunks(SQUARE_SCORES));
        let moves: Vec<Row> = moves
            .flat_map(|((query, projected), squares)| {
                query.moves.iter().map(move |indices| Row { indices, projected, squares })
            })
            .collect();
        let mut logits = Vec::with_capacity(moves.len());
        let mut rest = &moves[..];
        while !rest.is_empty() {
            let plan = Plan::fitting(rows, rest.len());
            let (batch, left) = rest.split_at(plan.size.min(rest.len()));
            self.run_moves(plan, batch, &mut logits)?;
            rest = left;
        }
        let mut logits = logits.into_iter();
        let scores = queries.iter().zip(ends).map(|(query, &end)| Scores {
            moves: logits.by_ref().take(query.moves.len()).collect(),
            end: end as i32,
        });
        Ok(scores.collect())
    }

    /// Runs one batch of moves.
    fn run_moves(&self, plan: &Plan, moves: &[Row], logits: &mut Vec<i32>) -> Result<()> {
        let mut sums = Array2::<f32>::zeros((plan.size, self.moves.width()));
        let mut squares = Array1::<f32>::zeros(plan.size);
        for ((row, mut sum), square) in moves.iter().zip(sums.rows_mut()).zip(&mut squares) {
            let sum = sum.as_slice_mut().unwrap_or_default();
            self.moves.sum(row.indices, sum);
            for (sum, projected) in sum.iter_mut().zip(row.projected) {
                *sum += projected;
            }
            self.activation.apply(sum);
            *square = row.squares[usize::from(row.indices[slots::FROM])]
                + row.squares[usize::from(row.indices[slots::TO])];
        }
        let inputs = tvec!(Tensor::from(sums).into(), Tensor::from(squares).into());
        let outputs = plan.runnable.run(inputs).map_err(model_error)?;
        // Integers below 2^24 in magnitude: the conversion is exact.
        let scores = entries(&outputs[0], plan.size)?.iter().map(|&logit| logit as i32);
        logits.extend(scores.take(moves.len()));
        Ok(())
    }
}

/// A move, and what the network says of its position.
#[derive(Debug, Clone, Copy)]
struct Row<'a> {
    indices: &'a MoveIndices,
    projected: &'a [f32],
    squares: &'a [f32],
}

/// All `count` entries of a tensor.
fn entries(tensor: &TValue, count: usize) -> Result<&[f32]> {
    let view = tensor.to_plain_array_view::<f32>().map_err(model_error)?;
    match view.to_slice() {
        Some(entries) if entries.len() == count => Ok(entries),
        _ => Err(Error::Model("the graph computes something of another shape".into())),
    }
}

impl Plan {
    /// The plan for the next of `count` inputs: the largest that they fill by more than half.
    fn fitting(plans: &[Plan], count: usize) -> &Plan {
        let filled = plans.iter().find(|plan| 2 * count > plan.size);
        filled.unwrap_or(&plans[plans.len() - 1])
    }
}

/// Compiles a graph for batches of each size; its inputs are that many rows of some width, or
/// of a single entry.
fn compile(graph: GraphProto, sizes: &[usize], widths: &[Option<usize>]) -> Result<Vec<Plan>> {
    let opset = OperatorSetIdProto { domain: String::new(), version: OPERATOR_SET };
    let proto =
        ModelProto { graph: Some(graph), opset_import: vec![opset], ..ModelProto::default() };
    let mut onnx = tract_onnx::onnx();
    onnx.op_register.insert(operation::NAME, operation::parse);
    let model = onnx.model_for_proto_model(&proto).map_err(model_error)?;
    let plan = |&size: &usize| -> TractResult<Plan> {
        let mut model = model.clone();
        for (input, width) in widths.iter().enumerate() {
            let shape: TVec<usize> = std::iter::once(size).chain(*width).collect();
            model.set_input_fact(input, f32::fact(shape).into())?;
        }
        Ok(Plan { size, runnable: model.into_optimized()?.into_runnable()? })
    };
    sizes.iter().map(|size| plan(size).map_err(model_error)).collect()
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;
    use crate::chess::{History, legal_moves};
    use crate::features::{GameContext, Tactics, board_features, move_features};
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

    #[test]
    fn scores_do_not_depend_on_the_batch_or_on_threads() {
        let proto = embedded_network();
        let check = proto.metadata_props.iter().find(|property| property.key == "plyzip.check");
        let check = check.unwrap().value.clone();
        let network = Network::from_proto(proto, &check).unwrap();
        let queries = queries(70);
        let all: Vec<&Query> = queries.iter().collect();
        let together = network.score(&all).unwrap();
        assert!(together.iter().any(|scores| scores.end != together[0].end));
        for size in [1, 2, 3, 31, 32, 33] {
            let apart: Vec<Scores> =
                all.chunks(size).flat_map(|chunk| network.score(chunk).unwrap()).collect();
            assert_eq!(apart, together, "batches of {size}");
        }
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| network.score(&all)).unwrap(), together);
        }
    }
}
