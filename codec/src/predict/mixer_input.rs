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

/// The evidence on one position when its move is predicted.
#[derive(Debug, Clone, Copy)]
pub struct MixerInput<'a> {
    /// The policy's logits in units of 2<sup>-16</sup> nat: those of the network, or of the linear policy where there
    /// is no network.
    pub policy: &'a [i32],
    /// The move features of each legal move.
    pub features: MixedFeatures<'a>,
    /// The search features of each legal move, if there was a search.
    pub search: Option<&'a SearchFeatures>,
    /// Plies played.
    pub ply: usize,
    /// The [`reply_class`] of the last move and of the one before.
    pub last: [usize; 2],
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
    pub fn log_ratios(&self, source: usize, prior: &[u32], ratios: &mut Vec<i32>) {
        let ratio = |count: u32, q: u64| {
            let before = (PRIOR_COUNTS[source] * q).max(1);
            fixed::log2((u64::from(count) << 31) + before) - fixed::log2(before)
        };
        let listed: u64 = self.moves.iter().map(|&(index, _)| u64::from(prior[index])).sum();
        let unlisted =
            if self.rest == 0 { 0 } else { ratio(self.rest, (1u64 << 31).saturating_sub(listed)) };
        ratios.clear();
        ratios.resize(prior.len(), unlisted);
        for &(index, count) in self.moves {
            ratios[index] = ratio(count, prior[index].into());
        }
    }
}
