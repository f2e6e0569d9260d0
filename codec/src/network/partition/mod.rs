//! The partition of a proved graph: its look-ups, and what dense arithmetic is left.
//!
//! What the graph says with indices (sums of rows of its tables, the row of its position for each
//! move, the scores of each move's squares) costs little here, where the indices come from, and
//! much as operations on tensors. So those operations are taken out, each bag with the activation
//! that follows it, and two sequences of dense layers are left: one for positions, one for moves.
//!
//! ```text
//! boards ─ bag ─► position layers ─┬─ projected ────────────────────┬─► move layers ─► logits
//!                                  ├─ squares ── sum of two ────────┤
//!                                  ├─► ends          moves ─ bag ───┘
//! ```

mod partitioner;
#[cfg(test)]
mod tests;

use self::partitioner::Partitioner;
use super::activation::Activation;
use super::embedding_bag::EmbeddingBag;
use super::layers::Layers;
use super::proof::Proved;
use super::square_scores::SquareScores;
use crate::{Error, Result};

/// The parts of a graph.
#[derive(Debug)]
pub struct Parts {
    /// The bag of `boards`.
    pub boards: EmbeddingBag,
    /// The bag of `moves`.
    pub moves: EmbeddingBag,
    /// The activation behind both.
    pub activation: Activation,
    /// From activations to what moves are projected on, the activations that score squares, and `ends`.
    pub position_layers: Layers,
    /// The scores of squares.
    pub squares: SquareScores,
    /// From activations and the sum of two squares' scores to `logits`.
    pub move_layers: Layers,
}

fn refuse(why: &str) -> Error {
    Error::Model(format!("the graph is not of the form that plyzip runs: {why}"))
}

/// Partitions a graph that [`prove`](super::proof::prove) accepted.
///
/// # Errors
/// [`Error::Model`] if it looks up other things than `training/bag/export.py` makes it look up.
pub fn partition(graph: &Proved) -> Result<Parts> {
    let mut partitioner = Partitioner::new(graph);
    let (boards, board_sums) = partitioner.bag("boards")?;
    let (moves, move_sums) = partitioner.bag("moves")?;
    let ([projected, _], rows) = partitioner.take("rows", "Gather")?;
    let ([a, b], sums) = partitioner.take(move_sums, "Add")?;
    if ![&a[..], b].contains(&rows) || partitioner.consumer(rows)?.output[0] != sums {
        return Err(refuse("`moves` and `rows` are not added"));
    }
    let (activation, board_inputs) = partitioner.activation(board_sums)?;
    let (other, move_inputs) = partitioner.activation(sums)?;
    if activation != other {
        return Err(refuse("two kinds of activations"));
    }
    let ([scores, _], pairs) = partitioner.take("squares", "Gather")?;
    let (_, pair_sums) = partitioner.take::<2>(pairs, "ReduceSum")?;
    let (squares, square_inputs) = partitioner.squares(scores)?;
    let position_layers =
        partitioner.part(&[(board_inputs, boards.width())], &[projected, square_inputs, "ends"])?;
    let move_layers =
        partitioner.part(&[(move_inputs, moves.width()), (pair_sums, 1)], &["logits"])?;
    let widths = [moves.width(), squares.shape()[0], 1];
    if position_layers.widths() != widths || move_layers.widths() != [1] {
        return Err(refuse("layers of unexpected sizes"));
    }
    Ok(Parts { boards, moves, activation, position_layers, squares, move_layers })
}
