//! What the reranker is told of each move.
//!
//! Each thing known is one of some classes, and all classes have one numbering: the features of a
//! move are a bag of them, as features are for the large network.

use super::examine::{Analysis, Before, MARKS};
use super::opinion::Opinion;
use crate::features::index::moves::{
    ENEMY_KING, EVAL_DELTA, EXCHANGE, MOTIVE, PAST, PLACE, STANDING, VALUE,
};
use crate::features::{Pace, class};

/// Things known of what was found about a move.
const FOUND_SLOTS: usize = 38;

/// Things known of a move that was looked at: of what was found, and its marks.
pub const RERANKER_SLOTS: usize = FOUND_SLOTS + MARKS;

/// Bounds of how far a move is behind the best, in centipawns.
const LOSS: [i32; 30] = [
    1, 4, 8, 12, 16, 20, 25, 30, 36, 42, 50, 58, 66, 75, 85, 95, 110, 125, 140, 160, 180, 200, 225,
    250, 275, 300, 350, 400, 600, 1000,
];

/// Bounds of what a position or a move is worth.
const WORTH: [i32; 25] = [
    -1000, -600, -400, -300, -220, -160, -120, -90, -65, -45, -28, -12, 0, 1, 13, 29, 46, 66, 91,
    121, 161, 221, 301, 401, 601,
];

/// Bounds of how much more it is worth than at the first depth, and than at other depths.
const RISE: [i32; 15] = [-300, -150, -80, -50, -30, -15, -5, 6, 16, 31, 51, 81, 151, 301, 1000];
const STEP: [i32; 30] = [
    -300, -150, -100, -80, -60, -45, -35, -25, -18, -12, -7, -3, 0, 1, 4, 8, 13, 19, 26, 36, 46,
    61, 81, 101, 151, 301, 500, 1000, 1500, 2500,
];

/// Bounds of what is left open, in quarters of a bit.
const OPEN: [i32; 15] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16];

/// Bounds of the plies played.
const PLY: [i32; 15] = [18, 20, 22, 24, 28, 32, 36, 40, 48, 56, 64, 80, 96, 112, 140];

/// Bounds of a rating; 0 is unknown.
const RATING: [i32; 10] = [1, 2000, 2200, 2300, 2400, 2450, 2500, 2550, 2600, 2700];

/// Classes of moves that are counted, of parts of the probability, and of costs in quarters of a
/// bit.
const COUNTS: usize = 13;
const PARTS: usize = 17;
const COSTS: usize = 32;
const RANKS: usize = 12;

const LOSSES: usize = LOSS.len() + 1;
const WORTHS: usize = WORTH.len() + 1;
const STEPS: usize = STEP.len() + 1;

/// Classes of each slot of what was found.
const SIZES: [usize; FOUND_SLOTS] = [
    // The move: its loss at six depths,
    LOSSES,
    LOSSES,
    LOSSES,
    LOSSES,
    LOSSES,
    LOSSES,
    // its worth, the rise since the first depth and since the last but one,
    WORTHS,
    RISE.len() + 1,
    STEPS,
    // its rank by worth at the last and at the first depth, and by probability,
    RANKS,
    RANKS,
    RANKS,
    // its cost, its kind, and how likely better ones are, and ones that are much better.
    COSTS,
    16,
    PARTS,
    PARTS,
    // The position: what the likeliest move loses, what the best is worth, how far the second is
    // behind it, what is expected to be lost,
    LOSSES,
    WORTHS,
    LOSSES,
    LOSSES,
    // what is left open, how far the game has come and what is left of the pieces,
    OPEN.len() + 1,
    PLY.len() + 1,
    25,
    // the result, the pace and the ratings,
    4,
    Pace::ALL.len(),
    RATING.len() + 1,
    RATING.len() + 1,
    // the depths, the moves that were looked at, whether there is a check, what the best move
    // costs,
    24,
    COUNTS,
    2,
    COSTS,
    // how many moves are as good as the best and almost so, how much the best rose at the last
    // depth and since the first.
    COUNTS,
    COUNTS,
    STEPS,
    STEPS,
    // Before: what the last two moves lost, and how much more the best is worth than two plies ago;
    // one more class each if that is not known.
    LOSSES + 1,
    LOSSES + 1,
    LOSSES + 1,
];

/// The kind of a capture; of moves that were only glanced at no more is told than whether they are
/// captures.
const CAPTURES: usize = 8;

