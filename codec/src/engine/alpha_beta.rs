//! The search below its root: alpha-beta with prunings and reductions.

use shakmaty::{Chess, Position};

use super::move_picker::{FIRST_KILLER, MovePicker, PackedMove};
use super::nnue::FeatureDelta;
use super::parameters::{
    DRAW_HALFMOVES, INFINITE, INTERNAL_REDUCTION_DEPTH, MATE, MATE_THRESHOLD, MAX_PLY,
    NULL_MOVE_DEPTH, NULL_MOVE_DEPTH_DIVISOR, NULL_MOVE_EVAL_DIVISOR, NULL_MOVE_MAX_EVAL_REDUCTION,
    NULL_MOVE_REDUCTION, QUIESCENCE_DEPTH, RAZORING_DEPTH, RAZORING_MARGIN, REVERSE_FUTILITY_DEPTH,
    REVERSE_FUTILITY_MARGIN, SEE_PRUNING_DEPTH, SHORTEST_REPETITION,
};
use super::pruning::{Candidate, NodeFacts};
use super::search_state::{Bound, TableEntry, from_table, history_index, to_table};
use super::searcher::{Node, Searcher, Window};
use crate::chess::{
    checkers, is_insufficient_material, is_quiet, leaves_king, loses_more_than, state_key,
};

/// The best of the moves that were searched.
struct BestMove {
    value: i32,
    best_move: PackedMove,
}

impl Searcher {
    /// The value of a node in centipawns for its side to move, exact within `window`. `may_pass` is
    /// false after a null move.
    pub(super) fn negamax(
        &mut self,
        node: Node,
        depth: i32,
        window: Window,
        may_pass: bool,
    ) -> i32 {
        let Node { position, ply, .. } = node;
        let in_check = checkers(position).any();
        let depth = if in_check { depth + 1 } else { depth };
        let at_horizon = depth <= 0 || ply >= MAX_PLY - 1;
        if at_horizon && position.halfmoves() < SHORTEST_REPETITION {
            return self.quiesce_node(node, window);
        }
        let pieces_key = node.pieces_key();
        let key = pieces_key ^ state_key(position);
        self.keys.push(key);
        let first_score = self.move_scores.len();
        let value = if ply > 0 && self.is_repetition(position) {
            self.count_node();
            0
        } else if at_horizon {
            self.quiesce_node(node, window)
        } else if !self.count_node()
            || is_insufficient_material(position.board())
            || position.halfmoves() >= DRAW_HALFMOVES
        {
            0
        } else {
            self.alpha_beta(node, [key, pieces_key], in_check, depth, window, may_pass)
        };
        self.move_scores.truncate(first_score);
        self.keys.pop();
        value
    }

    /// The value of a node by quiescence.
    fn quiesce_node(&mut self, node: Node, window: Window) -> i32 {
        self.enter(node);
        self.quiesce(node.position, window, node.ply, QUIESCENCE_DEPTH)
    }

