"""Words that are frequent in a column, as advice on the next byte (docs/format/mixing.md)."""

from bisect import bisect_left

from .errors import Damaged
from .fields import Fields
from .logistic import stretch

# Log odds for what all words that match agree on.
AGREED = 1400
LAST = 0x80
ESCAPE = 0x1F


class Dictionary:
    """Words in order, each with how often it is to be expected."""

    def __init__(self, words, weights):
        self.words = words
        # The weights of all words before each word, and of all.
        self.sums = [0]
        for weight in weights:
            self.sums.append(self.sums[-1] + weight)

    @classmethod
    def read(cls, data):
        fields = Fields(data)
        words, weights = [], []
        before = b""
        for _ in range(fields.varint()):
            head = fields.byte()
            word = bytearray(before[: head >> 4])
            escaped = 0
            while True:
                byte = fields.byte()
                if byte & 127 == ESCAPE and byte < LAST:
                    escaped = LAST
                    continue
                word.append(byte & 127 | escaped)
                escaped = 0
                if byte >= LAST:
                    break
            before = bytes(word)
            words.append(before)
            weights.append(1 << (head & 15))
        if not fields.ended():
            raise Damaged("words that go on")
        return cls(words, weights)

    def find(self, word):
        """The number of a word, or None."""
        index = bisect_left(self.words, word)
        return index if index < len(self.words) and self.words[index] == word else None

    def all(self):
        """All words as those that match: the first, the one behind the last, and the length of what they begin with."""
        return (0, len(self.words), 0)

    def next(self, matching, byte):
        """Those of the words that have this byte next."""
        low, high, place = matching
        low = self._partition(low, high, place, byte)
        return (low, self._partition(low, high, place, byte + 1), place + 1)

    def following(self, matching):
        """The letters that the text may go on with, None for its end, each with how often it is to be expected."""
        low, high, place = matching
        while low < high:
            letter = self.words[low][place] if place < len(self.words[low]) else None
            end = self._partition(low, high, place, 0 if letter is None else letter + 1)
            yield letter, self.sums[end] - self.sums[low]
            low = end

    def _partition(self, low, high, place, bound):
        """The first of some words whose byte at `place` is not below `bound`; that of a word that has ended is -1."""
        words = self.words
        while low < high:
            middle = (low + high) // 2
            word = words[middle]
            if (word[place] if place < len(word) else -1) < bound:
                low = middle + 1
            else:
                high = middle
        return low


def match_class(matching):
    """How many words match: 0 for none, 1 for one, 2 for up to 20, 3 for more."""
    count = matching[1] - matching[0]
    return count if count < 2 else 2 if count <= 20 else 3


def odds(yes, no):
    if yes == 0 and no == 0:
        return 0
    if no == 0:
        return AGREED
    if yes == 0:
        return -AGREED
    p_true = min(max((yes << 16) // (yes + no), 1), 65535)
    return min(max(stretch(p_true), -AGREED), AGREED)