/// Number of classes of what was found.
const FOUND: usize = {
    let (mut sum, mut slot) = (0, 0);
    while slot < FOUND_SLOTS {
        sum += SIZES[slot];
        slot += 1;
    }
    sum
};

/// Ranges of the move features that marks are of.
const MARKED: [(usize, usize); 4] =
    [(EXCHANGE, ENEMY_KING), (VALUE, MOTIVE), (EVAL_DELTA, STANDING), (PAST, PLACE)];

/// Number of classes.
pub const RERANKER_FEATURES: usize = {
    let (mut sum, mut range) = (FOUND, 0);
    while range < MARKED.len() {
        sum += MARKED[range].1 - MARKED[range].0;
        range += 1;
    }
    sum
};

/// The class of a mark, a move feature of one of the [`MARKED`] ranges.
fn mark_class(mark: u16) -> u16 {
    let mut first = FOUND;
    for (start, end) in MARKED {
        if (start..end).contains(&usize::from(mark)) {
            return (first + usize::from(mark) - start) as u16;
        }
        first += end - start;
    }
    0 // there are no others
}

/// The classes of a move.
pub type RerankerFeatures = [u16; RERANKER_SLOTS];

/// A part of all, in sixteenths.
fn sixteenths(part: i64, all: i64) -> usize {
    ((part * 16 / all.max(1)) as usize).min(PARTS - 1)
}

/// A cost in quarters of a bit.
fn quarters(cost: i32) -> usize {
    ((cost >> 14).max(0) as usize).min(COSTS - 1)
}

