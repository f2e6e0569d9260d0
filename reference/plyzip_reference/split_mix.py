"""SplitMix64."""

MASK64 = (1 << 64) - 1
GAMMA = 0x9E37_79B9_7F4A_7C15


def split_mix(place):
    """The number at `place` of the generator with seed 0, counted from 1."""
    z = place * GAMMA & MASK64
    z = (z ^ z >> 30) * 0xBF58_476D_1CE4_E5B9 & MASK64
    z = (z ^ z >> 27) * 0x94D0_49BB_1331_11EB & MASK64
    return z ^ z >> 31
