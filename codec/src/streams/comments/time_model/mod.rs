//! Model of thinking times, in seconds.
//!
//! A time is coded as its bin, one binary event a bin: does the time end here, or is it longer? Two
//! logistic regressions over the same features predict each event. One has weights of its own
//! for each bin, in seconds; the other has one set of weights for all bins and looks at how the
//! bin compares with what the player usually takes. A mixer in two layers weighs them. All weights
//! begin as `tables/clocks.bin` has them and learn from every event.

#[cfg(test)]
mod tests;

use super::features::{FEATURES, Features, Selectors, ln};
use crate::Result;
use crate::entropy::{Coder, squash};

/// Bins that have weights of their own; later ones share the last.
const BINS: usize = 28;
/// Places where the regression by ratio has a weight; between them it interpolates.
const RATIOS: usize = 24;
/// Half a bit, the distance of two such places, in units of 1/256 nat.
const RATIO_STEP: i32 = 89;
/// The ratio of the first place.
const LEAST_RATIO: i32 = -6 * RATIO_STEP;
/// The first bins, where seconds are coarse, have ratios of their own.
const COARSE_BINS: usize = 2;
const RATIO_WEIGHTS: usize = FEATURES + 2 * RATIOS;
/// Logits of both regressions and a constant.
const INPUTS: usize = 3;
const BIAS: i32 = 77;
/// How many weight sets of the first layer vote.
const SETS: usize = 4;
/// By bin; by bin and time left, usual time and surprisal: (bins, selectors) of each.
const SET_SIZES: [(usize, usize); SETS] = [(BINS, 1), (11, 12), (7, 16), (4, 8)];

/// Numbers in `tables/clocks.bin`.
pub const WEIGHTS: usize = BINS * FEATURES + RATIO_WEIGHTS + SETS_TOTAL * INPUTS + BINS * SETS;
const SETS_TOTAL: usize = {
    let (mut total, mut set) = (0, 0);
    while set < SETS {
        total += SET_SIZES[set].0 * SET_SIZES[set].1;
        set += 1;
    }
    total
};

/// Fraction bits of weights, and of those that are shipped.
const WEIGHT_BITS: u32 = 20;
const SHIPPED_BITS: u32 = 12;
const MOST_LOGIT: i32 = 2300;
const LIMIT: i64 = 8 << WEIGHT_BITS;

/// The weights as [`learned`](TimeModel::learned) tells them: `i16`, little endian.
static SHIPPED: &[u8; 2 * WEIGHTS] = include_bytes!("../../../../tables/clocks.bin");

/// Learning rates of the weights, in units of 1/1024.
#[derive(Debug, Clone, Copy)]
pub struct Rates {
    /// Of the regression by bin.
    pub by_bin: i64,
    /// Of the regression by ratio.
    pub by_ratio: i64,
    /// Of the first layer of the mixer.
    pub mix: i64,
    /// Of its second layer.
    pub last: i64,
}

impl Rates {
    /// Those of the format.
    pub const CODING: Rates = Rates { by_bin: 12, by_ratio: 35, mix: 4, last: 2 };

    /// These rates, `times` as fast.
    #[cfg(feature = "training")]
    pub fn times(self, times: i64) -> Rates {
        Rates {
            by_bin: self.by_bin * times,
            by_ratio: self.by_ratio * times,
            mix: self.mix * times,
            last: self.last * times,
        }
    }
}

/// The predictor of times.
#[derive(Debug)]
pub(super) struct TimeModel {
    rates: Rates,
    by_bin: Vec<i32>,
    by_ratio: Vec<i32>,
    sets: Vec<i32>,
    last: Vec<i32>,
}

fn dot(weights: &[i32], inputs: &[i32]) -> i32 {
    let sum: i64 = weights.iter().zip(inputs).map(|(&w, &x)| i64::from(w) * i64::from(x)).sum();
    (sum >> WEIGHT_BITS).clamp(i64::from(-MOST_LOGIT), i64::from(MOST_LOGIT)) as i32
}

/// Moves the weights along the gradient of what `bit` cost with `logit`.
fn learn(weights: &mut [i32], inputs: &[i32], logit: i32, bit: bool, rate: i64) {
    let error = ((i64::from(bit) << 16) - i64::from(squash(logit))) * rate;
    for (weight, &x) in weights.iter_mut().zip(inputs) {
        let step = (error * i64::from(x) + (1 << 13)) >> 14;
        *weight = (i64::from(*weight) + step).clamp(-LIMIT, LIMIT) as i32;
    }
}

impl TimeModel {
    /// A model with the weights of `tables/clocks.bin`.
    pub fn new() -> TimeModel {
        let shipped = SHIPPED.chunks_exact(2).map(|w| i16::from_le_bytes([w[0], w[1]]));
        TimeModel::with(Rates::CODING, shipped)
    }

    /// A model with `weights`, [`WEIGHTS`] numbers; those that lack are 0.
    pub fn with(rates: Rates, weights: impl Iterator<Item = i16>) -> TimeModel {
        let mut weights = weights
            .map(|weight| i32::from(weight) << (WEIGHT_BITS - SHIPPED_BITS))
            .chain(std::iter::repeat(0));
        let mut take = |count| weights.by_ref().take(count).collect::<Vec<i32>>();
        TimeModel {
            rates,
            by_bin: take(BINS * FEATURES),
            by_ratio: take(RATIO_WEIGHTS),
            sets: take(SETS_TOTAL * INPUTS),
            last: take(BINS * SETS),
        }
    }

