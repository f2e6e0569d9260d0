//! NNUE: a small network that evaluates quiet positions for the search.
//!
//! The network is "efficiently updatable" (NNUE, see the Chess Programming Wiki). Its input features
//! are pieces on squares. Each feature adds a row of weights to an [`Accumulator`], once from White's
//! perspective and once from Black's; a move changes two to four features, so the accumulator of a
//! position follows cheaply from that of the position before ([`Nnue::update`]). The accumulator,
//! clipped and squared, goes into one output, whose weights depend on the number of pieces.
//!
//! A large network has separate feature weights for each bucket of the own king's square, and mirrors
//! the board, file a for file h, if that king is on the queen's side. When a king changes its bucket,
//! its side's accumulator is computed from that of the last board seen with the same bucket
//! ([`RefreshTable`]). A small network has one bucket and no mirroring.
//!
//! Everything is integer arithmetic: feature weights have 8 bits, accumulators 16, the output 32.
//! The bounds under which neither overflows are checked when a model is loaded.

mod accumulator;
mod feature_delta;
#[cfg(test)]
mod tests;

use pulp::{Arch, Simd, WithSimd};
use shakmaty::Color;

pub use accumulator::{Accumulator, KING_BUCKET_OF_RANK, RefreshTable};
pub use feature_delta::FeatureDelta;

/// Hidden units for each perspective.
pub const WIDTH: usize = 256;

/// Input features of a king bucket: the roles of both sides on squares.
pub const FEATURES: usize = 768;

/// The output's weights are chosen by the number of pieces.
pub const OUTPUT_BUCKETS: usize = 8;

/// King buckets of a large network.
pub const KING_BUCKETS: usize = 5;

/// Numbers in a small and in a large network: feature weights, accumulator biases, output weights
/// and output biases.
pub const NNUE_SIZES: [usize; 2] = [size(1), size(KING_BUCKETS)];

const fn size(king_buckets: usize) -> usize {
    king_buckets * FEATURES * WIDTH + WIDTH + OUTPUT_BUCKETS * 2 * WIDTH + OUTPUT_BUCKETS
}

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

/// The weights of one input feature, aligned so that no vector load crosses a cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
struct FeatureWeights([i8; WIDTH]);

/// A 16-bit number for each hidden unit of one perspective, aligned as [`FeatureWeights`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
struct HiddenVector([i16; WIDTH]);

impl HiddenVector {
    #[inline(always)]
    fn add(&mut self, weights: &FeatureWeights) {
        for (sum, &weight) in self.0.iter_mut().zip(&weights.0) {
            *sum = sum.wrapping_add(weight.into());
        }
    }

    #[inline(always)]
    fn subtract(&mut self, weights: &FeatureWeights) {
        for (sum, &weight) in self.0.iter_mut().zip(&weights.0) {
            *sum = sum.wrapping_sub(weight.into());
        }
    }
}

/// The weights of an evaluation network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nnue {
    /// [`FEATURES`] rows for each king bucket.
    feature_weights: Vec<FeatureWeights>,
    accumulator_biases: HiddenVector,
    /// For each output bucket the weights of the side to move and of the other.
    output_weights: Vec<[HiddenVector; 2]>,
    output_biases: [i16; OUTPUT_BUCKETS],
}

impl Nnue {
    /// The network of these numbers, in the order that [`NNUE_SIZES`] gives; `None` if their count
    /// is not one of [`NNUE_SIZES`], or if the arithmetic could overflow on some board.
    pub fn new(numbers: &[i16]) -> Option<Nnue> {
        if !NNUE_SIZES.contains(&numbers.len()) {
            return None;
        }
        let king_buckets = if numbers.len() == NNUE_SIZES[0] { 1 } else { KING_BUCKETS };
        let (feature_weights, rest) = numbers.split_at(king_buckets * FEATURES * WIDTH);
        let (accumulator_biases, rest) = rest.split_at(WIDTH);
        let (output_weights, output_biases) = rest.split_at(OUTPUT_BUCKETS * 2 * WIDTH);
        let within =
            |numbers: &[i16], max: i16| numbers.iter().all(|number| (-max..=max).contains(number));
        let output_fits = output_weights.chunks_exact(2 * WIDTH).all(|bucket| {
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
        let row = |chunk: &[i16]| FeatureWeights(std::array::from_fn(|i| chunk[i] as i8));
        let vector = |chunk: &[i16]| HiddenVector(std::array::from_fn(|i| chunk[i]));
        Some(Nnue {
            feature_weights: feature_weights.chunks_exact(WIDTH).map(row).collect(),
            accumulator_biases: vector(accumulator_biases),
            output_weights: output_weights
                .chunks_exact(2 * WIDTH)
                .map(|bucket| [vector(&bucket[..WIDTH]), vector(&bucket[WIDTH..])])
                .collect(),
            output_biases: std::array::from_fn(|i| output_biases[i]),
        })
    }

    /// The network's evaluation of a position with this accumulator and number of pieces, in
    /// centipawns for the side to move, from -[`MAX_EVAL`] to [`MAX_EVAL`].
    pub fn evaluate(&self, accumulator: &Accumulator, turn: Color, pieces: usize) -> i32 {
        let bucket = (pieces.saturating_sub(2) / 4).min(OUTPUT_BUCKETS - 1);
        let own = turn.fold_wb(0, 1);
        let [own_weights, enemy_weights] = &self.output_weights[bucket];
        let hidden = [&accumulator.sides[own], &accumulator.sides[1 - own]];
        let total =
            Arch::new().dispatch(OutputLayer { hidden, weights: [own_weights, enemy_weights] });
        let one = i32::from(ACTIVATION_ONE);
        let total = i64::from(total / one + i32::from(self.output_biases[bucket]));
        let value = total * CENTIPAWNS / (i64::from(one) * OUTPUT_ONE);
        value.clamp((-MAX_EVAL).into(), MAX_EVAL.into()) as i32
    }
}

/// The output layer of [`Nnue::evaluate`], compiled once for each set of vector instructions.
struct OutputLayer<'a> {
    hidden: [&'a HiddenVector; 2],
    weights: [&'a HiddenVector; 2],
}

impl WithSimd for OutputLayer<'_> {
    type Output = i32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> i32 {
        weighted_squares(self.hidden[0], self.weights[0])
            + weighted_squares(self.hidden[1], self.weights[1])
    }
}

/// The sum of the clipped and squared hidden units times their weights.
#[inline(always)]
fn weighted_squares(
    HiddenVector(hidden): &HiddenVector,
    HiddenVector(weights): &HiddenVector,
) -> i32 {
    // Sixteen partial sums, so that compilers vectorize the loop.
    let (mut clipped, mut products) = ([0; WIDTH], [0; WIDTH]);
    for i in 0..WIDTH {
        clipped[i] = hidden[i].clamp(0, ACTIVATION_ONE);
        products[i] = clipped[i].wrapping_mul(weights[i]);
    }
    let mut totals = [0i32; 16];
    for (clipped, products) in clipped.chunks_exact(16).zip(products.chunks_exact(16)) {
        for (total, (&clipped, &product)) in totals.iter_mut().zip(clipped.iter().zip(products)) {
            *total = total.wrapping_add(i32::from(clipped) * i32::from(product));
        }
    }
    totals.iter().fold(0, |sum, &total| sum.wrapping_add(total))
}
