//! The mixer: one distribution over the legal moves from all inputs, learned online.
//!
//! The logit of a move is the sum of (1) the logits of the policy (a network, or the linear policy) and of the
//! reranker, each times a scale, (2) one weight for each of the move's features, search features and reply features,
//! and (3) for each source of counts the logarithm of posterior over prior probability, times a scale. After each move
//! all weights take a step against the gradient of the move's cost: online softmax regression, as logistic mixing does
//! it for bits. The features correct the policy by what is peculiar to the archive.

use super::mixer_input::{MixedFeatures, MixerInput, REPLY_CLASSES};
use super::mixer_scales::{CONFIDENCE_CLASSES, MixerScales, WEIGHT_BITS};
use super::parameters::{
    LearningRates, MAX_FEATURE_WEIGHT, MAX_LOGIT, MAX_SCALE, POLICY_RATE_SHIFT, REPLY_RATE,
    SOURCES, stage,
};
use crate::analysis::SearchModel;
use crate::entropy::fixed::{self, ONE};
use crate::features::index::{moves, slots};
use crate::features::{MOVE_FEATURES, PLAIN_FEATURES};

/// Fraction bits of the weights of features in files. Here they are in units of 2<sup>-20</sup> bit.
pub const WEIGHT_FILE_BITS: u32 = 10;

/// The weights, and scratch space.
#[derive(Debug)]
pub struct Mixer {
    rates: LearningRates,
    /// By move feature.
    features: Vec<i32>,
    /// By search feature.
    search_features: Vec<i32>,
    /// By the [`reply_class`](super::mixer_input::reply_class) of the last move, or of the one before, and of the
    /// move itself; none without a network, since the linear policy has them.
    replies: Vec<Vec<i32>>,
    scales: MixerScales,
    /// The policy's logits, in units of 2^-16 bit.
    policy_bits: Vec<i32>,
    /// Class of the policy's largest probability.
    confidence: usize,
    logits: Vec<i32>,
    /// Probabilities before counts are added, in units of 2^-31.
    prior: Vec<u32>,
    /// What each source adds to each move's logit, before its scale, in units of 2^-16 bit.
    log_ratios: [Vec<i32>; SOURCES],
    /// Probabilities after the sources that have been added so far, in units of 2^-31.
    probabilities: Vec<u32>,
}

/// The index of the weight of a move in reply to one of class `last`.
fn reply_index(last: usize, features: &[u16]) -> usize {
    last * REPLY_CLASSES + usize::from(features[slots::TO]) - moves::TO
}

/// The gradient of the cost with move `index`'s logit, in units of 2<sup>-31</sup>, reversed.
fn error(probabilities: &[u32], index: usize, played: usize) -> i64 {
    i64::from(index == played) * (1 << 31) - i64::from(probabilities[index])
}

/// The gradient with the scale of `logits`, which are in units of 2<sup>-16</sup>, in units of 2<sup>-31</sup>.
fn scale_gradient(logits: &[i32], probabilities: &[u32], played: usize) -> i64 {
    let terms = logits
        .iter()
        .enumerate()
        .map(|(index, &logit)| (error(probabilities, index, played) * i64::from(logit)) >> 16);
    terms.sum()
}

/// Moves a scale by `gradient`, in units of 2<sup>-31</sup>, over 2<sup>`rate`</sup>.
fn adjust(scale: &mut i32, gradient: i64, rate: u32) {
    let limit = i64::from(MAX_SCALE << WEIGHT_BITS);
    let moved = i64::from(*scale) + (gradient >> (31 - WEIGHT_BITS + rate));
    *scale = moved.clamp(-limit, limit) as i32;
}

/// Adds `step` to the weight of a feature.
fn add(weight: &mut i32, step: i32) {
    let limit = MAX_FEATURE_WEIGHT << WEIGHT_BITS;
    *weight = (*weight + step).clamp(-limit, limit);
}

/// `logit` times a scale.
fn scaled(logit: i32, scale: i64) -> i32 {
    ((i64::from(logit) * scale) >> WEIGHT_BITS) as i32
}

impl Mixer {
    /// A mixer before its first game; `network` says whether a network is the policy, `scales` are those of the
    /// model's file, if it has some.
    pub fn new(
        network: bool,
        search_model: Option<&SearchModel>,
        scales: Option<&MixerScales>,
    ) -> Mixer {
        let search_weights = search_model.map_or(&[][..], |search_model| &search_model.weights);
        let from_file = |weight: i16| i32::from(weight) << (WEIGHT_BITS - WEIGHT_FILE_BITS);
        Mixer {
            rates: if network {
                LearningRates::WITH_NETWORK
            } else {
                LearningRates::WITH_LINEAR_POLICY
            },
            features: vec![0; if network { MOVE_FEATURES } else { PLAIN_FEATURES }],
            search_features: search_weights.iter().map(|&weight| from_file(weight)).collect(),
            replies: vec![vec![0; REPLY_CLASSES * REPLY_CLASSES]; if network { 2 } else { 0 }],
            scales: scales
                .cloned()
                .unwrap_or_else(|| MixerScales::usual(network, search_model.is_some())),
            policy_bits: vec![],
            confidence: 0,
            logits: vec![],
            prior: vec![],
            log_ratios: [const { vec![] }; SOURCES],
            probabilities: vec![],
        }
    }