    /// The weights to begin with where none are known: the regressions know nothing, and the mixer
    /// trusts all alike.
    #[cfg(any(test, feature = "training"))]
    pub fn untrained() -> Vec<i16> {
        const ONE: i16 = 1 << SHIPPED_BITS;
        let regressions = std::iter::repeat_n(0, BINS * FEATURES + RATIO_WEIGHTS);
        let sets = (0..SETS_TOTAL).flat_map(|_| [ONE / 2, ONE / 2, 0]);
        let last = std::iter::repeat_n(ONE / SETS as i16, BINS * SETS);
        regressions.chain(sets).chain(last).collect()
    }

    /// The weights as they are now, in units of 2<sup>-12</sup>.
    #[cfg(any(test, feature = "training"))]
    pub fn learned(&self) -> Vec<i16> {
        let all = [&self.by_bin, &self.by_ratio, &self.sets, &self.last];
        let shipped = |&w: &i32| (w >> (WEIGHT_BITS - SHIPPED_BITS)).clamp(-32_767, 32_767) as i16;
        all.into_iter().flatten().map(shipped).collect()
    }

    /// Codes the bin of `seconds`: 0 holds all below one second. No time is longer than `most`
    /// seconds. `usual` is the logarithm of what the player takes, in units of 1/256 nat.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        features: &Features,
        selectors: Selectors,
        usual: i32,
        most: i64,
        seconds: i64,
    ) -> Result<usize> {
        let mut bin = 0;
        while first_second(bin + 1) <= most {
            let edge = first_second(bin + 1);
            let ratio = ln(16 * edge - 8) - usual;
            if !self.event(coder, features, selectors, ratio, bin, seconds >= edge)? {
                break;
            }
            bin += 1;
        }
        Ok(bin)
    }

    /// Codes whether a time is longer than those of `bin`.
    fn event<C: Coder>(
        &mut self,
        coder: &mut C,
        features: &Features,
        selectors: Selectors,
        ratio: i32,
        bin: usize,
        longer: bool,
    ) -> Result<bool> {
        let own = bin.min(BINS - 1);
        let by_bin = &mut self.by_bin[own * FEATURES..][..FEATURES];
        let (place, share) = ratio_place(ratio);
        let coarse = if bin < COARSE_BINS { RATIOS } else { 0 };
        let (by_feature, by_place) = self.by_ratio.split_at_mut(FEATURES);
        let by_place = &mut by_place[coarse + place..][..2];
        let shares = [256 - share, share];
        let logits =
            [dot(by_bin, features), limited(dot(by_feature, features) + dot(by_place, &shares))];

        let inputs = [logits[0], logits[1], BIAS];
        let mut places = [0; SETS];
        let mut first = 0;
        let choices = [0, selectors.left, selectors.usual, selectors.surprisal];
        for ((place, choice), (bins, selected)) in places.iter_mut().zip(choices).zip(SET_SIZES) {
            *place = (first + bin.min(bins - 1) * selected + choice.min(selected - 1)) * INPUTS;
            first += bins * selected;
        }
        let votes = places.map(|place| limited(dot(&self.sets[place..][..INPUTS], &inputs)));
        let last = &mut self.last[own * SETS..][..SETS];
        let logit = limited(dot(last, &votes));
        // No event is surer than one in 4,096.
        let p_longer = squash(logit).clamp(1 << 4, (1 << 16) - (1 << 4));

        let longer = coder.bit(p_longer, longer)?;

        learn(last, &votes, logit, longer, self.rates.last);
        for (place, vote) in places.into_iter().zip(votes) {
            learn(&mut self.sets[place..][..INPUTS], &inputs, vote, longer, self.rates.mix);
        }
        learn(by_bin, features, logits[0], longer, self.rates.by_bin);
        learn(by_feature, features, logits[1], longer, self.rates.by_ratio);
        learn(by_place, &shares, logits[1], longer, self.rates.by_ratio);
        Ok(longer)
    }
}

/// The place below `ratio`, and how far it is on the way to the next, in units of 1/256.
fn ratio_place(ratio: i32) -> (usize, i32) {
    let beyond = (ratio - LEAST_RATIO).clamp(0, (RATIOS as i32 - 1) * RATIO_STEP - 1);
    ((beyond / RATIO_STEP) as usize, beyond % RATIO_STEP * 256 / RATIO_STEP)
}

fn limited(logit: i32) -> i32 {
    logit.clamp(-MOST_LOGIT, MOST_LOGIT)
}

/// The first second of a bin: seconds up to 8, then two bins for each doubling.
pub(super) fn first_second(bin: usize) -> i64 {
    match bin {
        0..=8 => bin as i64,
        _ => (8 + 4 * (bin as i64 % 2)) << ((bin - 8) / 2),
    }
}

/// Number of binary digits of the second within a bin.
pub(super) fn bin_bits(bin: usize) -> u32 {
    (first_second(bin + 1) - first_second(bin)).ilog2()
}
