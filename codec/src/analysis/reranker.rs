//! The reranker: a small network that predicts, from the analysis of a position, which moves people
//! play.
//!
//! The weights of the search features (`search_features.rs`) are learned while coding, so they must be
//! few. The reranker is trained beforehand and has more features: a move's loss at six depths, its
//! ranks, the losses of the moves before, the players' ratings (`reranker_features.rs`). Its first
//! layer is an embedding bag: each feature has a row of weights, and the rows of a move's features are
//! added up. Two dense layers follow.
//!
//! Everything is integer arithmetic. Activations and weights are in units of 2<sup>-8</sup>;
//! activations are clipped to 0 to 4.

use pulp::{Arch, Simd, WithSimd};

use super::examine::Analysis;
use super::move_priors::MovePriors;
use super::reranker_features::{POSITION_SLOTS, reranker_features};
use super::reranker_index::{RERANKER_FEATURES, RerankerFeatures};
use crate::entropy::fixed;

/// Units of the first and of the second layer.
pub const RERANKER_LAYERS: [usize; 2] = [FIRST, SECOND];
const FIRST: usize = 96;
const SECOND: usize = 48;

/// Units of the first layer that are added up in registers together.
const TOGETHER: usize = 32;

/// Fraction bits of activations and weights.
pub const RERANKER_UNIT_BITS: u32 = 8;

/// Numbers of a network: the rows of the features and the first layer's biases; the second layer's
/// weights, unit by unit, and biases; the last layer's weights and bias.
pub const RERANKER_SIZE: usize =
    RERANKER_FEATURES * FIRST + FIRST + SECOND * FIRST + SECOND + SECOND + 1;

/// Largest activation, in units of 1 and of 2<sup>-8</sup>.
pub const LARGEST_ACTIVATION: i32 = 4;
const LARGEST: i32 = LARGEST_ACTIVATION << RERANKER_UNIT_BITS;

/// Largest sum of the magnitudes of a unit's weights and bias: with it no sum leaves 32 bits.
const LARGEST_SUM: i32 = 1 << 20;

/// The reranker's weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reranker {
    numbers: Vec<i16>,
}

impl Reranker {
    /// The network with these numbers; `None` if their count is not [`RERANKER_SIZE`], or if a unit's
    /// sum could overflow.
    pub fn new(numbers: Vec<i16>) -> Option<Reranker> {
        if numbers.len() != RERANKER_SIZE {
            return None;
        }
        let (_, rest) = numbers.split_at(RERANKER_FEATURES * FIRST + FIRST);
        let (weights, rest) = rest.split_at(SECOND * FIRST);
        let (bias, last) = rest.split_at(SECOND);
        let sum = |numbers: &[i16]| numbers.iter().map(|&n| i32::from(n).abs()).sum::<i32>();
        let mut units = weights.chunks_exact(FIRST).zip(bias);
        let small = units
            .all(|(weights, &bias)| sum(weights) + i32::from(bias).abs() <= LARGEST_SUM)
            && sum(last) <= LARGEST_SUM;
        small.then_some(Reranker { numbers })
    }

    /// The reranker's addition to each legal move's logit, in bits in units of 2<sup>-16</sup>; 0 for moves
    /// that were not searched.
    pub(super) fn logits(&self, analysis: &Analysis, priors: &MovePriors) -> Vec<i32> {
        let mut logits = vec![0; analysis.logits.len()];
        let features = reranker_features(analysis, priors);
        let mut found = vec![0; features.len()];
        Arch::new().dispatch(Logits { reranker: self, features: &features, logits: &mut found });
        for (place, logit) in analysis.searched().zip(found) {
            logits[place] = fixed::nats_to_bits(logit);
        }
        logits
    }

    /// Adds the rows of features to the sums of the first layer.
    #[inline(always)]
    fn add_rows(&self, sums: &mut [i32; FIRST], features: &[u16]) {
        let (sums, _) = sums.as_chunks_mut::<TOGETHER>();
        for (chunk, sums) in sums.iter_mut().enumerate() {
            let mut part = *sums;
            for &feature in features {
                let row = &self.numbers[usize::from(feature) * FIRST..][..FIRST];
                for (sum, &number) in part.iter_mut().zip(&row.as_chunks::<TOGETHER>().0[chunk]) {
                    *sum += i32::from(number);
                }
            }
            *sums = part;
        }
    }

