"""Where in a game a comment stands, and what its comments have said so far (docs/format/comments.md)."""

from .game_context import WON, GameContext
from .games import CLOSE, MOVE, NAG, OPEN
from .integers import saturated
from .interner import NO_ID
from .mixing import hash32
from .start import start_of
from .time_features import ONE, USUAL_SPREAD, divided, ln

NO_SURPRISAL = (0, 0)


class Control:
    """The time control, in seconds."""

    def __init__(self, value):
        read = _control(value)
        # Whether a tag says so; if not, all is guessed from the clocks.
        self.known = read is not None
        self.start, self.increment = read or (0, 0)
        # The largest gain of a move in this game so far.
        self.gained = 0


def _control(value):
    """Seconds and increment of `300+3`, `600`, `40/7200:3600+30` (of which the first period counts), or None."""
    try:
        first = bytes(value or b"x").decode().split(":")[0].split("/")[-1]
    except UnicodeDecodeError:
        return None
    start, plus, increment = first.partition("+")
    increment = increment.split(".")[0] if plus else "0"
    start, increment = _number(start, 32), _number(increment, 16)
    return None if start is None or increment is None else (start, increment)


def _number(text, bits):
    """A number below 2^bits, perhaps after a `+`, or None."""
    digits = text[1:] if text[:1] == "+" else text
    if not (digits.isascii() and digits.isdigit()) or len(digits.lstrip("0")) > 10:
        return None
    return int(digits) if int(digits) < 1 << bits else None


class Thinking:
    """One side's clock."""

    def __init__(self):
        # The clock after the side's last move, if known, in 1/unit second.
        self.clock = None
        # What the last moves took, the last first, in sixteenths of a second, if known.
        self.took = [None, None]
        # Means of the logarithms of what moves took, over some three and some ten moves, and the distance from that.
        self.fast = self.slow = self.spread = 0
        # Moves that these are of, at most 100.
        self.count = 0

    def means(self, typical):
        """fast, slow and spread; of a side without moves what is usual."""
        return (self.fast, self.slow, self.spread) if self.count else (typical, typical, USUAL_SPREAD)

    def take(self, sixteenths, typical):
        """Takes note of a time; `typical` is the logarithm to begin with."""
        fast, slow, spread = self.means(typical)
        time = ln(sixteenths)
        self.took = [sixteenths, self.took[0]]
        self.count = min(self.count + 1, 100)
        self.spread = spread + divided((abs(time - slow) - spread) * 31, ONE)
        self.fast = fast + divided((time - fast) * max(ONE // (self.count + 1), 77), ONE)
        self.slow = slow + divided((time - slow) * max(ONE // (self.count + 2), 26), ONE)


class Play:
    """A game while its comments are coded."""

    def __init__(self, game, surprisals):
        self.game = game
        # Of the moves of the main line: what each cost and what it was expected to cost.
        self.main_surprisals = surprisals
        self.context = GameContext(game)
        self.control = Control(game.tag("TimeControl"))
        start = start_of(game) if game.tag("FEN") is not None else None
        # Who makes the first move.
        self.first = start.turn if start else 0
        # The lines that are open: which, and how many of its moves are played.
        self.open = [[0, 0]]
        self.lines_seen = 1
        # All moves from the start to here, those of variations included.
        self.course = 0
        self.sides = [Thinking(), Thinking()]
        # The last evaluation, whether it was a mate, how it differed from the one before, and that one from its.
        self.eval, self.mate, self.deltas = 0, False, [0, 0]
        # What the last move took by its comments, in 1/unit second, and the unit.
        self.spent = None
        # Comments and the last annotation since the last move.
        self.comments = self.annotation = 0
        self.last_template = NO_ID
        self.templates = [NO_ID, NO_ID]

    def pass_token(self, kind, value):
        """Steps over a token that is no comment."""
        if kind == MOVE:
            self.open[-1][1] += 1
            self.comments, self.annotation, self.spent = 0, 0, None
            last = self.moves()[0]
            self.course = hash32(self.course, last.departure << 8 | last.target if last else 0)
        elif kind == NAG:
            self.annotation = value
        elif kind == OPEN:
            branch = self.game.lines[self.lines_seen].branch
            self.open.append([self.lines_seen, branch[1]])
            self.lines_seen += 1
        elif kind == CLOSE and len(self.open) > 1:
            self.open.pop()

    def ply(self):
        return self.open[-1][1]

    def side(self):
        """Whose move the last one was: his place in `sides`."""
        return max(self.ply() - 1, 0) & 1

    def mover(self):
        """His colour."""
        return self.side() ^ self.first

    def rating(self):
        return self.context.elo[self.mover()]

    def wins(self):
        return self.context.result_for(self.mover()) == WON

    def moves_left(self):
        """Moves that the mover makes in the main line from the last move on, that one included."""
        return max(len(self.game.lines[0].moves) + 2 - self.ply(), 0) // 2

    def surprisals(self):
        """Of the last three moves, the last first, as far as they are of the main line."""
        known = self.main_surprisals if len(self.open) == 1 else []
        places = [self.ply() - back for back in (1, 2, 3)]
        return [known[place] if 0 <= place < len(known) else NO_SURPRISAL for place in places]

    def moves(self):
        """The last move and the one before it, as far as they are of one line."""
        index, ply = self.open[-1]
        line = self.game.lines[index]
        start = line.branch[1] if line.branch else 0
        places = [ply - start - back for back in (1, 2)]
        return [line.moves[place] if 0 <= place < len(line.moves) else None for place in places]

    def is_recapture(self):
        last, before = self.moves()
        return bool(last and before and last.capture and before.capture and last.target == before.target)

    def move_kind(self):
        """The kind of the last move as a number, 0 if it is not known."""
        last = self.moves()[0]
        if last is None:
            return 0
        return (
            1
            + last.role
            + 8 * bool(last.capture)
            + 16 * self.is_recapture()
            + 32 * last.is_castling()
            + 64 * bool(last.promotion)
        )

    def template_key(self):
        """What the template may depend on."""
        mate = int(self.mate) << 1 | (abs(self.eval) > 700)
        depth = min(len(self.open), 2)
        return hash32(hash32(*self.templates), depth << 16 | mate << 8 | self.since_move())

    def since_move(self):
        """Comments since the last move, whether it is annotated, and whether there is none."""
        return min(self.comments, 3) << 2 | (self.annotation != 0) << 1 | (self.ply() == 0)

    def note_template(self, number):
        self.templates = [number, self.templates[0]]
        self.last_template = number
        self.comments += 1

    def note_eval(self, value, is_mate, delta):
        self.eval, self.mate, self.deltas = saturated(value), is_mate, [delta, self.deltas[0]]
