"""The logistic function and its inverse as tables of integers (docs/format/coder.md)."""

MAX_STRETCH = 3071


def _powers():
    """e^(-k/256) in units of 2^-62, for k from 0 to MAX_STRETCH."""
    unit = 1 << 62
    step = term = unit
    n = 1
    while term > 0:
        term //= 256 * n
        step += -term if n % 2 else term
        n += 1
    powers = [unit]
    for _ in range(MAX_STRETCH):
        powers.append(powers[-1] * step >> 62)
    return powers


_POWERS = _powers()


def _squashed(power):
    whole = (1 << 62) + power
    return min(((1 << 78) + whole // 2) // whole, 65535)


_SQUASH = [_squashed(power) for power in _POWERS]


def _stretched(count, scale):
    table = [MAX_STRETCH] * count
    k = 0
    for index in range(count - 1, 0, -1):
        p = index * scale
        while k < MAX_STRETCH and _POWERS[k] * (65536 - p) > p << 62:
            k += 1
        table[index] = k
    return table


_FINE = _stretched(4096, 1)
_COARSE = _stretched(2049, 16)


def _stretch(p):
    small = min(p, 65536 - p)
    odds = _FINE[small] if small < 4096 else _COARSE[small >> 4]
    return -odds if p <= 32768 else odds


# By probability in units of 2^-16: the log odds in units of 1/256.
STRETCH = [_stretch(p) for p in range(65536)]
# By log odds + MAX_STRETCH: the probability.
SQUASH = [65536 - p for p in reversed(_SQUASH[1:])] + _SQUASH


def stretch(p):
    """The log odds of a probability below 2^16."""
    return STRETCH[p]


def squash(log_odds):
    """The probability of log odds."""
    return SQUASH[min(max(log_odds, -MAX_STRETCH), MAX_STRETCH) + MAX_STRETCH]
