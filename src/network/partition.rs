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

use std::collections::HashSet;

use tract_onnx::pb::NodeProto;

use super::activation::Activation;
use super::embedding_bag::EmbeddingBag;
use super::layers::{Layers, Lowering};
use super::proof::Proved;
use super::square_scores::SquareScores;
use super::table::Table;
use crate::{Error, Result};

/// The parts of a graph.
#[derive(Debug)]
pub struct Parts {
    /// The bag of `boards`.
    pub boards: EmbeddingBag,
    /// The bag of `moves`.
    pub moves: EmbeddingBag,
    /// What follows both.
    pub activation: Activation,
    /// From activations to what moves are projected on, the activations that score squares, and `ends`.
    pub position_layers: Layers,
    /// What squares score.
    pub squares: SquareScores,
    /// From activations and the sum of two squares' scores to `logits`.
    pub move_layers: Layers,
}

fn refuse(why: &str) -> Error {
    Error::Model(format!("the graph is not of the form that plyzip runs: {why}"))
}

/// One place for each (role, square), for squares of departure and of arrival.
const SQUARE_SCORES: usize = 2 * 384;

/// The nodes not yet given to a part.
struct Partitioner<'a> {
    graph: &'a Proved,
    /// Outputs of the nodes that were taken out.
    taken: HashSet<&'a str>,
}

