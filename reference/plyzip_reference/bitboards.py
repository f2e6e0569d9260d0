"""Sets of squares as numbers of 64 bits, and the squares that pieces attack (docs/format/chess.md).

Square 0 is a1, 1 is b1, 63 is h8; a square's bit is 1 << square.
"""

from functools import lru_cache

WHITE, BLACK = 0, 1
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)

ALL = (1 << 64) - 1
RANK_1 = 0xFF
RANK_8 = RANK_1 << 56
BACK_RANKS = RANK_1 | RANK_8
FILE_A = 0x0101_0101_0101_0101
FILES = [FILE_A << file for file in range(8)]
# a1 is dark.
DARK_SQUARES = 0xAA55_AA55_AA55_AA55
LIGHT_SQUARES = ALL ^ DARK_SQUARES

STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))


# A search asks for the same sets over and over.
@lru_cache(maxsize=1 << 16)
def squares(bits):
    """The squares of a set, a1 first."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(found)


def first(bits):
    """The first square of a set that is not empty."""
    return (bits & -bits).bit_length() - 1


def last(bits):
    """The last square of a set that is not empty."""
    return bits.bit_length() - 1


def _steps(square, directions, reach):
    """The squares that lie in each direction until the edge, nearest first, at most so many."""
    for file_step, rank_step in directions:
        file, rank = square & 7, square >> 3
        line = []
        for _ in range(reach):
            file, rank = file + file_step, rank + rank_step
            if not (0 <= file < 8 and 0 <= rank < 8):
                break
            line.append(rank * 8 + file)
        yield line


def _leaper(directions):
    return [sum(1 << to for line in _steps(square, directions, 1) for to in line) for square in range(64)]


KNIGHT_ATTACKS = _leaper(((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)))
KING_ATTACKS = _leaper(STRAIGHT + DIAGONAL)
# By colour and square.
PAWN_ATTACKS = [_leaper(((-1, 1), (1, 1))), _leaper(((-1, -1), (1, -1)))]


class _Slider:
    """What a sliding piece attacks, found once for each set of pieces on its lines."""

    def __init__(self, directions):
        self.lines = [list(_steps(square, directions, 7)) for square in range(64)]
        self.reach = [sum(1 << to for line in lines for to in line) for lines in self.lines]
        self.known = [{} for _ in range(64)]

    def attacks(self, square, occupied):
        on_lines = occupied & self.reach[square]
        found = self.known[square].get(on_lines)
        if found is None:
            found = 0
            for line in self.lines[square]:
                for to in line:
                    found |= 1 << to
                    if occupied >> to & 1:
                        break
            self.known[square][on_lines] = found
        return found


rook_attacks = _Slider(STRAIGHT).attacks
bishop_attacks = _Slider(DIAGONAL).attacks


def attacks(role, color, square, occupied):
    """The squares that a piece attacks; a line ends with the first occupied square."""
    if role == PAWN:
        return PAWN_ATTACKS[color][square]
    if role == KNIGHT:
        return KNIGHT_ATTACKS[square]
    if role == KING:
        return KING_ATTACKS[square]
    found = 0
    if role != ROOK:
        found |= bishop_attacks(square, occupied)
    if role != BISHOP:
        found |= rook_attacks(square, occupied)
    return found


def _between_and_lines():
    """By two squares on a rank, file or diagonal: the squares between, and the whole line with both."""
    between = [[0] * 64 for _ in range(64)]
    lines = [[0] * 64 for _ in range(64)]
    for square in range(64):
        for x, y in STRAIGHT + DIAGONAL:
            (ahead,) = _steps(square, ((x, y),), 7)
            (behind,) = _steps(square, ((-x, -y),), 7)
            whole = sum(1 << other for other in [square, *ahead, *behind])
            passed = 0
            for other in ahead:
                between[square][other] = passed
                lines[square][other] = whole
                passed |= 1 << other
    return between, lines


BETWEEN, LINES = _between_and_lines()
