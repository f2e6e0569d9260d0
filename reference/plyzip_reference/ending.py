"""What the moves tell of a game once they are known: its opening and its end (docs/format/late-tags.md)."""

from . import fen
from .games import COMMENT
from .material import is_insufficient_material
from .mixing import hash32
from .position_key import position_key
from .start import start_of

# Openings are named after what happens in so many plies.
OPENING_PLIES = 40
# What the board says at the end.
CHECKMATE, STALEMATE, INSUFFICIENT, BLACK_TO_MOVE, WHITE_TO_MOVE = range(1, 6)
NO_POSITION = 9
# Seconds at which the next class begins, and the class of no clock.
CLOCK_BOUNDS = (2, 5, 10, 20, 60)
NO_CLOCK = 9
# What Unicode calls white space.
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"


def opening_path(game):
    """The keys of the positions after each of the first moves."""
    position = start_of(game)
    path = []
    if position is not None and game.lines:
        for move in game.lines[0].moves[:OPENING_PLIES]:
            position.play(move)
            path.append(position_key(position))
    return path


def last_position(game):
    """The position at the end of the game as played, or None."""
    position = start_of(game)
    if position is None or not game.lines:
        return None
    for move in game.lines[0].moves:
        position.play(move)
    return position


def last_fen(game):
    """The last position as servers write it; nothing if there is none."""
    position = last_position(game)
    return b"" if position is None else fen.write(position).encode()


class Ending:
    """The end of a game, as far as its moves and clocks tell."""

    def __init__(self, game):
        result = int.from_bytes((game.tag("Result") or b"")[:3], "big")
        # What the board says together with the result.
        self.board = hash32(_on_board(last_position(game)), result)
        comments = (text for kind, text in reversed(game.tokens) if kind == COMMENT)
        clocks = [clock for clock in map(_clock, comments) if clock is not None]
        other, own = [_clock_class(clock) for clock in clocks[:2]] + [NO_CLOCK] * (2 - len(clocks[:2]))
        # With the last clocks of both sides.
        self.all = hash32(self.board, own << 4 | other)


def _on_board(position):
    if position is None:
        return NO_POSITION
    if position.is_checkmate():
        return CHECKMATE
    if position.is_stalemate():
        return STALEMATE
    if is_insufficient_material(position):
        return INSUFFICIENT
    return WHITE_TO_MOVE if position.turn == 0 else BLACK_TO_MOVE


def _clock(comment):
    """The seconds that a comment's clock shows, or None."""
    try:
        text = bytes(comment).decode()
    except UnicodeDecodeError:
        return None
    _, found, rest = text.partition("[%clk ")
    if not found:
        return None
    seconds = 0
    for part in rest.replace(".", "]").partition("]")[0].split(":"):
        digits = part.strip(WHITE_SPACE)
        digits = digits[1:] if digits[:1] == "+" else digits
        if not (digits.isascii() and digits.isdigit()) or len(digits.lstrip("0")) > 2:
            return None
        seconds = seconds * 60 + int(digits.lstrip("0") or "0")
        if seconds >= 1 << 32:
            return None
    return seconds


def _clock_class(seconds):
    return sum(seconds >= bound for bound in CLOCK_BOUNDS)