    /// [`Searcher::negamax`] of a position that is no draw and has at least one ply left; `keys` are that of the position
    /// and that of its pieces alone. The scores of its moves stay in the list.
    fn alpha_beta(
        &mut self,
        node: Node,
        keys: [u64; 2],
        in_check: bool,
        depth: i32,
        window: Window,
        may_pass: bool,
    ) -> i32 {
        let Node { position, ply, .. } = node;
        let [key, pieces_key] = keys;
        let slot = self.state.slot(key);
        let entry = self.state.table[slot];
        self.enter(node);
        let in_table = entry.key == key;
        if in_table
            && ply > 0
            && let Some(value) = self.table_cutoff(&entry, depth, ply, window)
        {
            return value;
        }
        let table_move = if in_table { entry.best_move } else { PackedMove::NONE };
        let (raw_eval, static_eval) =
            if in_check { (-INFINITE, -INFINITE) } else { self.static_eval(position, ply) };
        self.static_evals[ply] = static_eval;
        let improving = !in_check && ply >= 2 && static_eval > self.static_evals[ply - 2];
        let pv = window.is_open();
        let mut facts = NodeFacts { depth, in_check, pv, raw_eval, static_eval, improving };
        if !in_check
            && !pv
            && let Some(value) = self.prune_node(node, pieces_key, &facts, window, may_pass)
        {
            return value;
        }
        if table_move.is_none() && depth >= INTERNAL_REDUCTION_DEPTH && !in_check {
            facts.depth -= 1;
        }

        let Some(found) = self.search_moves(node, pieces_key, &facts, window, table_move) else {
            return 0;
        };
        let BestMove { value, best_move } = match found {
            Some(best) => best,
            None => return if in_check { ply as i32 - MATE } else { 0 },
        };
        let bound = if value >= window.beta {
            Bound::Lower
        } else if value > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.correct(position, &facts, value, best_move, bound);
        self.state.table[slot] = TableEntry {
            key,
            value: to_table(value, ply),
            best_move,
            depth: facts.depth as i8,
            bound,
            search: self.state.search,
        };
        value
    }

    /// Searches the moves of a node until one is too good; the best of them. The inner option is `None` if no move is
    /// legal, the outer one if the search was stopped.
    #[inline(always)]
    fn search_moves(
        &mut self,
        node: Node,
        pieces_key: u64,
        facts: &NodeFacts,
        window: Window,
        table_move: PackedMove,
    ) -> Option<Option<BestMove>> {
        let Node { position, ply, .. } = node;
        let depth = facts.depth;
        let turn = position.turn();
        let Window { mut alpha, beta } = window;
        let mut picker = MovePicker::new(table_move, &self.move_scores);
        let mut best = BestMove { value: -INFINITE, best_move: PackedMove::NONE };
        // Moves searched.
        let mut number = 0;
        loop {
            let may_prune = !facts.in_check && number > 0 && best.value > -MATE_THRESHOLD;
            if may_prune && facts.prunes_quiets(number, alpha) {
                picker.drop_quiets(&mut self.move_scores);
            }
            let (killers, history) = (&self.killers[ply], &self.state.history);
            let quiet_score = |role, from, to| {
                let packed = PackedMove::from_squares(from, to);
                match killers.iter().position(|&killer| killer == packed) {
                    Some(index) => FIRST_KILLER - index as i32,
                    None => history[history_index(role, to, turn.is_black())].into(),
                }
            };
            let picked = picker.pick(position, &mut self.move_scores, quiet_score);
            let Some((score, played)) = picked else { break };
            let candidate = Candidate { quiet: is_quiet(played), score, number };
            if may_prune
                && depth <= SEE_PRUNING_DEPTH
                && loses_more_than(position, played, facts.max_exchange_loss(candidate))
            {
                continue;
            }
            let mut next = position.clone();
            next.play_unchecked(played);
            if !candidate.quiet && leaves_king(&next) {
                continue;
            }
            let delta = FeatureDelta::new(played, turn);
            let child = Node {
                position: &next,
                key_before: pieces_key,
                delta: Some(&delta),
                again: false,
                ply: ply + 1,
            };
            let window = Window { alpha, beta };
            let value = if number == 0 {
                -self.negamax(child, depth - 1, window.reversed(), true)
            } else {
                self.search_late_move(child, depth - 1, facts.reduction(candidate), window)
            };
            if self.stopped {
                return None;
            }
            number += 1;
            if value > best.value {
                best = BestMove { value, best_move: PackedMove::new(played) };
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                if candidate.quiet {
                    self.update_quiet_history(&picker, played, turn.is_black(), depth, ply);
                }
                break;
            }
        }
        Some((number > 0).then_some(best))
    }

