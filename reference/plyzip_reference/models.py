"""Models of events that learn: bits, symbols, numbers (docs/format/coder.md)."""

from .errors import Damaged


class BitModel:
    """The probability of a binary event, in units of 2^-22."""

    __slots__ = ("p_true", "seen", "limit")

    def __init__(self, limit=255):
        self.p_true = 1 << 21
        self.seen = 0
        self.limit = limit

    @classmethod
    def having_seen(cls, limit, events, p_true):
        """A model as if it had seen `events`, with this probability in units of 2^-16."""
        model = cls(limit)
        model.p_true = min(p_true, 65535) << 6
        model.seen = min(events, limit)
        return model

    def update(self, bit):
        distance = 2 * ((4194303 if bit else 0) - self.p_true)
        divisor = 2 * self.seen + 3
        # Rounded towards 0.
        self.p_true += distance // divisor if distance >= 0 else -(-distance // divisor)
        if self.seen < self.limit:
            self.seen += 1

    def code(self, coder, told=None):
        bit = coder.bit(min(max(self.p_true >> 6, 1), 65535), told)
        self.update(bit)
        return bit


class SymbolModel:
    """Symbols of so many bits: a bit model for each node of a binary tree."""

    def __init__(self, bits):
        self.bits = bits
        self.tree = {}

    def code(self, coder, told=0):
        node = 1
        for shift in range(self.bits - 1, -1, -1):
            model = self.tree.get(node)
            if model is None:
                model = self.tree[node] = BitModel()
            node = node << 1 | model.code(coder, bool(told >> shift & 1))
        return node - (1 << self.bits)


class NumberModel:
    """Numbers of up to 64 bits."""

    MODELLED = 8

    def __init__(self):
        self.length = SymbolModel(7)
        self.mantissas = {}

    def code(self, coder, told=0):
        length = self.length.code(coder, told.bit_length())
        if length > 64:
            raise Damaged("a number of more than 64 bits")
        if length <= 1:
            return length
        tree = self.mantissas.setdefault(length, {})
        value = node = 1
        for place in range(length - 1):
            told_bit = bool(told >> (length - 2 - place) & 1)
            if place < self.MODELLED:
                model = tree.get(node)
                if model is None:
                    model = tree[node] = BitModel()
                bit = model.code(coder, told_bit)
                node = node << 1 | bit
            else:
                bit = coder.bit(1 << 15, told_bit)
            value = value << 1 | bit
        return value
