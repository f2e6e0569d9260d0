//! Verdicts: what the search says of each legal move, as indices of features for the mix.
//!
//! The network says what people play; the search says what is good. The mix learns how much
//! to believe of which, by how far behind the best move a move is (at the last depth, at the one before,
//! halfway and at the first: people overlook deep refutations), how likely the network found it,
//! and what else is known of position and game. The tables are small and many, because each weight
//! must be learned from few games.

use std::sync::Arc;

use shakmaty::{MoveList, Position};

use super::evaluate::phase;
use super::fixed;
use super::game_context::{GameContext, Pace};
use super::history::History;
use super::search::{Found, MARGIN, SearchMemory, Searcher};
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
pub const VERDICT_SLOTS: usize = 10;

/// Moves less likely than the likeliest by more than this, in nats in units of 2<sup>-16</sup>, are not looked at.
const UNLIKELY: i32 = 9 << 15;

/// Bounds of what is left open, in bits of entropy in units of 2<sup>-16</sup>, below which a search is worth a quarter and half
/// of the nodes.
const LITTLE_OPEN: [i32; 2] = [3 << 14, 5 << 14];

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

/// Bounds of classes of what a move is worth; the moves that were not looked at are another class.
const WORTH: [i32; 6] = [-400, -150, -40, 41, 151, 401];
const WORTHS: usize = WORTH.len() + 2;

/// Bounds of classes of how far the moves that the network expects are behind the best.
const REGRET: [i32; 4] = [10, 25, 60, 120];
const REGRETS: usize = REGRET.len() + 1;

/// Bounds of classes of a move's prior probability, in bits in units of 2<sup>-16</sup>.
const SURPRISE: [i32; 4] = [1 << 16, 9 << 14, 7 << 15, 5 << 16];
const SURPRISES: usize = SURPRISE.len() + 1;

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
const AGAINST_PLY: usize = AGAINST_PRIOR + LOSSES * SURPRISES * STAGES;
const AGAINST_RESULT: usize = AGAINST_PLY + LOSSES * PLIES;
const AGAINST_PACE: usize = AGAINST_RESULT + WORTHS * RESULTS;

/// Number of features.
pub const VERDICT_FEATURES: usize = AGAINST_PACE + LOSSES * Pace::ALL.len();

/// The features of each legal move.
pub type Verdicts = Vec<[u16; VERDICT_SLOTS]>;

/// Which of the classes between `bounds` a value is in.
fn class(value: i32, bounds: &[i32]) -> usize {
    bounds.iter().take_while(|&&bound| value >= bound).count()
}

/// How many of `nodes` a position is worth. Openings are known by heart: a search says nothing of their first plies
/// that the network and what was played before do not, and little of the next; and little where the
/// network leaves little open.
fn worthwhile(nodes: u64, ply: usize, prior: &[u32], surprise: &[i32]) -> u64 {
    let early = match ply {
        ..16 => return 0,
        16..20 => 1,
        20..32 => 2,
        _ => 4,
    };
    // Probability in units of 2^-16 times surprise in units of 2^-16 bit.
    let parts = prior.iter().zip(surprise);
    let open: i64 = parts.map(|(&p, &surprise)| i64::from(p >> 15) * i64::from(surprise)).sum();
    let settled = [1, 2, 4][class((open >> 16) as i32, &LITTLE_OPEN)];
    (nodes * early.min(settled) / 4).max(1)
}

