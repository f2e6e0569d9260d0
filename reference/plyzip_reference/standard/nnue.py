"""The network that evaluates positions in the search (docs/format/search.md)."""

import numpy as np

from ..bitboards import squares
from .evaluation import king_square

FEATURES = 768
MAX_EVAL = 8_000
MOST_KNOWN = 1 << 16
# The king buckets of a large network: of the squares a1 to d1, a2 to d2 and so on.
LARGE = (0, 0, 1, 1, 2, 2, 2, 2, *8 * (3,), *16 * (4,))


def divide(number, by):
    """A quotient, rounded towards 0."""
    return number // by if number >= 0 else -(-number // by)


class Nnue:
    """An evaluation network."""

    def __init__(self, numbers):
        numbers = np.array(numbers, np.int32)
        width, self.layout = 256, None
        if len(numbers) == 987_400:
            self.layout = LARGE
        elif len(numbers) != 200_968:
            (kind, width, has_layout), numbers = numbers[:3], numbers[3:]
            assert kind == 1 and width % 64 == 0 and 0 < width <= 1024 and has_layout in (0, 1)
            if has_layout:
                self.layout, numbers = tuple(map(int, numbers[:32])), numbers[32:]
                assert all(0 <= bucket < 16 for bucket in self.layout)
        buckets = max(self.layout) + 1 if self.layout else 1
        assert len(numbers) == buckets * FEATURES * width + 17 * width + 8
        features, rest = np.split(numbers, [buckets * FEATURES * width])
        self.weights = features.reshape(-1, width)
        self.biases, rest = np.split(rest, [width])
        outputs, self.output_biases = np.split(rest, [8 * 2 * width])
        self.outputs = outputs.reshape(8, 2, width)
        # Values of boards: searches of a line come back to many.
        self.known = {}

    def _rows(self, board, side):
        """The rows of weights that the pieces on a board add up to."""
        first_row = mirror = 0
        if self.layout:
            king = king_square(board, side, 7 ^ 56 * side) ^ 56 * side
            mirror = 7 if king & 7 < 4 else 0
            king ^= mirror ^ 7
            first_row = self.layout[(king >> 3) * 4 + (king & 3)] * FEATURES
        rows = []
        for color in (0, 1):
            # Seen by Black, colours are swapped and ranks turned over.
            start, turned = first_row + 384 * (color ^ side) - 64, 56 * side ^ mirror
            rows += [start + 64 * board.roles[square] + (square ^ turned) for square in squares(board.by_color[color])]
        return rows

    def evaluate(self, board):
        """Centipawns for the side to move."""
        key = board.turn, board.by_color[0], *board.by_role
        value = self.known.get(key)
        if value is None:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            value = self.known[key] = self._evaluate(board)
        return value

    def _evaluate(self, board):
        bucket = min(7, max(0, board.occupied.bit_count() - 2) // 4)
        rows = [self._rows(board, side) for side in (board.turn, 1 - board.turn)]
        hidden = self.biases + self.weights[np.array(rows)].sum(axis=1)
        clipped = np.minimum(np.maximum(hidden, 0), 255)
        total = int((clipped * clipped * self.outputs[bucket]).sum())
        value = divide((divide(total, 255) + int(self.output_biases[bucket])) * 400, 255 * 64)
        return min(max(value, -MAX_EVAL), MAX_EVAL)
