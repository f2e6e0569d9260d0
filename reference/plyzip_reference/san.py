"""How moves are written (docs/format/chess.md)."""

from .bitboards import PAWN
from .errors import Damaged
from .moves import CASTLING

# By role.
LETTERS = (b"", b"P", b"N", b"B", b"R", b"Q", b"K")
CASTLED = ((b"O-O", b"O-O-O"), (b"0-0", b"0-0-0"), (b"o-o", b"o-o-o"), (b"OO", b"OOO"))
SEPARATORS = (b"", b"x", b"-", b":")
# What stands before the promoted piece, and whether that is a capital.
PROMOTIONS = ((b"=", True), (b"", True), (b"/", True), (b"=", False), (b"", False), (b"/", False))
CHECKS = (b"", b"+", b"#", b"++", b"##", b"+#", b"+-")
NO_CHECK, CHECK, MATE = range(3)


class San:
    """A move with what its canonical spelling says beyond it."""

    @classmethod
    def play(cls, position, move):
        """Plays a legal move."""
        return cls(position, move)

    def __init__(self, position, move):
        self.move = move
        self.file = self.rank = False
        if move.role == PAWN:
            self.file = bool(move.capture)
        elif move.kind != CASTLING:
            others = [
                other.departure
                for other in position.legal_moves()
                if other.role == move.role and other.target == move.target and other.kind != CASTLING
            ]
            others = [other for other in others if other != move.departure]
            self.rank = any(other & 7 == move.departure & 7 for other in others)
            same_rank = any(other >> 3 == move.departure >> 3 for other in others)
            self.file = bool(others) and not self.rank or same_rank
        position.play(move)
        self.check = NO_CHECK
        if position.is_check():
            self.check = CHECK if position.legal_moves() else MATE

    def category(self):
        """The kind of move, below 128, as far as spellings may depend on it."""
        return (
            bool(self.move.capture)
            | (self.check != NO_CHECK) << 1
            | (self.check == MATE) << 2
            | bool(self.move.promotion) << 3
            | self.move.is_castling() << 4
            | (self.move.role == PAWN) << 5
            | (self.file or self.rank) << 6
        )

    def write(self, form):
        """The move in one of its spellings; `form` has 16 bits and is 0 for the canonical one."""
        castling, letter, origin = form >> 14, form >> 13 & 1, form >> 10 & 7
        separator, promotion, check = form >> 7 & 7, form >> 4 & 7, form & 15
        if origin > 4 or separator > len(SEPARATORS) or promotion >= len(PROMOTIONS) or check > len(CHECKS):
            raise Damaged("no form of a move")
        if self.move.is_castling():
            text = CASTLED[castling][0 if self.move.to_king_side() else 1]
        else:
            text = self._departure(letter, origin) + self._arrival(separator, promotion)
        return text + CHECKS[check - 1 if check else self.check]

    def _departure(self, letter, origin):
        """The piece, and what tells it from others of its role."""
        role = self.move.role
        file, rank = (origin in (2, 4), origin in (3, 4)) if origin else (self.file, self.rank)
        name = _name(self.move.departure)
        return (LETTERS[role] if role != PAWN or letter else b"") + name[:1] * file + name[1:] * rank

    def _arrival(self, separator, promotion):
        move = self.move
        text = SEPARATORS[separator - 1 if separator else bool(move.capture)] + _name(move.target)
        if not move.promotion:
            return text
        mark, capital = PROMOTIONS[promotion]
        letter = LETTERS[move.promotion]
        return text + mark + (letter if capital else letter.lower())


def _name(square):
    return bytes((ord("a") + (square & 7), ord("1") + (square >> 3)))
