"""The evaluation of quiet positions by terms with weights (docs/format/tactics.md)."""

import struct
from functools import cache
from typing import NamedTuple

from ..bitboards import (
    BISHOP,
    FILES,
    KING,
    KING_ATTACKS,
    KNIGHT,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
    attacks,
    first,
    squares,
)
from ..files import project_file

OTHER, STRUCTURE, MOBILITY, KINGS = range(4)
MOBILITY_OF = {KNIGHT: 396, BISHOP: 405, ROOK: 419, QUEEN: 434}


class Evaluation(NamedTuple):
    """Centipawns."""

    total: int
    structure: int
    own_mobility: int
    enemy_mobility: int
    kings: int


@cache
def _weights():
    numbers = struct.unpack("<956h", project_file("codec/tables/evaluation.bin"))
    return [middle + (end << 16) for middle, end in zip(numbers[::2], numbers[1::2])]


def phase(board):
    counts = [pieces.bit_count() for pieces in board.by_role]
    return min(24, counts[KNIGHT] + counts[BISHOP] + 2 * counts[ROOK] + 4 * counts[QUEEN])


def _signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _ahead(square, color):
    rank = square >> 3
    return (-1 << 8 * (rank + 1)) & (1 << 64) - 1 if color == 0 else (1 << 8 * rank) - 1


def _beside(file):
    return (FILES[file - 1] if file > 0 else 0) | (FILES[file + 1] if file < 7 else 0)


def king_square(board, color, other):
    """The square of a side's king; another one if it has not exactly one."""
    kings = board.by_role[KING] & board.by_color[color]
    return first(kings) if kings.bit_count() == 1 else other


def _terms(board, color):
    """Each term that counts for a side, with its part."""
    flip = 56 * color
    own, enemy = board.by_color[color], board.by_color[1 - color]
    pawns = board.by_role[PAWN]
    own_pawns, enemy_pawns = pawns & own, pawns & enemy
    own_guard = enemy_guard = 0
    for square in squares(own_pawns):
        own_guard |= PAWN_ATTACKS[color][square]
    for square in squares(enemy_pawns):
        enemy_guard |= PAWN_ATTACKS[1 - color][square]
    for role in range(1, 7):
        for square in squares(board.by_role[role] & own):
            if role < KING or (board.by_role[KING] & own).bit_count() == 1:
                yield 64 * (role - 1) + (square ^ flip), OTHER
    for square in squares(own_pawns):
        file = square & 7
        ahead, beside = _ahead(square, color), _beside(file)
        if not ahead & (FILES[file] | beside) & enemy_pawns and not ahead & FILES[file] & own_pawns:
            yield 385 + ((square ^ flip) >> 3), STRUCTURE
        if not beside & own_pawns:
            yield 393, STRUCTURE
        if ahead & FILES[file] & own_pawns:
            yield 394, STRUCTURE
        if own_guard >> square & 1:
            yield 395, STRUCTURE
    if (board.by_role[BISHOP] & own).bit_count() >= 2:
        yield 384, OTHER
    enemy_king = king_square(board, 1 - color, 0)
    zone = KING_ATTACKS[enemy_king] | 1 << enemy_king
    attackers = 0
    for role, first_term in MOBILITY_OF.items():
        for square in squares(board.by_role[role] & own):
            hits = attacks(role, color, square, board.occupied)
            yield first_term + (hits & ~own & ~enemy_guard).bit_count(), MOBILITY
            attackers += bool(hits & zone)
            if enemy_guard >> square & 1:
                yield 464, MOBILITY
            if role == ROOK:
                file = FILES[square & 7]
                if not file & pawns:
                    yield 462, MOBILITY
                elif not file & own_pawns:
                    yield 463, MOBILITY
    if attackers:
        yield 470 + min(7, attackers), KINGS
    kings = board.by_role[KING] & own
    if kings.bit_count() == 1:
        king = first(kings)
        shield = KING_ATTACKS[king] & _ahead(king, color) & own_pawns
        yield 466 + min(3, shield.bit_count()), KINGS


def evaluate(board, turn):
    """The evaluation of a board with `turn` to move."""
    weights = _weights()
    sums = [[0, 0] for _ in range(4)]
    for side, color in enumerate((turn, 1 - turn)):
        for term, part in _terms(board, color):
            sums[part][side] += weights[term]
    sums[OTHER][0] += weights[465]
    share = phase(board)

    def value(packed):
        packed = _signed(packed, 32)
        middle = _signed(packed, 16)
        end = _signed(packed - middle, 32) >> 16
        product = middle * share + end * (24 - share)
        return product // 24 if product >= 0 else -(-product // 24)

    return Evaluation(
        value(sum(own - enemy for own, enemy in sums)),
        value(sums[STRUCTURE][0] - sums[STRUCTURE][1]),
        value(sums[MOBILITY][0]),
        value(sums[MOBILITY][1]),
        value(sums[KINGS][0] - sums[KINGS][1]),
    )
