//! Taking the parts of a graph out of it, one by one.

use std::collections::HashSet;

use crate::network::onnx::NodeProto;

use super::refuse;
use crate::Result;
use crate::features::index::moves;
use crate::network::activation::Activation;
use crate::network::embedding_bag::EmbeddingBag;
use crate::network::layers::{Layers, Lowering};
use crate::network::proof::Proved;
use crate::network::square_scores::SquareScores;
use crate::network::table::Table;

/// One place for each (role, square), for squares of departure and of arrival.
const SQUARE_SCORES: usize = moves::FROM_TO;

/// The nodes not yet given to a part.
pub(super) struct Partitioner<'a> {
    graph: &'a Proved,
    /// Outputs of the nodes that were taken out.
    taken: HashSet<&'a str>,
}

impl<'a> Partitioner<'a> {
    pub(super) fn new(graph: &'a Proved) -> Partitioner<'a> {
        Partitioner { graph, taken: HashSet::new() }
    }

    /// The one node that uses a value, which is no output.
    pub(super) fn consumer(&self, value: &str) -> Result<&'a NodeProto> {
        let uses = |node: &&NodeProto| node.input.iter().any(|input| input == value);
        let mut consumers = self.graph.nodes.iter().filter(uses);
        match (consumers.next(), consumers.next()) {
            (Some(consumer), None) if self.graph.outputs.iter().all(|o| o != value) => Ok(consumer),
            _ => Err(refuse(&format!("`{value}` is not used exactly once"))),
        }
    }

    /// The value's only consumer, which must be an `operation`, taken out; its inputs and output.
    pub(super) fn take<const N: usize>(
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
    pub(super) fn bag(&mut self, input: &str) -> Result<(EmbeddingBag, &'a str)> {
        let ([table, _], rows) = self.take(input, "Gather")?;
        let (_, sum) = self.take::<2>(rows, "ReduceSum")?;
        let ([_, bias], total) = self.take(sum, "Add")?;
        Ok((EmbeddingBag::new(self.table(table)?, self.constant(bias)?)?, total))
    }

    /// Takes out the activation of a value; the name of its result.
    pub(super) fn activation(&mut self, value: &str) -> Result<(Activation, &'a str)> {
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
    pub(super) fn squares(&mut self, scores: &'a str) -> Result<(SquareScores, &'a str)> {
        let [sums, _] = self.take_source(scores, "Reshape")?;
        let [product, bias] = self.take_source(sums, "Add")?;
        let [activations, table] = self.take_source(product, "MatMul")?;
        let scores = SquareScores::new(self.table(table)?, self.constant(bias)?);
        let scores = scores.filter(|scores| scores.shape()[1] == SQUARE_SCORES);
        let scores =
            scores.ok_or_else(|| refuse("the squares' scores are no product of activations"))?;
        Ok((scores, activations))
    }

    /// The layers that compute `outputs` from `inputs`, each with its width, and constants alone.
    pub(super) fn part(&self, inputs: &[(&'a str, usize)], outputs: &[&str]) -> Result<Layers> {
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