    /// The logit of a move whose first layer has these sums, in units of 2<sup>-16</sup> nat.
    #[inline(always)]
    fn logit(&self, sums: &[i32; FIRST]) -> i32 {
        let rest = &self.numbers[RERANKER_FEATURES * FIRST + FIRST..];
        let (weights, rest) = rest.split_at(SECOND * FIRST);
        let (bias, rest) = rest.split_at(SECOND);
        let (last, last_bias) = rest.split_at(SECOND);
        // Not above LARGEST, and so of 16 bits.
        let active = sums.map(|sum| sum.clamp(0, LARGEST) as i16);
        let mut logit = i32::from(last_bias[0]) << 8;
        for ((weights, &bias), &last) in weights.as_chunks::<FIRST>().0.iter().zip(bias).zip(last) {
            let mut products = [0i32; FIRST];
            for (product, (&x, &weight)) in products.iter_mut().zip(active.iter().zip(weights)) {
                *product = i32::from(x) * i32::from(weight);
            }
            let sum = products.iter().sum::<i32>() + (i32::from(bias) << 8);
            logit += (sum >> 8).clamp(0, LARGEST) * i32::from(last);
        }
        logit
    }
}

/// The logits of the moves with these features, compiled once for each kind of registers.
struct Logits<'a> {
    reranker: &'a Reranker,
    features: &'a [RerankerFeatures],
    logits: &'a mut [i32],
}

impl WithSimd for Logits<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Logits { reranker, features, logits } = self;
        let Some(any) = features.first() else { return };
        let bias = &reranker.numbers[RERANKER_FEATURES * FIRST..];
        // What all moves share is added up once.
        let mut shared = std::array::from_fn(|unit| i32::from(bias[unit]));
        reranker.add_rows(&mut shared, &any[POSITION_SLOTS]);
        for (features, logit) in features.iter().zip(logits) {
            let mut sums = shared;
            reranker.add_rows(&mut sums, &features[..POSITION_SLOTS.start]);
            reranker.add_rows(&mut sums, &features[POSITION_SLOTS.end..]);
            *logit = reranker.logit(&sums);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::reranker_features::tests::analysis;
    use super::*;

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let analysis = analysis();
        let priors = MovePriors::new(&analysis.logits);
        let mut numbers = vec![i16::MAX; RERANKER_SIZE];
        assert_eq!(Reranker::new(numbers.clone()), None);
        // As many of a unit's weights as allowed are of the largest magnitude.
        let weights = RERANKER_FEATURES * FIRST + FIRST;
        for sign in [1, -1] {
            for unit in numbers[weights..][..SECOND * FIRST].chunks_exact_mut(FIRST) {
                unit.fill(0);
                unit[..31].fill(sign * i16::MAX);
            }
            numbers[weights + SECOND * FIRST + SECOND..].fill(0);
            numbers[weights + SECOND * FIRST + SECOND..][..31].fill(i16::MAX);
            let network = Reranker::new(numbers.clone()).unwrap();
            let logits = network.logits(&analysis, &priors);
            assert_eq!((logits[2], logits[0] > 0), (0, sign > 0));
        }
        assert_eq!(Reranker::new(vec![0; RERANKER_SIZE - 1]), None);
    }

    #[test]
    fn logits_are_those_of_the_layers() {
        let mut numbers = vec![0; RERANKER_SIZE];
        let analysis = analysis();
        let priors = MovePriors::new(&analysis.logits);
        // The best move at the last depth has 1 in the first unit, the second unit of the next
        // layer half of it and 1/4, and the logit twice that.
        let best = usize::from(reranker_features(&analysis, &priors)[2][0]);
        numbers[best * FIRST] = 256;
        let weights = RERANKER_FEATURES * FIRST + FIRST;
        numbers[weights + FIRST] = 128;
        numbers[weights + SECOND * FIRST + 1] = 64;
        numbers[weights + SECOND * FIRST + SECOND + 1] = 512;
        let network = Reranker::new(numbers).unwrap();
        let expected =
            [0.5, 0.5, 0.0, 1.5].map(|nats: f64| nats * std::f64::consts::LOG2_E * 65536.0);
        for (found, expected) in network.logits(&analysis, &priors).iter().zip(expected) {
            assert!((f64::from(*found) - expected).abs() < 3.0, "{found} {expected}");
        }
    }
}
