//! NNUE: a small network that evaluates quiet positions for the search.
//!
//! The network is "efficiently updatable" (NNUE, see the Chess Programming Wiki). Its input features
//! are pieces on squares. Each feature adds a row of weights to an [`Accumulator`], once from White's
//! perspective and once from Black's; a move changes two to four features, so the accumulator of a
//! position follows cheaply from that of the position before ([`Nnue::update`]). The accumulator,
//! clipped and squared, goes into one output, whose weights depend on the number of pieces.
//!
//! A network with a [layout of king buckets](Shape::king_layout) has separate feature weights for each bucket of the own
//! king's square, and mirrors the board, file a for file h, if that king is on the queen's side. When a king changes its
//! bucket, its side's accumulator is computed from that of the last board seen with the same bucket ([`RefreshTable`]).
//! A network without a layout has one bucket and no mirroring. The numbers of a network begin with its [`Shape`]; the
//! first two shapes, small and large, have no such header and are known by the count of their numbers.
//!
//! Everything is integer arithmetic: feature weights have 8 bits, accumulators 16, the output 32.
//! The bounds under which neither overflows are checked when a model is loaded.

mod accumulator;
mod feature_delta;
mod lanes;
mod shape;
#[cfg(test)]
mod tests;

use pulp::NullaryFnOnce;
use shakmaty::Color;

pub use accumulator::{Accumulator, RefreshTable};
pub use feature_delta::FeatureDelta;
use lanes::Lanes;
pub use shape::{KING_BUCKET_OF_RANK, MAX_NUMBERS, Shape};

/// Hidden units for each perspective of a small and a large network.
pub const WIDTH: usize = 256;

/// Hidden units of a block: the width of a network is a multiple of it.
pub const LANES: usize = 64;

/// Input features of a king bucket: the roles of both sides on squares.
pub const FEATURES: usize = 768;

/// The output's weights are chosen by the number of pieces.
pub const OUTPUT_BUCKETS: usize = 8;

/// King buckets of a large network.
pub const KING_BUCKETS: usize = 5;

/// Numbers in a small and in a large network: feature weights, accumulator biases, output weights
/// and output biases.
pub const NNUE_SIZES: [usize; 2] = [shape::count(WIDTH, 1), shape::count(WIDTH, KING_BUCKETS)];

/// Hidden units are clipped to 0 and this, which stands for 1.
pub const ACTIVATION_ONE: i16 = 255;

/// An output weight that stands for 1.
pub const OUTPUT_ONE: i64 = 64;

/// Centipawns for an output of 1.
pub const CENTIPAWNS: i64 = 400;

/// Centipawns: the largest magnitude of an evaluation.
pub const MAX_EVAL: i32 = 8_000;

/// Largest magnitude of a feature weight: with 8 bits more of them fit a core's cache.
pub const MAX_FEATURE_WEIGHT: i16 = 127;

/// Largest magnitude of an accumulator bias: with 64 feature weights it fits 16 bits, and so do the
/// accumulators of every board.
pub const MAX_ACCUMULATOR_BIAS: i16 = 504;

/// Largest magnitude of an output weight: [`ACTIVATION_ONE`] times it fits 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;

/// The weights of one input feature for a block of hidden units, aligned so that no vector load crosses a cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
struct WeightBlock([i8; LANES]);

/// A 16-bit number for each hidden unit of a block, aligned as [`WeightBlock`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
struct HiddenBlock([i16; LANES]);

impl HiddenBlock {
    #[inline(always)]
    fn add(&mut self, weights: &WeightBlock) {
        for (sum, &weight) in self.0.iter_mut().zip(&weights.0) {
            *sum = sum.wrapping_add(weight.into());
        }
    }

    #[inline(always)]
    fn subtract(&mut self, weights: &WeightBlock) {
        for (sum, &weight) in self.0.iter_mut().zip(&weights.0) {
            *sum = sum.wrapping_sub(weight.into());
        }
    }
}

/// The weights of an evaluation network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nnue {
    shape: Shape,
    /// Blocks of each perspective.
    blocks: usize,
    /// [`FEATURES`] rows for each king bucket, one block after the other.
    feature_weights: Vec<WeightBlock>,
    accumulator_biases: Vec<HiddenBlock>,
    /// For each output bucket the weights of the side to move, then of the other.
    output_weights: Vec<HiddenBlock>,
    output_biases: [i16; OUTPUT_BUCKETS],
}

impl Nnue {
    /// The network of these numbers, in the order that [`NNUE_SIZES`] gives, after the header of a shape that is none of
    /// the first two; `None` if they are none, or if the arithmetic could overflow on some board.
    pub fn new(numbers: &[i16]) -> Option<Nnue> {
        let (shape, numbers) = Shape::read(numbers)?;
        let width = shape.width();
        let (feature_weights, rest) = numbers.split_at(shape.king_buckets() * FEATURES * width);
        let (accumulator_biases, rest) = rest.split_at(width);
        let (output_weights, output_biases) = rest.split_at(OUTPUT_BUCKETS * 2 * width);
        let within =
            |numbers: &[i16], max: i16| numbers.iter().all(|number| (-max..=max).contains(number));
        let output_fits = output_weights.chunks_exact(2 * width).all(|bucket| {
            let total: i64 = bucket.iter().map(|&weight| i64::from(weight).abs()).sum();
            let one = i64::from(ACTIVATION_ONE);
            total * one * one <= i64::from(i32::MAX)
        });
        if !within(feature_weights, MAX_FEATURE_WEIGHT)
            || !within(accumulator_biases, MAX_ACCUMULATOR_BIAS)
            || !within(output_weights, MAX_OUTPUT_WEIGHT)
            || !output_fits
        {
            return None;
        }
        let weights = |chunk: &[i16]| WeightBlock(std::array::from_fn(|i| chunk[i] as i8));
        let hidden = |chunk: &[i16]| HiddenBlock(std::array::from_fn(|i| chunk[i]));
        Some(Nnue {
            blocks: width / LANES,
            feature_weights: feature_weights.chunks_exact(LANES).map(weights).collect(),
            accumulator_biases: accumulator_biases.chunks_exact(LANES).map(hidden).collect(),
            output_weights: output_weights.chunks_exact(LANES).map(hidden).collect(),
            output_biases: std::array::from_fn(|i| output_biases[i]),
            shape,
        })
    }

