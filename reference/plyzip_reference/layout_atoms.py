"""How atoms are spelled: tag pairs, move numbers, moves and NAGs (docs/format/layout.md)."""

from . import games, phrases
from . import layout_contexts as contexts
from .errors import Damaged
from .san import San
from .start import start_of

# The spellings of NAGs 1 to 6.
SUFFIXES = (b"!", b"?", b"!!", b"??", b"!?", b"?!")
# What stands around the bytes of a token.
AROUND = {
    games.COMMENT: (b"{", b"}"),
    games.LINE_COMMENT: (b";", b""),
    games.ESCAPE: (b"%", b""),
    games.TEXT: (b"", b""),
    games.OPEN: (b"(", b""),
    games.CLOSE: (b")", b""),
}


class OpenLine:
    """A line of play while its tokens are visited."""

    def __init__(self, moves, ply, before, now):
        self.moves = iter(moves)
        self.played = 0
        # Half-moves before the next token, counted as move numbers count them.
        self.ply = ply
        # The position before the last move, and the present one; None where moves are only words.
        self.before, self.now = before, now

    def play(self):
        """The next move, with its canonical spelling."""
        move = next(self.moves, None)
        if move is None:
            raise Damaged("tokens that do not fit the moves")
        self.played += 1
        self.ply += 1
        if self.now is None:
            return move
        self.before = self.now.copy()
        return San.play(self.now, move)

    def branch(self, moves):
        """A variation that replaces the last move."""
        if self.played == 0:
            raise Damaged("tokens that do not fit the moves")
        now = self.before and self.before.copy()
        return OpenLine(moves, self.ply - 1, now, now and now.copy())


def walk(game, words=False):
    """The tokens in order: kind, value, half-moves before it, and for moves a San. Of a game of words the moves are
    Sans already."""
    start = start_of(game)
    ply = 2 * (start.fullmoves - 1) + start.turn if start else 0
    now = None if words else start
    line = OpenLine(game.lines[0].moves, ply, now and now.copy(), now)
    outer = []
    lines = iter(game.lines[1:])
    for kind, value in game.tokens:
        ply = line.ply
        yield kind, value, ply, line.play() if kind == games.MOVE else None
        if kind == games.OPEN:
            outer.append(line)
            line = line.branch(next(lines).moves)
        elif kind == games.CLOSE:
            line = outer.pop()


def write(visitor, game, words=False):
    """The atoms of a game: pairs of kind and bytes. `visitor` chooses phrases by topic and context."""
    atoms = []
    for index, (name, value) in enumerate(game.tags):
        template = visitor.favourite(phrases.TAG, contexts.tag(index == 0))
        parts = {ord("N"): name, ord("V"): value}
        atoms.append((contexts.TAG, b"".join(parts.get(byte, bytes([byte])) for byte in template)))
    before = contexts.TAG if game.tags else contexts.START
    for kind, value, ply, san in walk(game, words):
        black, of_token = ply % 2, contexts.OF_TOKEN[kind]
        dots = visitor.favourite(phrases.NUMBER, contexts.number(black, before, of_token))
        if dots:
            number = b"%d" % (ply // 2 + 1) if dots[:1] == phrases.REGULAR else b""
            atoms.append((contexts.BLACK_NUMBER if black else contexts.WHITE_NUMBER, number + dots[1:]))
        if kind == games.MOVE:
            phrase = visitor.favourite(phrases.SAN, contexts.san(san.category()))
            atoms.append((contexts.MOVE, spelled_move(san, phrase)))
        elif kind == games.NAG:
            atoms.append(spelled_nag(value, visitor.favourite(phrases.NAG, contexts.nag(value))))
        elif kind == games.OUTCOME:
            atoms.append((contexts.OUTCOME, games.OUTCOMES[value]))
        else:
            left, right = AROUND[kind]
            atoms.append((of_token, left + (value or b"") + right))
        before = of_token
    return atoms


def spelled_move(san, phrase):
    if phrase[:1] == phrases.REGULAR and len(phrase) == 3:
        return san.write(int.from_bytes(phrase[1:], "big"))
    if phrase[:1] == phrases.LITERAL:
        return phrase[1:]
    raise Damaged("an impossible spelling of a move")


def spelled_nag(number, phrase):
    if phrase == b"$":
        return contexts.DOLLAR, b"$%d" % number
    if phrase == b"!" and 1 <= number <= 6:
        return contexts.SUFFIX, SUFFIXES[number - 1]
    if phrase[:1] == phrases.LITERAL:
        return contexts.DOLLAR, phrase[1:]
    raise Damaged("an impossible spelling of a NAG")
