"""The range coder's encoding side, for tests: it writes whatever a model codes."""

from plyzip_reference.coder import MASK64


class Encoder:
    """Writes events. Models code with it what they are told."""

    learning = True

    def __init__(self):
        # The lower end of the interval, with all digits before the point too; and how many words these are.
        self.lower = 0
        self.range = MASK64
        self.words = 0

    def _narrow(self, scale, begin, frequency):
        self.lower += scale * begin
        self.range = scale * frequency
        if self.range < 1 << 32:
            self.lower <<= 32
            self.range <<= 32
            self.words += 1

    def bit(self, p_true, told):
        scale = self.range >> 16
        if told:
            self._narrow(scale, 65536 - p_true, p_true)
        else:
            self._narrow(scale, 0, 65536 - p_true)
        return told

    def symbol(self, cumulative, told):
        self._narrow(self.range >> 24, cumulative[told], cumulative[told + 1] - cumulative[told])
        return told

    def finish(self):
        """The stream: the point of the interval with the most trailing zeros, without the zero bytes at its end."""
        bits = 32 * (self.words + 2)
        step = 1 << bits
        while True:
            point = -(-self.lower // step) * step
            if point < self.lower + self.range:
                return point.to_bytes(bits // 8 + 1, "big")[1:].rstrip(b"\0")
            step >>= 1
