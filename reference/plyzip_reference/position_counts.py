"""Counts of the moves played from each position earlier in the page (docs/format/none.md)."""

MAX_COUNTED_MOVES = 1 << 22
MAX_COUNT = (1 << 16) - 1


class PositionCounts:
    """By key: how often each move, by its index in the canonical order, was played."""

    def __init__(self):
        # By key: lists of an index, of which eight bits are kept, and a count, in the order in which they occurred.
        self.counts = {}
        self.size = 0

    def moves(self, key):
        return [(index, count) for index, count in self.counts.get(key, ())]

    def add(self, key, index):
        for counted in self.counts.get(key, ()):
            if counted[0] == index:
                counted[1] = min(counted[1] + 1, MAX_COUNT)
                return
        if self.size < MAX_COUNTED_MOVES:
            self.counts.setdefault(key, []).append([index & 255, 1])
            self.size += 1
