//! The search below its root.

use std::sync::Arc;

use shakmaty::{Chess, Move, Position};

use super::correction::CorrectionHistory;
use super::move_picker::{
    KILLER, LOSING, MovePicker, Ranks, hint, loses_more, squares_hint, takes,
};
use super::nnue::{Accumulator, FeatureDelta, MOST_VALUE, Nnue, RefreshTable};
use super::parameters::{
    FUTILITY_MARGIN, FUTILITY_MARGIN_PER_PLY, HISTORY_BONUS, HISTORY_LIMIT, INFINITE,
    INTERNAL_REDUCTION_DEPTH, LATE_MOVE_PRUNING_BASE, LATE_MOVE_PRUNING_DEPTH, LMR_DEPTH,
    LMR_HISTORY, LMR_REDUCTIONS, MATE, MAX_HISTORY_BONUS, MAX_PLY, NULL_MOVE_DEPTH,
    NULL_MOVE_DEPTH_DIVISOR, NULL_MOVE_EVAL_DIVISOR, NULL_MOVE_MAX_EVAL_REDUCTION,
    NULL_MOVE_REDUCTION, QUIESCENCE_DEPTH, RAZORING_DEPTH, RAZORING_MARGIN, REVERSE_FUTILITY_DEPTH,
    REVERSE_FUTILITY_MARGIN, SEE_CAPTURE_MARGIN, SEE_PRUNING_DEPTH, SEE_QUIET_MARGIN,
    SHORTEST_REPETITION,
};
use super::search_state::{Bound, Entry, SearchState, from_table, history_index, to_table};
use crate::chess::{is_quiet, leaves_king, piece_key, state_key};

/// Searches positions of any games; keeps nothing but memory for reuse.
#[derive(Debug)]
pub struct Searcher {
    pub(super) network: Arc<Nnue>,
    /// That of the game whose position is searched.
    pub(super) memory: SearchState,
    pub(super) killers: [[u16; 2]; MAX_PLY],
    /// The network's sums at each ply of the line, and what they come from when a king moves.
    pub(super) sums: Vec<Accumulator>,
    pub(super) seen: RefreshTable,
    /// Keys of the game's positions that could be repeated, and of those of the line.
    pub(super) keys: Vec<u64>,
    pub(super) corrections: CorrectionHistory,
    /// The network's corrected values at each ply of the line.
    pub(super) static_evals: [i32; MAX_PLY],
    /// Ranks of the moves of each position of the line.
    pub(super) ranks: Ranks,
    /// Positions visited, and how many may be.
    pub(super) nodes: u64,
    pub(super) limit: u64,
    /// Whether a position was not visited for the limit's sake. Values that come back then mean
    /// nothing.
    pub(super) stopped: bool,
    /// Whether values that earlier searches found count.
    pub(super) trusting: bool,
}

/// A position of a line, and how it came about.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    pub(super) position: &'a Chess,
    /// [`pieces_key`] of the position.
    pub(super) pieces: u64,
    /// What the last move has changed; `None` if it was a null move or is not to be looked at.
    pub(super) changes: Option<&'a FeatureDelta>,
    pub(super) ply: usize,
}

impl Searcher {
    /// A searcher over `network`.
    pub fn new(network: Arc<Nnue>) -> Searcher {
        Searcher {
            seen: network.refresh_table(),
            network,
            memory: SearchState::new(0),
            killers: [[0; 2]; MAX_PLY],
            sums: vec![Accumulator::empty(); MAX_PLY + QUIESCENCE_DEPTH as usize + 1],
            keys: vec![],
            corrections: CorrectionHistory::new(),
            static_evals: [0; MAX_PLY],
            ranks: vec![],
            nodes: 0,
            limit: 0,
            stopped: false,
            trusting: false,
        }
    }

    /// Counts a position, unless there have been as many as there may be.
    pub(super) fn visit(&mut self) -> bool {
        self.stopped |= self.nodes >= self.limit;
        self.nodes += u64::from(!self.stopped);
        !self.stopped
    }

    /// Begins a search of `position` that visits at most `budget`.
    pub(super) fn begin(&mut self, position: &Chess, budget: u64) {
        self.memory.begin();
        self.killers = [[0; 2]; MAX_PLY];
        self.corrections.clear();
        self.keys.clear();
        self.ranks.clear();
        self.nodes = 0;
        self.limit = budget;
        self.stopped = false;
        self.sums[0] = self.network.sums(position.board(), &mut self.seen);
    }

    /// Brings the sums of a ply, where `position` is on the board, up to date with the ply before
    /// it.
    pub(super) fn follow(&mut self, position: &Chess, ply: usize, changes: Option<&FeatureDelta>) {
        if ply == 0 {
            return;
        }
        let (before, after) = self.sums.split_at_mut(ply);
        let (before, after) = (&before[ply - 1], &mut after[0]);
        match changes {
            Some(changes) => {
                self.network.follow(before, changes, position.board(), &mut self.seen, after);
            }
            None => after.clone_from(before),
        }
    }

