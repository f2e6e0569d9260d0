"""Values that a column has had before (docs/format/tags.md)."""

from .mixing import ContextMixer, hash32

MOST_RUN = 6
# So many recent values are tried after those that the keys propose.
MOST_RECENT = 30
# Kinds of binary events.
KEYED, RECENT, WHICH = range(3)


class Column:
    """What a column has had."""

    def __init__(self):
        # The most recent first.
        self.recent = []
        # What the last values were found by, 4 bits each.
        self.outcomes = 0

    def found_by(self, outcome):
        self.outcomes = (self.outcomes << 4 | outcome) & 0xFFFF_FFFF


class Candidates:
    """Codes values that are, under some key, what they were before."""

    def __init__(self, slot_bits):
        self.mixing = ContextMixer(slot_bits, 6, 3, 256)
        # By column, kind of key and key: the value, how often in a row, and whether it has ever been another.
        self.last_values = {}
        self.columns = {}

    def code(self, coder, column, keys, hint, told=None):
        """The number of a value that a key proposes or that is recent; None if it is neither."""
        mixing = self.mixing
        # By value: the keys that propose it as bits, and how sure the first of them is.
        proposals = {}
        known = 0
        for kind, key in enumerate(keys):
            last = self.last_values.get((column, kind, key))
            if last is None:
                continue
            known |= 1 << kind
            value, run, wavers = last
            if value in proposals:
                proposals[value][0] |= 1 << kind
            else:
                proposals[value] = [1 << kind, run << 1 | wavers]
        state = self.columns.setdefault(column, Column())
        outcomes = state.outcomes
        family = hash32(column, 0) & 255
        for rank, (value, (proposing, strength)) in enumerate(proposals.items()):
            agreement = hash32(proposing, known << 4 | rank)
            contexts = [
                hash32(column, agreement),
                hash32(hash32(column, agreement), strength),
                hash32(column, value),
                hash32(hash32(column, outcomes & 0xFFF), proposing),
                hash32(hash32(column, hint), value),
                hash32(hash32(column, hash32(outcomes & 0xF, strength)), agreement),
            ]
            if mixing.code(coder, contexts, KEYED, family + min(rank, 3), told == value):
                state.found_by(min(rank + 1, 7))
                return value
        left = [value for value in state.recent[:MOST_RECENT] if value not in proposals]
        if not left:
            state.found_by(15)
            return None
        size = len(state.recent)
        contexts = [
            hash32(column, outcomes & 0xFF),
            hash32(column, known),
            hash32(column, size),
            hash32(column, hint),
            hash32(column, outcomes & 0xFFF),
            hash32(column, 0),
        ]
        if mixing.code(coder, contexts, RECENT, family, told not in left):
            state.found_by(15)
            return None
        for rank, value in enumerate(left):
            contexts = [
                hash32(column, rank),
                hash32(column, value),
                hash32(hash32(column, rank), known),
                hash32(hash32(column, value), hint),
                hash32(column, size),
                hash32(hash32(column, outcomes & 0xFF), rank),
            ]
            last = rank == len(left) - 1
            if last or mixing.code(coder, contexts, WHICH, family + min(rank, 15), told == value):
                state.found_by(min(8 + rank, 14))
                return value
        return None

    def learn(self, column, keys, value):
        """Takes note of a value."""
        for kind, key in enumerate(keys):
            place = (column, kind, key)
            last, run, wavers = self.last_values.get(place, (value, 0, 0))
            if last == value:
                self.last_values[place] = (value, min(run + 1, MOST_RUN), wavers)
            else:
                self.last_values[place] = (value, 1, 1)
        recent = self.columns.setdefault(column, Column()).recent
        if value in recent:
            recent.remove(value)
            recent.insert(0, value)
        else:
            recent.insert(0, value)
            del recent[MOST_RECENT + 8 :]
