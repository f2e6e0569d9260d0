//! The reranker's features of each move, from the analysis of its position.

use std::ops::Range;

use super::examine::{Analysis, Before};
use super::move_priors::MovePriors;
use super::reranker_index::{
    ANALYSIS_SLOTS, CAPTURE_BIT, COUNTS, ENTROPY, FIRST_FORM_SLOTS, LOSS, LOSSES, PLY, RANKS,
    RATING, RERANKER_SLOTS, RISE, RerankerFeatures, SHARES, SIZES, STEP, SURPRISALS, VALUE,
    mark_feature, reply_features,
};
use crate::engine::Reply;
use crate::features::class;

/// The largest loss of a move that counts for the expected loss, in centipawns.
const MAX_EXPECTED_LOSS: i32 = 600;

/// The class of a share of `all`, in sixteenths.
fn share(part: i64, all: i64) -> usize {
    ((part * 16 / all.max(1)) as usize).min(SHARES - 1)
}

/// The class of a surprisal, given in bits in units of 2<sup>-16</sup>.
fn surprisal_class(surprisal: i32) -> usize {
    ((surprisal >> 14).max(0) as usize).min(SURPRISALS - 1)
}

/// The features of the moves that were searched, fully or by scouting, in the order of the legal
/// moves.
pub fn reranker_features(analysis: &Analysis, priors: &MovePriors) -> Vec<RerankerFeatures> {
    let depths = &analysis.scores.values;
    let Some(deepest) = depths.len().checked_sub(1) else { return vec![] };
    let at = |back: usize| &depths[deepest.saturating_sub(back)][..];
    let levels = [at(0), at(1), at(2), at(4), &depths[0], &depths[deepest.min(2)]];
    let bests = levels.map(|values| analysis.best(values));
    let full: Vec<usize> = analysis.fully_searched().collect();
    let all = full.iter().map(|&m| i64::from(priors.prior[m])).sum();
    let context = Context { analysis, priors, levels, bests, full, all };
    let of_position = context.position_classes();
    let features = |m: usize| {
        let mut features = [0; RERANKER_SLOTS];
        let (of_first_form, of_replies) = features.split_at_mut(FIRST_FORM_SLOTS);
        let (of_analysis, of_marks) = of_first_form.split_at_mut(ANALYSIS_SLOTS);
        let classes = context.move_classes(m).into_iter().chain(of_position);
        let mut first = 0;
        for ((feature, class), size) in of_analysis.iter_mut().zip(classes).zip(SIZES) {
            *feature = (first + class) as u16;
            first += size;
        }
        for (feature, &mark) in of_marks.iter_mut().zip(&analysis.marks[m]) {
            *feature = mark_feature(mark);
        }
        of_replies.copy_from_slice(&reply_features(context.reply_classes(m)));
        features
    };
    analysis.searched().map(features).collect()
}

/// Slots of the analysis that depend on the move; they come first.
const MOVE_SLOTS: usize = 16;

/// The slots that all moves of a position share.
pub const POSITION_SLOTS: Range<usize> = MOVE_SLOTS..ANALYSIS_SLOTS;

/// What the features of all moves of a position share.
struct Context<'a> {
    analysis: &'a Analysis,
    priors: &'a MovePriors,
    /// The values at the last depth, one, two and four depths before, at the first and at the third.
    levels: [&'a [i32]; 6],
    /// The best value at each of these depths.
    bests: [i32; 6],
    /// The places of the moves that were fully searched.
    full: Vec<usize>,
    /// The probability of these moves together, in units of 2<sup>-31</sup>.
    all: i64,
}

