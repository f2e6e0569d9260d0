//! Dense layers: the part of a graph between look-ups, lowered to operations on one row at a time.
//!
//! A row's numbers lie in slots, one for each value of the graph, small enough for the processor's
//! first cache. Products of activations are made of integers ([`Product`]); everything else is
//! arithmetic of `f32` that the proof found exact.

use std::collections::HashMap;
use std::ops::Range;

use super::activation::Activation;
use super::onnx::NodeProto;
use super::product::{Activations, Product};
use super::proof::{Constant, Proved, ROUNDING};
use crate::{Error, Result};

/// What is computed of one value.
#[derive(Debug)]
enum Operation {
    /// The product with a table, of whole numbers from 0 to 127.
    Product(Product),
    /// The sum with the value in another slot.
    AddSlot(usize),
    /// The sum with a number for each entry, or one for all.
    AddConstant(Vec<f32>),
    Scale(f32),
    Clip {
        low: f32,
        high: f32,
    },
    Activation(Activation),
}

#[derive(Debug)]
struct Step {
    input: usize,
    operation: Operation,
    output: usize,
}

/// A sequence of operations on rows. Shared between threads by reference.
#[derive(Debug, Default)]
pub struct Layers {
    steps: Vec<Step>,
    /// Where each slot's numbers lie. Outputs of steps lie behind their inputs.
    slots: Vec<Range<usize>>,
    outputs: Vec<usize>,
}

/// One row's numbers.
#[derive(Debug, Default)]
pub struct Numbers {
    numbers: Vec<f32>,
    activations: Activations,
}

fn refuse(why: &str) -> Error {
    Error::Model(format!("the graph is not of the form that plyzip runs: {why}"))
}

/// Layers that are being made of nodes.
#[derive(Debug)]
pub struct Lowering<'a> {
    graph: &'a Proved,
    layers: Layers,
    /// The slot of each value.
    known: HashMap<&'a str, usize>,
}

impl<'a> Lowering<'a> {
    /// Layers that begin with `inputs`, each with its width.
    pub fn new(graph: &'a Proved, inputs: &[(&'a str, usize)]) -> Lowering<'a> {
        let mut lowering = Lowering { graph, layers: Layers::default(), known: HashMap::new() };
        for &(name, width) in inputs {
            let slot = lowering.slot(width);
            lowering.known.insert(name, slot);
        }
        lowering
    }

    /// True if a value is known.
    pub fn knows(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    fn slot(&mut self, width: usize) -> usize {
        let start = self.layers.slots.last().map_or(0, |last| last.end);
        self.layers.slots.push(start..start + width);
        self.layers.slots.len() - 1
    }

    fn push(&mut self, input: usize, operation: Operation, width: usize) -> usize {
        let output = self.slot(width);
        self.layers.steps.push(Step { input, operation, output });
        output
    }

    /// Adds what a node computes of values that are known and constants.
    ///
    /// # Errors
    /// [`Error::Model`] if the node computes something else, which the proof allows for look-ups only.
    pub fn add(&mut self, node: &'a NodeProto) -> Result<()> {
        let operation = &node.op_type[..];
        let [name] = &node.output[..] else { return Err(refuse("a node with several outputs")) };
        let unexpected = || refuse(&format!("unexpected use of {operation}, at `{name}`"));
        // Sums have their inputs in any order; everything else has the value first.
        let place = node.input.iter().position(|input| self.knows(input)).ok_or_else(unexpected)?;
        let input = self.known[&node.input[place][..]];
        let width = self.layers.slots[input].len();
        let others: Vec<&str> = node
            .input
            .iter()
            .enumerate()
            .filter(|&(other, _)| other != place)
            .map(|(_, name)| &name[..])
            .collect();
        let constant =
            |name: &str| self.graph.constants.get(name).map(|Constant { data, .. }| &data[..]);
        let slot = match (operation, &others[..]) {
            ("MatMul", &[table]) => {
                let product = self.graph.tables.get(table).and_then(Product::new);
                let product = product.filter(|product| product.shape()[0] == width);
                let product = product.ok_or_else(unexpected)?;
                let width = product.shape()[1];
                self.push(input, Operation::Product(product), width)
            }
            ("Add", &[other]) if self.knows(other) => {
                let other = self.known[other];
                if self.layers.slots[other].len() != width {
                    return Err(unexpected());
                }
                self.push(input, Operation::AddSlot(other), width)
            }
            ("Add", &[other]) => {
                let numbers = constant(other).ok_or_else(unexpected)?;
                if ![1, width].contains(&numbers.len()) {
                    return Err(unexpected());
                }
                self.push(input, Operation::AddConstant(numbers.to_vec()), width)
            }
            // Only the rounding constant is ever subtracted.
            ("Sub", [_]) => self.round(input, width),
            ("Mul", &[factor]) => match constant(factor) {
                Some(&[factor]) => self.push(input, Operation::Scale(factor), width),
                _ => return Err(unexpected()),
            },
            ("Clip", &[low, high]) => match (constant(low), constant(high)) {
                (Some(&[low]), Some(&[high])) => {
                    self.push(input, Operation::Clip { low, high }, width)
                }
                _ => return Err(unexpected()),
            },
            // Rows are flat already.
            ("Reshape", [_]) => input,
            _ => return Err(unexpected()),
        };
        self.known.insert(name, slot);
        Ok(())
    }

    /// Takes the rounding constant off again; with the two steps before, if these clip a value and add the
    /// constant, as one activation.
    fn round(&mut self, input: usize, width: usize) -> usize {
        let rounding = |numbers: &[f32]| numbers == [ROUNDING];
        if let [.., clip, add] = &self.layers.steps[..]
            && let (Operation::Clip { low, high }, Operation::AddConstant(numbers)) =
                (&clip.operation, &add.operation)
            && (add.input, add.output) == (clip.output, input)
            && rounding(numbers)
        {
            let (activation, before) = (Activation { low: *low, high: *high }, clip.input);
            let merged = [clip.output, add.output];
            self.known.retain(|_, slot| !merged.contains(slot));
            self.layers.steps.truncate(self.layers.steps.len() - 2);
            return self.push(before, Operation::Activation(activation), width);
        }
        self.push(input, Operation::AddConstant(vec![-ROUNDING]), width)
    }

    /// The layers that compute these values.
    ///
    /// # Errors
    /// [`Error::Model`] if one of them is not known.
    pub fn finish(mut self, outputs: &[&str]) -> Result<Layers> {
        for output in outputs {
            let unknown = || refuse(&format!("`{output}` depends on something unexpected"));
            self.layers.outputs.push(*self.known.get(output).ok_or_else(unknown)?);
        }
        Ok(self.layers)
    }
}

