//! The reranker: a small network that says, from all that a search found, which moves people play.
//!
//! The verdicts' tables (`search_features.rs`) learn while coding, and so must be small. This
//! network does not, and sees more: how a move fared at six depths, how it compares with the
//! others, what went before, who plays (`reranker_features.rs`). Its first layer is a bag, as the
//! large network's: each class has a row of a table, and the rows of a move are added up.
//!
//! All is integer arithmetic; activations and weights are in units of 2<sup>-8</sup>, activations
//! from 0 to 4.

use super::examine::Analysis;
use super::opinion::Opinion;
use super::reranker_features::{RERANKER_FEATURES, RerankerFeatures, reranker_features};
use crate::entropy::fixed;

/// Units of the layers.
const FIRST: usize = 96;
const SECOND: usize = 48;

/// Numbers of a network: the table's rows, the first layer's biases; the second layer's weights,
/// unit by unit, and biases; the last layer's weights and bias.
pub const RERANKER_SIZE: usize =
    RERANKER_FEATURES * FIRST + FIRST + SECOND * FIRST + SECOND + SECOND + 1;

/// Largest activation.
const LARGEST: i32 = 4 << 8;

/// Largest sum of the weights of a unit without their signs, and of its bias: so no sum leaves 32
/// bits.
const LARGEST_SUM: i32 = 1 << 20;

/// A network that is given the features of moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reranker {
    numbers: Vec<i16>,
}

impl Reranker {
    /// The network with these numbers, [`RERANKER_SIZE`] of them, unless there are large ones among
    /// them.
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

    /// What is added to the logit of each legal move, in bits in units of 2<sup>-16</sup>; 0 for
    /// those that were not looked at.
    pub(super) fn logits(&self, findings: &Analysis, opinion: &Opinion) -> Vec<i32> {
        let mut logits = vec![0; findings.logits.len()];
        for (place, view) in findings.looked_at().zip(reranker_features(findings, opinion)) {
            logits[place] = fixed::nats_to_bits(self.logit(&view));
        }
        logits
    }

    /// The logit of a move in units of 2<sup>-16</sup> nat.
    fn logit(&self, view: &RerankerFeatures) -> i32 {
        let (table, rest) = self.numbers.split_at(RERANKER_FEATURES * FIRST);
        let (first_bias, rest) = rest.split_at(FIRST);
        let (weights, rest) = rest.split_at(SECOND * FIRST);
        let (bias, rest) = rest.split_at(SECOND);
        let (last, last_bias) = rest.split_at(SECOND);
        let mut sums = [0i32; FIRST];
        for (sum, &bias) in sums.iter_mut().zip(first_bias) {
            *sum = bias.into();
        }
        for &row in view {
            let row = &table[usize::from(row) * FIRST..][..FIRST];
            for (sum, &number) in sums.iter_mut().zip(row) {
                *sum += i32::from(number);
            }
        }
        let active = sums.map(|sum| sum.clamp(0, LARGEST));
        let mut logit = i32::from(last_bias[0]) << 8;
        for ((weights, &bias), &last) in weights.chunks_exact(FIRST).zip(bias).zip(last) {
            let products = active.iter().zip(weights).map(|(&x, &weight)| x * i32::from(weight));
            let sum = products.sum::<i32>() + (i32::from(bias) << 8);
            logit += (sum >> 8).clamp(0, LARGEST) * i32::from(last);
        }
        logit
    }
}

#[cfg(test)]
mod tests {
    use super::super::reranker_features::tests::findings;
    use super::*;

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let findings = findings();
        let opinion = Opinion::new(&findings.logits);
        let mut numbers = vec![i16::MAX; RERANKER_SIZE];
        assert_eq!(Reranker::new(numbers.clone()), None);
        // Half of a unit's weights are as large as can be, of either sign.
        let weights = RERANKER_FEATURES * FIRST + FIRST;
        for sign in [1, -1] {
            for unit in numbers[weights..][..SECOND * FIRST].chunks_exact_mut(FIRST) {
                unit.fill(0);
                unit[..31].fill(sign * i16::MAX);
            }
            numbers[weights + SECOND * FIRST + SECOND..].fill(0);
            numbers[weights + SECOND * FIRST + SECOND..][..31].fill(i16::MAX);
            let network = Reranker::new(numbers.clone()).unwrap();
            let logits = network.logits(&findings, &opinion);
            assert_eq!((logits[2], logits[0] > 0), (0, sign > 0));
        }
        assert_eq!(Reranker::new(vec![0; RERANKER_SIZE - 1]), None);
    }

    #[test]
    fn a_network_computes_what_it_should() {
        let mut numbers = vec![0; RERANKER_SIZE];
        let findings = findings();
        let opinion = Opinion::new(&findings.logits);
        // The best move at the last depth has 1 in the first unit, the second unit of the next
        // layer half of it and 1/4, and the logit twice that.
        let best = usize::from(reranker_features(&findings, &opinion)[2][0]);
        numbers[best * FIRST] = 256;
        let weights = RERANKER_FEATURES * FIRST + FIRST;
        numbers[weights + FIRST] = 128;
        numbers[weights + SECOND * FIRST + 1] = 64;
        numbers[weights + SECOND * FIRST + SECOND + 1] = 512;
        let network = Reranker::new(numbers).unwrap();
        let expected =
            [0.5, 0.5, 0.0, 1.5].map(|nats: f64| nats * std::f64::consts::LOG2_E * 65536.0);
        for (found, expected) in network.logits(&findings, &opinion).iter().zip(expected) {
            assert!((f64::from(*found) - expected).abs() < 3.0, "{found} {expected}");
        }
    }
}
