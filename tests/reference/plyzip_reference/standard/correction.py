"""Correction history (docs/format/search.md)."""

from ..bitboards import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from .nnue import divide

MASK = (1 << 64) - 1
MAX_CORRECTION = 100


def _rotl(number, by):
    return (number << by | number >> (64 - by)) & MASK


def _hash(one, other):
    one = one * 0x9E37_79B9_7F4A_7C15 & MASK
    other = _rotl(other * 0xD1B5_4A32_D192_ED03 & MASK, 31)
    return ((one ^ other) * 0xBF58_476D_1CE4_E5B9 & MASK) >> 54


class CorrectionHistory:
    def __init__(self):
        self.numbers = {}

    def _places(self, position):
        by_role, by_color, turn = position.by_role, position.by_color, position.turn
        yield 0, turn, _hash(by_role[PAWN] & by_color[0], by_role[PAWN] & by_color[1])
        for color in (0, 1):
            of = lambda role: by_role[role] & by_color[color]
            a = (of(KNIGHT) | of(KING)) ^ _rotl(of(QUEEN), 17)
            yield 1 + color, turn, _hash(a, of(BISHOP) ^ _rotl(of(ROOK), 13))

    def correction(self, position):
        return divide(sum(self.numbers.get(place, 0) for place in self._places(position)), 64)

    def correct(self, position, error, depth):
        weight = min(max(2 * depth, 0), 32)
        error = 64 * min(max(error, -MAX_CORRECTION), MAX_CORRECTION)
        for place in self._places(position):
            old = self.numbers.get(place, 0)
            self.numbers[place] = old + divide((error - old) * weight, 256)