impl Layers {
    /// Number of values of each output.
    pub fn widths(&self) -> Vec<usize> {
        self.outputs.iter().map(|&output| self.slots[output].len()).collect()
    }

    /// Room for the numbers of one row.
    pub fn numbers(&self) -> Numbers {
        let size = self.slots.last().map_or(0, |last| last.end);
        Numbers { numbers: vec![0.0; size], activations: Activations::default() }
    }

    /// The input in this place, to be filled.
    pub fn input<'n>(&self, numbers: &'n mut Numbers, place: usize) -> &'n mut [f32] {
        &mut numbers.numbers[self.slots[place].clone()]
    }

    /// The output in this place.
    pub fn output<'n>(&self, numbers: &'n Numbers, place: usize) -> &'n [f32] {
        &numbers.numbers[self.slots[self.outputs[place]].clone()]
    }

    /// The input of the last product: whole numbers from 0 to 127; none if there is no product.
    pub fn last_factor<'n>(&self, numbers: &'n Numbers) -> &'n [f32] {
        self.last_factor_slot().map_or(&[], |slot| &numbers.numbers[slot])
    }

    /// How many numbers [`Layers::last_factor`] has.
    pub fn last_factor_width(&self) -> usize {
        self.last_factor_slot().map_or(0, |slot| slot.len())
    }

    fn last_factor_slot(&self) -> Option<Range<usize>> {
        let is_product = |step: &&Step| matches!(step.operation, Operation::Product(_));
        let last = self.steps.iter().rfind(is_product)?;
        Some(self.slots[last.input].clone())
    }

    /// Computes the outputs of the inputs in `numbers`.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    pub fn run(&self, Numbers { numbers, activations }: &mut Numbers) {
        // The slot that `activations` were taken from.
        let mut taken = None;
        for Step { input, operation, output } in &self.steps {
            let (before, after) = numbers.split_at_mut(self.slots[*output].start);
            let outputs = &mut after[..self.slots[*output].len()];
            let inputs = &before[self.slots[*input].clone()];
            // Loops, since closures would be compiled for any processor.
            match operation {
                Operation::Product(product) => {
                    if taken.replace(*input) != Some(*input) {
                        activations.set(inputs);
                    }
                    product.multiply(activations, outputs);
                }
                Operation::AddSlot(other) => {
                    let others = &before[self.slots[*other].clone()];
                    for ((output, input), other) in outputs.iter_mut().zip(inputs).zip(others) {
                        *output = input + other;
                    }
                }
                Operation::AddConstant(numbers) if let &[number] = &numbers[..] => {
                    for (output, input) in outputs.iter_mut().zip(inputs) {
                        *output = input + number;
                    }
                }
                Operation::AddConstant(numbers) => {
                    for ((output, input), number) in outputs.iter_mut().zip(inputs).zip(numbers) {
                        *output = input + number;
                    }
                }
                Operation::Scale(factor) => {
                    for (output, input) in outputs.iter_mut().zip(inputs) {
                        *output = input * factor;
                    }
                }
                Operation::Clip { low, high } => {
                    for (output, input) in outputs.iter_mut().zip(inputs) {
                        *output = input.clamp(*low, *high);
                    }
                }
                Operation::Activation(activation) => {
                    for (output, &input) in outputs.iter_mut().zip(inputs) {
                        *output = activation.of(input);
                    }
                }
            }
        }
    }
}