    /// The network's evaluation of a position with this accumulator and number of pieces, in
    /// centipawns for the side to move, from -[`MAX_EVAL`] to [`MAX_EVAL`].
    pub fn evaluate(&self, accumulator: &Accumulator, turn: Color, pieces: usize) -> i32 {
        let output = self.output(turn, pieces);
        let hidden = [accumulator.side(0), accumulator.side(1)];
        output.value(in_registers(OutputLayer { hidden, weights: output.weights }))
    }

    /// The output's weights and bias for a number of pieces.
    #[inline(always)]
    fn output(&self, turn: Color, pieces: usize) -> Output<'_> {
        let bucket = (pieces.saturating_sub(2) / 4).min(OUTPUT_BUCKETS - 1);
        let weights = &self.output_weights[bucket * 2 * self.blocks..][..2 * self.blocks];
        let (own, other) = weights.split_at(self.blocks);
        Output {
            weights: turn.fold_wb([own, other], [other, own]),
            bias: self.output_biases[bucket],
        }
    }
}

/// The output for one number of pieces.
#[derive(Debug, Clone, Copy)]
struct Output<'a> {
    /// The weights of White's hidden units, then of Black's.
    weights: [&'a [HiddenBlock]; 2],
    bias: i16,
}

impl Output<'_> {
    /// The evaluation of a sum of weighted squares.
    #[inline(always)]
    fn value(&self, total: i32) -> i32 {
        let one = i32::from(ACTIVATION_ONE);
        let total = i64::from(total / one + i32::from(self.bias));
        let value = total * CENTIPAWNS / (i64::from(one) * OUTPUT_ONE);
        value.clamp((-MAX_EVAL).into(), MAX_EVAL.into()) as i32
    }
}

/// What is computed with one kind of registers.
trait Kernel {
    type Output;

    fn run<const N: usize, L: Lanes<N>>(self, lanes: L) -> Self::Output;
}

/// A kernel with its registers.
struct Compiled<const N: usize, K, L>(K, L);

impl<const N: usize, K: Kernel, L: Lanes<N>> NullaryFnOnce for Compiled<N, K, L> {
    type Output = K::Output;

    #[inline(always)]
    fn call(self) -> K::Output {
        self.0.run(self.1)
    }
}

/// Runs a kernel with the widest registers that the machine has.
#[inline(always)]
fn in_registers<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(simd) = pulp::x86::V4::try_new() {
            return simd.vectorize(Compiled(kernel, lanes::Avx512(simd)));
        }
        if let Some(simd) = pulp::x86::V3::try_new() {
            return simd.vectorize(Compiled(kernel, lanes::Avx2(simd)));
        }
    }
    Compiled(kernel, lanes::Portable).call()
}

/// The sum of the output layer of [`Nnue::evaluate`]: hidden units and weights of White and of Black.
struct OutputLayer<'a> {
    hidden: [&'a [HiddenBlock]; 2],
    weights: [&'a [HiddenBlock]; 2],
}

impl Kernel for OutputLayer<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<const N: usize, L: Lanes<N>>(self, lanes: L) -> i32 {
        // Compiled for each width that models have, so that their loops have constant lengths.
        match self.hidden[0].len() {
            4 => self.sum(lanes, 4),
            8 => self.sum(lanes, 8),
            blocks => self.sum(lanes, blocks),
        }
    }
}

impl OutputLayer<'_> {
    #[inline(always)]
    fn sum<const N: usize, L: Lanes<N>>(self, lanes: L, blocks: usize) -> i32 {
        let mut sums = lanes.zero();
        for (hidden, weights) in self.hidden.into_iter().zip(self.weights) {
            sums = add_squares(lanes, sums, &hidden[..blocks], &weights[..blocks]);
        }
        lanes.total(sums)
    }
}

/// The sum of the clipped and squared hidden units times their weights.
///
/// One plain sum, which compilers make of products of pairs (`vpmaddwd`). Of arrays between steps, or of partial sums,
/// they did so or did not, by what else the crate had.
#[inline(always)]
fn add_squares<const N: usize, L: Lanes<N>>(
    lanes: L,
    sums: L::Sums,
    hidden: &[HiddenBlock],
    weights: &[HiddenBlock],
) -> L::Sums {
    let mut sums = sums;
    for (HiddenBlock(hidden), HiddenBlock(weights)) in hidden.iter().zip(weights) {
        for (hidden, weights) in hidden.as_chunks::<N>().0.iter().zip(weights.as_chunks().0) {
            sums = lanes.add_squares(sums, lanes.load(hidden), ACTIVATION_ONE, weights);
        }
    }
    sums
}
