//! Verdicts: what the search says of each legal move, as indices of features for the mix.
//!
//! The network says what people play; the search says what is good. The mix learns how much
//! to believe of which, by how far behind the best move a move is (at the last depth, at the one before,
//! and halfway: people overlook deep refutations), how likely the network found it,
//! and what else is known of move and position. The tables are small and many, because each weight
//! must be learned from few games.

use std::sync::Arc;

use shakmaty::{Chess, MoveList, Position};

use super::evaluate::phase;
use super::fixed;
use super::history::History;
use super::search::{Found, MARGIN, Searcher};
use super::values::Values;

/// How much is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Nodes for a position, at most [`MAX_NODES`].
    pub nodes: u64,
    /// Moves that are looked at, the likeliest, at most 255.
    pub width: usize,
}

/// Most nodes that a model may ask for: some seconds a position.
pub const MAX_NODES: u64 = 1_000_000;

impl Effort {
    /// The effort that a model's metadata give: nodes and width, with a space between them.
    pub(super) fn parse(text: &str) -> Option<Effort> {
        let (nodes, width) = text.split_once(' ')?;
        let effort = Effort { nodes: nodes.parse().ok()?, width: width.parse().ok()? };
        (1..=MAX_NODES)
            .contains(&effort.nodes)
            .then_some(effort)
            .filter(|effort| (2..256).contains(&effort.width))
    }
}

/// A model's search: how much, and what its verdicts weigh to begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expert {
    /// How much is searched.
    pub effort: Effort,
    /// What values the positions of the search.
    pub values: Arc<Values>,
    /// The weight of each feature in units of 2<sup>-10</sup> bit, [`VERDICT_FEATURES`] of them.
    pub weights: Vec<i16>,
}

/// Features of one move.
pub const VERDICT_SLOTS: usize = 8;

/// Bounds of classes of how far a move is behind the best, in centipawns.
const LOSS: [i32; 10] = [1, 9, 18, 30, 45, 65, 95, 140, 200, MARGIN];
const FINE_LOSS: [i32; 16] = [1, 5, 10, 16, 22, 30, 38, 48, 60, 75, 95, 120, 150, 190, 240, MARGIN];
const COARSE_LOSS: [i32; 4] = [1, 20, 50, 110];

/// Classes of the loss: below, between and above the bounds, and the moves that were not looked at.
const LOSSES: usize = LOSS.len() + 2;
const FINE_LOSSES: usize = FINE_LOSS.len() + 2;
const COARSE: usize = COARSE_LOSS.len() + 1;

/// Bounds of classes of how far the second best is behind the best.
const GAP: [i32; 4] = [10, 30, 80, 200];
const GAPS: usize = GAP.len() + 1;

/// Bounds of classes of what the best move is worth.
const STATE: [i32; 6] = [-400, -150, -40, 41, 151, 401];
const STATES: usize = STATE.len() + 1;

/// Bounds of classes of how far the moves that the network expects are behind the best.
const REGRET: [i32; 4] = [10, 25, 60, 120];
const REGRETS: usize = REGRET.len() + 1;

/// Bounds of classes of a move's prior probability, in bits in units of 2<sup>-16</sup>.
const SURPRISE: [i32; 4] = [1 << 16, 9 << 14, 7 << 15, 5 << 16];
const SURPRISES: usize = SURPRISE.len() + 1;

const RANKS: usize = 6;
const STAGES: usize = 3;

const AGAINST_GAP: usize = 0;
const AGAINST_RANK: usize = AGAINST_GAP + FINE_LOSSES * GAPS;
const AGAINST_REGRET: usize = AGAINST_RANK + RANKS * GAPS;
const AGAINST_EARLIER: usize = AGAINST_REGRET + LOSSES * REGRETS;
const AGAINST_MIDDLE: usize = AGAINST_EARLIER + LOSSES * COARSE;
const AGAINST_STATE: usize = AGAINST_MIDDLE + LOSSES * COARSE;
const AGAINST_PRIOR: usize = AGAINST_STATE + LOSSES * STATES;
const AGAINST_KIND: usize = AGAINST_PRIOR + LOSSES * SURPRISES * STAGES;

/// Number of features.
pub const VERDICT_FEATURES: usize = AGAINST_KIND + LOSSES * 6 * 2;

/// The features of each legal move.
pub type Verdicts = Vec<[u16; VERDICT_SLOTS]>;

/// Which of the classes between `bounds` a value is in.
fn class(value: i32, bounds: &[i32]) -> usize {
    bounds.iter().take_while(|&&bound| value >= bound).count()
}

/// Searches the position on the board; `logits` are the network's for each legal move, in units of 2^-16 nat.
/// Nothing where the network leaves no doubt, or the search finds nothing.
pub fn deliberate(
    searcher: &mut Searcher,
    history: &History,
    legal: &MoveList,
    logits: &[i32],
    effort: Effort,
) -> Option<Verdicts> {
    /// Above this probability, in units of 2^-31, nothing is searched.
    const CERTAIN: u32 = (1 << 31) / 64 * 63;
    let bits: Vec<i32> = logits.iter().map(|&logit| fixed::nats_to_bits(logit)).collect();
    let mut prior = vec![];
    fixed::softmax(&bits, &mut prior);
    if legal.len() < 2 || prior.iter().any(|&p| p >= CERTAIN) {
        return None;
    }
    let mut likely: Vec<usize> = (0..legal.len()).collect();
    likely.sort_by_key(|&place| std::cmp::Reverse(prior[place]));
    let found = searcher.search(history, legal, &likely, effort.width, effort.nodes);
    features(history.position(), legal, &prior, &found)
}

