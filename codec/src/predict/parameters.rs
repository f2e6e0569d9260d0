//! The constants of prediction that are tuned: learning rates, initial weights, limits and bounds of contexts.
//!
//! All of them are part of the format: an archive decodes only with the constants that it was written with. Shapes of
//! tables and the layout of files stand beside the code that reads them.

use super::book;

/// Learning rates of the mixer, each as a shift: the rate is 2<sup>-shift</sup>.
#[derive(Debug, Clone, Copy)]
pub struct LearningRates {
    /// Of the weights of move features, in bits per unit of error in probability.
    pub features: u32,
    /// Of the weights of search features, in the same unit.
    pub search_features: u32,
    /// Of the weights that scale a source's logits, per bit of the gradient.
    pub scales: u32,
}

impl LearningRates {
    /// Beside the linear policy, which has pairs of reply and last move in it.
    pub const WITH_LINEAR_POLICY: LearningRates =
        LearningRates { features: 9, search_features: 9, scales: 7 };

    /// Beside a network.
    pub const WITH_NETWORK: LearningRates =
        LearningRates { features: 10, search_features: 10, scales: 6 };
}

/// The scales of policy and reranker learn more slowly than those of counts, by this shift.
pub const POLICY_RATE_SHIFT: u32 = 3;

/// Beside a network, the weights of reply features learn faster than those of move features, by this factor.
pub const REPLY_RATE: i32 = 4;

/// Largest magnitude of the weight of a feature, in bits.
pub const MAX_FEATURE_WEIGHT: i32 = 32;

/// Largest magnitude of the weight that scales a source's logits.
pub const MAX_SCALE: i32 = 4;

/// Largest magnitude of a logit before counts are added, in bits.
pub const MAX_LOGIT: i32 = 64;

/// Plies at which the second, third and fourth stage of a game begin.
pub const STAGE_STARTS: [usize; 3] = [12, 24, 60];

/// The stage of a game after `ply` plies.
pub fn stage(ply: usize) -> usize {
    STAGE_STARTS.iter().take_while(|&&start| ply >= start).count()
}

/// Number of sources of counts. In the order in which they are added to the logits: the opening book; the moves of all
/// players in the archive so far; the repertoires, a book by position and player; the moves of this player in the
/// archive so far.
pub const SOURCES: usize = 4;

/// Counts of each source are in units of one game over this.
pub const COUNT_UNITS: [u32; SOURCES] = [book::UNIT, 1, book::UNIT, 1];

/// The prior's weight against each source's counts, in the unit of the counts: a source of `total` games has the
/// weight `total` / (`total` + this).
pub const PRIOR_COUNTS: [u64; SOURCES] = [BOOK_PRIOR, 2, book::UNIT as u64, 1];

/// The prior's weight against the counts of the opening book, in their unit: two games.
pub const BOOK_PRIOR: u64 = 2 * book::UNIT as u64;

/// Initial scales of the sources of counts, in hundredths, without and with a network.
pub const INITIAL_SOURCE_SCALES: [[i32; SOURCES]; 2] = [[100, 50, 50, 30], [100, 40, 50, 50]];

/// Initial scale of the policy's logits, in hundredths, without and with a search, which repeats part of what the
/// policy says.
pub const INITIAL_POLICY_SCALES: [i32; 2] = [100, 90];

/// Most (position, move) pairs whose counts are kept; once they are reached, only pairs that are there already are
/// counted. Bounds the memory of a block's counts to some 200 MiB.
pub const MAX_COUNTED_MOVES: usize = 1 << 22;

/// Initial weights of the game end's experts (plies, material, network), in units of 2<sup>-16</sup>, without and with
/// a network.
pub const INITIAL_GAME_END_WEIGHTS: [[i32; 3]; 2] = [[40_000, 40_000, 0], [10_000, 10_000, 46_000]];

/// Largest magnitude of a weight of the game end's experts, in units of 2<sup>-16</sup>.
pub const MAX_GAME_END_WEIGHT: i64 = 1 << 18;

/// Learning rate of the game end's weights: an error in units of 2<sup>-16</sup> times log-odds in units of
/// 2<sup>-8</sup> nat is shifted right by this.
pub const GAME_END_RATE_SHIFT: u32 = 17;

/// Number of games that a context of the game end averages over.
pub const GAME_END_COUNT_LIMIT: u16 = 1000;
