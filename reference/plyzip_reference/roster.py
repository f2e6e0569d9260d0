"""Which tags a game has, and in which order (docs/format/tags.md)."""

from .interner import NO_ID
from .mixing import MASK32, ContextMixer, hash32

# Stands for the end of the tags and, as what comes before, for their start.
END = NO_ID
# So many successors of a name are tried.
MOST_TRIED = 24
# Games have no more tags, as a rule; beyond, the game before is no guide.
USUAL = 64
# The column of names in the model of spelling.
COLUMN = 0
# Kinds of events: what follows a name; whether all names are those of the game before.
NEXT, REPEATED = 0, 1


class Roster:
    """Codes the names of a game's tags, each by the names before it."""

    def __init__(self, slot_bits):
        self.mixing = ContextMixer(slot_bits, 5, 2, MOST_TRIED)
        # What has followed a name, the most recent first.
        self.successors = {}
        # The names of the game before.
        self.last = []
        # Whether past games had the names of those before them, the last in bit 0.
        self.repeated = 0

    def code(self, coder, names, spelling, told):
        """The names of one game as numbers of `names`; `told` are those of a game that is told."""
        repeated = self.repeated
        contexts = [repeated & 1, repeated & 7, repeated & 255, 0]
        again = self.mixing.code(coder, contexts, REPEATED, 0, told == self.last)
        self.repeated = (repeated << 1 | again) & MASK32
        if again:
            return list(self.last)
        done = []
        path = 0
        while True:
            before = done[-1] if done else END
            name = self.next(coder, before, path, names, spelling, told[len(done)] if len(done) < len(told) else END)
            successors = self.successors.setdefault(before, [])
            if name in successors:
                successors.remove(name)
                successors.insert(0, name)
            else:
                successors.insert(0, name)
                del successors[MOST_TRIED:]
            if name == END:
                self.last = done
                return done
            path = hash32(path, name)
            done.append(name)

    def expected(self, before):
        """What followed `before` in the game before; the first name of that if nothing did."""
        place = self.last.index(before) + 1 if before in self.last[:USUAL] else 0
        return self.last[place] if place < len(self.last) else END

    def next(self, coder, before, path, names, spelling, told):
        expected = self.expected(before)
        for rank, successor in enumerate(self.successors.get(before, [])):
            as_before = int(successor == expected)
            pair = hash32(before, successor)
            contexts = [
                hash32(rank, as_before),
                pair,
                hash32(pair, as_before),
                hash32(path, successor),
                hash32(pair, expected),
            ]
            if self.mixing.code(coder, contexts, NEXT, rank, told == successor):
                return successor
        # The end as yet another name would be ambiguous, hence a bit.
        if self.mixing.code(coder, [hash32(before, END)] * 5, NEXT, 0, told == END):
            return END
        return names.intern(spelling.code(coder, COLUMN, before, told=names.value(told)))
