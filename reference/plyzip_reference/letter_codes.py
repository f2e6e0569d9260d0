"""Prefix codes of letters (docs/format/tags.md)."""

import heapq
from functools import lru_cache

from . import warm

# What a text may go on with besides a byte: its end; a byte that has no leaf.
END, ESCAPE = 256, 257
LETTERS = 258
KINDS = 59
# The columns whose words tell how often a letter follows another.
COLUMNS = ("", "Site")
KIND_OF_SIGN = {ord(" "): 54, ord(","): 55, ord("."): 56, ord("-"): 57}


def kind(before):
    """The kind of the letter before, None at the start of a text."""
    if before is None:
        return 0
    if ord("a") <= before <= ord("z"):
        return 1 + before - ord("a")
    if ord("A") <= before <= ord("Z"):
        return 27 + before - ord("A")
    if ord("0") <= before <= ord("9"):
        return 53
    return KIND_OF_SIGN.get(before, 58)


def usual(letter):
    """How often a letter is taken to have been seen beforehand; 0 if it has no leaf."""
    if letter in (END, ESCAPE):
        return 16 if letter == END else 2
    character = chr(letter)
    if character in "0123456789 ,.-":
        return 16
    if "a" <= character <= "z":
        return 8
    if "A" <= character <= "Z":
        return 4
    return int("!" <= character <= "~")


@lru_cache(maxsize=None)
def trees():
    """The trees after all kinds of letters."""
    counts = [[usual(letter) for letter in range(LETTERS)] for _ in range(KINDS)]
    for column in COLUMNS:
        words = warm.shipped().dictionary(column)
        for word, below, weight in zip(words.words, words.sums, words.sums[1:]):
            weight -= below
            before = None
            for byte in word:
                counts[kind(before)][byte if usual(byte) else ESCAPE] += weight
                before = byte
            counts[kind(before)][END] += weight
    return [Tree(number, of_kind) for number, of_kind in enumerate(counts)]


class Tree:
    """The Huffman code of so many of each letter."""

    def __init__(self, number, counts):
        heap = [(count, letter) for letter, count in enumerate(counts) if count]
        heapq.heapify(heap)
        made = []
        while len(heap) > 1:
            (first, a), (second, b) = heapq.heappop(heap), heapq.heappop(heap)
            made.append((a, b))
            heapq.heappush(heap, (first + second, LETTERS + len(made) - 1))
        # By inner node, the root first and the others level by level: where `false` and `true` lead, the number of an
        # inner node or -1 less the letter.
        self.branches = []
        # By inner node: its group and its place in that.
        self.places = [(number << 8, 1)]
        # By letter: the pairs of node and turn on the way to it.
        self.ways = {}
        order = [(len(made) - 1, ())]
        for here, (inner, way) in enumerate(order):
            leads = []
            for turn, below in enumerate(made[inner]):
                way_below = (*way, (here, turn))
                if below < LETTERS:
                    self.ways[below] = way_below
                    leads.append(-1 - below)
                    continue
                group, place = self.places[here]
                node = len(self.places)
                self.places.append((group, place << 1 | turn) if place < 4 else (number << 8 | node, 1))
                order.append((below - LETTERS, way_below))
                leads.append(node)
            self.branches.append(leads)