    /// The network's value of a position whose sums are up to date, and the same corrected.
    pub(super) fn static_eval(&self, position: &Chess, ply: usize) -> (i32, i32) {
        let pieces = position.board().occupied().count();
        let value = self.network.value(&self.sums[ply], position.turn(), pieces);
        let corrected = value + self.corrections.of(position);
        (value, corrected.clamp(-MOST_VALUE, MOST_VALUE))
    }

    /// Whether a position with the key of the last one was in the line or the game before.
    pub(super) fn repeats(&self, position: &Chess) -> bool {
        let last = self.keys.len() - 1;
        let back = (position.halfmoves() as usize).min(last);
        (SHORTEST_REPETITION as usize..=back)
            .step_by(2)
            .any(|back| self.keys[last - back] == self.keys[last])
    }

    /// The value of a position for its side to move, within or beyond the bounds.
    pub(super) fn node(
        &mut self,
        step: Step,
        depth: i32,
        alpha: i32,
        beta: i32,
        null: bool,
    ) -> i32 {
        let Step { position, pieces, changes, ply } = step;
        let check = position.is_check();
        let depth = if check { depth + 1 } else { depth };
        let last = depth <= 0 || ply >= MAX_PLY - 1;
        if last && position.halfmoves() < SHORTEST_REPETITION {
            self.follow(position, ply, changes);
            return self.quiesce(position, alpha, beta, ply, QUIESCENCE_DEPTH);
        }
        let key = pieces ^ state_key(position);
        self.keys.push(key);
        let first = self.ranks.len();
        let value = if ply > 0 && self.repeats(position) {
            self.visit();
            0
        } else if last {
            self.follow(position, ply, changes);
            self.quiesce(position, alpha, beta, ply, QUIESCENCE_DEPTH)
        } else if !self.visit()
            || position.is_insufficient_material()
            || position.halfmoves() >= 100
        {
            0
        } else {
            self.look(step, key, check, depth, alpha, beta, null)
        };
        self.ranks.truncate(first);
        self.keys.pop();
        value
    }

