//! The numbering of the reranker's features, which is part of what a model is trained for.
//!
//! Each slot has one of several classes, often by bounds: a value is in class `n` if it reaches `n` of
//! the bounds. The classes of all slots are numbered one after the other.

#[cfg(doc)]
use super::examine::Analysis;
use super::examine::MARKS;
use crate::engine::Reply;
use crate::features::Pace;
use crate::features::index::moves::{
    ENEMY_KING, EVAL_DELTA, EXCHANGE, MOTIVE, PAST, PLACE, STANDING, VALUE as MOVE_VALUE,
};

/// Slots of the analysis' features.
pub const ANALYSIS_SLOTS: usize = 38;

/// Features of a move that rerankers of the first form have: those of the analysis, then its marks
/// ([`Analysis::marks`]).
pub const FIRST_FORM_SLOTS: usize = ANALYSIS_SLOTS + MARKS;

/// Slots of the replies to a move, which come last.
const REPLY_SLOTS: usize = REPLY_SIZES.len();

/// Features of a move.
pub const RERANKER_SLOTS: usize = FIRST_FORM_SLOTS + REPLY_SLOTS;

/// Bounds in centipawns of the loss: how much lower a move's value is than the best.
pub const LOSS: [i32; 30] = [
    1, 4, 8, 12, 16, 20, 25, 30, 36, 42, 50, 58, 66, 75, 85, 95, 110, 125, 140, 160, 180, 200, 225,
    250, 275, 300, 350, 400, 600, 1000,
];

/// Bounds in centipawns of the value of a position or a move.
pub const VALUE: [i32; 25] = [
    -1000, -600, -400, -300, -220, -160, -120, -90, -65, -45, -28, -12, 0, 1, 13, 29, 46, 66, 91,
    121, 161, 221, 301, 401, 601,
];

/// Bounds in centipawns of the rise of a value since the first depth, and since other depths.
pub const RISE: [i32; 15] = [-300, -150, -80, -50, -30, -15, -5, 6, 16, 31, 51, 81, 151, 301, 1000];
pub const STEP: [i32; 30] = [
    -300, -150, -100, -80, -60, -45, -35, -25, -18, -12, -7, -3, 0, 1, 4, 8, 13, 19, 26, 36, 46,
    61, 81, 101, 151, 301, 500, 1000, 1500, 2500,
];

/// Bounds of the entropy of the network's prediction, in quarters of a bit.
pub const ENTROPY: [i32; 15] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16];

/// Bounds of the plies played.
pub const PLY: [i32; 15] = [18, 20, 22, 24, 28, 32, 36, 40, 48, 56, 64, 80, 96, 112, 140];

/// Bounds of a rating; 0 is unknown.
pub const RATING: [i32; 10] = [1, 2000, 2200, 2300, 2400, 2450, 2500, 2550, 2600, 2700];

/// Classes of numbers of moves, of shares of the probability in sixteenths, of surprisals in quarters
/// of a bit, and of ranks.
pub const COUNTS: usize = 13;
pub const SHARES: usize = 17;
pub const SURPRISALS: usize = 32;
pub const RANKS: usize = 12;

pub const LOSSES: usize = LOSS.len() + 1;
const VALUES: usize = VALUE.len() + 1;
const STEPS: usize = STEP.len() + 1;

/// Classes of each of the analysis' slots.
pub const SIZES: [usize; ANALYSIS_SLOTS] = [
    // The move: its loss at six depths,
    LOSSES,
    LOSSES,
    LOSSES,
    LOSSES,
    LOSSES,
    LOSSES,
    // its value, the rise since the first depth and since the last but one,
    VALUES,
    RISE.len() + 1,
    STEPS,
    // its rank by value at the last and at the first depth, and by probability,
    RANKS,
    RANKS,
    RANKS,
    // its surprisal, its kind, and the shares of better and of much better moves.
    SURPRISALS,
    16,
    SHARES,
    SHARES,
    // The position: the likeliest move's loss, the best value, the second best move's loss, the
    // expected loss,
    LOSSES,
    VALUES,
    LOSSES,
    LOSSES,
    // entropy, plies played and phase,
    ENTROPY.len() + 1,
    PLY.len() + 1,
    25,
    // result, pace and ratings,
    4,
    Pace::ALL.len(),
    RATING.len() + 1,
    RATING.len() + 1,
    // finished depths, fully searched moves, check, the best move's surprisal,
    24,
    COUNTS,
    2,
    SURPRISALS,
    // moves about as good as the best and almost so, the rise of the best value since the last but
    // one depth and since the first.
    COUNTS,
    COUNTS,
    STEPS,
    STEPS,
    // Earlier: the losses of the last two moves, and the rise of the best value since two plies ago;
    // one more class each if that is unknown.
    LOSSES + 1,
    LOSSES + 1,
    LOSSES + 1,
];

/// The bit of [`Analysis::kinds`] that captures have. It is all that the features have of the kind of
/// a move that was only scouted.
pub const CAPTURE_BIT: usize = 8;

/// Number of the analysis' features.
pub const ANALYSIS_FEATURES: usize = {
    let (mut sum, mut slot) = (0, 0);
    while slot < ANALYSIS_SLOTS {
        sum += SIZES[slot];
        slot += 1;
    }
    sum
};

/// Ranges of the move features that marks are from.
const MARKED: [(usize, usize); 4] =
    [(EXCHANGE, ENEMY_KING), (MOVE_VALUE, MOTIVE), (EVAL_DELTA, STANDING), (PAST, PLACE)];

/// Number of the features of the first form.
pub const FIRST_FORM_FEATURES: usize = {
    let (mut sum, mut range) = (ANALYSIS_FEATURES, 0);
    while range < MARKED.len() {
        sum += MARKED[range].1 - MARKED[range].0;
        range += 1;
    }
    sum
};

/// Classes of each of the replies' slots: kind, effort and state of the [`Reply`]; the share of the moves that have the
/// same reply, 0 if none is known; and [`Analysis::expected`].
const REPLY_SIZES: [usize; 5] =
    [Reply::CLASSES[0], Reply::CLASSES[1], Reply::CLASSES[2], 1 + SHARES, 3];

/// Number of features.
pub const RERANKER_FEATURES: usize = {
    let (mut sum, mut slot) = (FIRST_FORM_FEATURES, 0);
    while slot < REPLY_SLOTS {
        sum += REPLY_SIZES[slot];
        slot += 1;
    }
    sum
};

/// The features of these classes of the replies' slots.
pub fn reply_features(classes: [usize; REPLY_SLOTS]) -> [u16; REPLY_SLOTS] {
    let mut first = FIRST_FORM_FEATURES;
    let mut sizes = REPLY_SIZES.iter();
    classes.map(|class| {
        let feature = first + class;
        first += sizes.next().unwrap_or(&0);
        feature as u16
    })
}

/// The feature of a mark, a move feature of one of the [`MARKED`] ranges.
pub fn mark_feature(mark: u16) -> u16 {
    let mut first = ANALYSIS_FEATURES;
    for (start, end) in MARKED {
        if (start..end).contains(&usize::from(mark)) {
            return (first + usize::from(mark) - start) as u16;
        }
        first += end - start;
    }
    0 // marks are from no other ranges
}

/// The features of a move, each below [`RERANKER_FEATURES`].
pub type RerankerFeatures = [u16; RERANKER_SLOTS];
