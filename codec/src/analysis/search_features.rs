//! Features of each legal move from the search, for the mixer.
//!
//! The network predicts which moves people play; the search finds out which moves are good. The mixer
//! learns a weight for each feature: by the move's loss (at the last depth, at the one before, halfway
//! and at the first, since people overlook deep refutations), by its probability according to the
//! network, and by the context of position and game. There are many small tables of weights, because
//! each weight must be learned from few games.

use super::examine::Analysis;
use super::move_priors::MovePriors;
use crate::features::{Pace, class};

/// Features of one move.
pub const SEARCH_SLOTS: usize = 10;

/// Centipawns: greater losses are in one class.
const MAX_LOSS: i32 = 300;

/// Bounds in centipawns of the loss: how much lower a move's value is than the best.
const LOSS: [i32; 10] = [1, 9, 18, 30, 45, 65, 95, 140, 200, MAX_LOSS];
const FINE_LOSS: [i32; 16] =
    [1, 5, 10, 16, 22, 30, 38, 48, 60, 75, 95, 120, 150, 190, 240, MAX_LOSS];
const COARSE_LOSS: [i32; 4] = [1, 20, 50, 110];

/// Classes of the loss: below, between and above the bounds, and, but for the coarse ones, the moves
/// that were not fully searched.
const LOSSES: usize = LOSS.len() + 2;
const FINE_LOSSES: usize = FINE_LOSS.len() + 2;
const COARSE: usize = COARSE_LOSS.len() + 1;

/// Bounds in centipawns of the second best move's loss.
const GAP: [i32; 4] = [10, 30, 80, 200];
const GAPS: usize = GAP.len() + 1;

/// Bounds in centipawns of a move's value; moves that were not fully searched are another class.
const VALUE: [i32; 6] = [-400, -150, -40, 41, 151, 401];
const VALUES: usize = VALUE.len() + 2;

/// Bounds in centipawns of the expected loss by the network's probabilities.
const EXPECTED_LOSS: [i32; 4] = [10, 25, 60, 120];
const EXPECTED_LOSSES: usize = EXPECTED_LOSS.len() + 1;

/// Bounds of a move's surprisal according to the network, in bits in units of 2<sup>-16</sup>.
const SURPRISAL: [i32; 4] = [1 << 16, 9 << 14, 7 << 15, 5 << 16];
const SURPRISALS: usize = SURPRISAL.len() + 1;

/// Bounds of the plies played.
const PLY: [i32; 7] = [16, 24, 32, 48, 64, 80, 110];
const PLIES: usize = PLY.len() + 1;

/// Classes of a move's rank by value, of the phase, and of the result.
const RANKS: usize = 6;
const PHASES: usize = 3;
const RESULTS: usize = 4;

/// The first feature of each table but the first, which has fine losses: mostly losses against something
/// else.
const AGAINST_GAP: usize = FINE_LOSSES;
const AGAINST_EXPECTED_LOSS: usize = AGAINST_GAP + RANKS * GAPS;
const AGAINST_EARLIER: usize = AGAINST_EXPECTED_LOSS + LOSSES * EXPECTED_LOSSES;
const AGAINST_MIDDLE: usize = AGAINST_EARLIER + LOSSES * COARSE;
const AGAINST_FIRST: usize = AGAINST_MIDDLE + LOSSES * COARSE;
const AGAINST_PRIOR: usize = AGAINST_FIRST + LOSSES * COARSE;
const AGAINST_PLY: usize = AGAINST_PRIOR + LOSSES * SURPRISALS * PHASES;
const AGAINST_RESULT: usize = AGAINST_PLY + LOSSES * PLIES;
const AGAINST_PACE: usize = AGAINST_RESULT + VALUES * RESULTS;

/// Number of features.
pub const SEARCH_FEATURES: usize = AGAINST_PACE + LOSSES * Pace::ALL.len();

/// The features of the legal moves, in their order, each below [`SEARCH_FEATURES`].
pub fn features(analysis: &Analysis, priors: &MovePriors) -> Vec<[u16; SEARCH_SLOTS]> {
    let MovePriors { prior, surprisal } = priors;
    let Analysis { scores, ply, phase, result, pace, .. } = analysis;
    let Some(last) = scores.values.last() else { return vec![] };
    let earlier = scores.values.iter().rev().nth(1).unwrap_or(last);
    let middle = &scores.values[scores.values.len() / 2];
    let first = &scores.values[0];
    let [best, earlier_best, middle_best, first_best] =
        [last, earlier, middle, first].map(|values| analysis.best(values));
    let seen = analysis.fully_searched();
    let mut sorted: Vec<i32> = seen.clone().map(|m| last[m]).collect();
    sorted.sort_unstable_by_key(|value| -value);
    let gap = class(best - sorted.get(1).copied().unwrap_or(best), &GAP);
    let phase_class = class(i32::from(*phase), &[8, 18]);
    let ply = class(i32::from(*ply), &PLY);
    // The loss that the network's probabilities make expected; the loss of a single move counts up to
    // twice the greatest bound.
    let loss = |m: usize| best - last[m];
    let likely: i64 = seen.clone().map(|m| i64::from(prior[m])).sum();
    let expected_loss: i64 =
        seen.map(|m| i64::from(prior[m]) * i64::from(loss(m).min(2 * MAX_LOSS))).sum();
    let expected_loss = class((expected_loss / likely.max(1)) as i32, &EXPECTED_LOSS);
    let features = (0..prior.len()).map(|m| {
        let (mut fine, mut coarse, mut rank) = (FINE_LOSSES - 1, LOSSES - 1, RANKS - 1);
        let mut value = VALUES - 1;
        if scores.fully_searched[m] {
            fine = class(loss(m), &FINE_LOSS);
            coarse = class(loss(m), &LOSS);
            rank = sorted.partition_point(|&other| other > last[m]).min(RANKS - 1);
            value = class(last[m], &VALUE);
        }
        // Moves that were only scouted have coarse losses, too.
        let earlier_loss = class(earlier_best - earlier[m], &COARSE_LOSS);
        let middle_loss = class(middle_best - middle[m], &COARSE_LOSS);
        let first_loss = class(first_best - first[m], &COARSE_LOSS);
        let surprisal = class(surprisal[m], &SURPRISAL);
        [
            fine,
            AGAINST_GAP + rank * GAPS + gap,
            AGAINST_EXPECTED_LOSS + coarse * EXPECTED_LOSSES + expected_loss,
            AGAINST_EARLIER + coarse * COARSE + earlier_loss,
            AGAINST_MIDDLE + coarse * COARSE + middle_loss,
            AGAINST_FIRST + coarse * COARSE + first_loss,
            AGAINST_PRIOR + (coarse * SURPRISALS + surprisal) * PHASES + phase_class,
            AGAINST_PLY + coarse * PLIES + ply,
            AGAINST_RESULT + value * RESULTS + usize::from(*result),
            AGAINST_PACE + coarse * Pace::ALL.len() + usize::from(*pace),
        ]
        .map(|index| index as u16)
    });
    features.collect()
}
