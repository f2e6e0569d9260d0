"""The opening book: counts of the moves from positions that many games share (docs/format/none.md)."""

from functools import cache

from .files import project_file

VERSION = 1
BUCKETS = 1 << 16
ESCAPE = 3


def count_of(class_):
    """The count of a class, in quarters of a game: 2^(class / 2), rounded."""
    root = 46_341 if class_ % 2 else 1 << 15
    return ((root << class_ // 2) + (1 << 14)) >> 15


class OpeningBook:
    """By the first 32 bits of a position's key: its moves with their counts, and the count of all others."""

    def __init__(self, data):
        if data[0] != VERSION:
            raise ValueError("a book of another version")
        self.entries = {}
        at = 1
        for bucket in range(BUCKETS):
            positions = data[at]
            at += 1
            for _ in range(positions):
                key = bucket << 16 | int.from_bytes(data[at : at + 2], "little")
                at = self._read(data, at + 2, key)
        if at != len(data):
            raise ValueError("bytes behind the last bucket")

    def _read(self, data, at, key):
        """Reads one position; where the next one begins."""
        head, index, class_ = data[at : at + 3]
        at += 3
        moves = [(index, count_of(class_))]
        for _ in range(head & 15):
            index, less = data[at] & 63, data[at] >> 6
            at += 1
            if less == ESCAPE:
                less = data[at]
                at += 1
            class_ -= less
            moves.append((index, count_of(class_)))
        self.entries[key] = moves, (1 << (head >> 4)) >> 1
        return at

    def find(self, key):
        """The moves of a position, as (index in the canonical order, count), and the count of the others."""
        return self.entries.get(key >> 32, ([], 0))


@cache
def built_in():
    """The book that is part of the generation."""
    return OpeningBook(project_file("codec/tables/book.bin"))
