//! The mixer: one distribution over the legal moves from all inputs, learned online.
//!
//! The logit of a move is the sum of (1) the logits of the policy (a network, or the linear policy) and of the
//! reranker, each times a scale, (2) one weight for each of the move's features, search features and reply features,
//! and (3) for each source of counts the logarithm of posterior over prior probability, times a scale. After each move
//! all weights take a step against the gradient of the move's cost: online softmax regression, as logistic mixing does
//! it for bits. The features correct the policy by what is peculiar to the archive.

use pulp::{Arch, NullaryFnOnce};

use super::mixer_input::{MixedFeatures, MixerInput, REPLY_CLASSES};
use super::mixer_scales::{MixerScales, WEIGHT_BITS};
use super::parameters::{
    LearningRates, MAX_FEATURE_WEIGHT, MAX_LOGIT, MAX_SCALE, POLICY_RATE_SHIFT, REPLY_RATE,
    SOURCES, stage,
};
use crate::analysis::SearchModel;
use crate::entropy::fixed::{self, ONE};
use crate::features::index::{moves, slots};
use crate::features::{ADAPTED_SLOTS, AdaptedIndices, MOVE_SLOTS, MoveIndices};

/// Fraction bits of the weights of features in files. Here they are in units of 2<sup>-20</sup> bit.
pub const WEIGHT_FILE_BITS: u32 = 10;

/// Number of places of weights of features, so that no place needs a check.
const PLACES: usize = 1 << 16;

/// The features of a move.
trait Features {
    /// How many there are.
    const SLOTS: usize;

    /// The places of their weights in [`Mixer::features`].
    fn places(&self) -> impl Iterator<Item = usize>;
}

impl Features for MoveIndices {
    const SLOTS: usize = MOVE_SLOTS;

    #[inline(always)]
    fn places(&self) -> impl Iterator<Item = usize> {
        self.iter().map(|&feature| usize::from(feature))
    }
}

impl Features for AdaptedIndices {
    const SLOTS: usize = ADAPTED_SLOTS.end - ADAPTED_SLOTS.start;

    #[inline(always)]
    fn places(&self) -> impl Iterator<Item = usize> {
        let of_slot = |(slot, &feature): (usize, &u8)| (slot << u8::BITS) + usize::from(feature);
        self.iter().enumerate().map(of_slot)
    }
}

/// The weights, and scratch space.
#[derive(Debug)]
pub struct Mixer {
    rates: LearningRates,
    /// By move feature; beside the linear policy by slot and the feature's place in the slot's range.
    features: Box<[i32; PLACES]>,
    /// Updates of `features` before [`Mixer::check_limit`] is due.
    until_check: u32,
    /// Whether a weight of `features` may reach its limit before that.
    near_limit: bool,
    /// By search feature.
    search_features: Vec<i32>,
    /// By the [`reply_class`](super::mixer_input::reply_class) of the last move, or of the one before, and of the
    /// move itself; none without a network, since the linear policy has them.
    replies: Vec<Vec<i32>>,
    scales: MixerScales,
    logits: Vec<i32>,
    /// Probabilities before counts are added, in units of 2^-31.
    prior: Vec<u32>,
    /// What each source adds to each move's logit, before its scale, in units of 2^-16 bit.
    log_ratios: [Vec<i32>; SOURCES],
    /// Probabilities after the sources that have been added so far, in units of 2^-31.
    probabilities: Vec<u32>,
    /// The frequencies that follow from these.
    cumulative: Vec<u32>,
    /// The step of the weights of each move's features.
    steps: Vec<i32>,
}

/// The index of the weight of a move in reply to one of class `last`.
fn reply_index(last: u16, features: &MoveIndices) -> usize {
    usize::from(last) * REPLY_CLASSES + usize::from(features[slots::TO]) - moves::TO
}

/// The gradient of the cost with move `index`'s logit, in units of 2<sup>-31</sup>, reversed.
fn error(probabilities: &[u32], index: usize, played: usize) -> i64 {
    i64::from(index == played) * (1 << 31) - i64::from(probabilities[index])
}

