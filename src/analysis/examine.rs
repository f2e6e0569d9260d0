//! Analysis: what a search found about a position, with all that helps to judge what people make of
//! it.
//!
//! [`examine`] decides how much a position is worth, searches it and takes down what came out. What
//! follows from that for the moves is the business of `search_features.rs` and `reranker.rs`.

use shakmaty::{MoveList, Position, Square};

use super::effort::{Effort, worthwhile};
use super::opinion::Opinion;
use crate::chess::{History, arrival};
use crate::engine::{INFINITE, RootScores, SearchLimits, SearchState, Searcher};
use crate::features::index::slots;
use crate::features::{GameContext, MoveIndices, Pace, phase};

/// Moves less likely than the likeliest by more than this, in nats in units of 2<sup>-16</sup>, are
/// not looked at thoroughly.
const UNLIKELY: i32 = 9 << 15;

/// A position that may be searched.
#[derive(Debug, Clone, Copy)]
pub struct AnalysisInput<'a> {
    /// The game so far.
    pub history: &'a History,
    /// What is known of the game.
    pub context: &'a GameContext,
    /// The legal moves in canonical order.
    pub legal: &'a MoveList,
    /// Their features.
    pub moves: &'a [MoveIndices],
    /// The network's logits for them, in units of 2<sup>-16</sup> nat.
    pub logits: &'a [i32],
}

/// The slots of those of a move's features that are taken down.
const MARK_SLOTS: [usize; MARKS] = [
    slots::EXCHANGE,
    slots::HANGING,
    slots::SAFETY,
    slots::ORIGIN,
    slots::THREAT,
    slots::KIND,
    slots::COURSE,
    slots::VALUE,
    slots::INTENT,
    slots::EVAL_DELTA,
    slots::PAST,
];

/// How many of a move's features are taken down.
pub const MARKS: usize = 11;

/// What a search found about a position, with all that helps to judge what people make of it.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// Plies played.
    pub ply: u16,
    /// [`phase`] of the board.
    pub phase: u8,
    /// [`GameContext::result_for`] the side to move.
    pub result: u8,
    /// How much time the players had.
    pub pace: Pace,
    /// Whether the side to move is in check.
    pub check: bool,
    /// Ratings of the player whose turn it is and of the other; 0 if unknown.
    pub elo: [u16; 2],
    /// What was found before the last move and before the one before it, if those positions were
    /// searched.
    pub before: [Option<Before>; 2],
    /// The network's logits for each legal move, in units of 2<sup>-16</sup> nat.
    pub logits: Vec<i32>,
    /// Of each legal move the role that moves (1 to 6), and 8 more if it captures.
    pub kinds: Vec<u8>,
    /// Of each legal move some of its features.
    pub marks: Vec<[u16; MARKS]>,
    /// What the search found. At least one depth was finished.
    pub found: RootScores,
}

/// What was found about an earlier position, in centipawns from the side that was to move there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Before {
    /// What the best move was worth.
    pub best: i32,
    /// How far the move played was behind it; `UNSEEN` if it was not looked at thoroughly.
    pub loss: i32,
}

/// The loss of a move that was not looked at thoroughly.
pub const UNSEEN: i32 = 399;

/// What the analyses of a game's positions leave for those of its later ones.
#[derive(Debug)]
pub struct AnalysisState {
    search: SearchState,
    /// What was found for the last two positions that were examined, the latest first.
    examined: [Option<Examined>; 2],
}

impl AnalysisState {
    /// The memory of a game of which nothing was examined yet, for searches that visit at most
    /// `budget` positions.
    pub fn new(budget: u64) -> AnalysisState {
        AnalysisState { search: SearchState::new(budget), examined: [None, None] }
    }
}

/// What is kept of a position that was searched, for those that follow in the game.
#[derive(Debug, Clone)]
struct Examined {
    ply: usize,
    best: i32,
    /// Departure, arrival and value of the moves that were looked at thoroughly.
    moves: Vec<(Square, Square, i32)>,
}

impl Analysis {
    /// The places of the moves that were looked at, if only at a glance.
    pub fn looked_at(&self) -> impl Iterator<Item = usize> + Clone {
        let last = self.found.values.last().map_or(&[][..], |values| values);
        last.iter().enumerate().filter(|&(_, &value)| value > -INFINITE).map(|(place, _)| place)
    }

    /// The places of the moves that were looked at thoroughly.
    pub fn seen(&self) -> impl Iterator<Item = usize> + Clone {
        self.found.seen.iter().enumerate().filter(|&(_, &seen)| seen).map(|(place, _)| place)
    }

    /// The largest of the `values` of moves that were looked at thoroughly.
    pub(super) fn best(&self, values: &[i32]) -> i32 {
        self.seen().map(|place| values[place]).max().unwrap_or(0)
    }
}