    /// The scales, as far as they have been learned.
    #[cfg(feature = "training")]
    pub fn scales_mut(&mut self) -> &mut MixerScales {
        &mut self.scales
    }

    /// The probability of each legal move, in units of 2<sup>-31</sup>.
    pub fn predict(&mut self, input: &MixerInput) -> &[u32] {
        let stage = stage(input.ply);
        self.sum_logits(input, stage);
        fixed::softmax(&self.logits, &mut self.prior);
        self.probabilities.clone_from(&self.prior);
        for (source, counts) in input.counts.iter().enumerate() {
            if counts.moves.is_empty() {
                continue;
            }
            let ratios = &mut self.log_ratios[source];
            counts.log_ratios(source, &self.probabilities, ratios);
            let scale = i64::from(self.scales.sources[source][stage][counts.class(source)]);
            for (logit, &ratio) in self.logits.iter_mut().zip(ratios.iter()) {
                *logit += scaled(ratio, scale);
            }
            fixed::softmax(&self.logits, &mut self.probabilities);
        }
        &self.probabilities
    }

    /// The logits before counts are added, in units of 2<sup>-16</sup> bit.
    fn sum_logits(&mut self, input: &MixerInput, stage: usize) {
        self.policy_bits.clear();
        self.policy_bits.extend(input.policy.iter().map(|&logit| fixed::nats_to_bits(logit)));
        let largest = fixed::largest_of_softmax(&self.policy_bits);
        self.confidence = (largest >> 28) as usize % CONFIDENCE_CLASSES;
        match input.features {
            MixedFeatures::All(features) => self.sum_features(features, input, stage),
            MixedFeatures::Adapted(features) => self.sum_features(features, input, stage),
        }
    }

    /// The sums of policy, features, replies and search.
    fn sum_features<const N: usize>(
        &mut self,
        features: &[[u16; N]],
        input: &MixerInput,
        stage: usize,
    ) {
        let policy_scale = i64::from(self.scales.policy[stage][self.confidence]);
        let reranker_scale = i64::from(self.scales.reranker[stage]);
        self.logits.clear();
        self.logits.extend(features.iter().enumerate().map(|(index, features)| {
            let of_features: i32 = features.iter().map(|&f| self.features[usize::from(f)]).sum();
            let replies = self.replies.iter().zip(input.last);
            let of_replies: i32 = replies.map(|(r, last)| r[reply_index(last, features)]).sum();
            let of_search: i32 = input.search.map_or(0, |search| {
                search.features[index].iter().map(|&f| self.search_features[usize::from(f)]).sum()
            });
            let learned = of_features + of_replies + of_search;
            let policy = self.policy_bits.get(index).copied().unwrap_or(0);
            let reranker = input.search.and_then(|search| search.reranking.logits.get(index));
            (learned >> (WEIGHT_BITS - 16))
                .saturating_add(scaled(policy, policy_scale))
                .saturating_add(scaled(reranker.copied().unwrap_or(0), reranker_scale))
                .clamp(-MAX_LOGIT * ONE, MAX_LOGIT * ONE)
        }));
    }

    /// Learns that move `played` followed; `input` is that of the last [`Mixer::predict`].
    pub fn update(&mut self, input: &MixerInput, played: usize) {
        let stage = stage(input.ply);
        for (source, counts) in input.counts.iter().enumerate() {
            if counts.moves.is_empty() {
                continue;
            }
            let gradient = scale_gradient(&self.log_ratios[source], &self.probabilities, played);
            let scale = &mut self.scales.sources[source][stage][counts.class(source)];
            adjust(scale, gradient, self.rates.scales);
        }
        let policy_rate = self.rates.scales + POLICY_RATE_SHIFT;
        let gradient = scale_gradient(input.policy, &self.prior, played);
        adjust(&mut self.scales.policy[stage][self.confidence], gradient, policy_rate);
        if let Some(search) = input.search {
            let gradient = scale_gradient(&search.reranking.logits, &self.prior, played);
            adjust(&mut self.scales.reranker[stage], gradient, policy_rate);
            for (index, features) in search.features.iter().enumerate() {
                let step = self.step(index, played, self.rates.search_features);
                for &feature in features {
                    add(&mut self.search_features[usize::from(feature)], step);
                }
            }
        }
        match input.features {
            MixedFeatures::All(features) => self.learn_features(features, input, played),
            MixedFeatures::Adapted(features) => self.learn_features(features, input, played),
        }
    }

    /// Has the weights of features and replies learn.
    fn learn_features<const N: usize>(
        &mut self,
        features: &[[u16; N]],
        input: &MixerInput,
        played: usize,
    ) {
        for (index, features) in features.iter().enumerate() {
            let step = self.step(index, played, self.rates.features);
            if step != 0 {
                for (replies, last) in self.replies.iter_mut().zip(input.last) {
                    add(&mut replies[reply_index(last, features)], REPLY_RATE * step);
                }
                for &feature in features {
                    add(&mut self.features[usize::from(feature)], step);
                }
            }
        }
    }

    /// The step of the weights of move `index`'s features at this rate.
    fn step(&self, index: usize, played: usize, rate: u32) -> i32 {
        let shift = 31 - WEIGHT_BITS + rate;
        ((error(&self.prior, index, played) + (1 << (shift - 1))) >> shift) as i32
    }
}