impl<'a> Partitioner<'a> {
    /// The one node that uses a value, which is no output.
    fn consumer(&self, value: &str) -> Result<&'a NodeProto> {
        let uses = |node: &&NodeProto| node.input.iter().any(|input| input == value);
        let mut consumers = self.graph.nodes.iter().filter(uses);
        match (consumers.next(), consumers.next()) {
            (Some(consumer), None) if self.graph.outputs.iter().all(|o| o != value) => Ok(consumer),
            _ => Err(refuse(&format!("`{value}` is not used exactly once"))),
        }
    }

    /// The value's only consumer, which must be an `operation`, taken out; its inputs and output.
    fn take<const N: usize>(
        &mut self,
        value: &str,
        operation: &str,
    ) -> Result<(&'a [String; N], &'a str)> {
        let node = self.consumer(value)?;
        match (<&[String; N]>::try_from(&node.input[..]), &node.output[..]) {
            (Ok(inputs), [output]) if node.op_type == operation => {
                self.taken.insert(output);
                Ok((inputs, output))
            }
            _ => Err(refuse(&format!("`{value}` does not go to a {operation}"))),
        }
    }

    /// The entries of a constant.
    fn constant(&self, name: &str) -> Result<&'a [f32]> {
        let found = self.graph.constants.get(name).map(|constant| &constant.data[..]);
        found.ok_or_else(|| refuse(&format!("`{name}` is no constant")))
    }

    /// A table of 8 bits.
    fn table(&self, name: &str) -> Result<&'a Table> {
        let found = self.graph.tables.get(name);
        found.ok_or_else(|| refuse(&format!("`{name}` is no table of 8 bits")))
    }

    /// Takes out the bag of an input; the name of its sum.
    fn bag(&mut self, input: &str) -> Result<(EmbeddingBag, &'a str)> {
        let ([table, _], rows) = self.take(input, "Gather")?;
        let (_, sum) = self.take::<2>(rows, "ReduceSum")?;
        let ([_, bias], total) = self.take(sum, "Add")?;
        Ok((EmbeddingBag::new(self.table(table)?, self.constant(bias)?)?, total))
    }

    /// Takes out the activation of a value; the name of its result.
    fn activation(&mut self, value: &str) -> Result<(Activation, &'a str)> {
        let ([_, low, high], clipped) = self.take(value, "Clip")?;
        // Proved to be the rounding constant: nothing else can be subtracted.
        let (_, lifted) = self.take::<2>(clipped, "Add")?;
        let (_, rounded) = self.take::<2>(lifted, "Sub")?;
        match (self.constant(low)?, self.constant(high)?) {
            (&[low], &[high]) => Ok((Activation { low, high }, rounded)),
            _ => Err(refuse("a clip to several limits")),
        }
    }

    /// The node that computes a value, which must be an `operation`, taken out; its inputs.
    fn take_source<const N: usize>(
        &mut self,
        value: &'a str,
        operation: &str,
    ) -> Result<&'a [String; N]> {
        let node = self.graph.nodes.iter().find(|node| node.output == [value]);
        let inputs = node.filter(|node| node.op_type == operation);
        let inputs = inputs.and_then(|node| <&[String; N]>::try_from(&node.input[..]).ok());
        self.taken.insert(value);
        inputs.ok_or_else(|| refuse(&format!("`{value}` does not come from a {operation}")))
    }

    /// Takes out the scores of squares; the name of the activations that score them.
    fn squares(&mut self, scores: &'a str) -> Result<(SquareScores, &'a str)> {
        let [sums, _] = self.take_source(scores, "Reshape")?;
        let [product, bias] = self.take_source(sums, "Add")?;
        let [activations, table] = self.take_source(product, "MatMul")?;
        let scores = SquareScores::new(self.table(table)?, self.constant(bias)?);
        let scores = scores.filter(|scores| scores.shape()[1] == SQUARE_SCORES);
        let scores =
            scores.ok_or_else(|| refuse("the squares' scores are no product of activations"))?;
        Ok((scores, activations))
    }

    /// The layers that compute `outputs` from `inputs`, of so many numbers each, and constants alone.
    fn part(&self, inputs: &[(&'a str, usize)], outputs: &[&str]) -> Result<Layers> {
        let Proved { tables, constants, integers, .. } = self.graph;
        let constant = |name: &str| {
            tables.contains_key(name) || constants.contains_key(name) || integers.contains_key(name)
        };
        let mut lowering = Lowering::new(self.graph, inputs);
        for node in &self.graph.nodes {
            let depends = node.input.iter().any(|input| lowering.knows(input));
            let within = node.input.iter().all(|input| lowering.knows(input) || constant(input));
            let taken = node.output.iter().any(|output| self.taken.contains(&output[..]));
            if depends && within && !taken {
                lowering.add(node)?;
            }
        }
        lowering.finish(outputs)
    }
}

/// Partitions a graph that [`prove`](super::proof::prove) accepted.
///
/// # Errors
/// [`Error::Model`] if it looks up other things than `training/export.py` makes it look up.
pub fn partition(graph: &Proved) -> Result<Parts> {
    let mut partitioner = Partitioner { graph, taken: HashSet::new() };
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

#[cfg(test)]
mod tests {
    use tract_onnx::pb::GraphProto;

    use super::super::proof::prove;
    use super::*;
    use crate::network::embedded_network;

    fn proved(change: impl FnOnce(&mut GraphProto)) -> Result<Proved> {
        let mut graph = embedded_network().graph.unwrap();
        change(&mut graph);
        prove(graph)
    }

    /// The first node of an operation that has an input of this name.
    fn user<'a>(graph: &'a mut GraphProto, operation: &str, input: &str) -> &'a mut NodeProto {
        let uses = |node: &&mut NodeProto| {
            node.op_type == operation && node.input.iter().any(|name| name == input)
        };
        graph.node.iter_mut().find(uses).unwrap()
    }

    #[test]
    fn the_parts_are_those_of_the_graph() {
        let parts = partition(&proved(|_| ()).unwrap()).unwrap();
        assert_eq!((parts.boards.width(), parts.moves.width()), (1024, 128));
        assert_eq!(parts.activation, Activation { low: 0.0, high: 127.0 });
        assert_eq!(parts.squares.shape(), [320, 768]);
        assert_eq!(parts.position_layers.widths(), [128, 320, 1]);
        assert_eq!(parts.move_layers.widths(), [1]);
    }

    #[test]
    fn exact_graphs_of_another_form_are_refused() {
        let refused = |why: &str, change: &dyn Fn(&mut GraphProto)| {
            let error = partition(&proved(change).unwrap()).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        };
        // A second reader of an input, of the rows of a table, of a sum.
        for (operation, input) in [("Gather", "boards"), ("ReduceSum", ""), ("Add", "")] {
            refused("is not used exactly once", &|graph| {
                let first = graph.node.iter().position(|node| {
                    node.op_type == operation && (input.is_empty() || node.input[1] == input)
                });
                let mut again = graph.node[first.unwrap()].clone();
                again.output[0] = "again".into();
                graph.node.push(again);
            });
        }
        refused("does not go to a Clip", &|graph| {
            let sum = user(graph, "Add", "board_table_bias").output[0].clone();
            let clip = graph.node.iter().position(|node| node.input[0] == sum).unwrap();
            graph.node[clip].input[0] = "between".into();
            let between = NodeProto {
                op_type: "Add".into(),
                input: vec![sum, "board_table_bias".into()],
                output: vec!["between".into()],
                ..NodeProto::default()
            };
            graph.node.insert(clip, between);
        });
        refused("two kinds of activations", &|graph| {
            let sum = user(graph, "Add", "board_table_bias").output[0].clone();
            user(graph, "Clip", &sum).input[2] = "lowest".into();
        });
        refused("are not added", &|graph| {
            let sum = user(graph, "Add", "move_table_bias").output[0].clone();
            user(graph, "Add", &sum).input[1] = sum.clone();
            let rows = user(graph, "Gather", "rows").output[0].clone();
            let clipped = NodeProto {
                op_type: "Clip".into(),
                input: vec![rows, "lowest".into(), "highest".into()],
                output: vec!["elsewhere".into()],
                ..NodeProto::default()
            };
            graph.node.push(clipped);
        });
    }

    #[test]
    fn partitioning_a_damaged_graph_does_not_panic() {
        // Nothing of this passes the proof; the partition must not depend on that.
        let whole = proved(|_| ()).unwrap();
        for index in 0..whole.nodes.len() {
            let mut graph = whole.clone();
            let _ = graph.nodes.remove(index);
            let _ = partition(&graph);
            let mut graph = whole.clone();
            graph.nodes[index].input.clear();
            let _ = partition(&graph);
            graph.nodes[index].output.clear();
            let _ = partition(&graph);
        }
        for name in whole.constants.keys() {
            let mut graph = whole.clone();
            graph.constants.get_mut(name).unwrap().data.truncate(1);
            let _ = partition(&graph);
        }
        for name in whole.tables.keys() {
            let mut graph = whole.clone();
            graph.tables.insert(name.clone(), Table::new(1, 2, vec![1; 2]).unwrap());
            let _ = partition(&graph);
        }
    }

    #[test]
    fn look_ups_may_not_be_missing() {
        let whole = proved(|_| ()).unwrap();
        for node in ["boards", "moves", "rows", "squares"] {
            let mut graph = whole.clone();
            graph.nodes.retain(|other| !other.input.iter().any(|input| input == node));
            assert!(partition(&graph).is_err(), "{node}");
        }
    }
}
