//! The scales of the mixer's inputs.

use super::mixer_input::COUNT_CLASSES;
use super::parameters::{
    INITIAL_POLICY_SCALES, INITIAL_SOURCE_SCALES, MAX_SCALE, SOURCES, STAGE_STARTS,
};
use crate::entropy::fixed;

/// Fraction bits of the mixer's weights.
pub const WEIGHT_BITS: u32 = 20;

/// Fraction bits of scales in files.
pub const SCALE_FILE_BITS: u32 = 12;

/// Stages of a game, see [`STAGE_STARTS`].
pub const STAGES: usize = STAGE_STARTS.len() + 1;

/// The policy's scale depends on its largest probability, by eighths.
pub const CONFIDENCE_CLASSES: usize = 8;

/// The class of a policy's largest probability, by eighths; `policy` is its logits in units of 2<sup>-16</sup> nat.
pub fn confidence(policy: &[i32]) -> u8 {
    let largest = fixed::largest_of_softmax(policy.iter().map(|&logit| fixed::nats_to_bits(logit)));
    (largest >> 28) as u8 % CONFIDENCE_CLASSES as u8
}

/// What the mixer multiplies logits with, in units of 2<sup>-20</sup>.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MixerScales {
    /// Of the reranker's logits, by stage.
    pub reranker: [i32; STAGES],
    /// Of the policy's logits, by stage and confidence.
    pub policy: [[i32; CONFIDENCE_CLASSES]; STAGES],
    /// Of each source of counts, by stage and class of the total count.
    pub sources: [[[i32; COUNT_CLASSES]; STAGES]; SOURCES],
}

/// Hundredths to weights.
fn from_hundredths(scale: i32) -> i32 {
    (scale << WEIGHT_BITS) / 100
}

impl MixerScales {
    /// The number of all scales.
    pub const COUNT: usize = STAGES * (1 + CONFIDENCE_CLASSES + SOURCES * COUNT_CLASSES);

    /// What the mixer begins with beside a model whose file has no scales; `network` says whether a network is the
    /// policy, `searches` whether the model searches.
    pub fn usual(network: bool, searches: bool) -> MixerScales {
        let of_policy = from_hundredths(INITIAL_POLICY_SCALES[usize::from(searches)]);
        MixerScales {
            reranker: [1 << WEIGHT_BITS; STAGES],
            policy: [[of_policy; CONFIDENCE_CLASSES]; STAGES],
            sources: INITIAL_SOURCE_SCALES[usize::from(network)]
                .map(|scale| [[from_hundredths(scale); COUNT_CLASSES]; STAGES]),
        }
    }

    /// The scales that a model's file has, [`MixerScales::COUNT`] numbers in units of 2<sup>-12</sup>, in the order of
    /// the fields; `None` if there are more or fewer, or if one is above [`MAX_SCALE`].
    pub fn from_numbers(numbers: &[i16]) -> Option<MixerScales> {
        let limit = (MAX_SCALE << SCALE_FILE_BITS) as u16;
        if numbers.len() != MixerScales::COUNT || numbers.iter().any(|n| n.unsigned_abs() > limit) {
            return None;
        }
        let mut scales = MixerScales::usual(true, true);
        for (scale, &number) in scales.iter_mut().zip(numbers) {
            *scale = i32::from(number) << (WEIGHT_BITS - SCALE_FILE_BITS);
        }
        Some(scales)
    }

    /// All scales in the order of the fields.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut i32> {
        let policy = self.policy.as_flattened_mut().iter_mut();
        let sources = self.sources.as_flattened_mut().as_flattened_mut().iter_mut();
        self.reranker.iter_mut().chain(policy).chain(sources)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_file_are_scales_in_their_order() {
        let mut numbers: Vec<i16> = (0..MixerScales::COUNT as i16).collect();
        numbers[1] = -(4 << 12);
        let scales = MixerScales::from_numbers(&numbers).unwrap();
        assert_eq!(scales.reranker, [0, -4 << 20, 2 << 8, 3 << 8]);
        assert_eq!(scales.policy[0][0], 4 << 8);
        assert_eq!(scales.policy[3][7], 35 << 8);
        assert_eq!(scales.sources[0][0][1], 37 << 8);
        assert_eq!(scales.sources[3][3][7], 163 << 8);
        assert_eq!(MixerScales::from_numbers(&numbers[1..]), None);
        numbers[7] = (4 << 12) + 1;
        assert_eq!(MixerScales::from_numbers(&numbers), None);
        numbers[7] = i16::MIN;
        assert_eq!(MixerScales::from_numbers(&numbers), None);
    }

    #[test]
    fn a_file_without_scales_has_those_of_before() {
        assert_eq!(MixerScales::usual(true, true).policy[2][5], 943_718);
        assert_eq!(MixerScales::usual(true, false).policy[0][0], 1 << 20);
        let of_sources = |network| MixerScales::usual(network, false).sources.map(|of| of[1][2]);
        assert_eq!(of_sources(false), [1_048_576, 524_288, 524_288, 314_572]);
        assert_eq!(of_sources(true), [1_048_576, 419_430, 524_288, 524_288]);
    }
}
