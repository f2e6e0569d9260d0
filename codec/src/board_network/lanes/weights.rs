//! A matrix of bytes: four outputs of all squares at a time.

use super::super::plan::Plan;
use super::plane::{PARTS, Plane};
use super::products::{QuadSums, add_products};
use super::vector::Vector;
use crate::network::QUAD;

/// A packed matrix. Outputs are filled up to whole groups of four with zeros.
#[derive(Debug)]
pub struct Weights {
    /// For each group of outputs.
    bias: Vec<[i32; QUAD]>,
    /// For each group of outputs and each quad of inputs: four bytes for each output.
    weights: Vec<[i32; QUAD]>,
    /// Quads of inputs with the same unit: where they end, and by how many bits the sums before are shifted.
    segments: Vec<(usize, u32)>,
}

impl Weights {
    /// Packs a matrix; `bias` are the biases of its outputs, less what the offset of signed inputs adds.
    pub fn new(plan: &Plan, bias: &[i32]) -> Weights {
        let quads = plan.inputs / QUAD;
        let mut bias = bias.to_vec();
        bias.resize(plan.outputs.next_multiple_of(QUAD), 0);
        let bias = bias.as_chunks().0.to_vec();
        let mut weights = Vec::with_capacity(bias.len() * quads);
        for group in 0..bias.len() {
            for quad in 0..quads {
                weights.push(std::array::from_fn(|place| {
                    let output = QUAD * group + place;
                    let weight = |input| match output < plan.outputs {
                        true => (plan.weight)(QUAD * quad + input, output),
                        false => 0,
                    };
                    i32::from_le_bytes(std::array::from_fn(|input| weight(input) as u8))
                }));
            }
        }
        let ends = plan.steps.iter().map(|step| step.0).chain([quads]);
        let shifts = [0].into_iter().chain(plan.steps.iter().map(|step| step.1));
        Weights { bias, weights, segments: ends.zip(shifts).collect() }
    }

    /// Groups of four outputs.
    pub fn groups(&self) -> usize {
        self.bias.len()
    }

    /// The sums of a group of outputs, with their bias, for all squares.
    #[inline(always)]
    pub fn sums(&self, vector: Vector, inputs: &[Plane], group: usize) -> QuadSums {
        let quads = self.weights.len() / self.bias.len();
        let weights = &self.weights[group * quads..][..quads];
        let inputs = &inputs[..quads];
        let mut sums = [[vector.splat(0); PARTS]; QUAD];
        let mut start = 0;
        for &(end, shift) in &self.segments {
            for _ in 0..shift {
                for sums in sums.as_flattened_mut() {
                    *sums = vector.add(*sums, *sums);
                }
            }
            for (plane, weights) in inputs[start..end].iter().zip(&weights[start..end]) {
                add_products(vector, &mut sums, plane, *weights);
            }
            start = end;
        }
        for (sums, &bias) in sums.iter_mut().zip(&self.bias[group]) {
            for sums in sums {
                *sums = vector.add(*sums, vector.splat(bias));
            }
        }
        sums
    }
}