fn features(position: &Chess, legal: &MoveList, prior: &[u32], found: &Found) -> Option<Verdicts> {
    let last = found.values.last()?;
    let earlier = found.values.iter().rev().nth(1).unwrap_or(last);
    let middle = &found.values[found.values.len() / 2];
    let seen: Vec<usize> = (0..legal.len()).filter(|&m| found.seen[m]).collect();
    let best_of = |values: &[i32]| seen.iter().map(|&m| values[m]).max().unwrap_or(0);
    let (best, earlier_best, middle_best) = (best_of(last), best_of(earlier), best_of(middle));
    let mut sorted: Vec<i32> = seen.iter().map(|&m| last[m]).collect();
    sorted.sort_unstable_by_key(|value| -value);
    let gap = class(best - sorted.get(1).copied().unwrap_or(best), &GAP);
    let state = class(best, &STATE);
    let stage = class(phase(position.board()), &[8, 18]);
    // What the network expects to be lost; moves far behind count no more than the margin.
    let loss = |m: usize| best - last[m];
    let likely: i64 = seen.iter().map(|&m| i64::from(prior[m])).sum();
    let regret: i64 =
        seen.iter().map(|&m| i64::from(prior[m]) * i64::from(loss(m).min(2 * MARGIN))).sum();
    let regret = class((regret / likely.max(1)) as i32, &REGRET);
    let features = (0..legal.len()).map(|m| {
        let (mut fine, mut coarse, mut rank) = (FINE_LOSSES - 1, LOSSES - 1, RANKS - 1);
        let (mut before, mut between) = (COARSE - 1, COARSE - 1);
        if found.seen[m] {
            fine = class(loss(m), &FINE_LOSS);
            coarse = class(loss(m), &LOSS);
            rank = sorted.partition_point(|&value| value > last[m]).min(RANKS - 1);
            before = class(earlier_best - earlier[m], &COARSE_LOSS);
            between = class(middle_best - middle[m], &COARSE_LOSS);
        }
        let surprise = (31 << 16) - fixed::log2(u64::from(prior[m].max(1)));
        let surprise = class(surprise, &SURPRISE);
        let role = legal[m].role() as usize - 1;
        let kind = usize::from(legal[m].is_capture());
        [
            AGAINST_GAP + fine * GAPS + gap,
            AGAINST_RANK + rank * GAPS + gap,
            AGAINST_REGRET + coarse * REGRETS + regret,
            AGAINST_EARLIER + coarse * COARSE + before,
            AGAINST_MIDDLE + coarse * COARSE + between,
            AGAINST_STATE + coarse * STATES + state,
            AGAINST_PRIOR + (coarse * SURPRISES + surprise) * STAGES + stage,
            AGAINST_KIND + (coarse * 6 + role) * 2 + kind,
        ]
        .map(|index| index as u16)
    });
    Some(features.collect())
}

#[cfg(test)]
mod tests {
    use super::super::values::VALUES_SIZE;
    use super::*;
    use crate::predict::legal_moves;

    fn searcher() -> Searcher {
        let numbers: Vec<i16> = (0..VALUES_SIZE).map(|i| (i * 7919 % 61) as i16 - 30).collect();
        Searcher::new(Arc::new(Values::new(&numbers).unwrap()))
    }

    #[test]
    fn verdicts_do_not_depend_on_what_was_searched_before() {
        let effort = Effort { nodes: 300, width: 8 };
        let mut history = History::new(Chess::default());
        let mut used = searcher();
        for ply in 0..60 {
            let legal = legal_moves(history.position());
            if legal.is_empty() {
                break;
            }
            let logits: Vec<i32> = (0..legal.len() as i32).map(|m| (m * 37 % 11) << 14).collect();
            let fresh = deliberate(&mut searcher(), &history, &legal, &logits, effort);
            assert_eq!(
                deliberate(&mut used, &history, &legal, &logits, effort),
                fresh,
                "ply {ply}"
            );
            let features = fresh.iter().flatten().flatten();
            assert!(features.into_iter().all(|&index| usize::from(index) < VERDICT_FEATURES));
            history.play(legal[ply * 7 % legal.len()]);
        }
    }

    #[test]
    fn a_sure_network_is_not_asked_twice() {
        let history = History::new(Chess::default());
        let legal = legal_moves(history.position());
        let mut logits = vec![0; legal.len()];
        let effort = Effort { nodes: 100, width: 4 };
        assert!(deliberate(&mut searcher(), &history, &legal, &logits, effort).is_some());
        logits[3] = 20 << 16;
        assert_eq!(deliberate(&mut searcher(), &history, &legal, &logits, effort), None);
    }

    #[test]
    fn efforts_are_bounded() {
        assert_eq!(Effort::parse("1500 12"), Some(Effort { nodes: 1500, width: 12 }));
        for text in ["", "1500", "0 12", "1500 1", "1500 256", "1000001 12", "-1 12", "1500 12 3"] {
            assert_eq!(Effort::parse(text), None, "{text}");
        }
    }
}
