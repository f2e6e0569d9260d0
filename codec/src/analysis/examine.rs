//! The analysis of a position: the search's values of the moves, with the features of position and
//! game that help to predict which move people play, given these values.
//!
//! [`examine`] decides how many nodes a position gets, and searches it. `search_features.rs` and
//! `reranker.rs` turn the analysis into predictions.

use shakmaty::{Move, Position, Square};

use super::effort::{Effort, node_limit};
use super::move_priors::MovePriors;
use super::parameters::{CERTAIN, UNLIKELY};
use crate::chess::{History, arrival};
use crate::engine::{INFINITE, PackedMove, RootScores, SearchLimits, SearchState, Searcher};
use crate::features::index::slots;
use crate::features::{GameContext, MoveIndices, phase};

/// A position that may be searched.
#[derive(Debug, Clone, Copy)]
pub struct AnalysisInput<'a> {
    /// The game so far.
    pub history: &'a History,
    /// Ratings, result, year and pace of the game.
    pub context: &'a GameContext,
    /// The legal moves in canonical order.
    pub legal: &'a [Move],
    /// Their features, in the same order; empty if [`Analysis::marks`] is not needed.
    pub moves: &'a [MoveIndices],
    /// The network's logits for them, in units of 2<sup>-16</sup> nat.
    pub logits: &'a [i32],
    /// The network's last hidden layer for each of them, one move after the other
    /// ([`Scores::vectors`](crate::network::Scores::vectors)); empty if [`Analysis::vectors`] is not needed.
    pub vectors: &'a [u8],
}

/// The slots of the features of a move that [`Analysis::marks`] has.
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

/// Number of a move's features that [`Analysis::marks`] has.
pub const MARKS: usize = 11;

/// The result of a position's search, with the features of position and game that help to predict
/// which move people play.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// Plies played.
    pub ply: u16,
    /// [`phase`] of the board, 0 to 24.
    pub phase: u8,
    /// [`GameContext::result_for`] the side to move, 0 to 3.
    pub result: u8,
    /// How much time the players had: a number of [`Pace::ALL`](crate::Pace::ALL).
    pub pace: u8,
    /// Whether the side to move is in check.
    pub check: bool,
    /// Ratings of the player whose turn it is and of the other; 0 if unknown.
    pub elo: [u16; 2],
    /// The searches of the position before the last move and of the one before that, if those
    /// positions were searched.
    pub before: [Option<Before>; 2],
    /// The network's logits for each legal move, in units of 2<sup>-16</sup> nat.
    pub logits: Vec<i32>,
    /// Of each legal move the role that moves (1 to 6), and 8 more if it captures.
    pub kinds: Vec<u8>,
    /// Of each legal move some of its features, as indices ([`MARK_SLOTS`]).
    pub marks: Vec<[u16; MARKS]>,
    /// Of each legal move the network's last hidden layer, 0 to 127, one move after the other; or empty.
    pub vectors: Vec<u8>,
    /// Of each legal move whether it is the reply that the search of the position before expected to the move played
    /// there: 0 if that is not known, 1 if not, 2 if so.
    pub expected: Vec<u8>,
    /// The values of the moves. At least one depth was finished.
    pub scores: RootScores,
}

/// The result of an earlier position's search, in centipawns for the side that was to move there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Before {
    /// The value of the best move.
    pub best: i32,
    /// By how much the value of the move played was lower; 399 if it was not fully searched.
    pub loss: i32,
}

/// Centipawns: stands for the loss of a move that was not fully searched.
const UNKNOWN_LOSS: i32 = 399;

/// The state that the analyses of a game's positions share.
#[derive(Debug)]
pub struct AnalysisState {
    search: SearchState,
    /// The results of the last two searches, the latest first.
    results: [Option<SearchResult>; 2],
}

