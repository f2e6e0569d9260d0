"""A game in progress: the position and the moves that led to it (docs/format/chess.md)."""

from .position_key import position_key

REPETITION_WINDOW = 100
EARLIER = 7


class History:
    """The position on the board, the moves, the keys of the positions, and how often each piece has moved."""

    def __init__(self, position):
        self.position = position
        self.played = []
        self.keys = [position_key(position)]
        # How often the piece on each square has moved in this game, at most 255.
        self.moved = [0] * 64
        # The positions before the present one that a board network sees, the latest first.
        self.earlier = []

    def copy(self):
        other = History.__new__(History)
        other.position = self.position.copy()
        other.played = self.played[:]
        other.keys = self.keys[:]
        other.moved = self.moved[:]
        other.earlier = self.earlier[:]
        return other

    def play(self, move):
        """Plays a legal move."""
        arrival = move.arrival()
        self.moved[arrival] = min(self.moved[move.departure] + 1, 255)
        self.moved[move.departure] = 0
        self.earlier = [self.position.copy(), *self.earlier[: EARLIER - 1]]
        self.position.play(move)
        self.played.append(move)
        self.keys.append(position_key(self.position))

    def ply(self):
        """Plies played."""
        return len(self.played)

    def key(self):
        """The key of the position on the board."""
        return self.keys[-1]

    def last(self, back):
        """The move played so many plies ago, 0 for the latest, or None."""
        return self.played[-1 - back] if back < len(self.played) else None

    def earlier_position(self, back):
        """The position before the last move, for 0, or so many plies before that, at most 6; None if there is none."""
        return self.earlier[back] if back < len(self.earlier) else None

    def occurrences(self, key):
        """How often a position with this key stood on the board before, as far back as it could repeat."""
        reversible = min(self.position.halfmoves, REPETITION_WINDOW)
        return self.keys[:-1][-reversible:].count(key) if reversible else 0
