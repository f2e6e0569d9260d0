"""What the searches of a line share: transposition table and history (docs/format/search.md)."""

from .nnue import divide

MAX_TABLE_ENTRIES = 32_768
AGING_PENALTY = 4
MATE_DISTANCE_THRESHOLD = 19_000
EXACT, LOWER, UPPER = range(3)

# Key, value, move, depth, bound, search.
EMPTY = (0, 0, None, -1, UPPER, 0)


class SearchState:
    def __init__(self, node_limit):
        size = 1
        while size < min(max(node_limit, 2), MAX_TABLE_ENTRIES):
            size *= 2
        self.table = [EMPTY] * size
        self.history = {}
        self.search = 0

    def start_search(self):
        self.search = (self.search + 1) % 256
        self.table = [EMPTY if entry[5] == self.search else entry for entry in self.table]
        self.history = {place: divide(number, 2) for place, number in self.history.items()}

    def _worth(self, entry):
        return entry[3] - (0 if entry[5] == self.search else AGING_PENALTY)

    def slot(self, key):
        slot = key % len(self.table)
        one, other = self.table[slot], self.table[slot ^ 1]
        if one[0] != key and (other[0] == key or self._worth(other) < self._worth(one)):
            return slot ^ 1
        return slot


def to_table(value, ply):
    if abs(value) > MATE_DISTANCE_THRESHOLD:
        return value + ply if value > 0 else value - ply
    return value


def from_table(value, ply):
    if abs(value) > MATE_DISTANCE_THRESHOLD:
        return value - ply if value > 0 else value + ply
    return value