/// Searches a position with the `memory` of its game.
/// Nothing early in a game, where the network leaves no doubt, or where the search finds nothing.
pub fn examine(
    searcher: &mut Searcher,
    memory: &mut AnalysisState,
    question: &AnalysisInput,
    effort: Effort,
) -> Option<Analysis> {
    let &AnalysisInput { history, context, legal, moves, logits } = question;
    /// Above this probability, in units of 2^-31, nothing is searched.
    const CERTAIN: u32 = (1 << 31) / 64 * 63;
    if legal.len() < 2 {
        return None;
    }
    let opinion = Opinion::new(logits);
    let nodes = worthwhile(effort.nodes, history.ply(), &opinion);
    if nodes == 0 || opinion.prior.iter().any(|&p| p >= CERTAIN) {
        return None;
    }
    let mut likely: Vec<usize> = (0..legal.len()).collect();
    likely.sort_by_key(|&place| std::cmp::Reverse(logits[place]));
    let least = logits[likely[0]].saturating_sub(UNLIKELY);
    let width = likely.partition_point(|&place| logits[place] >= least).max(2).min(effort.width);
    let extent = SearchLimits { nodes, width, glance: effort.glance };
    let found = searcher.search(&mut memory.search, history, legal, &likely, extent);
    let position = history.position();
    let turn = position.turn();
    let elo = |color: shakmaty::Color| context.elo[usize::from(color.is_black())];
    let findings = Analysis {
        ply: u16::try_from(history.ply()).unwrap_or(u16::MAX),
        phase: phase(position.board()) as u8,
        result: context.result_for(turn) as u8,
        pace: context.pace,
        check: position.is_check(),
        elo: [elo(turn), elo(!turn)],
        before: [0, 1].map(|back| before(memory, history, back)),
        logits: logits.to_vec(),
        kinds: legal.iter().map(|m| m.role() as u8 + 8 * u8::from(m.is_capture())).collect(),
        marks: moves.iter().map(|indices| MARK_SLOTS.map(|slot| indices[slot])).collect(),
        found,
    };
    let last = findings.found.values.last()?;
    let best = findings.best(last);
    let seen = findings.seen().map(|place| {
        let seen = legal[place];
        (seen.from().unwrap_or(Square::A1), arrival(seen), last[place])
    });
    let examined = Examined { ply: history.ply(), best, moves: seen.collect() };
    memory.examined = [Some(examined), memory.examined[0].take()];
    Some(findings)
}

/// What was found about the position before the move that was played `back` plies ago.
fn before(memory: &AnalysisState, history: &History, back: usize) -> Option<Before> {
    let played = history.last(back)?;
    let mut examined = memory.examined.iter().flatten();
    let examined = examined.find(|examined| examined.ply + back + 1 == history.ply())?;
    let same = |&&(from, to, _): &&(Square, Square, i32)| (from, to) == (played.from, played.to);
    let loss =
        examined.moves.iter().find(same).map_or(UNSEEN, |&(.., value)| examined.best - value);
    Some(Before { best: examined.best, loss })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use shakmaty::Chess;

    use super::*;
    use crate::chess::legal_moves;
    use crate::engine::{NNUE_SIZES, Nnue};

    pub fn searcher() -> Searcher {
        let numbers: Vec<i16> = (0..NNUE_SIZES[0]).map(|i| (i * 7919 % 61) as i16 - 30).collect();
        Searcher::new(Arc::new(Nnue::new(&numbers).unwrap()))
    }

    #[test]
    fn neither_openings_nor_a_sure_network_are_searched() {
        let mut history = History::new(Chess::default());
        let context = GameContext::default();
        let effort = Effort { nodes: 100, width: 4, glance: None };
        let asked = |history: &History, sure: bool| {
            let legal = legal_moves(history.position());
            let mut logits = vec![0; legal.len()];
            logits[3] = i32::from(sure) * (20 << 16);
            let mut memory = AnalysisState::new(effort.nodes);
            let (context, logits) = (&context, &logits[..]);
            let question = AnalysisInput { history, context, legal: &legal, moves: &[], logits };
            examine(&mut searcher(), &mut memory, &question, effort).is_some()
        };
        assert!(!asked(&history, false));
        while history.ply() < 16 {
            history.play(legal_moves(history.position())[history.ply() * 7 % 3]);
        }
        assert!(asked(&history, false));
        assert!(!asked(&history, true));
    }

    #[test]
    fn what_was_found_before_is_remembered_for_two_plies() {
        let mut history = History::new(Chess::default());
        while history.ply() < 16 {
            history.play(legal_moves(history.position())[history.ply() * 7 % 3]);
        }
        let effort = Effort { nodes: 500, width: 8, glance: None };
        let (mut searcher, mut memory) = (searcher(), AnalysisState::new(effort.nodes));
        let mut expected: [Option<Before>; 2] = [None, None];
        for ply in 0..12 {
            let legal = legal_moves(history.position());
            // All moves have one logit: the first eight are looked at.
            let logits = &vec![0; legal.len()][..];
            if ply == 6 {
                // A position that is not searched.
                history.play(legal[0]);
                expected = [None, expected[0]];
                continue;
            }
            let (history_now, context) = (&history, &GameContext::default());
            let question =
                AnalysisInput { history: history_now, context, legal: &legal, moves: &[], logits };
            let findings = examine(&mut searcher, &mut memory, &question, effort).unwrap();
            assert_eq!(findings.before, expected, "ply {ply}");
            let place = if ply == 3 { legal.len() - 1 } else { ply % 8 };
            let last = findings.found.values.last().unwrap();
            let best = findings.best(last);
            let loss = if findings.found.seen[place] { best - last[place] } else { UNSEEN };
            assert_eq!(loss == UNSEEN, ply == 3);
            expected = [Some(Before { best, loss }), expected[0]];
            history.play(legal[place]);
        }
    }
}