/// The gradient with the scale of `logits`, which are in units of 2<sup>-16</sup>, in units of 2<sup>-31</sup>.
#[inline(always)]
fn scale_gradient(logits: &[i32], probabilities: &[u32], played: usize) -> i64 {
    let term = |error: i64, logit: i32| (error * i64::from(logit)) >> 16;
    let mut sum = 0;
    for (&logit, &p) in logits.iter().zip(probabilities) {
        sum += term(-i64::from(p), logit);
    }
    // One term is that of the move played; without a reranker there are no logits of it.
    let Some(&logit) = logits.get(played) else { return sum };
    let p = i64::from(probabilities[played]);
    sum + term((1 << 31) - p, logit) - term(-p, logit)
}

/// The step of the weights of each move's features at this rate.
#[inline(always)]
fn steps(probabilities: &[u32], played: usize, rate: u32, steps: &mut Vec<i32>) {
    let shift = 31 - WEIGHT_BITS + rate;
    let half = 1 << (shift - 1);
    steps.clear();
    steps.resize(probabilities.len(), 0);
    for (step, &p) in steps.iter_mut().zip(probabilities) {
        // Exact for a probability of 2^31, too, since the difference is an i32.
        *step = i32::wrapping_sub(half, p as i32) >> shift;
    }
    steps[played] = ((error(probabilities, played, played) + i64::from(half)) >> shift) as i32;
}

/// Moves a scale by `gradient`, in units of 2<sup>-31</sup>, over 2<sup>`rate`</sup>.
fn adjust(scale: &mut i32, gradient: i64, rate: u32) {
    let limit = i64::from(MAX_SCALE << WEIGHT_BITS);
    let moved = i64::from(*scale) + (gradient >> (31 - WEIGHT_BITS + rate));
    *scale = moved.clamp(-limit, limit) as i32;
}

/// Largest magnitude of the weight of a feature.
const LIMIT: i32 = MAX_FEATURE_WEIGHT << WEIGHT_BITS;

/// For how many updates no weight can reach the limit, if the `largest` has this magnitude; `slots` is how many features a
/// move has.
fn free_updates(largest: u32, rate: u32, slots: usize) -> u32 {
    // The steps of all moves that were not played are a whole one together, and half a unit for each to round.
    let most = ((1 << (WEIGHT_BITS - rate)) + 256) * slots as u32;
    (LIMIT as u32 - largest) / most
}

/// Adds `step` to the weight of a feature.
fn add(weight: &mut i32, step: i32) {
    *weight = (*weight + step).clamp(-LIMIT, LIMIT);
}

/// `logit` times a scale.
#[inline(always)]
fn scaled(logit: i32, scale: i64) -> i32 {
    ((i64::from(logit) * scale) >> WEIGHT_BITS) as i32
}

