//! The network: an ONNX graph, run by tract, that scores moves.
//!
//! All its numbers are integers times powers of two, small enough that `f32` arithmetic on
//! them is exact, so that its outputs are the same bits whatever kernels
//! tract picks, in batches of any size (see `training/export.py`). The
//! generated input whose output the file records is run when a network is
//! loaded: a machine that computes anything else refuses the model.

use std::sync::Arc;

use ndarray::{Array1, Array2};
use tract_onnx::pb::ModelProto;
use tract_onnx::prelude::*;

use super::exact;
use super::features::{
    BOARD_FEATURES, BOARD_PADDING, BOARD_SLOTS, BoardIndices, MOVE_FEATURES, MOVE_SLOTS,
    MoveIndices,
};
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

/// A compiled graph for batches of one shape.
#[derive(Debug)]
struct Plan {
    positions: usize,
    rows: usize,
    runnable: Arc<TypedRunnableModel>,
}

/// A network that is ready to run. Shared between threads by reference.
#[derive(Debug)]
pub struct Network {
    /// From the largest batch to the smallest; the last serves a single position.
    plans: [Plan; 2],
}

/// Positions and rows of the batches that are compiled. A position has at most 218 moves.
const SHAPES: [(usize, usize); 2] = [(32, 1024), (2, 256)];

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
            [set] if set.domain.is_empty() && set.version == 13 => {}
            _ => return Err(model_error("the file needs another operator set than 13")),
        }
        let graph = proto.graph.as_mut().ok_or_else(|| model_error("the file has no graph"))?;
        exact::prove(graph)?;
        let compile = |(positions, rows): (usize, usize)| -> TractResult<Plan> {
            let index = |shape: &[usize]| i64::fact(shape).into();
            let runnable = tract_onnx::onnx()
                .model_for_proto_model(&proto)?
                .with_input_fact(0, index(&[positions, BOARD_SLOTS]))?
                .with_input_fact(1, index(&[rows, MOVE_SLOTS]))?
                .with_input_fact(2, index(&[rows]))?
                .with_input_fact(3, index(&[rows, 2]))?
                .into_optimized()?
                .into_runnable()?;
            Ok(Plan { positions, rows, runnable })
        };
        let [large, small] = SHAPES.map(|shape| compile(shape).map_err(model_error));
        let network = Network { plans: [large?, small?] };
        network.verify(check)?;
        Ok(network)
    }

    /// Runs the generated input of `training/export.py`.
    fn verify(&self, check: &str) -> Result<()> {
        const POSITIONS: usize = 4;
        const ROWS: usize = 160;
        let mut state = 1u64;
        let mut random = |bound: usize| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) % bound as u64) as u16
        };
        let mut queries = vec![Query { board: [0; BOARD_SLOTS], moves: vec![] }; POSITIONS];
        for query in &mut queries {
            query.board = std::array::from_fn(|_| random(BOARD_FEATURES));
        }
        let mut places = vec![];
        for _ in 0..ROWS {
            let mut row: MoveIndices = std::array::from_fn(|_| random(MOVE_FEATURES));
            row[0] %= 384;
            row[1] = row[1] % 384 + 384;
            let position = usize::from(random(POSITIONS));
            places.push((position, queries[position].moves.len()));
            queries[position].moves.push(row);
        }
        let queries: Vec<&Query> = queries.iter().collect();
        for plan in &self.plans {
            let scores: Vec<Scores> = queries
                .chunks(plan.positions)
                .map(|chunk| plan.run(chunk))
                .collect::<Result<Vec<_>>>()?
                .concat();
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
        use rayon::prelude::*;
        let mut batches = vec![];
        let mut rest = queries;
        while !rest.is_empty() {
            let plan =
                if rest.len() > self.plans[1].positions { &self.plans[0] } else { &self.plans[1] };
            let mut rows = 0;
            let fitting = rest
                .iter()
                .take(plan.positions)
                .take_while(|query| {
                    rows += query.moves.len();
                    rows <= plan.rows
                })
                .count();
            let (batch, left) = rest.split_at(fitting.max(1));
            batches.push((plan, batch));
            rest = left;
        }
        let scores: Vec<Vec<Scores>> =
            batches.into_par_iter().map(|(plan, batch)| plan.run(batch)).collect::<Result<_>>()?;
        Ok(scores.concat())
    }
}

impl Plan {
    fn run(&self, queries: &[&Query]) -> Result<Vec<Scores>> {
        let total: usize = queries.iter().map(|query| query.moves.len()).sum();
        if total > self.rows || queries.len() > self.positions {
            return Err(Error::Model("more legal moves than a position can have".into()));
        }
        // What no query fills keeps the padding, and its scores are dropped.
        let mut boards = Array2::from_elem((self.positions, BOARD_SLOTS), i64::from(BOARD_PADDING));
        let mut moves = Array2::<i64>::zeros((self.rows, MOVE_SLOTS));
        let mut rows = Array1::<i64>::zeros(self.rows);
        let mut squares = Array2::<i64>::zeros((self.rows, 2));
        let mut row = 0;
        for (position, query) in queries.iter().enumerate() {
            for (slot, &index) in query.board.iter().enumerate() {
                boards[[position, slot]] = index.into();
            }
            let base = (position * SQUARE_SCORES) as i64;
            for indices in &query.moves {
                for (slot, &index) in indices.iter().enumerate() {
                    moves[[row, slot]] = index.into();
                }
                rows[row] = position as i64;
                squares[[row, 0]] = base + i64::from(indices[0]);
                squares[[row, 1]] = base + i64::from(indices[1]);
                row += 1;
            }
        }
        let tensor = |array: Tensor| -> TValue { array.into() };
        let inputs = tvec!(
            tensor(boards.into()),
            tensor(moves.into()),
            tensor(rows.into()),
            tensor(squares.into())
        );
        let outputs = self.runnable.run(inputs).map_err(model_error)?;
        let [logits, ends] = &outputs[..] else {
            return Err(Error::Model("the graph must have two outputs".into()));
        };
        let logits = logits.to_plain_array_view::<f32>().map_err(model_error)?;
        let ends = ends.to_plain_array_view::<f32>().map_err(model_error)?;
        let (Some(logits), Some(ends)) = (logits.as_slice(), ends.as_slice()) else {
            return Err(Error::Model("the graph's outputs are not contiguous".into()));
        };
        // Integers below 2^24 in magnitude: the conversion is exact.
        let mut next = logits.iter().map(|&logit| logit as i32);
        Ok(queries
            .iter()
            .zip(ends)
            .map(|(query, &end)| Scores {
                moves: next.by_ref().take(query.moves.len()).collect(),
                end: end as i32,
            })
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;
    use crate::predict::features::GameContext;
    use crate::predict::{History, Model, Prepared};

    /// The positions of a game in which everybody plays the first legal move but some.
    fn queries(count: usize) -> Vec<Prepared> {
        let mut history = History::new(Chess::default());
        let mut prepared = vec![];
        while prepared.len() < count {
            let next = Prepared::new(&history, &GameContext::default(), true);
            if next.legal.is_empty() || history.ply() > 150 {
                history = History::new(Chess::default());
                continue;
            }
            history.play(next.legal[history.ply() * 7 % next.legal.len()]);
            prepared.push(next);
        }
        prepared
    }

    #[test]
    fn scores_do_not_depend_on_the_batch_or_on_threads() {
        let model = Model::embedded().unwrap();
        let network = model.network().unwrap();
        let prepared = queries(70);
        let all: Vec<&Query> = prepared.iter().map(Prepared::query).collect();
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
