//! What the search says of each legal move, as indices of features for the mixer.
//!
//! The network says what people play; the search says what is good. The mix learns how much to
//! believe of which, by how far behind the best move a move is (at the last depth, at the one
//! before, halfway and at the first: people overlook deep refutations), how likely the network
//! found it, and what else is known of position and game. The tables are small and many, because
//! each weight must be learned from few games.

use super::examine::Analysis;
use super::opinion::Opinion;
use crate::features::{Pace, class};

/// Features of one move.
pub const SEARCH_SLOTS: usize = 10;

/// From this loss on, in centipawns, it does not matter how large it is.
const MOST_LOSS: i32 = 300;

/// Bounds of classes of how far a move is behind the best, in centipawns.
const LOSS: [i32; 10] = [1, 9, 18, 30, 45, 65, 95, 140, 200, MOST_LOSS];
const FINE_LOSS: [i32; 16] =
    [1, 5, 10, 16, 22, 30, 38, 48, 60, 75, 95, 120, 150, 190, 240, MOST_LOSS];
const COARSE_LOSS: [i32; 4] = [1, 20, 50, 110];

/// Classes of the loss: below, between and above the bounds, and the moves that were not looked at
/// thoroughly.
const LOSSES: usize = LOSS.len() + 2;
const FINE_LOSSES: usize = FINE_LOSS.len() + 2;
const COARSE: usize = COARSE_LOSS.len() + 1;

/// Bounds of classes of how far the second best is behind the best.
const GAP: [i32; 4] = [10, 30, 80, 200];
const GAPS: usize = GAP.len() + 1;

/// Bounds of classes of what a move is worth; the moves that were not looked at thoroughly are
/// another class.
const WORTH: [i32; 6] = [-400, -150, -40, 41, 151, 401];
const WORTHS: usize = WORTH.len() + 2;

/// Bounds of classes of how far the moves that the network expects are behind the best.
const REGRET: [i32; 4] = [10, 25, 60, 120];
const REGRETS: usize = REGRET.len() + 1;

/// Bounds of classes of a move's prior probability, in bits in units of 2<sup>-16</sup>.
const SURPRISAL: [i32; 4] = [1 << 16, 9 << 14, 7 << 15, 5 << 16];
const SURPRISALS: usize = SURPRISAL.len() + 1;

/// Bounds of classes of the plies played.
const PLY: [i32; 7] = [16, 24, 32, 48, 64, 80, 110];
const PLIES: usize = PLY.len() + 1;

const RANKS: usize = 6;
const STAGES: usize = 3;
const RESULTS: usize = 4;

const AGAINST_GAP: usize = FINE_LOSSES;
const AGAINST_REGRET: usize = AGAINST_GAP + RANKS * GAPS;
const AGAINST_EARLIER: usize = AGAINST_REGRET + LOSSES * REGRETS;
const AGAINST_MIDDLE: usize = AGAINST_EARLIER + LOSSES * COARSE;
const AGAINST_FIRST: usize = AGAINST_MIDDLE + LOSSES * COARSE;
const AGAINST_PRIOR: usize = AGAINST_FIRST + LOSSES * COARSE;
const AGAINST_PLY: usize = AGAINST_PRIOR + LOSSES * SURPRISALS * STAGES;
const AGAINST_RESULT: usize = AGAINST_PLY + LOSSES * PLIES;
const AGAINST_PACE: usize = AGAINST_RESULT + WORTHS * RESULTS;

/// Number of features.
pub const SEARCH_FEATURES: usize = AGAINST_PACE + LOSSES * Pace::ALL.len();

/// The features of the moves.
pub fn features(analysis: &Analysis, opinion: &Opinion) -> Vec<[u16; SEARCH_SLOTS]> {
    let Opinion { prior, surprisal } = opinion;
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
    let stage = class(i32::from(*phase), &[8, 18]);
    let ply = class(i32::from(*ply), &PLY);
    // What the network expects to be lost; moves far behind count no more than twice the largest
    // loss that matters.
    let loss = |m: usize| best - last[m];
    let likely: i64 = seen.clone().map(|m| i64::from(prior[m])).sum();
    let regret: i64 =
        seen.map(|m| i64::from(prior[m]) * i64::from(loss(m).min(2 * MOST_LOSS))).sum();
    let regret = class((regret / likely.max(1)) as i32, &REGRET);
    let features = (0..prior.len()).map(|m| {
        let (mut fine, mut coarse, mut rank) = (FINE_LOSSES - 1, LOSSES - 1, RANKS - 1);
        let mut worth = WORTHS - 1;
        if scores.fully_searched[m] {
            fine = class(loss(m), &FINE_LOSS);
            coarse = class(loss(m), &LOSS);
            rank = sorted.partition_point(|&value| value > last[m]).min(RANKS - 1);
            worth = class(last[m], &WORTH);
        }
        // Of others there is perhaps what a glance told.
        let before = class(earlier_best - earlier[m], &COARSE_LOSS);
        let between = class(middle_best - middle[m], &COARSE_LOSS);
        let at_once = class(first_best - first[m], &COARSE_LOSS);
        let surprisal = class(surprisal[m], &SURPRISAL);
        [
            fine,
            AGAINST_GAP + rank * GAPS + gap,
            AGAINST_REGRET + coarse * REGRETS + regret,
            AGAINST_EARLIER + coarse * COARSE + before,
            AGAINST_MIDDLE + coarse * COARSE + between,
            AGAINST_FIRST + coarse * COARSE + at_once,
            AGAINST_PRIOR + (coarse * SURPRISALS + surprisal) * STAGES + stage,
            AGAINST_PLY + coarse * PLIES + ply,
            AGAINST_RESULT + worth * RESULTS + usize::from(*result),
            AGAINST_PACE + coarse * Pace::ALL.len() + *pace as usize,
        ]
        .map(|index| index as u16)
    });
    features.collect()
}
