"""What usually happens in a context (docs/format/structure.md)."""

SLOTS = 3
# A count that reaches this halves all of them.
CAP = 16
NOTHING = (1 << 32) - 1


class TopSymbols:
    """The few symbols seen most in one context, of late. The first is the guess for the next time."""

    __slots__ = ("symbols", "counts")

    def __init__(self, guess, habit=False):
        self.symbols = [guess] + [NOTHING] * (SLOTS - 1)
        self.counts = [CAP // 2 if habit else 0] + [0] * (SLOTS - 1)

    def copy(self):
        other = TopSymbols(0)
        other.symbols, other.counts = self.symbols[:], self.counts[:]
        return other

    def guess(self):
        return self.symbols[0]

    def saw(self, symbol):
        symbols, counts = self.symbols, self.counts
        if symbol in symbols:
            slot = symbols.index(symbol)
        else:
            slot = SLOTS - 1
            symbols[slot], counts[slot] = symbol, 0
        counts[slot] += 1
        if counts[slot] >= CAP:
            counts[:] = [count // 2 for count in counts]
        while slot > 0 and counts[slot] >= counts[slot - 1]:
            for row in symbols, counts:
                row[slot], row[slot - 1] = row[slot - 1], row[slot]
            slot -= 1
