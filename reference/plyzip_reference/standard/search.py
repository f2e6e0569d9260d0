"""The search below its root (docs/format/search.md)."""

from functools import cache

from ..bitboards import BISHOP, DARK_SQUARES, KING, KNIGHT, LIGHT_SQUARES, PAWN, QUEEN, ROOK
from ..fixed import log2
from ..material import is_insufficient_material
from ..position_key import position_key
from .correction import CorrectionHistory
from .move_picker import (
    BAD_CAPTURE,
    FIRST_KILLER,
    GOOD_CAPTURE,
    SECOND_KILLER,
    MovePicker,
    is_quiet,
    leaves_king,
    loses_more_than,
    packed,
)
from .nnue import MAX_EVAL, divide
from .search_state import EXACT, LOWER, UPPER, from_table, to_table

INFINITE = 30_000
MATE = 20_000
MATE_THRESHOLD = 10_000
MAX_PLY = 64
QUIESCENCE_DEPTH = 6


@cache
def lmr(depth, number):
    product = (log2(min(depth, 31)) >> 8) * (log2(min(number, 63)) >> 8)
    return (100 * 65536 + product * 55) >> 24


def has_too_much_material(position):
    for color in (0, 1):
        own = position.by_color[color]
        count = lambda role, among=-1: (position.by_role[role] & own & among).bit_count()
        promoted = max(0, count(QUEEN) - 1) + max(0, count(ROOK) - 2) + max(0, count(KNIGHT) - 2)
        promoted += max(0, count(BISHOP, LIGHT_SQUARES) - 1) + max(0, count(BISHOP, DARK_SQUARES) - 1)
        if count(PAWN) + promoted > 8:
            return True
    return False


def after_null_move(position):
    passed = position.copy()
    passed.turn = 1 - position.turn
    passed.en_passant = None
    return passed