/// The features of the moves that were looked at, in the order of the legal moves.
pub fn reranker_features(findings: &Analysis, opinion: &Opinion) -> Vec<RerankerFeatures> {
    let Analysis { found, logits, .. } = findings;
    let Opinion { prior, surprisal } = opinion;
    let depths = found.values.len();
    let Some(deepest) = depths.checked_sub(1) else { return vec![] };
    let seen: Vec<usize> = findings.seen().collect();
    let at = |back: usize| &found.values[deepest.saturating_sub(back)][..];
    let levels = [at(0), at(1), at(2), at(4), &found.values[0], &found.values[deepest.min(2)]];
    let bests = levels.map(|values| findings.best(values));
    let [last, before_last, .., first, _] = levels;
    let [best, best_before_last, .., first_best, _] = bests;

    // Of the position.
    let likeliest = seen.iter().copied().max_by_key(|&m| logits[m]).unwrap_or(0);
    let best_move = seen.iter().copied().max_by_key(|&m| (last[m], logits[m])).unwrap_or(0);
    let mut sorted: Vec<i32> = seen.iter().map(|&m| last[m]).collect();
    sorted.sort_unstable_by_key(|value| -value);
    let gap = best - sorted.get(1).copied().unwrap_or(best);
    let weight = |m: usize| i64::from(prior[m]);
    let all: i64 = seen.iter().map(|&m| weight(m)).sum();
    let regret: i64 = seen.iter().map(|&m| weight(m) * i64::from((best - last[m]).min(600))).sum();
    let good = |by: i32| seen.iter().filter(|&&m| last[m] + by >= best).count().min(COUNTS - 1);
    let known = |before: Option<i32>| before.map_or(LOSSES, |loss| class(loss, &LOSS));
    let [opponents, own] = findings.before;
    let loss = |before: Option<Before>| known(before.map(|before| before.loss));

    let view = |m: usize| {
        let behind = |level: usize| class(bests[level] - levels[level][m], &LOSS);
        let rank =
            |values: &[i32]| seen.iter().filter(|&&o| values[o] > values[m]).count().min(RANKS - 1);
        let better = |by: i32| {
            let better = seen.iter().filter(|&&o| last[o] > last[m] + by);
            sixteenths(better.map(|&o| weight(o)).sum(), all)
        };
        let classes: [usize; FOUND_SLOTS] = [
            behind(0),
            behind(1),
            behind(2),
            behind(3),
            behind(4),
            behind(5),
            class(last[m], &WORTH),
            class(last[m] - first[m], &RISE),
            class(last[m] - before_last[m], &STEP),
            rank(last),
            rank(first),
            rank(logits),
            quarters(surprisal[m]),
            usize::from(findings.kinds[m]).min(15) & if found.seen[m] { 15 } else { CAPTURES },
            better(0),
            better(40),
            class(best - last[likeliest], &LOSS),
            class(best, &WORTH),
            class(gap, &LOSS),
            class((regret / all.max(1)) as i32, &LOSS),
            class(opinion.open() >> 14, &OPEN),
            class(findings.ply.into(), &PLY),
            usize::from(findings.phase).min(24),
            usize::from(findings.result).min(3),
            findings.pace as usize,
            class(findings.elo[0].into(), &RATING),
            class(findings.elo[1].into(), &RATING),
            deepest.min(23),
            seen.len().min(COUNTS - 1),
            usize::from(findings.check),
            quarters(surprisal[best_move]),
            good(15),
            good(50),
            class(best - best_before_last, &STEP),
            class(best - first_best, &STEP),
            loss(opponents),
            loss(own),
            known(own.map(|own| best - own.best + 300)),
        ];
        let mut view = [0; RERANKER_SLOTS];
        let (of_found, of_marks) = view.split_at_mut(FOUND_SLOTS);
        let mut first_row = 0;
        for ((row, class), size) in of_found.iter_mut().zip(classes).zip(SIZES) {
            *row = (first_row + class) as u16;
            first_row += size;
        }
        for (row, &mark) in of_marks.iter_mut().zip(&findings.marks[m]) {
            *row = mark_class(mark);
        }
        view
    };
    findings.looked_at().map(view).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::engine::RootScores;

    /// First and last of the ranges.
    const MARKS_OF_A_MOVE: [u16; MARKS] = {
        let mut marks = [EXCHANGE as u16; MARKS];
        marks[4] = ENEMY_KING as u16 - 1;
        marks[7] = VALUE as u16;
        marks[8] = MOTIVE as u16 - 1;
        marks[9] = STANDING as u16 - 1;
        marks[10] = PLACE as u16 - 1;
        marks
    };

    pub fn findings() -> Analysis {
        Analysis {
            ply: 40,
            phase: 20,
            result: 2,
            pace: Pace::Rapid,
            check: false,
            elo: [2650, 2500],
            before: [Some(Before { best: 30, loss: 12 }), None],
            logits: vec![0, 1 << 16, -(1 << 16), 1 << 15],
            kinds: vec![1, 12, 6, 2],
            marks: vec![MARKS_OF_A_MOVE; 4],
            found: RootScores {
                values: vec![vec![10, 20, -30_000, 0], vec![-40, 25, -30_000, 30]],
                seen: vec![true, true, false, true],
                nodes: 0,
            },
        }
    }

    #[test]
    fn what_is_seen_of_a_move() {
        let findings = findings();
        let reranker_features = reranker_features(&findings, &Opinion::new(&findings.logits));
        assert_eq!(reranker_features.len(), 3);
        let mut first = 0;
        for slot in 0..FOUND_SLOTS {
            for view in &reranker_features {
                let class = usize::from(view[slot]).checked_sub(first);
                assert!(class.is_some_and(|class| class < SIZES[slot]), "slot {slot}");
            }
            first += SIZES[slot];
        }
        assert_eq!(first, FOUND);
        let marks = &reranker_features[0][FOUND_SLOTS..];
        assert!(marks.iter().all(|&row| (FOUND..RERANKER_FEATURES).contains(&usize::from(row))));
        assert_eq!((usize::from(marks[0]), usize::from(marks[10])), (FOUND, RERANKER_FEATURES - 1));
        assert_eq!(marks[7], marks[4] + 1);
        // The best move, its loss and rank at the last depth, and what is unknown of the past.
        let row = |slot: usize, class: usize| (SIZES[..slot].iter().sum::<usize>() + class) as u16;
        let best = reranker_features[2];
        assert_eq!([best[0], best[9], best[36]], [row(0, 0), row(9, 0), row(36, LOSSES)]);
        // At the first depth it is 20 behind, after one that is worth 10.
        assert_eq!([best[4], best[10]], [row(4, 6), row(10, 2)]);
        assert_eq!(reranker_features[0][6], row(6, class(-40, &WORTH)));
        assert_eq!(best[35], row(35, 4)); // the opponent lost 12
    }

    #[test]
    fn extreme_values_are_classes_too() {
        let mut findings = findings();
        for value in [-30_000, 30_000] {
            findings.found.values[1][1] = value;
            findings.before = [Some(Before { best: -value, loss: 60_000 }); 2];
            findings.elo = [u16::MAX; 2];
            findings.ply = u16::MAX;
            for view in reranker_features(&findings, &Opinion::new(&findings.logits)) {
                assert!(view.iter().all(|&row| usize::from(row) < RERANKER_FEATURES));
            }
        }
    }
}
