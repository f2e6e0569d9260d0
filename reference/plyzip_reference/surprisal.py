"""How a move compared with its prediction (docs/format/moves.md)."""

from .fixed import ONE, log2

# By the eight bits below the leading one: the logarithm of a number between 1 and 2, in units of 2^-8 bit.
LOG2 = [log2(256 + index) - 8 * ONE >> 8 for index in range(256)]


def _cost(frequency):
    """The bits that a symbol of this frequency out of 2^24 costs, in units of 2^-8, rounded up."""
    length = frequency.bit_length() - 1
    digits = frequency << (31 - length) >> 23 & 255
    return (24 - length << 8) - LOG2[digits]


def surprisal(cumulative, played):
    """What a move cost, and what it was expected to cost, both in units of 1/8 bit."""
    entropy = 0
    for low, high in zip(cumulative, cumulative[1:]):
        # What is rarer than one in a thousand adds next to nothing.
        if high - low >= 1 << 14:
            entropy += (high - low) * _cost(high - low)
    cost = _cost(cumulative[played + 1] - cumulative[played])
    return min(cost >> 5, 255), min(entropy >> 24 + 5, 255)
