"""The order in which the search tries moves (docs/format/search.md)."""

from ..bitboards import (
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
from ..moves import EN_PASSANT, NORMAL, Move
from .evaluation import king_square

TABLE_MOVE = 1_000_000
GOOD_CAPTURE = 200_000
FIRST_KILLER = 150_000
SECOND_KILLER = FIRST_KILLER - 1
BAD_CAPTURE = -200_000
# Below any score.
GONE = -1_000_000
ROOM = 270
ALL = (1 << 64) - 1


def is_quiet(move):
    return not move.capture and not move.promotion


def packed(move):
    """What table and killers keep of a move."""
    return move.departure, move.target, move.promotion


def loses_more_than(position, move, limit):
    value, won = VALUES[move.placed()], gain(move)
    if value - won <= limit or move.role == KING:
        return False
    return exchange(position, move.departure, move.target, position.turn, value, won) < -limit


def captures(position, in_quiescence, bound=None):
    """Captures and promotions in their order; they may leave the own king to be captured."""
    turn = position.turn
    own = position.by_color[turn]
    enemy = position.by_color[1 - turn] & ~position.by_role[KING]
    pawns = own & position.by_role[PAWN]
    victims = enemy
    if in_quiescence:
        for role in range(1, 7):
            if VALUES[role] <= bound:
                victims &= ~position.by_role[role]
    promoting = pawns & (0xFF << (48 if turn == 0 else 8))
    for square in squares(promoting):
        targets = list(squares(PAWN_ATTACKS[turn][square] & enemy))
        ahead = square + (8 if turn == 0 else -8)
        if not in_quiescence and not position.occupied >> ahead & 1:
            targets.append(ahead)
        for to in targets:
            for role in (QUEEN, ROOK, BISHOP, KNIGHT):
                yield Move(square, to, role, PAWN, position.roles[to], NORMAL)
    for square in squares(pawns & ~promoting):
        for to in squares(PAWN_ATTACKS[turn][square] & victims):
            yield Move(square, to, 0, PAWN, position.roles[to], NORMAL)
    for role in (KNIGHT, BISHOP, ROOK, QUEEN, KING):
        for square in squares(own & position.by_role[role]):
            for to in squares(attacks(role, turn, square, position.occupied) & victims):
                yield Move(square, to, 0, role, position.roles[to], NORMAL)
    if position.en_passant is not None:
        to = position.en_passant
        for square in squares(PAWN_ATTACKS[1 - turn][to] & pawns):
            yield Move(square, to, 0, PAWN, PAWN, EN_PASSANT)


def quiets(position):
    """Legal quiet moves in their order."""
    legal = [move for move in position.legal_moves() if is_quiet(move)]
    pawns = [move for move in legal if move.role == PAWN]
    steps = [move for move in pawns if abs(move.target - move.departure) == 8]
    leaps = [move for move in pawns if abs(move.target - move.departure) == 16]
    pieces = [move for move in legal if KNIGHT <= move.role <= QUEEN]
    king = [move for move in legal if move.role == KING and not move.is_castling()]
    castles = [move for move in legal if move.is_castling()]
    by_arrival = lambda move: move.target
    others = sorted(steps, key=by_arrival) + sorted(leaps, key=by_arrival)
    others += sorted(pieces, key=lambda move: (move.role, move.departure, move.target))
    king.sort(key=by_arrival)
    castles.sort(key=lambda move: not move.to_king_side())
    return king + others if position.is_check() else others + king + castles


def leaves_king(position):
    """Whether the side that has just moved left its king to be captured."""
    mover = 1 - position.turn
    king = king_square(position, mover, None)
    return king is not None and bool(position.attackers(king, position.occupied) & position.by_color[position.turn])


class MovePicker:
    def __init__(self, position, table_move, quiet_score):
        self.position, self.quiet_score = position, quiet_score
        self.table_move = table_move
        self.at_table_move = table_move is not None
        self.with_quiets, self.quiets_come = True, True
        # Score, `GONE` for moves that are picked or dropped; and whether it was picked.
        self.moves, self.scores, self.picked = [], [], []
        self.filled = False

    @classmethod
    def of_quiescence(cls, position, bound):
        picker = cls(position, None, None)
        picker.filled, picker.quiets_come = True, False
        for move in captures(position, True, bound):
            picker._add(move, picker._capture_score(move) if gain(move) > bound else GONE)
        return picker

    def _capture_score(self, move):
        return GOOD_CAPTURE + 16 * gain(move) - min(1000, VALUES[move.role])

    def _add(self, move, score):
        if len(self.moves) < ROOM:
            is_table_move = self.table_move is not None and packed(move) == self.table_move
            self.moves.append(move)
            self.scores.append(GONE if is_table_move else score)
            self.picked.append(is_table_move)

    def drop_quiets(self):
        self.with_quiets = False
        for place, move in enumerate(self.moves):
            if is_quiet(move):
                self.scores[place] = GONE

    def picked_quiets(self):
        return [move for move, picked in zip(self.moves, self.picked) if picked and is_quiet(move)]

    def pick(self):
        """Score and move, or None."""
        if self.at_table_move:
            self.at_table_move = False
            for move in self.position.legal_moves():
                if packed(move) == self.table_move:
                    return TABLE_MOVE, move
        if not self.filled:
            self.filled = True
            for move in captures(self.position, False):
                self._add(move, self._capture_score(move))
        while True:
            score = max(self.scores, default=GONE)
            if self.quiets_come and score < GOOD_CAPTURE:
                self.quiets_come = False
                if self.with_quiets:
                    for move in quiets(self.position):
                        self._add(move, self.quiet_score(move))
                    continue
            if score == GONE:
                return None
            # Of equal ones the first.
            place = self.scores.index(score)
            move = self.moves[place]
            if score >= GOOD_CAPTURE and loses_more_than(self.position, move, 0):
                self.scores[place] = score - GOOD_CAPTURE + BAD_CAPTURE
                continue
            self.scores[place] = GONE
            self.picked[place] = True
            return score, move
