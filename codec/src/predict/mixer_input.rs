//! The mixer's input for one position: logits of the policy and of the search, features, and counts of moves.

use shakmaty::Position;

use super::parameters::{COUNT_UNITS, PRIOR_COUNTS, SOURCES};
use crate::analysis::SearchFeatures;
use crate::chess::History;
use crate::entropy::fixed;
use crate::features::{AdaptedIndices, MoveIndices};

/// Number of classes of [`reply_class`]: pieces times squares, and one more for "there was no move".
pub const REPLY_CLASSES: usize = 6 * 64 + 1;

/// Number of classes of [`Counts::class`].
pub const COUNT_CLASSES: usize = 8;

/// The moves that one source has counted in a position.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts<'a> {
    /// Indices of legal moves, each at most once, and how often they were played, in units of 1 /
    /// [`COUNT_UNITS`] game.
    pub moves: &'a [(usize, u32)],
    /// The count of all other moves together, in the same unit.
    pub rest: u32,
}

/// The features of the moves whose weights are learned.
#[derive(Debug, Clone, Copy)]
pub enum MixedFeatures<'a> {
    /// Beside a network.
    All(&'a [MoveIndices]),
    /// Beside the linear policy.
    Adapted(&'a [AdaptedIndices]),
}

impl<'a> MixedFeatures<'a> {
    /// All features of the moves, if a network needed them, or those that the mixer adapts beside the linear policy.
    pub fn of(all: &'a [MoveIndices], adapted: &'a [AdaptedIndices]) -> MixedFeatures<'a> {
        if adapted.is_empty() { MixedFeatures::All(all) } else { MixedFeatures::Adapted(adapted) }
    }
}

/// The evidence on one position when its move is predicted.
#[derive(Debug, Clone, Copy)]
pub struct MixerInput<'a> {
    /// The policy's logits in units of 2<sup>-16</sup> nat: those of the network, or of the linear policy where there
    /// is no network.
    pub policy: &'a [i32],
    /// The [`confidence`](super::mixer_scales::confidence) of the policy.
    pub confidence: u8,
    /// The move features of each legal move.
    pub features: MixedFeatures<'a>,
    /// The search features of each legal move, if there was a search.
    pub search: Option<&'a SearchFeatures>,
    /// Plies played.
    pub ply: usize,
    /// The [`reply_class`] of the last move and of the one before.
    pub last: [u16; 2],
    /// The counts of each source.
    pub counts: [Counts<'a>; SOURCES],
}

/// Piece and square of arrival of the move `back` plies ago, seen from the side to move, as one of
/// [`REPLY_CLASSES`].
pub fn reply_class(history: &History, back: usize) -> usize {
    let flip = if history.position().turn().is_white() { 0 } else { 56 };
    history.last(back).map_or(REPLY_CLASSES - 1, |last| {
        (usize::from(last.role) - 1) * 64 + (usize::from(last.to) ^ flip)
    })
}

impl Counts<'_> {
    /// The class of the total count, by octaves of games.
    pub fn class(&self, source: usize) -> usize {
        let listed: u32 = self.moves.iter().map(|&(_, count)| count).sum();
        let games = (listed + self.rest) / COUNT_UNITS[source];
        (games.max(1).ilog2() as usize).min(COUNT_CLASSES - 1)
    }

    /// For each move the logarithm of posterior over prior probability, (count + k q) / (k q), in units of
    /// 2<sup>-16</sup> bit; q is the move's `prior` probability in units of 2<sup>-31</sup> and k the prior's count.
    /// `ratios` gets as many numbers as `prior` has.
    #[inline(always)]
    pub fn log_ratios(&self, source: usize, prior: &[u32], ratios: &mut Vec<i32>) {
        let before = |q: u64| (PRIOR_COUNTS[source] * q).max(1);
        let after = |count: u32, before: u64| (u64::from(count) << 31) + before;
        let listed: u64 = self.moves.iter().map(|&(index, _)| u64::from(prior[index])).sum();
        let of_others = before((1u64 << 31).saturating_sub(listed));
        let [all, others] = fixed::log2_of_each([after(self.rest, of_others), of_others]);
        ratios.clear();
        ratios.resize(prior.len(), all - others);
        for moves in self.moves.chunks(4) {
            let (mut numerators, mut denominators) = ([1; 4], [1; 4]);
            for ((&(index, count), numerator), denominator) in
                moves.iter().zip(&mut numerators).zip(&mut denominators)
            {
                *denominator = before(prior[index].into());
                *numerator = after(count, *denominator);
            }
            let numerators = fixed::log2_of_each(numerators);
            let denominators = fixed::log2_of_each(denominators);
            for ((&(index, _), numerator), denominator) in
                moves.iter().zip(numerators).zip(denominators)
            {
                ratios[index] = numerator - denominator;
            }
        }
    }
}