/// What the mixer does at a move, compiled once for each kind of registers.
enum Work<'m, 'i, 'e> {
    Predict(&'m mut Mixer, &'i MixerInput<'e>),
    Update(&'m mut Mixer, &'i MixerInput<'e>, usize),
}

impl NullaryFnOnce for Work<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        match self {
            Work::Predict(mixer, input) => mixer.mix(input),
            Work::Update(mixer, input, played) => mixer.learn(input, played),
        }
    }
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
        let features = vec![0; PLACES].into_boxed_slice().try_into();
        let (rates, slots) = if network {
            (LearningRates::WITH_NETWORK, MoveIndices::SLOTS)
        } else {
            (LearningRates::WITH_LINEAR_POLICY, AdaptedIndices::SLOTS)
        };
        Mixer {
            rates,
            features: features.unwrap_or_else(|_| Box::new([0; PLACES])),
            until_check: free_updates(0, rates.features, slots),
            near_limit: false,
            search_features: search_weights.iter().map(|&weight| from_file(weight)).collect(),
            replies: vec![vec![0; REPLY_CLASSES * REPLY_CLASSES]; if network { 2 } else { 0 }],
            scales: scales
                .cloned()
                .unwrap_or_else(|| MixerScales::usual(network, search_model.is_some())),
            logits: vec![],
            prior: vec![],
            log_ratios: [const { vec![] }; SOURCES],
            probabilities: vec![],
            cumulative: vec![],
            steps: vec![],
        }
    }

    /// The scales, as far as they have been learned.
    #[cfg(feature = "training")]
    pub fn scales_mut(&mut self) -> &mut MixerScales {
        &mut self.scales
    }

    /// The frequency of each legal move, as the table of cumulative frequencies that
    /// [`Coder::symbol`](crate::entropy::Coder::symbol) takes.
    pub fn predict(&mut self, input: &MixerInput) -> &[u32] {
        Arch::new().dispatch(Work::Predict(self, input));
        &self.cumulative
    }

    /// The table of the last [`Mixer::predict`].
    pub fn cumulative(&self) -> &[u32] {
        &self.cumulative
    }

    /// Learns that move `played` followed; `input` is that of the last [`Mixer::predict`].
    pub fn update(&mut self, input: &MixerInput, played: usize) {
        Arch::new().dispatch(Work::Update(self, input, played));
    }

    /// What [`Mixer::predict`] does.
    #[inline(always)]
    fn mix(&mut self, input: &MixerInput) {
        let stage = stage(input.ply);
        match input.features {
            MixedFeatures::All(features) => {
                self.sum_features(features);
                self.add_replies(features, input.last);
            }
            MixedFeatures::Adapted(features) => self.sum_features(features),
        }
        if let Some(search) = input.search {
            for (sum, features) in self.logits.iter_mut().zip(&search.features) {
                for &feature in features {
                    *sum += self.search_features[usize::from(feature)];
                }
            }
        }
        self.add_policy(input, stage);
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
        fixed::frequencies(&self.probabilities, &mut self.cumulative);
    }

    /// Sets `logits` to the sums of the weights of features, in units of 2<sup>-20</sup> bit.
    #[inline(always)]
    fn sum_features(&mut self, moves: &[impl Features]) {
        let Mixer { features, logits, .. } = self;
        logits.clear();
        for of_move in moves {
            logits.push(of_move.places().map(|place| features[place]).sum());
        }
    }

    /// Adds the weights of replies to `logits`.
    #[inline(always)]
    fn add_replies(&mut self, moves: &[MoveIndices], last: [u16; 2]) {
        for (replies, last) in self.replies.iter().zip(last) {
            for (sum, features) in self.logits.iter_mut().zip(moves) {
                *sum += replies[reply_index(last, features)];
            }
        }
    }

    /// Makes of the sums the logits before counts are added, in units of 2<sup>-16</sup> bit.
    #[inline(always)]
    fn add_policy(&mut self, input: &MixerInput, stage: usize) {
        let scale = i64::from(self.scales.policy[stage][usize::from(input.confidence)]);
        for logit in &mut self.logits {
            *logit >>= WEIGHT_BITS - 16;
        }
        for (logit, &policy) in self.logits.iter_mut().zip(input.policy) {
            *logit = logit.saturating_add(scaled(fixed::nats_to_bits(policy), scale));
        }
        if let Some(search) = input.search {
            let scale = i64::from(self.scales.reranker[stage]);
            for (logit, &reranker) in self.logits.iter_mut().zip(&search.reranking.logits) {
                *logit = logit.saturating_add(scaled(reranker, scale));
            }
        }
        for logit in &mut self.logits {
            *logit = (*logit).clamp(-MAX_LOGIT * ONE, MAX_LOGIT * ONE);
        }
    }

    /// What [`Mixer::update`] does.
    #[inline(always)]
    fn learn(&mut self, input: &MixerInput, played: usize) {
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
        let scale = &mut self.scales.policy[stage][usize::from(input.confidence)];
        adjust(scale, gradient, policy_rate);
        if let Some(search) = input.search {
            let gradient = scale_gradient(&search.reranking.logits, &self.prior, played);
            adjust(&mut self.scales.reranker[stage], gradient, policy_rate);
            steps(&self.prior, played, self.rates.search_features, &mut self.steps);
            for (&step, features) in self.steps.iter().zip(&search.features) {
                for &feature in features {
                    add(&mut self.search_features[usize::from(feature)], step);
                }
            }
        }
        steps(&self.prior, played, self.rates.features, &mut self.steps);
        match input.features {
            MixedFeatures::All(features) => {
                self.learn_features(features);
                self.learn_replies(features, input.last);
            }
            MixedFeatures::Adapted(features) => self.learn_features(features),
        }
    }

    /// Has the weights of features learn by `steps`.
    #[inline(always)]
    fn learn_features<F: Features>(&mut self, moves: &[F]) {
        if self.until_check == 0 {
            self.check_limit(F::SLOTS);
        }
        self.until_check -= 1;
        for (features, &step) in moves.iter().zip(&self.steps) {
            if step == 0 {
                continue;
            }
            if self.near_limit {
                for place in features.places() {
                    add(&mut self.features[place], step);
                }
            } else {
                for place in features.places() {
                    self.features[place] += step;
                }
            }
        }
    }

    /// Has the weights of replies learn by `steps`.
    #[inline(always)]
    fn learn_replies(&mut self, moves: &[MoveIndices], last: [u16; 2]) {
        for (replies, last) in self.replies.iter_mut().zip(last) {
            for (features, &step) in moves.iter().zip(&self.steps) {
                if step != 0 {
                    add(&mut replies[reply_index(last, features)], REPLY_RATE * step);
                }
            }
        }
    }

    /// Finds out for how many updates no weight of a feature can reach its limit, so that none has to be compared with it.
    #[cold]
    fn check_limit(&mut self, slots: usize) {
        /// Updates after which a weight may be far from the limit again.
        const PAUSE: u32 = 1000;
        let largest = self.features.iter().map(|weight| weight.unsigned_abs()).max().unwrap_or(0);
        let free = free_updates(largest, self.rates.features, slots);
        self.near_limit = free == 0;
        self.until_check = if self.near_limit { PAUSE } else { free };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::AdaptedIndices;
    use crate::predict::mixer_input::Counts;

    /// Two moves that share a feature, and a third one.
    const FEATURES: [AdaptedIndices; 3] =
        [[1, 2, 3, 4, 5, 6, 7], [1, 12, 13, 14, 15, 16, 17], [21, 22, 23, 24, 25, 26, 27]];

    fn input(policy: &[i32]) -> MixerInput<'_> {
        MixerInput {
            policy,
            confidence: 0,
            features: MixedFeatures::Adapted(&FEATURES),
            search: None,
            ply: 30,
            last: [0; 2],
            counts: [Counts::default(); SOURCES],
        }
    }

    #[test]
    fn weights_stop_at_their_limit_as_if_each_step_were_compared_with_it() {
        let mut mixer = Mixer::new(false, None, None);
        // What is thought likely is never played, so the weights of the third move go up.
        let policy = [300 * ONE, 299 * ONE, -300 * ONE];
        let mut compared = vec![0; PLACES];
        let (mut far, mut near) = (0, 0);
        for _ in 0..40_000 {
            // As if nothing had been learned of how far the policy is to be trusted.
            mixer.scales = MixerScales::usual(false, false);
            mixer.logits.clear();
            let input = input(&policy);
            mixer.predict(&input);
            let prior = mixer.prior.clone();
            mixer.update(&input, 2);
            for (index, features) in FEATURES.iter().enumerate() {
                let shift = 31 - WEIGHT_BITS + mixer.rates.features;
                let step = (error(&prior, index, 2) + (1 << (shift - 1))) >> shift;
                for place in features.places() {
                    add(&mut compared[place], step as i32);
                }
            }
            assert_eq!(mixer.features[..1 << 11], compared[..1 << 11]);
            *if mixer.near_limit { &mut near } else { &mut far } += 1;
        }
        assert!(far > 1000 && near > 0, "{far} {near}");
        assert!(FEATURES[2].places().all(|place| mixer.features[place] == LIMIT));
    }

    #[test]
    fn a_certain_move_that_is_not_played_takes_a_whole_step() {
        let mut of_moves = vec![];
        steps(&[1 << 31, 0, 0], 1, 9, &mut of_moves);
        assert_eq!(of_moves, [-(1 << 11), 1 << 11, 0]);
    }
}