impl AnalysisState {
    /// The state of a game before its first analysis, for searches that visit at most `node_limit`
    /// positions.
    pub fn new(node_limit: u64) -> AnalysisState {
        AnalysisState { search: SearchState::new(node_limit), results: [None, None] }
    }
}

/// What the analyses of the next positions need of a position's search.
#[derive(Debug, Clone)]
struct SearchResult {
    ply: usize,
    best: i32,
    /// The moves that were fully searched.
    moves: Vec<SearchedMove>,
}

/// What is kept of a move that was fully searched.
#[derive(Debug, Clone, Copy)]
struct SearchedMove {
    from: Square,
    to: Square,
    value: i32,
    /// [`Reply::packed`](crate::engine::Reply::packed).
    reply: u16,
}

impl Analysis {
    /// The places of the moves that were searched, fully or by scouting.
    pub fn searched(&self) -> impl Iterator<Item = usize> + Clone {
        let last = self.scores.values.last().map_or(&[][..], |values| values);
        last.iter().enumerate().filter(|&(_, &value)| value > -INFINITE).map(|(place, _)| place)
    }

    /// The places of the moves that were fully searched.
    pub fn fully_searched(&self) -> impl Iterator<Item = usize> + Clone {
        let moves = self.scores.fully_searched.iter().enumerate();
        moves.filter(|&(_, &full)| full).map(|(place, _)| place)
    }

    /// The highest of the `values` of the moves that were fully searched.
    pub(super) fn best(&self, values: &[i32]) -> i32 {
        self.fully_searched().map(|place| values[place]).max().unwrap_or(0)
    }
}

/// Searches a position with the `state` of its game. `None` early in a game, where there is one legal
/// move, and where the network is sure of one ([`CERTAIN`]).
pub fn examine(
    searcher: &mut Searcher,
    state: &mut AnalysisState,
    input: &AnalysisInput,
    effort: Effort,
) -> Option<Analysis> {
    let &AnalysisInput { history, context, legal, moves, logits, vectors } = input;
    if legal.len() < 2 {
        return None;
    }
    let priors = MovePriors::new(logits);
    let nodes = node_limit(effort.nodes, history.ply(), &priors);
    if nodes == 0 || priors.prior.iter().any(|&p| p >= CERTAIN) {
        return None;
    }
    let mut likely: Vec<usize> = (0..legal.len()).collect();
    likely.sort_by_key(|&place| std::cmp::Reverse(logits[place]));
    let least = logits[likely[0]].saturating_sub(UNLIKELY);
    let width = likely.partition_point(|&place| logits[place] >= least).max(2).min(effort.width);
    let limits = SearchLimits { nodes, width, scout_margin: effort.scout_margin };
    let scores = searcher.search(&mut state.search, history, legal, &likely, limits);
    let position = history.position();
    let turn = position.turn();
    let analysis = Analysis {
        ply: u16::try_from(history.ply()).unwrap_or(u16::MAX),
        phase: phase(position.board()) as u8,
        result: context.result_for(turn) as u8,
        pace: context.pace_number(),
        check: position.is_check(),
        elo: [context.rating(turn), context.rating(!turn)],
        before: [0, 1].map(|back| before(state, history, back)),
        logits: logits.to_vec(),
        kinds: legal.iter().map(|m| m.role() as u8 + 8 * u8::from(m.is_capture())).collect(),
        marks: moves.iter().map(|indices| MARK_SLOTS.map(|slot| indices[slot])).collect(),
        vectors: vectors.to_vec(),
        expected: expected(state, history, legal),
        scores,
    };
    let last = analysis.scores.values.last()?;
    let best = analysis.best(last);
    let moves = analysis.fully_searched().map(|place| {
        let candidate = legal[place];
        SearchedMove {
            from: candidate.from().unwrap_or(Square::A1),
            to: arrival(candidate),
            value: last[place],
            reply: analysis.scores.replies[place].packed,
        }
    });
    let result = SearchResult { ply: history.ply(), best, moves: moves.collect() };
    state.results = [Some(result), state.results[0].take()];
    Some(analysis)
}