    /// The value of a position that is no draw.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn look(
        &mut self,
        step: Step,
        key: u64,
        check: bool,
        mut depth: i32,
        mut alpha: i32,
        beta: i32,
        null: bool,
    ) -> i32 {
        let Step { position, pieces, changes, ply } = step;
        let slot = self.memory.slot(key);
        let entry = self.memory.table[slot];
        let open = beta - alpha > 1;
        let turn = position.turn();
        let board = position.board();
        // Done before the entry is looked at, which comes from afar.
        self.follow(position, ply, changes);
        let known = if entry.key == key { entry.hint } else { 0 };
        let counts = self.trusting || entry.search == self.memory.search;
        if entry.key == key && counts && i32::from(entry.depth) >= depth && ply > 0 {
            let value = from_table(entry.value, ply);
            match entry.bound {
                Bound::Exact => return value,
                Bound::AtLeast if value >= beta => return value,
                Bound::AtMost if value <= alpha => return value,
                _ => {}
            }
        }
        let (raw_value, static_eval) =
            if check { (-INFINITE, -INFINITE) } else { self.static_eval(position, ply) };
        self.static_evals[ply] = static_eval;
        let improving = !check && ply >= 2 && static_eval > self.static_evals[ply - 2];
        if !check && !open && beta.abs() < MATE / 2 {
            let margin = REVERSE_FUTILITY_MARGIN * (depth - i32::from(improving));
            if depth <= REVERSE_FUTILITY_DEPTH && static_eval - margin >= beta {
                return static_eval;
            }
            if depth <= RAZORING_DEPTH && static_eval + RAZORING_MARGIN * depth <= alpha {
                let value = self.quiesce(position, alpha, alpha + 1, ply, QUIESCENCE_DEPTH);
                if value <= alpha {
                    return value;
                }
            }
        }
        let non_pawn_material = board.by_color(turn) & !board.pawns() & !board.kings();
        if null
            && !check
            && !open
            && depth >= NULL_MOVE_DEPTH
            && static_eval >= beta
            && non_pawn_material.any()
            && let Ok(passed) = position.clone().swap_turn()
        {
            let less = NULL_MOVE_REDUCTION
                + depth / NULL_MOVE_DEPTH_DIVISOR
                + ((static_eval - beta) / NULL_MOVE_EVAL_DIVISOR).min(NULL_MOVE_MAX_EVAL_REDUCTION);
            let next = Step { position: &passed, pieces, changes: None, ply: ply + 1 };
            let value = -self.node(next, depth - less, -beta, -beta + 1, false);
            if self.stopped {
                return 0;
            }
            if value >= beta {
                return value.min(MATE / 2);
            }
        }
        if known == 0 && depth >= INTERNAL_REDUCTION_DEPTH && !check {
            depth -= 1;
        }
        let mut picker = MovePicker::new(known, &self.ranks);
        let first_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_hint = 0;
        // Moves that were looked at.
        let mut number = 0;
        loop {
            // Neither late quiet moves nor hopeless ones, nor those that lose material, close to
            // the end of the line.
            let passing = !check && number > 0 && best > -MATE / 2;
            let late = (LATE_MOVE_PRUNING_BASE + depth * depth) as usize
                >> usize::from(!improving && !open);
            if passing
                && depth <= LATE_MOVE_PRUNING_DEPTH
                && (number > late + 4 * usize::from(open)
                    || static_eval + FUTILITY_MARGIN + FUTILITY_MARGIN_PER_PLY * depth <= alpha)
            {
                picker.drop_quiet(&mut self.ranks);
            }
            let (killers, history) = (&self.killers[ply], &self.memory.history);
            let quiet_rank = |role, from, to| {
                let own = squares_hint(from, to);
                match killers.iter().position(|&killer| killer == own) {
                    Some(place) => KILLER - place as i32,
                    None => history[history_index(role, to, turn.is_black())].into(),
                }
            };
            let Some((rank, candidate)) = picker.pick(position, &mut self.ranks, quiet_rank) else {
                break;
            };
            let quiet = is_quiet(candidate);
            if passing && depth <= SEE_PRUNING_DEPTH {
                let most = if quiet && rank < KILLER - 1 {
                    let less = LMR_REDUCTIONS[depth.min(31) as usize][number.min(63)];
                    SEE_QUIET_MARGIN * (depth - i32::from(less)).max(1)
                } else if rank <= LOSING / 2 {
                    SEE_CAPTURE_MARGIN * depth
                } else {
                    INFINITE
                };
                if loses_more(position, candidate, most) {
                    continue;
                }
            }
            let mut next = position.clone();
            next.play_unchecked(candidate);
            if !quiet && leaves_king(&next) {
                continue;
            }
            let changes = FeatureDelta::new(candidate, turn);
            let next = Step {
                position: &next,
                pieces: pieces ^ piece_changes(&changes),
                changes: Some(&changes),
                ply: ply + 1,
            };
            let mut value;
            number += 1;
            if number == 1 {
                value = -self.node(next, depth - 1, -beta, -alpha, true);
            } else {
                let mut reduce = 0;
                if depth >= LMR_DEPTH
                    && number > 2 + usize::from(open)
                    && !check
                    && (quiet || rank < 0)
                    && rank < KILLER - 1
                {
                    reduce =
                        i32::from(LMR_REDUCTIONS[depth.min(31) as usize][(number - 1).min(63)]);
                    reduce += i32::from(!improving) - i32::from(open);
                    if quiet {
                        reduce -= rank / LMR_HISTORY;
                    }
                    reduce = reduce.clamp(0, depth - 2);
                }
                value = -self.node(next, depth - 1 - reduce, -alpha - 1, -alpha, true);
                if value > alpha && reduce > 0 {
                    value = -self.node(next, depth - 1, -alpha - 1, -alpha, true);
                }
                if value > alpha && value < beta {
                    value = -self.node(next, depth - 1, -beta, -alpha, true);
                }
            }
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                best_hint = hint(candidate);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                if quiet {
                    self.learn(&picker, candidate, turn.is_black(), depth, ply);
                }
                break;
            }
        }
        if number == 0 {
            return if check { ply as i32 - MATE } else { 0 };
        }
        let bound = if best >= beta {
            Bound::AtLeast
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        // A capture changes too much to tell about the position before it, and so does a mate; a
        // bound that the network keeps tells nothing.
        let loud = bound != Bound::AtMost && takes(board, best_hint);
        let told = match bound {
            Bound::Exact => true,
            Bound::AtLeast => best > raw_value,
            Bound::AtMost => best < raw_value,
        };
        if !check && !loud && told && best.abs() < MATE / 2 {
            self.corrections.learn(position, best - static_eval, depth);
        }
        self.memory.table[slot] = Entry {
            key,
            value: to_table(best, ply),
            hint: best_hint,
            depth: depth as i8,
            bound,
            search: self.memory.search,
        };
        best
    }

    /// Learns that the quiet move `good` was too good for the opponent, and those picked before it
    /// were not.
    pub(super) fn learn(
        &mut self,
        picker: &MovePicker,
        good: Move,
        black: bool,
        depth: i32,
        ply: usize,
    ) {
        let bonus = (HISTORY_BONUS * depth * depth).min(MAX_HISTORY_BONUS);
        let mut add = |candidate: Move, bonus: i32| {
            let weight =
                &mut self.memory.history[history_index(candidate.role(), candidate.to(), black)];
            let old = i32::from(*weight);
            *weight = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
        };
        for candidate in picker.picked(&self.ranks) {
            if candidate != good {
                add(candidate, -bonus);
            }
        }
        add(good, bonus);
        let own = hint(good);
        let [killer, second] = &mut self.killers[ply];
        if *killer != own {
            *second = *killer;
            *killer = own;
        }
    }
}

/// What changes of pieces change in [`pieces_key`].
pub fn piece_changes(changes: &FeatureDelta) -> u64 {
    let mut key = 0;
    changes.each(|index| key ^= piece_key(index / 64, index % 64));
    key
}