class Searcher:
    """A search of one position."""

    def __init__(self, nnue, state, history, nodes):
        self.nnue, self.state = nnue, state
        state.start_search()
        self.killers = [[None, None] for _ in range(MAX_PLY)]
        self.corrections = CorrectionHistory()
        self.static_evals = [0] * MAX_PLY
        reversible = min(history.position.halfmoves, 100)
        self.keys = history.keys[-reversible - 1 :]
        self.nodes, self.limit, self.stopped = 0, nodes, False
        self.trusts_earlier = False

    def visit(self):
        self.stopped = self.stopped or self.nodes >= self.limit
        self.nodes += not self.stopped
        return not self.stopped

    def static_eval(self, position):
        raw = self.nnue.evaluate(position)
        return raw, min(max(raw + self.corrections.correction(position), -MAX_EVAL), MAX_EVAL)

    def negamax(self, position, depth, alpha, beta, ply, may_pass=True):
        in_check = position.is_check()
        depth += in_check
        at_horizon = depth <= 0 or ply >= MAX_PLY - 1
        if at_horizon and position.halfmoves < 4:
            return self.quiesce(position, alpha, beta, QUIESCENCE_DEPTH)
        key = position_key(position)
        self.keys.append(key)
        if self._is_repetition(position):
            self.visit()
            value = 0
        elif at_horizon:
            value = self.quiesce(position, alpha, beta, QUIESCENCE_DEPTH)
        elif not self.visit() or is_insufficient_material(position) or position.halfmoves >= 100:
            value = 0
        else:
            value = self.alpha_beta(position, key, in_check, depth, alpha, beta, ply, may_pass)
        self.keys.pop()
        return value

    def _is_repetition(self, position):
        last = len(self.keys) - 1
        reversible = min(position.halfmoves, last)
        return any(self.keys[last - back] == self.keys[last] for back in range(4, reversible + 1, 2))

    def quiesce(self, position, alpha, beta, depth):
        if not self.visit():
            return 0
        _, static = self.static_eval(position)
        if static >= beta or depth == 0:
            return static
        alpha, best = max(alpha, static), static
        picker = MovePicker.of_quiescence(position, alpha - static - 120)
        while picked := picker.pick():
            score, move = picked
            if score < GOOD_CAPTURE:
                break
            after = position.copy()
            after.play(move)
            if leaves_king(after):
                continue
            value = -self.quiesce(after, -beta, -alpha, depth - 1)
            if self.stopped:
                break
            best, alpha = max(best, value), max(alpha, value)
            if alpha >= beta:
                break
        return best

    def alpha_beta(self, position, key, in_check, depth, alpha0, beta, ply, may_pass):
        state = self.state
        slot = state.slot(key)
        entry = state.table[slot]
        table_move = None
        if entry[0] == key:
            if (self.trusts_earlier or entry[5] == state.search) and entry[3] >= depth:
                value, bound = from_table(entry[1], ply), entry[4]
                if bound == EXACT or bound == LOWER and value >= beta or bound == UPPER and value <= alpha0:
                    return value
            table_move = entry[2]
        raw = static = -INFINITE
        if not in_check:
            raw, static = self.static_eval(position)
        self.static_evals[ply] = static
        improving = not in_check and ply >= 2 and static > self.static_evals[ply - 2]
        pv = beta - alpha0 > 1
        if not in_check and not pv:
            value = self._prune_node(position, depth, static, improving, alpha0, beta, ply, may_pass)
            if value is not None:
                return value
        if table_move is None and depth >= 4 and not in_check:
            depth -= 1
        killers, history, turn = self.killers[ply], state.history, position.turn

        def quiet_score(move):
            if packed(move) in killers:
                return FIRST_KILLER - killers.index(packed(move))
            return history.get((turn, move.role, move.target), 0)

        picker = MovePicker(position, table_move, quiet_score)
        alpha, best, best_move, number = alpha0, -INFINITE, None, 0
        while True:
            may_prune = not in_check and number > 0 and best > -MATE_THRESHOLD
            if may_prune and self._prunes_quiets(depth, number, alpha, static, improving, pv):
                picker.drop_quiets()
            picked = picker.pick()
            if picked is None:
                break
            score, move = picked
            quiet = is_quiet(move)
            if may_prune and depth <= 6:
                if quiet and score < SECOND_KILLER:
                    limit = 40 * max(1, depth - lmr(depth, number))
                elif score <= BAD_CAPTURE // 2:
                    limit = 80 * depth
                else:
                    limit = INFINITE
                if loses_more_than(position, move, limit):
                    continue
            after = position.copy()
            after.play(move)
            if not quiet and leaves_king(after):
                continue
            if number == 0:
                value = -self.negamax(after, depth - 1, -beta, -alpha, ply + 1)
            else:
                reduction = self._reduction(depth, in_check, number, pv, score, quiet, improving)
                value = -self.negamax(after, depth - 1 - reduction, -alpha - 1, -alpha, ply + 1)
                if value > alpha and reduction > 0:
                    value = -self.negamax(after, depth - 1, -alpha - 1, -alpha, ply + 1)
                if alpha < value < beta:
                    value = -self.negamax(after, depth - 1, -beta, -alpha, ply + 1)
            if self.stopped:
                return 0
            number += 1
            if value > best:
                best, best_move = value, move
            alpha = max(alpha, value)
            if alpha >= beta:
                if quiet:
                    self._learn_quiets(picker, move, turn, depth, ply)
                break
        if number == 0:
            return ply - MATE if in_check else 0
        bound = LOWER if best >= beta else EXACT if best > alpha0 else UPPER
        informative = bound == EXACT or bound == LOWER and best > raw or bound == UPPER and best < raw
        on_piece = bound != UPPER and position.occupied >> best_move.target & 1
        if not in_check and abs(best) < MATE_THRESHOLD and informative and not on_piece:
            self.corrections.correct(position, best - static, depth)
        state.table[slot] = key, to_table(best, ply), packed(best_move), depth, bound, state.search
        return best

    def _prune_node(self, position, depth, static, improving, alpha, beta, ply, may_pass):
        if abs(beta) < MATE_THRESHOLD:
            if depth <= 5 and static - 65 * (depth - improving) >= beta:
                return static
            if depth <= 2 and static + 200 * depth <= alpha:
                value = self.quiesce(position, alpha, alpha + 1, QUIESCENCE_DEPTH)
                if value <= alpha:
                    return value
        pieces = position.by_color[position.turn] & ~position.by_role[PAWN] & ~position.by_role[KING]
        if not may_pass or depth < 2 or static < beta or not pieces or has_too_much_material(position):
            return None
        reduction = 3 + depth // 4 + min(2, (static - beta) // 200)
        value = -self.negamax(after_null_move(position), depth - reduction, -beta, -beta + 1, ply + 1, False)
        if self.stopped:
            return 0
        return min(value, MATE_THRESHOLD) if value >= beta else None

    def _prunes_quiets(self, depth, number, alpha, static, improving, pv):
        if depth > 4:
            return False
        most = 4 + depth * depth
        if pv:
            most += 4
        elif not improving:
            most >>= 1
        return number > most or static + 40 + 90 * depth <= alpha

    def _reduction(self, depth, in_check, number, pv, score, quiet, improving):
        if depth < 3 or in_check or number < 2 + pv or score >= SECOND_KILLER or not quiet and score >= 0:
            return 0
        reduction = lmr(depth, number) + (not improving) - pv
        if quiet:
            reduction -= divide(score, 5000)
        return min(max(reduction, 0), depth - 2)

    def _learn_quiets(self, picker, best, turn, depth, ply):
        bonus = min(2000, 32 * depth * depth)
        history = self.state.history
        changes = [(move, -bonus) for move in picker.picked_quiets() if move != best] + [(best, bonus)]
        for move, change in changes:
            place = turn, move.role, move.target
            old = history.get(place, 0)
            history[place] = old + change - divide(old * abs(change), 16_000)
        killers = self.killers[ply]
        if killers[0] != packed(best):
            killers[:] = packed(best), killers[0]
