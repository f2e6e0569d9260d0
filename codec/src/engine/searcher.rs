//! The searcher: what a search keeps for its line and for itself.

use std::sync::Arc;

use shakmaty::{Chess, Move, Position};

use super::correction::CorrectionHistory;
use super::move_picker::{MovePicker, MoveScores, PackedMove};
use super::nnue::{Accumulator, FeatureDelta, MAX_EVAL, Nnue, RefreshTable};
use super::parameters::{
    HISTORY_BONUS, HISTORY_LIMIT, MAX_HISTORY_BONUS, MAX_PLY, QUIESCENCE_DEPTH, SHORTEST_REPETITION,
};
use super::search_state::{SearchState, history_index};

/// Searches positions of any games. The results do not depend on earlier searches but through the
/// [`SearchState`] of the game: all else is kept only to save allocations and time.
#[derive(Debug)]
pub struct Searcher {
    pub(super) network: Arc<Nnue>,
    /// The state of the game whose position is searched.
    pub(super) state: SearchState,
    /// Two quiet moves for each ply of the line that cut off before, the latest first.
    pub(super) killers: [[PackedMove; 2]; MAX_PLY],
    /// The network's accumulator at each ply of the line, and what it lacks.
    pub(super) accumulators: Vec<Accumulator>,
    pub(super) pending: Vec<Pending>,
    pub(super) refresh_table: RefreshTable,
    /// Keys of the game's positions that could be repeated, then of those of the line.
    pub(super) keys: Vec<u64>,
    pub(super) corrections: CorrectionHistory,
    /// The corrected static evaluation at each ply of the line, in centipawns.
    pub(super) static_evals: [i32; MAX_PLY],
    /// Scores of the moves of each position of the line.
    pub(super) move_scores: MoveScores,
    /// Positions visited, and how many may be.
    pub(super) nodes: u64,
    pub(super) node_limit: u64,
    /// True if the limit kept the search from visiting a position. The values that it then returns
    /// mean nothing.
    pub(super) stopped: bool,
    /// True if table entries of earlier searches cut off.
    pub(super) trusts_earlier_searches: bool,
    /// What training keeps of the positions that are evaluated.
    #[cfg(feature = "training")]
    pub(super) sample: super::sample::Sample,
}

/// What the accumulator of a ply lacks. It is computed when it is needed: many positions are decided by the
/// transposition table, without their evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pending {
    /// It is up to date.
    Nothing,
    /// It is that of the ply before, after a null move.
    Copy,
    /// It is that of the ply before with these changes.
    Delta(FeatureDelta),
}

/// A position of a line, and how the line came to it.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    pub position: &'a Chess,
    /// [`pieces_key`](crate::chess::pieces_key) of the position before the last move.
    pub key_before: u64,
    /// The features that the last move changed; `None` after a null move and at the root.
    pub delta: Option<&'a FeatureDelta>,
    /// Whether this is the position of its ply already, since it is searched once more.
    pub again: bool,
    /// Plies from the root.
    pub ply: usize,
}

impl Node<'_> {
    /// [`pieces_key`](crate::chess::pieces_key) of the position.
    pub fn pieces_key(&self) -> u64 {
        self.key_before ^ self.delta.map_or(0, FeatureDelta::key)
    }

    /// The node when it is searched right after it was searched.
    pub fn again(self) -> Self {
        Node { again: true, ..self }
    }
}

/// The bounds between which a value must be exact, in centipawns for the side to move. A value at or
/// below `alpha` is an upper bound of the true one, a value at or above `beta` a lower bound.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    /// The null window that finds out whether a value is above `alpha`.
    pub fn null(alpha: i32) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// The window seen from the other side.
    pub fn reversed(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// True if there is a value between the bounds.
    pub fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }
}

impl Searcher {
    /// A searcher that evaluates positions with `network`.
    pub fn new(network: Arc<Nnue>) -> Searcher {
        let plies = MAX_PLY + QUIESCENCE_DEPTH as usize + 1;
        Searcher {
            refresh_table: network.refresh_table(),
            state: SearchState::new(0),
            killers: [[PackedMove::NONE; 2]; MAX_PLY],
            accumulators: vec![network.empty_accumulator(); plies],
            pending: vec![Pending::Nothing; plies],
            keys: vec![],
            corrections: CorrectionHistory::new(),
            static_evals: [0; MAX_PLY],
            move_scores: vec![],
            nodes: 0,
            node_limit: 0,
            stopped: false,
            trusts_earlier_searches: false,
            #[cfg(feature = "training")]
            sample: super::sample::Sample::default(),
            network,
        }
    }

