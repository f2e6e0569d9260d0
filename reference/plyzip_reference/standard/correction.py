"""Correction history (docs/format/search.md)."""

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
        pawns, knights, bishops, rooks, queens, kings = position.by_role[1:]
        white, black = position.by_color
        places = [(0, position.turn, _hash(pawns & white, pawns & black))]
        for color, own in enumerate((white, black)):
            a = (knights | kings) & own ^ _rotl(queens & own, 17)
            places.append((1 + color, position.turn, _hash(a, bishops & own ^ _rotl(rooks & own, 13))))
        return places

    def correction(self, position):
        return divide(sum(self.numbers.get(place, 0) for place in self._places(position)), 64)

    def correct(self, position, error, depth):
        weight = min(max(2 * depth, 0), 32)
        error = 64 * min(max(error, -MAX_CORRECTION), MAX_CORRECTION)
        for place in self._places(position):
            old = self.numbers.get(place, 0)
            self.numbers[place] = old + divide((error - old) * weight, 256)
