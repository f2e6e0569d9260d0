"""Exponentials, logarithms and tables of frequencies in fixed point (docs/format/coder.md)."""

from math import isqrt

ONE = 1 << 16
LOG2_E = 94_548


def _powers(shift):
    """2^(-i / 2^shift) in units of 2^-31 for i below 256."""
    roots = [1 << 61]
    for _ in range(shift):
        roots.append(isqrt(roots[-1] << 62))
    table = []
    for index in range(256):
        value = 1 << 62
        for bit in range(max(shift - 7, 1), shift + 1):
            if index >> (shift - bit) & 1:
                value = value * roots[bit] >> 62
        table.append(value >> 31)
    return table


_COARSE = _powers(8)
_FINE = _powers(16)


def exp2(x):
    """2^-x for x >= 0 in units of 2^-16, times 2^31."""
    whole = x >> 16
    if whole >= 31:
        return 0
    return (_COARSE[x >> 8 & 255] * _FINE[x & 255]) >> (31 + whole)


def log2(value):
    """log2 of a number, in units of 2^-16, rounded down; that of 0 is 0."""
    value = max(value, 1)
    whole = value.bit_length() - 1
    mantissa = value >> (whole - 31) if whole >= 31 else value << (31 - whole)
    result = whole
    for _ in range(16):
        mantissa = mantissa * mantissa >> 31
        result <<= 1
        if mantissa >= 1 << 32:
            mantissa >>= 1
            result |= 1
    return result


def nats_to_bits(nats):
    return nats * LOG2_E >> 16


def softmax(logits):
    """Probabilities in units of 2^-31, proportional to 2^logit."""
    largest = max(logits)
    probabilities = [exp2(largest - logit) for logit in logits]
    scale = (1 << 62) // max(sum(probabilities), 1)
    return [p * scale >> 31 for p in probabilities]


def frequencies(probabilities):
    """Cumulative frequencies from 0 to 2^24 of probabilities in units of 2^-31."""
    total = 1 << 24
    spread = total - len(probabilities)
    shares = [1 + (p * spread >> 31) for p in probabilities]
    likeliest = probabilities.index(max(probabilities))
    shares[likeliest] += total - sum(shares)
    cumulative = [0]
    for share in shares:
        cumulative.append(cumulative[-1] + share)
    return cumulative
