"""The network that evaluates positions in the search (docs/format/search.md)."""

import numpy as np

from ..bitboards import squares
from .evaluation import king_square

WIDTH = 256
FEATURES = 768
MAX_EVAL = 8_000
MOST_KNOWN = 1 << 16
BUCKETS_OF_RANK = (None, (2, 2), (3, 3), (3, 3), (4, 4), (4, 4), (4, 4), (4, 4))


def divide(number, by):
    """A quotient, rounded towards 0."""
    return number // by if number >= 0 else -(-number // by)


class Nnue:
    """An evaluation network."""

    def __init__(self, numbers):
        numbers = np.array(numbers, np.int32)
        self.king_buckets = (len(numbers) - 4360) // (FEATURES * WIDTH)
        assert self.king_buckets in (1, 5)
        features, rest = np.split(numbers, [self.king_buckets * FEATURES * WIDTH])
        self.weights = features.reshape(-1, WIDTH)
        self.biases, rest = np.split(rest, [WIDTH])
        outputs, self.output_biases = np.split(rest, [8 * 2 * WIDTH])
        self.outputs = outputs.reshape(8, 2, WIDTH)
        # Values of boards: searches of a line come back to many.
        self.known = {}

    def _rows(self, board, side):
        """The rows of weights that the pieces on a board add up to."""
        first_row = mirror = 0
        if self.king_buckets > 1:
            king = king_square(board, side, 7 ^ 56 * side) ^ 56 * side
            mirror = 7 if king & 7 < 4 else 0
            king ^= mirror
            rank, wing = king >> 3, (king & 7) >= 6
            bucket = (0 if wing else 1) if rank == 0 else BUCKETS_OF_RANK[rank][0]
            first_row = bucket * FEATURES
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
