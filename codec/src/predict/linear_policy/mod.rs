//! The linear policy: softmax regression with weights that were learned beforehand, for predictions without a network.
//!
//! The logit of a move is the sum of one weight for each pair of a property of the position and an attribute of the
//! move ([`properties`], [`attributes`]), and of one weight for each of the move's features that depends on the stage
//! of the game. No layer lies between inputs and logits. The weights are `tables/policy.bin`;
//! `plyzip-training linear-policy` learns them.

mod inputs;

use pulp::{Arch, Simd, WithSimd};

pub use self::inputs::{ATTRIBUTES, PROPERTIES, STAGES, attributes, properties, stage};
use crate::chess::History;
use crate::features::{GameContext, MoveIndices, PLAIN_FEATURES, PLAIN_SLOTS};

/// Number of weights: of pairs, attributes side by side for each property; then of features, side by side for each
/// stage.
pub const POLICY_SIZE: usize = PAIRS + STAGES * PLAIN_FEATURES;

/// A weight of 1 is 2<sup>`-WEIGHT_BITS`</sup> nat.
pub const WEIGHT_BITS: u32 = 5;

const PAIRS: usize = PROPERTIES * ATTRIBUTES;

/// One weight a byte, from -127 to 127. A constant, so that the program has [`PAIR_WEIGHTS`] and [`FEATURE_WEIGHTS`]
/// and not the file as well.
const WEIGHTS: &[u8; POLICY_SIZE] = include_bytes!("../../../tables/policy.bin");

/// Attributes whose sums are computed together, in registers: one role's squares of arrival, or of departure.
const LANES: usize = 64;

/// Number of blocks of [`LANES`] attributes.
const BLOCKS: usize = ATTRIBUTES.div_ceil(LANES);

/// The weights of pairs, a row for each property: those of a block of attributes fill one line of the cache.
#[repr(align(64))]
struct PairWeights([[u8; LANES * BLOCKS]; PROPERTIES]);

/// Rows of `length` weights, with zeros after each.
const fn padded<const ROWS: usize, const WIDTH: usize>(
    mut weights: &[u8],
    length: usize,
) -> [[u8; WIDTH]; ROWS] {
    let mut rows = [[0; WIDTH]; ROWS];
    let mut row = 0;
    while row < ROWS {
        let (next, rest) = weights.split_at(length);
        rows[row].split_at_mut(length).0.copy_from_slice(next);
        weights = rest;
        row += 1;
    }
    rows
}

/// The weights of pairs in [`WEIGHTS`].
static PAIR_WEIGHTS: PairWeights = PairWeights(padded(WEIGHTS.split_at(PAIRS).0, ATTRIBUTES));

/// Values of the index of a feature, and of an attribute, as far as they are looked at: no index needs a check.
const FEATURE_INDICES: usize = PLAIN_FEATURES.next_power_of_two();
const ATTRIBUTE_INDICES: usize = (LANES * BLOCKS).next_power_of_two();

/// The weights of features in [`WEIGHTS`], a row for each stage.
static FEATURE_WEIGHTS: [[u8; FEATURE_INDICES]; STAGES] =
    padded(WEIGHTS.split_at(PAIRS).1, PLAIN_FEATURES);

/// Writes to `out` the logit of each move with these plain features, in units of 2<sup>-16</sup> nat.
pub fn logits(history: &History, context: &GameContext, moves: &[MoveIndices], out: &mut Vec<i32>) {
    let mut sums = [0; ATTRIBUTE_INDICES];
    let properties = properties(history, context);
    let mut blocks = [false; BLOCKS];
    for attribute in moves.iter().flat_map(attributes) {
        blocks[attribute / LANES] = true;
    }
    Arch::new().dispatch(Sum { properties: &properties, blocks: &blocks, sums: &mut sums });
    let of_features = &FEATURE_WEIGHTS[stage(history.ply())];
    out.clear();
    out.extend(moves.iter().map(|features| {
        let mut logit = 0;
        for attribute in attributes(features) {
            logit += i32::from(sums[attribute % ATTRIBUTE_INDICES]);
        }
        for &feature in &features[..PLAIN_SLOTS] {
            logit += i32::from(of_features[usize::from(feature) % FEATURE_INDICES] as i8);
        }
        logit << LOGIT_SHIFT
    }));
}

/// Fraction bits that a logit has beyond those of a weight.
const LOGIT_SHIFT: u32 = 16 - WEIGHT_BITS;

/// A logit in half the bytes: in units of 2<sup>`-WEIGHT_BITS`</sup> nat. No position has a logit that is too large for it
/// with these weights.
pub fn pack(logit: i32) -> i16 {
    (logit >> LOGIT_SHIFT) as i16
}

/// The logit that was packed.
pub fn unpack(logit: i16) -> i32 {
    i32::from(logit) << LOGIT_SHIFT
}

/// The sum of the weights of all pairs with each attribute, compiled once for each kind of registers. A position has at
/// most two properties for each square and 14 others, so that 16 bits suffice.
struct Sum<'a> {
    properties: &'a [u16],
    /// Which blocks of attributes the moves have; the sums of others stay 0.
    blocks: &'a [bool; BLOCKS],
    sums: &'a mut [i16; ATTRIBUTE_INDICES],
}

impl WithSimd for Sum<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let (sums, _) = self.sums.as_chunks_mut();
        for block in (0..BLOCKS).filter(|&block| self.blocks[block]) {
            let mut part = [0i16; LANES];
            for &property in self.properties {
                let row = PAIR_WEIGHTS.0[usize::from(property)].as_chunks::<LANES>().0;
                for (sum, &weight) in part.iter_mut().zip(&row[block]) {
                    *sum += i16::from(weight as i8);
                }
            }
            sums[block] = part;
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use std::num::NonZeroU16;

    use shakmaty::ByColor;

    use super::*;
    use crate::chess::legal_moves;
    use crate::features::move_features;

    #[test]
    fn logits_are_sums_of_weights_and_do_not_overflow() {
        assert!(WEIGHTS.iter().all(|&weight| weight != 0x80));
        const { assert!((2 * 64 + 14) * 127 <= i16::MAX as usize) };
        let weight = |index: usize| i32::from(WEIGHTS[index] as i8);
        let elo = ByColor { white: NonZeroU16::new(2712), black: NonZeroU16::new(1433) };
        let context = GameContext::new().elo(elo);
        let mut features = vec![];
        let mut history = History::new(Chess::default());
        for ply in 0..60 {
            let legal = legal_moves(history.position());
            if legal.is_empty() {
                break;
            }
            move_features(&history, &legal, None, &mut features);
            let properties = properties(&history, &context);
            let mut distinct = properties.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), properties.len());
            assert!(properties.iter().all(|&property| usize::from(property) < PROPERTIES));
            let mut found = vec![1];
            logits(&history, &context, &features, &mut found);
            assert_eq!(found.len(), features.len());
            for (features, logit) in features.iter().zip(found) {
                let mut sum = 0;
                for attribute in attributes(features) {
                    let pairs = properties.iter().map(|&p| usize::from(p) * ATTRIBUTES + attribute);
                    sum += pairs.map(weight).sum::<i32>();
                }
                let stage = PAIRS + stage(ply) * PLAIN_FEATURES;
                let features = features[..PLAIN_SLOTS].iter();
                sum += features.map(|&f| weight(stage + usize::from(f))).sum::<i32>();
                assert_eq!(logit, sum << 11);
                assert_eq!(unpack(pack(logit)), logit);
            }
            history.play(legal[ply * 7 % legal.len()]);
        }
    }
}
