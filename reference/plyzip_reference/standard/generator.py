"""SplitMix64 with any seed (docs/format/network.md)."""

from ..split_mix import GAMMA, MASK64, split_mix


class SplitMix:
    """Numbers that look random."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        """The next number, modulo a bound."""
        self.state = self.state + GAMMA & MASK64
        # The generator with seed 0 has this state at this place.
        return split_mix(self.state * pow(GAMMA, -1, 1 << 64)) % bound