/// Searches the position on the board with the `memory` of its game; `logits` are the network's for each legal move, in units of 2^-16 nat.
/// Nothing early in a game, where the network leaves no doubt, or where the search finds nothing.
pub fn deliberate(
    searcher: &mut Searcher,
    memory: &mut SearchMemory,
    history: &History,
    context: &GameContext,
    legal: &MoveList,
    logits: &[i32],
    effort: Effort,
) -> Option<Verdicts> {
    /// Above this probability, in units of 2^-31, nothing is searched.
    const CERTAIN: u32 = (1 << 31) / 64 * 63;
    if legal.len() < 2 {
        return None;
    }
    let bits: Vec<i32> = logits.iter().map(|&logit| fixed::nats_to_bits(logit)).collect();
    let mut prior = vec![];
    fixed::softmax(&bits, &mut prior);
    // What a move costs: what the likeliest costs, and how far it is behind.
    let largest = bits.iter().copied().max().unwrap_or(0);
    let least = (31 << 16) - fixed::log2(prior.iter().copied().max().unwrap_or(1).into());
    let surprise: Vec<i32> =
        bits.iter().map(|&bits| (largest - bits).saturating_add(least)).collect();
    let nodes = worthwhile(effort.nodes, history.ply(), &prior, &surprise);
    if nodes == 0 || prior.iter().any(|&p| p >= CERTAIN) {
        return None;
    }
    let mut likely: Vec<usize> = (0..legal.len()).collect();
    likely.sort_by_key(|&place| std::cmp::Reverse(logits[place]));
    let least = logits[likely[0]].saturating_sub(UNLIKELY);
    let width = likely.partition_point(|&place| logits[place] >= least).max(2).min(effort.width);
    let found = searcher.search(memory, history, legal, &likely, width, nodes);
    features(history, context, legal, &prior, &surprise, &found)
}