    /// Begins a search of `position` that visits at most `node_limit` positions.
    pub(super) fn start(&mut self, position: &Chess, node_limit: u64) {
        self.state.start_search();
        self.killers = [[PackedMove::NONE; 2]; MAX_PLY];
        self.corrections.clear();
        self.keys.clear();
        self.move_scores.clear();
        self.nodes = 0;
        self.node_limit = node_limit;
        self.stopped = false;
        let root = &mut self.accumulators[0];
        self.network.accumulate(position.board(), &mut self.refresh_table, root);
        self.pending[0] = Pending::Nothing;
    }

    /// Counts a position and returns true, or stops the search if the limit is reached.
    pub(super) fn count_node(&mut self) -> bool {
        self.stopped |= self.nodes >= self.node_limit;
        self.nodes += u64::from(!self.stopped);
        !self.stopped
    }

    /// Takes note of what stands on the board at a node's ply, for its accumulator.
    pub(super) fn enter(&mut self, node: Node) {
        if node.ply == 0 || node.again {
            return;
        }
        match node.delta {
            Some(delta) => self.enter_move(node.position, node.ply, delta),
            None => self.pending[node.ply] = Pending::Copy,
        }
    }

    /// [`Searcher::enter`] for a ply, not 0, that a move with this `delta` led to.
    #[inline(always)]
    pub(super) fn enter_move(&mut self, position: &Chess, ply: usize, delta: &FeatureDelta) {
        if self.network.may_refresh(delta) {
            // A refresh reads the board, which the searcher does not keep.
            self.settle(ply - 1);
            let (before, after) = self.accumulators.split_at_mut(ply);
            let seen = Some((position.board(), &mut self.refresh_table));
            self.network.update(&before[ply - 1], delta, seen, &mut after[0]);
            self.pending[ply] = Pending::Nothing;
        } else {
            self.pending[ply] = Pending::Delta(*delta);
        }
    }

    /// Brings the accumulator of a ply up to date.
    fn settle(&mut self, ply: usize) {
        if self.pending[ply] == Pending::Nothing {
            return;
        }
        self.settle(ply - 1);
        let (before, after) = self.accumulators.split_at_mut(ply);
        let (before, after) = (&before[ply - 1], &mut after[0]);
        match self.pending[ply] {
            Pending::Delta(delta) => self.network.update(before, &delta, None, after),
            _ => after.copy_from(before),
        }
        self.pending[ply] = Pending::Nothing;
    }

    /// The network's evaluation of a position that was entered ([`Searcher::enter`]), as it is and with the correction
    /// history's correction, in centipawns.
    #[inline(always)]
    pub(super) fn static_eval(&mut self, position: &Chess, ply: usize) -> (i32, i32) {
        #[cfg(feature = "training")]
        self.sample.see(position);
        let pieces = position.board().occupied().count();
        let raw = if let Pending::Delta(delta) = self.pending[ply] {
            self.settle(ply - 1);
            self.pending[ply] = Pending::Nothing;
            let (before, after) = self.accumulators.split_at_mut(ply);
            let (before, after) = (&before[ply - 1], &mut after[0]);
            self.network.update_and_evaluate(before, &delta, after, position.turn(), pieces)
        } else {
            self.settle(ply);
            self.network.evaluate(&self.accumulators[ply], position.turn(), pieces)
        };
        let corrected = raw + self.corrections.correction(position);
        (raw, corrected.clamp(-MAX_EVAL, MAX_EVAL))
    }

    /// True if the position with the last of the keys occurred before in the line or the game.
    pub(super) fn is_repetition(&self, position: &Chess) -> bool {
        let last = self.keys.len() - 1;
        let reversible = (position.halfmoves() as usize).min(last);
        (SHORTEST_REPETITION as usize..=reversible)
            .step_by(2)
            .any(|back| self.keys[last - back] == self.keys[last])
    }

    /// Updates history and killers after the quiet move `best` caused a cut-off: it gets a bonus, the
    /// quiet moves that were picked before it a malus.
    pub(super) fn update_quiet_history(
        &mut self,
        picker: &MovePicker,
        best: Move,
        black: bool,
        depth: i32,
        ply: usize,
    ) {
        let bonus = (HISTORY_BONUS * depth * depth).min(MAX_HISTORY_BONUS);
        let mut add = |candidate: Move, bonus: i32| {
            let index = history_index(candidate.role(), candidate.to(), black);
            let history = &mut self.state.history[index];
            let old = i32::from(*history);
            *history = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
        };
        for candidate in picker.picked_quiets(&self.move_scores) {
            if candidate != best {
                add(candidate, -bonus);
            }
        }
        add(best, bonus);
        let best = PackedMove::new(best);
        let [first, second] = &mut self.killers[ply];
        if *first != best {
            *second = *first;
            *first = best;
        }
    }
}
