"""The range coder's decoding side (docs/format/coder.md)."""

from .errors import Damaged

MASK64 = (1 << 64) - 1
# So many zero bytes at the end of a stream are not written.
IMPLIED_ZEROS = 32


class Decoder:
    """Reads events from the bytes of a stream. What is `told` is for those who tell it: here it is not looked at."""

    learning = True

    def __init__(self, data):
        padded = bytes(data) + bytes(-len(data) % 4) + bytes(IMPLIED_ZEROS)
        self.words = [int.from_bytes(padded[at : at + 4], "big") for at in range(0, len(padded), 4)]
        # The code point less the lower end of the interval: the interval itself begins wherever it likes.
        self.offset = self.words[0] << 32 | self.words[1]
        self.range = MASK64
        self.next_word = 2

    def _narrow(self, scale, begin, frequency):
        self.offset -= scale * begin
        self.range = scale * frequency
        if self.range < 1 << 32:
            if self.next_word == len(self.words):
                raise Damaged("entropy-coded data that breaks off")
            self.offset = self.offset << 32 | self.words[self.next_word]
            self.range <<= 32
            self.next_word += 1

    def bit(self, p_true, told=None):
        """A binary event with probability `p_true` / 2^16 of being true."""
        scale = self.range >> 16
        p_false = 65536 - p_true
        place = self.offset // scale
        if place >= 65536:
            raise Damaged("invalid entropy-coded data")
        if place >= p_false:
            self._narrow(scale, p_false, p_true)
            return True
        self._narrow(scale, 0, p_false)
        return False

    def symbol(self, cumulative, told=None):
        """One of the symbols of a table of cumulative frequencies, from 0 to 2^24."""
        scale = self.range >> 24
        place = self.offset // scale
        if place >= 1 << 24:
            raise Damaged("invalid entropy-coded data")
        low, high = 0, len(cumulative) - 1
        while high - low > 1:
            middle = (low + high) // 2
            if cumulative[middle] <= place:
                low = middle
            else:
                high = middle
        self._narrow(scale, cumulative[low], cumulative[low + 1] - cumulative[low])
        return low


class Silent:
    """In place of a decoder where games are told beforehand: nothing is read, and mixers do not learn."""

    learning = False

    def bit(self, p_true, told=None):
        return told

    def symbol(self, cumulative, told=None):
        return told


class Recorded:
    """In place of a decoder where events were recorded: a bit each, the highest of the first byte first."""

    learning = True

    def __init__(self, data):
        self.data = data
        self.at = 0

    def bit(self, p_true, told=None):
        bit = self.data[self.at >> 3] >> (7 - (self.at & 7)) & 1
        self.at += 1
        return bool(bit)