fn features(
    history: &History,
    context: &GameContext,
    legal: &MoveList,
    prior: &[u32],
    surprise: &[i32],
    found: &Found,
) -> Option<Verdicts> {
    let position = history.position();
    let last = found.values.last()?;
    let earlier = found.values.iter().rev().nth(1).unwrap_or(last);
    let middle = &found.values[found.values.len() / 2];
    let first = &found.values[0];
    let seen: Vec<usize> = (0..legal.len()).filter(|&m| found.seen[m]).collect();
    let best_of = |values: &[i32]| seen.iter().map(|&m| values[m]).max().unwrap_or(0);
    let best = best_of(last);
    let (earlier_best, middle_best, first_best) =
        (best_of(earlier), best_of(middle), best_of(first));
    let mut sorted: Vec<i32> = seen.iter().map(|&m| last[m]).collect();
    sorted.sort_unstable_by_key(|value| -value);
    let gap = class(best - sorted.get(1).copied().unwrap_or(best), &GAP);
    let stage = class(phase(position.board()), &[8, 18]);
    let ply = class(history.ply().min(1000) as i32, &PLY);
    let result = context.result_for(position.turn());
    // What the network expects to be lost; moves far behind count no more than the margin.
    let loss = |m: usize| best - last[m];
    let likely: i64 = seen.iter().map(|&m| i64::from(prior[m])).sum();
    let regret: i64 =
        seen.iter().map(|&m| i64::from(prior[m]) * i64::from(loss(m).min(2 * MARGIN))).sum();
    let regret = class((regret / likely.max(1)) as i32, &REGRET);
    let features = (0..legal.len()).map(|m| {
        let (mut fine, mut coarse, mut rank) = (FINE_LOSSES - 1, LOSSES - 1, RANKS - 1);
        let (mut before, mut between, mut at_once) = (COARSE - 1, COARSE - 1, COARSE - 1);
        let mut worth = WORTHS - 1;
        if found.seen[m] {
            fine = class(loss(m), &FINE_LOSS);
            coarse = class(loss(m), &LOSS);
            rank = sorted.partition_point(|&value| value > last[m]).min(RANKS - 1);
            before = class(earlier_best - earlier[m], &COARSE_LOSS);
            between = class(middle_best - middle[m], &COARSE_LOSS);
            at_once = class(first_best - first[m], &COARSE_LOSS);
            worth = class(last[m], &WORTH);
        }
        let surprise = class(surprise[m], &SURPRISE);
        [
            fine,
            AGAINST_GAP + rank * GAPS + gap,
            AGAINST_REGRET + coarse * REGRETS + regret,
            AGAINST_EARLIER + coarse * COARSE + before,
            AGAINST_MIDDLE + coarse * COARSE + between,
            AGAINST_FIRST + coarse * COARSE + at_once,
            AGAINST_PRIOR + (coarse * SURPRISES + surprise) * STAGES + stage,
            AGAINST_PLY + coarse * PLIES + ply,
            AGAINST_RESULT + worth * RESULTS + result,
            AGAINST_PACE + coarse * Pace::ALL.len() + context.pace as usize,
        ]
        .map(|index| index as u16)
    });
    Some(features.collect())
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::super::values::VALUES_SIZE;
    use super::*;
    use crate::pgn::Outcome;
    use crate::predict::legal_moves;

    fn searcher() -> Searcher {
        let numbers: Vec<i16> = (0..VALUES_SIZE).map(|i| (i * 7919 % 61) as i16 - 30).collect();
        Searcher::new(Arc::new(Values::new(&numbers).unwrap()))
    }

    #[test]
    fn verdicts_do_not_depend_on_what_was_searched_for_other_games() {
        let effort = Effort { nodes: 300, width: 8 };
        let mut history = History::new(Chess::default());
        let context = GameContext { result: Some(Outcome::Black), ..GameContext::default() };
        let mut used = searcher();
        let mut two = [SearchMemory::new(300), SearchMemory::new(300)];
        let mut searched = 0;
        for ply in 0..60 {
            let legal = legal_moves(history.position());
            if legal.is_empty() {
                break;
            }
            let logits: Vec<i32> = (0..legal.len() as i32).map(|m| (m * 37 % 11) << 14).collect();
            let [one, other] = &mut two;
            let first = deliberate(&mut used, one, &history, &context, &legal, &logits, effort);
            let second =
                deliberate(&mut searcher(), other, &history, &context, &legal, &logits, effort);
            assert_eq!(first, second, "ply {ply}");
            let features = first.iter().flatten().flatten();
            assert!(features.into_iter().all(|&index| usize::from(index) < VERDICT_FEATURES));
            searched += usize::from(first.is_some());
            history.play(legal[ply * 7 % legal.len()]);
        }
        assert!(searched > 20);
    }

    #[test]
    fn neither_openings_nor_a_sure_network_are_searched() {
        let mut history = History::new(Chess::default());
        let context = GameContext::default();
        let effort = Effort { nodes: 100, width: 4 };
        let asked = |history: &History, sure: bool| {
            let legal = legal_moves(history.position());
            let mut logits = vec![0; legal.len()];
            logits[3] = i32::from(sure) * (20 << 16);
            let mut memory = SearchMemory::new(effort.nodes);
            deliberate(&mut searcher(), &mut memory, history, &context, &legal, &logits, effort)
                .is_some()
        };
        assert!(!asked(&history, false));
        while history.ply() < 16 {
            history.play(legal_moves(history.position())[history.ply() * 7 % 3]);
        }
        assert!(asked(&history, false));
        assert!(!asked(&history, true));
    }

    #[test]
    fn nodes_are_spent_where_they_tell_most() {
        let even = vec![1 << 27; 16];
        let settled = vec![(1 << 31) / 16 * 15, (1 << 31) / 16];
        let costs = |prior: &[u32]| -> Vec<i32> {
            prior.iter().map(|&p| (31 << 16) - fixed::log2(p.into())).collect()
        };
        let spent = |ply, prior: &[u32]| worthwhile(1000, ply, prior, &costs(prior));
        assert_eq!(
            [15, 16, 19, 20, 31, 32, 300].map(|ply| spent(ply, &even)),
            [0, 250, 250, 500, 500, 1000, 1000]
        );
        assert_eq!([15, 16, 32].map(|ply| spent(ply, &settled)), [0, 250, 250]);
        assert_eq!(spent(40, &[1 << 30, 1 << 30]), 500);
        assert_eq!(worthwhile(1, 16, &even, &costs(&even)), 1);
    }

    #[test]
    fn efforts_are_bounded() {
        assert_eq!(Effort::parse("1500 12"), Some(Effort { nodes: 1500, width: 12 }));
        for text in ["", "1500", "0 12", "1500 1", "1500 256", "1000001 12", "-1 12", "1500 12 3"] {
            assert_eq!(Effort::parse(text), None, "{text}");
        }
    }
}