    /// The value of a table entry of the same position, if it is deep enough and its bound decides.
    #[inline(always)]
    fn table_cutoff(
        &self,
        entry: &TableEntry,
        depth: i32,
        ply: usize,
        window: Window,
    ) -> Option<i32> {
        let trusted = self.trusts_earlier_searches || entry.search == self.state.search;
        if !trusted || i32::from(entry.depth) < depth {
            return None;
        }
        let value = from_table(entry.value, ply);
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= window.beta,
            Bound::Upper => value <= window.alpha,
        };
        decides.then_some(value)
    }

    /// The value of a node with a null window and without check, if reverse futility pruning, razoring
    /// or a null move decides it.
    #[inline(always)]
    fn prune_node(
        &mut self,
        node: Node,
        pieces_key: u64,
        facts: &NodeFacts,
        window: Window,
        may_pass: bool,
    ) -> Option<i32> {
        let Node { position, ply, .. } = node;
        let &NodeFacts { depth, static_eval, improving, .. } = facts;
        let Window { alpha, beta } = window;
        if beta.abs() < MATE_THRESHOLD {
            let margin = REVERSE_FUTILITY_MARGIN * (depth - i32::from(improving));
            if depth <= REVERSE_FUTILITY_DEPTH && static_eval - margin >= beta {
                return Some(static_eval);
            }
            if depth <= RAZORING_DEPTH && static_eval + RAZORING_MARGIN * depth <= alpha {
                let value = self.quiesce(position, Window::null(alpha), ply, QUIESCENCE_DEPTH);
                if value <= alpha {
                    return Some(value);
                }
            }
        }
        if !may_pass || depth < NULL_MOVE_DEPTH || static_eval < beta || !has_pieces(position) {
            return None;
        }
        let passed = position.clone().swap_turn().ok()?;
        let reduction = NULL_MOVE_REDUCTION
            + depth / NULL_MOVE_DEPTH_DIVISOR
            + ((static_eval - beta) / NULL_MOVE_EVAL_DIVISOR).min(NULL_MOVE_MAX_EVAL_REDUCTION);
        let child = Node {
            position: &passed,
            key_before: pieces_key,
            delta: None,
            again: false,
            ply: ply + 1,
        };
        let window = Window::null(beta - 1).reversed();
        let value = -self.negamax(child, depth - reduction, window, false);
        if self.stopped {
            return Some(0);
        }
        (value >= beta).then(|| value.min(MATE_THRESHOLD))
    }

    /// The value of a move that is not the first, for the side that plays it: with a null window and
    /// reduced, then not reduced, then with the whole window, as long as the value is above alpha
    /// (principal variation search).
    #[inline(always)]
    fn search_late_move(&mut self, child: Node, depth: i32, reduction: i32, window: Window) -> i32 {
        let Window { alpha, beta } = window;
        let null_window = Window::null(alpha).reversed();
        let mut value = -self.negamax(child, depth - reduction, null_window, true);
        if value > alpha && reduction > 0 {
            value = -self.negamax(child.again(), depth, null_window, true);
        }
        if value > alpha && value < beta {
            value = -self.negamax(child.again(), depth, window.reversed(), true);
        }
        value
    }

    /// Updates the correction history with a node's value, where that says something about the static
    /// evaluation: not in check, not after a capture or towards a mate, and not where the bound admits
    /// the network's evaluation.
    #[inline(always)]
    fn correct(
        &mut self,
        position: &Chess,
        facts: &NodeFacts,
        best: i32,
        best_move: PackedMove,
        bound: Bound,
    ) {
        let capture = bound != Bound::Upper && best_move.arrives_on_piece(position.board());
        let informative = match bound {
            Bound::Exact => true,
            Bound::Lower => best > facts.raw_eval,
            Bound::Upper => best < facts.raw_eval,
        };
        if !facts.in_check && !capture && informative && best.abs() < MATE_THRESHOLD {
            self.corrections.update(position, best - facts.static_eval, facts.depth);
        }
    }
}

/// Whether the side to move has more than pawns and king; without, a null move proves nothing because
/// of zugzwang.
fn has_pieces(position: &Chess) -> bool {
    let board = position.board();
    (board.by_color(position.turn()) & !board.pawns() & !board.kings()).any()
}
