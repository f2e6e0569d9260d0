"""What captures win, concede and threaten, on material alone (docs/format/tactics.md)."""

from typing import NamedTuple

from ..bitboards import (
    BACK_RANKS,
    BISHOP,
    KING,
    KNIGHT,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
    attacks,
    squares,
)
from ..exchange import VALUES, exchange, gain
from .evaluation import Evaluation, evaluate, king_square, phase

KING_TAKEN = 10_000
MAX_BOARDS = 48
MAX_DEPTH = 8
MAX_ATTACKERS = 16
SEVENTH = (0xFF << 48, 0xFF << 8)


class _Search:
    def __init__(self):
        self.boards = MAX_BOARDS

    def best(self, board, side, spare_king, stand, alpha, beta, depth):
        if stand >= beta or depth == 0:
            return stand
        own, enemy = board.by_color[side], board.by_color[1 - side]
        pawns = board.by_role[PAWN] & own
        attackers, victims = [], 0
        for role in (KNIGHT, BISHOP, ROOK, QUEEN, KING):
            for square in squares(board.by_role[role] & own):
                hits = attacks(role, side, square, board.occupied) & enemy
                if hits and len(attackers) < MAX_ATTACKERS:
                    attackers.append((square, role, hits))
                    victims |= hits
        for square in squares(pawns):
            victims |= PAWN_ATTACKS[side][square] & enemy
        kings = board.by_role[KING]
        if not spare_king and victims & kings:
            return stand + KING_TAKEN
        victims &= ~kings
        node = [board, side, stand, stand, max(alpha, stand), beta, depth]
        promoting = pawns & SEVENTH[side]
        for square in squares(promoting):
            to = square + (8, -8)[side]
            if not board.occupied >> to & 1 and self._cuts_off(node, square, to, PAWN, 0):
                return node[3]
        for victim in (QUEEN, ROOK, BISHOP, KNIGHT, PAWN):
            if stand + VALUES[victim] <= node[4] and not promoting:
                break
            for to in squares(victims & board.by_role[victim]):
                for square in squares(pawns & PAWN_ATTACKS[1 - side][to]):
                    if self._cuts_off(node, square, to, PAWN, VALUES[victim]):
                        return node[3]
                for square, role, hits in attackers:
                    if hits >> to & 1 and self._cuts_off(node, square, to, role, VALUES[victim]):
                        return node[3]
        return node[3]

    def _cuts_off(self, node, square, to, role, won):
        board, side, stand, best, alpha, beta, depth = node
        placed = role
        if role == PAWN and BACK_RANKS >> to & 1:
            placed, won = QUEEN, won + 800
        if stand + won <= alpha or self.boards == 0:
            return False
        value = VALUES[placed]
        if value > won:
            guarded = PAWN_ATTACKS[side][to] & board.by_role[PAWN] & board.by_color[1 - side]
            if guarded and won + 100 <= value:
                return False
            if exchange(board, square, to, side, value, won) <= 0:
                return False
        self.boards -= 1
        taken = board.copy()
        taken.remove(square)
        if taken.roles[to]:
            taken.remove(to)
        taken.put(to, side, placed)
        value = -self.best(taken, 1 - side, False, -(stand + won), -beta, -alpha, depth - 1)
        node[3], node[4] = max(best, value), max(alpha, value)
        return node[3] >= beta


def quiesce(board, side, spare_king):
    """What a side wins by captures."""
    return _Search().best(board, side, spare_king, 0, -2 * KING_TAKEN, 2 * KING_TAKEN, MAX_DEPTH)


class MoveTactics(NamedTuple):
    value: int
    concession: int
    threat: int
    eval_delta: int
    after: Evaluation
    check: bool
    capture: bool


class Tactics:
    """The tactics of a position and of its legal moves."""

    def __init__(self, position):
        own = position.turn
        self.evaluation = evaluate(position, own)
        self.phase = phase(position)
        self.moves = [self._of_move(position, move) for move in position.legal_moves()]
        self.best = max((move.value for move in self.moves), default=0)
        self.best_eval_delta = max((move.eval_delta for move in self.moves), default=0)
        self.fears = quiesce(position, 1 - own, True)
        worth = [
            sum((position.by_role[role] & position.by_color[color]).bit_count() * VALUES[role] for role in range(1, 6))
            for color in (own, 1 - own)
        ]
        self.balance = worth[0] - worth[1]

    def _of_move(self, position, move):
        own = position.turn
        after = position.copy()
        after.play(move)
        worth = evaluate(after, own)
        king = king_square(after, 1 - own, 0)
        check = bool(after.attackers(king, after.occupied) & after.by_color[own])
        capture = move.capture != 0
        if check and after.is_checkmate():
            return MoveTactics(KING_TAKEN, 0, KING_TAKEN, KING_TAKEN, worth, check, capture)
        concession, threat = quiesce(after, 1 - own, True), quiesce(after, own, True)
        delta = worth.total - self.evaluation.total - concession
        return MoveTactics(gain(move) - concession, concession, threat, delta, worth, check, capture)