/// The search of the position before the move that was played `back` plies ago, and what it found of that move, if it
/// was fully searched.
fn search_before(
    state: &AnalysisState,
    history: &History,
    back: usize,
) -> Option<(i32, Option<SearchedMove>)> {
    let played = history.last(back)?;
    let mut results = state.results.iter().flatten();
    let result = results.find(|result| result.ply + back + 1 == history.ply())?;
    let same =
        |&&SearchedMove { from, to, .. }: &&SearchedMove| (from, to) == (played.from, played.to);
    Some((result.best, result.moves.iter().find(same).copied()))
}

/// [`Analysis::before`].
fn before(state: &AnalysisState, history: &History, back: usize) -> Option<Before> {
    let (best, played) = search_before(state, history, back)?;
    let loss = played.map_or(UNKNOWN_LOSS, |played| best - played.value);
    Some(Before { best, loss })
}

/// [`Analysis::expected`].
fn expected(state: &AnalysisState, history: &History, legal: &[Move]) -> Vec<u8> {
    let played = search_before(state, history, 0).and_then(|(_, played)| played);
    let reply = played.map_or(0, |played| played.reply);
    let class = |&candidate: &Move| match reply {
        0 => 0,
        reply if PackedMove::new(candidate).bits() == reply => 2,
        _ => 1,
    };
    legal.iter().map(class).collect()
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
        let effort = Effort { nodes: 100, width: 4, scout_margin: None };
        let is_searched = |history: &History, sure: bool| {
            let legal = legal_moves(history.position());
            let mut logits = vec![0; legal.len()];
            logits[3] = i32::from(sure) * (20 << 16);
            let mut state = AnalysisState::new(effort.nodes);
            let (context, logits) = (&context, &logits[..]);
            let input =
                AnalysisInput { history, context, legal: &legal, moves: &[], logits, vectors: &[] };
            examine(&mut searcher(), &mut state, &input, effort).is_some()
        };
        assert!(!is_searched(&history, false));
        while history.ply() < 16 {
            history.play(legal_moves(history.position())[history.ply() * 7 % 3]);
        }
        assert!(is_searched(&history, false));
        assert!(!is_searched(&history, true));
    }

    #[test]
    fn results_of_the_last_two_plies_are_kept() {
        let mut history = History::new(Chess::default());
        while history.ply() < 16 {
            history.play(legal_moves(history.position())[history.ply() * 7 % 3]);
        }
        let effort = Effort { nodes: 500, width: 8, scout_margin: None };
        let (mut searcher, mut state) = (searcher(), AnalysisState::new(effort.nodes));
        let mut expected: [Option<Before>; 2] = [None, None];
        for ply in 0..12 {
            let legal = legal_moves(history.position());
            // All moves have one logit: the first eight are fully searched.
            let logits = &vec![0; legal.len()][..];
            if ply == 6 {
                // A position that is not searched.
                history.play(legal[0]);
                expected = [None, expected[0]];
                continue;
            }
            let (history_now, context) = (&history, &GameContext::default());
            let input = AnalysisInput {
                history: history_now,
                context,
                legal: &legal,
                moves: &[],
                logits,
                vectors: &[],
            };
            let analysis = examine(&mut searcher, &mut state, &input, effort).unwrap();
            assert_eq!(analysis.before, expected, "ply {ply}");
            let place = if ply == 3 { legal.len() - 1 } else { ply % 8 };
            let last = analysis.scores.values.last().unwrap();
            let best = analysis.best(last);
            let loss = if analysis.scores.fully_searched[place] {
                best - last[place]
            } else {
                UNKNOWN_LOSS
            };
            assert_eq!(loss == UNKNOWN_LOSS, ply == 3);
            expected = [Some(Before { best, loss }), expected[0]];
            history.play(legal[place]);
        }
    }
}
