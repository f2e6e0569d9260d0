"""A move (docs/format/chess.md)."""

from typing import NamedTuple

from .bitboards import KING

NORMAL, EN_PASSANT, CASTLING = range(3)


class Move(NamedTuple):
    """A move; two are the same if all of their fields are."""

    departure: int
    # The rook's square for castling.
    target: int
    # 0 for none.
    promotion: int
    role: int
    # The captured role, 0 for none.
    capture: int
    kind: int

    def is_castling(self):
        return self.kind == CASTLING

    def to_king_side(self):
        return self.target > self.departure

    def arrival(self):
        """Where the piece stands afterwards; for castling the king."""
        if self.kind == CASTLING:
            return self.departure & 56 | (6 if self.to_king_side() else 2)
        return self.target

    def order(self):
        """By this the legal moves are ordered."""
        return self.departure << 9 | self.target << 3 | self.promotion

    def placed(self):
        """The role of the piece that arrives."""
        return self.promotion or self.role


def castling(king, rook):
    return Move(king, rook, 0, KING, 0, CASTLING)
