"""The tags that the moves foretell (docs/format/late-tags.md)."""

from . import warm
from .candidates import Candidates
from .coder import Decoder
from .ending import Ending, last_fen, opening_path
from .errors import Damaged
from .interner import NO_ID, Interner
from .known_positions import KnownPositions
from .mixing import ContextMixer, hash32
from .spelling import Spelling

OPENING, PLY_COUNT, POSITION, TERMINATION = range(4)
KINDS = {
    b"ECO": OPENING,
    b"Opening": OPENING,
    b"Variation": OPENING,
    b"SubVariation": OPENING,
    b"PlyCount": PLY_COUNT,
    b"CurrentPosition": POSITION,
    b"Termination": TERMINATION,
}
# Families of binary events.
FORETOLD, TOLD_BY_GAME = range(2)
MOST_RUN = 15
MOST_PROPOSALS = 6
# The column of the counts of plies.
PLY_COUNTS = 1


def decode(data, games, limit):
    """Fills in the late values of games, which take at most `limit` bytes together."""
    if not any(name in KINDS for game in games for name, _ in game.tags):
        return
    coder = Decoder(data)
    late_tags = LateTags(len(games), limit)
    for game in games:
        late_tags.decode(coder, game)


class LateTags:
    """All that is learned of the tags that the moves foretell."""

    def __init__(self, games, limit):
        tables = warm.shipped()
        bits = lambda name, least, most: tables.slot_bits(name, games, least, most)
        self.names, self.values = Interner(), Interner()
        self.mixing = ContextMixer(bits("late.named", 12, 18), 7, 2, 256)
        self.candidates = Candidates(bits("late.candidates", 12, 18))
        self.spelling = Spelling(bits("late.spelling", 15, 20))
        tables.warm("late.named", self.mixing)
        tables.warm("late.candidates", self.candidates.mixing)
        tables.warm("late.spelling", self.spelling.mixing)
        self.elsewhere = KnownPositions(tables.sections["late.positions"])
        self.words = self.elsewhere.words()
        # By column and position: the value that the tag had when the position was last on the board, how often in a
        # row, and whether it has ever been another.
        self.known = {}
        self.left = limit

    def decode(self, coder, game):
        """Fills in the late values of a game."""
        late = [tag for tag in game.tags if tag[0] in KINDS]
        # Openings come first, and otherwise the order is that of the tags.
        late.sort(key=lambda tag: KINDS[tag[0]] != OPENING)
        path = opening_path(game) if late else []
        online = b" online" if game.tag("UTCTime") is not None else b""
        before = 0
        for tag in late:
            kind = KINDS[tag[0]]
            # What programs for play on the net call openings is not what others do.
            column = self.names.intern(tag[0] + online)
            if kind == PLY_COUNT:
                tag[1] = self._told(coder, PLY_COUNTS, str(len(game.lines[0].moves)).encode())
            elif kind == POSITION:
                tag[1] = self._told(coder, column, last_fen(game))
            elif kind == TERMINATION:
                tag[1] = self.values.value(self._termination(coder, column, Ending(game)))
            else:
                before = self._opening(coder, column, before, path)
                tag[1] = self.values.value(before)
            self.left -= len(tag[1])
            if self.left < 0:
                raise Damaged("longer tags than announced")

    def _told(self, coder, column, expected):
        """A value that the game tells, unless it does not."""
        if self.mixing.code(coder, [column], TOLD_BY_GAME, 0):
            return expected
        return self.spelling.code(coder, NO_ID, column, expected)

    def _termination(self, coder, column, ending):
        keys = [ending.all, ending.board, 0]
        value = self.candidates.code(coder, column, keys, ending.all)
        if value is None:
            value = self.values.intern(self.spelling.code(coder, column, ending.board))
        self.candidates.learn(column, keys, value)
        return value

    def _known(self, column, position):
        """What a position was called of late, or else elsewhere: value, run, and whether it wavers; or None."""
        known = self.known.get((column, position))
        if known is not None:
            return known
        found = self.elsewhere.find(column, position)
        if found is None:
            return None
        name, certainty = found
        return self.values.intern(name), certainty, int(certainty < MOST_RUN)

    def _opening(self, coder, column, before, path):
        proposals, deepest = self._proposals(column, path)
        value = self._foretold(coder, column, before, path, proposals, deepest)
        keys = [before, 0]
        if value is None:
            value = self.candidates.code(coder, column, keys, before)
        if value is None:
            guide = self.values.value(proposals[0][0]) if proposals else b""
            value = self.values.intern(self.spelling.code(coder, column, before, guide, self.words))
        self.candidates.learn(column, keys, value)
        for position in path:
            known, run, wavers = self._known(column, position) or (value, 0, 0)
            run, wavers = (min(run + 1, MOST_RUN), wavers) if known == value else (1, 1)
            self.known[column, position] = value, run, wavers
        return value

    def _proposals(self, column, path):
        """The values that the positions on the way propose, from the last one back, and the deepest ply of all.

        Each is a value, its run, whether it wavers, the last ply that proposes it, and how many plies do.
        """
        proposals, deepest = {}, 0
        for ply in reversed(range(len(path))):
            known = self._known(column, path[ply])
            if known is None:
                continue
            deepest = max(deepest, ply)
            value, run, wavers = known
            if value in proposals:
                proposals[value][4] += 1
            else:
                proposals[value] = [value, run, wavers, ply, 1]
        return list(proposals.values())[:MOST_PROPOSALS], deepest

    def _foretold(self, coder, column, before, path, proposals, deepest):
        """The first proposal that is right, or None."""
        for rank, (value, run, wavers, ply, support) in enumerate(proposals):
            certainty = run << 1 | wavers
            place = hash32(column, rank)
            contexts = [
                hash32(place, certainty),
                hash32(hash32(column, value), before),
                hash32(place, hash32(min(deepest - ply, 9), min(certainty, 6))),
                hash32(place, hash32(ply, certainty)),
                hash32(hash32(place, value), min(certainty, 4)),
                hash32(place, hash32(support, ply)),
                hash32(hash32(column, value), path[ply]),
            ]
            if self.mixing.code(coder, contexts, FORETOLD, rank * 16 + run):
                return value
        return None