impl Context<'_> {
    /// The probability of the move at a place, in units of 2<sup>-31</sup>.
    fn weight(&self, m: usize) -> i64 {
        i64::from(self.priors.prior[m])
    }

    /// The number of fully searched moves with a greater value than that of the move at place `m`.
    fn rank(&self, values: &[i32], m: usize) -> usize {
        self.full.iter().filter(|&&other| values[other] > values[m]).count().min(RANKS - 1)
    }

    /// The share of the moves that are better by more than `margin` centipawns.
    fn better(&self, m: usize, margin: i32) -> usize {
        let last = self.levels[0];
        let better = self.full.iter().filter(|&&other| last[other] > last[m] + margin);
        share(better.map(|&other| self.weight(other)).sum(), self.all)
    }

    /// The classes of the slots that depend on the move.
    fn move_classes(&self, m: usize) -> [usize; MOVE_SLOTS] {
        let [last, before_last, .., first, _] = self.levels;
        let loss = |level: usize| class(self.bests[level] - self.levels[level][m], &LOSS);
        let kind_bits = if self.analysis.scores.fully_searched[m] { 15 } else { CAPTURE_BIT };
        [
            loss(0),
            loss(1),
            loss(2),
            loss(3),
            loss(4),
            loss(5),
            class(last[m], &VALUE),
            class(last[m] - first[m], &RISE),
            class(last[m] - before_last[m], &STEP),
            self.rank(last, m),
            self.rank(first, m),
            self.rank(&self.analysis.logits, m),
            surprisal_class(self.priors.surprisal[m]),
            usize::from(self.analysis.kinds[m]).min(15) & kind_bits,
            self.better(m, 0),
            self.better(m, 40),
        ]
    }

    /// The classes of the slots of replies.
    fn reply_classes(&self, m: usize) -> [usize; 5] {
        let replies = &self.analysis.scores.replies;
        let Reply { packed, kind, effort, state } = replies[m];
        let mut same = 0;
        if packed != 0 {
            let others = self.full.iter().filter(|&&other| replies[other].packed == packed);
            same = 1 + share(others.map(|&other| self.weight(other)).sum(), self.all);
        }
        let expected = self.analysis.expected[m];
        [kind.into(), effort.into(), state.into(), same, expected.into()]
    }

    /// The classes of the slots that all moves share.
    fn position_classes(&self) -> [usize; ANALYSIS_SLOTS - MOVE_SLOTS] {
        let Context { analysis, priors, ref full, all, .. } = *self;
        let last = self.levels[0];
        let [best, best_before_last, .., first_best, _] = self.bests;
        let likeliest = full.iter().copied().max_by_key(|&m| analysis.logits[m]).unwrap_or(0);
        let best_move =
            full.iter().copied().max_by_key(|&m| (last[m], analysis.logits[m])).unwrap_or(0);
        let mut sorted: Vec<i32> = full.iter().map(|&m| last[m]).collect();
        sorted.sort_unstable_by_key(|value| -value);
        let second_best = sorted.get(1).copied().unwrap_or(best);
        let loss = |m: usize| i64::from((best - last[m]).min(MAX_EXPECTED_LOSS));
        let losses: i64 = full.iter().map(|&m| self.weight(m) * loss(m)).sum();
        let within = |margin: i32| {
            full.iter().filter(|&&m| last[m] + margin >= best).count().min(COUNTS - 1)
        };
        let known = |loss: Option<i32>| loss.map_or(LOSSES, |loss| class(loss, &LOSS));
        let [opponents, own] = analysis.before;
        let earlier_loss = |before: Option<Before>| known(before.map(|before| before.loss));
        [
            class(best - last[likeliest], &LOSS),
            class(best, &VALUE),
            class(best - second_best, &LOSS),
            class((losses / all.max(1)) as i32, &LOSS),
            class(priors.entropy() >> 14, &ENTROPY),
            class(analysis.ply.into(), &PLY),
            usize::from(analysis.phase).min(24),
            usize::from(analysis.result).min(3),
            analysis.pace.into(),
            class(analysis.elo[0].into(), &RATING),
            class(analysis.elo[1].into(), &RATING),
            (analysis.scores.values.len() - 1).min(23),
            full.len().min(COUNTS - 1),
            usize::from(analysis.check),
            surprisal_class(priors.surprisal[best_move]),
            within(15),
            within(50),
            class(best - best_before_last, &STEP),
            class(best - first_best, &STEP),
            earlier_loss(opponents),
            earlier_loss(own),
            known(own.map(|own| best - own.best + 300)),
        ]
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::examine::MARKS;
    use super::super::reranker_index::{ANALYSIS_FEATURES, FIRST_FORM_FEATURES, RERANKER_FEATURES};
    use super::*;
    use crate::engine::RootScores;
    use crate::features::Pace;
    use crate::features::index::moves::{
        ENEMY_KING, EXCHANGE, MOTIVE, PLACE, STANDING, VALUE as MOVE_VALUE,
    };

    /// First and last of the ranges.
    const MARKS_OF_A_MOVE: [u16; MARKS] = {
        let mut marks = [EXCHANGE as u16; MARKS];
        marks[4] = ENEMY_KING as u16 - 1;
        marks[7] = MOVE_VALUE as u16;
        marks[8] = MOTIVE as u16 - 1;
        marks[9] = STANDING as u16 - 1;
        marks[10] = PLACE as u16 - 1;
        marks
    };

    pub fn analysis() -> Analysis {
        Analysis {
            ply: 40,
            phase: 20,
            result: 2,
            pace: Pace::Rapid as u8,
            check: false,
            elo: [2650, 2500],
            before: [Some(Before { best: 30, loss: 12 }), None],
            logits: vec![0, 1 << 16, -(1 << 16), 1 << 15],
            kinds: vec![1, 12, 6, 2],
            marks: vec![MARKS_OF_A_MOVE; 4],
            vectors: vec![],
            expected: vec![0, 1, 1, 2],
            scores: RootScores {
                values: vec![vec![10, 20, -30_000, 0], vec![-40, 25, -30_000, 30]],
                fully_searched: vec![true, true, false, true],
                replies: vec![
                    Reply { packed: 7, kind: 18, effort: 24, state: 4 },
                    Reply { packed: 7, kind: 1, effort: 1, state: 0 },
                    Reply::default(),
                    Reply::default(),
                ],
                nodes: 0,
            },
        }
    }

    #[test]
    fn features_are_in_the_classes_of_their_slots() {
        let analysis = analysis();
        let features = reranker_features(&analysis, &MovePriors::new(&analysis.logits));
        assert_eq!(features.len(), 3);
        let mut first = 0;
        for slot in 0..ANALYSIS_SLOTS {
            for of_move in &features {
                let class = usize::from(of_move[slot]).checked_sub(first);
                assert!(class.is_some_and(|class| class < SIZES[slot]), "slot {slot}");
            }
            first += SIZES[slot];
        }
        assert_eq!(first, ANALYSIS_FEATURES);
        let marks = &features[0][ANALYSIS_SLOTS..FIRST_FORM_SLOTS];
        assert!(
            marks
                .iter()
                .all(|&row| (ANALYSIS_FEATURES..FIRST_FORM_FEATURES).contains(&usize::from(row)))
        );
        assert_eq!(
            (usize::from(marks[0]), usize::from(marks[10])),
            (ANALYSIS_FEATURES, FIRST_FORM_FEATURES - 1)
        );
        // Replies: the greatest kind, effort and state. Two of three moves, less likely than the third, have the same.
        let replies = |m: usize| {
            let features = &features[m][FIRST_FORM_SLOTS..];
            features.iter().map(|&row| usize::from(row) - FIRST_FORM_FEATURES).collect::<Vec<_>>()
        };
        let first = [0, 19, 19 + 25, 19 + 25 + 5, 19 + 25 + 5 + 18];
        assert_eq!(replies(0), [18, first[1] + 24, first[2] + 4, first[3] + 12, first[4]]);
        assert_eq!(replies(1), [1, first[1] + 1, first[2], first[3] + 12, first[4] + 1]);
        assert_eq!(replies(2), [0, first[1], first[2], first[3], first[4] + 2]);
        assert_eq!(first[4] + 3, RERANKER_FEATURES - FIRST_FORM_FEATURES);
        assert_eq!(marks[7], marks[4] + 1);
        // The best move: its loss and rank at the last depth, and the unknown rise since two plies ago.
        let row = |slot: usize, class: usize| (SIZES[..slot].iter().sum::<usize>() + class) as u16;
        let best = features[2];
        assert_eq!([best[0], best[9], best[36]], [row(0, 0), row(9, 0), row(36, LOSSES)]);
        // At the first depth its loss is 20, and two moves are better.
        assert_eq!([best[4], best[10]], [row(4, 6), row(10, 2)]);
        assert_eq!(features[0][6], row(6, class(-40, &VALUE)));
        assert_eq!(best[35], row(35, 4)); // the opponent lost 12
    }

    #[test]
    fn extreme_values_are_classes_too() {
        let mut analysis = analysis();
        for value in [-30_000, 30_000] {
            analysis.scores.values[1][1] = value;
            analysis.before = [Some(Before { best: -value, loss: 60_000 }); 2];
            analysis.elo = [u16::MAX; 2];
            analysis.ply = u16::MAX;
            for of_move in reranker_features(&analysis, &MovePriors::new(&analysis.logits)) {
                assert!(of_move.iter().all(|&row| usize::from(row) < RERANKER_FEATURES));
            }
        }
    }
}
