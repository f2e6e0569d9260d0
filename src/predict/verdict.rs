//! Verdicts: what the search says of each legal move, as indices of features for the mix.
//!
//! The network says what people play; the search says what is good. The mix learns how much
//! to believe of which, by how far behind the best move a move is, how likely the network found it,
//! and what else is known of move and position.

use shakmaty::{Chess, MoveList, Position};

use super::evaluate::phase;
use super::fixed;
use super::search::{Found, MARGIN, Searcher};

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
    /// The weight of each feature in units of 2<sup>-10</sup> bit, [`VERDICT_FEATURES`] of them.
    pub weights: Vec<i16>,
}

/// Features of one move.
pub const VERDICT_SLOTS: usize = 4;

const LOSSES: usize = 12;
const PRIORS: usize = 10;
const AGAINST_PRIOR: usize = 0;
const AGAINST_EARLIER: usize = AGAINST_PRIOR + LOSSES * PRIORS * 3;
const AGAINST_STATE: usize = AGAINST_EARLIER + LOSSES * LOSSES * 5;
const AGAINST_KIND: usize = AGAINST_STATE + LOSSES * 7 * 5;

/// Number of features.
pub const VERDICT_FEATURES: usize = AGAINST_KIND + LOSSES * 6 * 2 * PRIORS;

/// The features of each legal move.
pub type Verdicts = Vec<[u16; VERDICT_SLOTS]>;

/// How far behind the best, in classes.
fn loss_class(loss: i32) -> usize {
    match loss {
        ..1 => 0,
        1..9 => 1,
        9..18 => 2,
        18..30 => 3,
        30..45 => 4,
        45..65 => 5,
        65..95 => 6,
        95..140 => 7,
        140..200 => 8,
        200..MARGIN => 9,
        _ => 10,
    }
}

/// The class of moves that were not looked at.
const UNSEEN: usize = 11;

/// Searches `position`; `logits` are the network's for each legal move, in units of 2^-16 nat.
/// Nothing where the network leaves no doubt.
pub fn deliberate(
    searcher: &mut Searcher,
    position: &Chess,
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
    let found = searcher.search(position, legal, &likely, effort.width, effort.nodes);
    Some(features(position, legal, &prior, &found))
}

fn features(position: &Chess, legal: &MoveList, prior: &[u32], found: &Found) -> Verdicts {
    let mut values: Vec<i32> =
        (0..legal.len()).filter(|&m| found.seen[m]).map(|m| found.values[m][0]).collect();
    values.sort_unstable_by_key(|value| -value);
    let best = values.first().copied().unwrap_or(0);
    let earlier_best = (0..legal.len())
        .filter(|&m| found.seen[m])
        .map(|m| found.values[m][1])
        .max()
        .unwrap_or(best);
    let gap = match best - values.get(1).copied().unwrap_or(best) {
        ..10 => 0,
        10..30 => 1,
        30..80 => 2,
        80..200 => 3,
        _ => 4,
    };
    let state = match best {
        ..-400 => 0,
        -400..-150 => 1,
        -150..-40 => 2,
        -40..41 => 3,
        41..151 => 4,
        151..401 => 5,
        _ => 6,
    };
    let stage = match phase(position.board()) {
        ..8 => 0,
        8..18 => 1,
        _ => 2,
    };
    let features = (0..legal.len()).map(|m| {
        let [value, earlier] = found.values[m];
        let loss = if found.seen[m] { loss_class(best - value) } else { UNSEEN };
        let before = loss_class(earlier_best - earlier);
        // Half bits of surprise near certainty, whole ones further off.
        let surprise = (31 << 16) - fixed::log2(u64::from(prior[m].max(1)));
        let surprise = match surprise >> 15 {
            half @ 0..5 => half as usize,
            half => (3 + half as usize / 2).min(PRIORS - 1),
        };
        let role = legal[m].role() as usize - 1;
        let kind = usize::from(legal[m].is_capture());
        [
            AGAINST_PRIOR + (loss * PRIORS + surprise) * 3 + stage,
            AGAINST_EARLIER + (loss * LOSSES + before) * 5 + gap,
            AGAINST_STATE + (loss * 7 + state) * 5 + gap,
            AGAINST_KIND + ((loss * 6 + role) * 2 + kind) * PRIORS + surprise,
        ]
        .map(|index| index as u16)
    });
    features.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predict::{History, legal_moves};

    #[test]
    fn verdicts_do_not_depend_on_what_was_searched_before() {
        let effort = Effort { nodes: 300, width: 8 };
        let mut history = History::new(Chess::default());
        let mut used = Searcher::new();
        for ply in 0..60 {
            let legal = legal_moves(history.position());
            if legal.is_empty() {
                break;
            }
            let logits: Vec<i32> = (0..legal.len() as i32).map(|m| (m * 37 % 11) << 14).collect();
            let position = history.position();
            let fresh = deliberate(&mut Searcher::new(), position, &legal, &logits, effort);
            assert_eq!(
                deliberate(&mut used, position, &legal, &logits, effort),
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
        let position = Chess::default();
        let legal = legal_moves(&position);
        let mut logits = vec![0; legal.len()];
        let effort = Effort { nodes: 100, width: 4 };
        assert!(deliberate(&mut Searcher::new(), &position, &legal, &logits, effort).is_some());
        logits[3] = 20 << 16;
        assert_eq!(deliberate(&mut Searcher::new(), &position, &legal, &logits, effort), None);
    }

    #[test]
    fn efforts_are_bounded() {
        assert_eq!(Effort::parse("1500 12"), Some(Effort { nodes: 1500, width: 12 }));
        for text in ["", "1500", "0 12", "1500 1", "1500 256", "1000001 12", "-1 12", "1500 12 3"] {
            assert_eq!(Effort::parse(text), None, "{text}");
        }
    }
}
