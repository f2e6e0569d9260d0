"""Integers as the format computes with them (docs/format/coder.md)."""

MOST_I64 = (1 << 63) - 1


def saturated(number):
    """A sum or difference that stays within 64 bits."""
    return max(-MOST_I64 - 1, min(number, MOST_I64))


def divided(number, divisor):
    """A quotient rounded towards 0, for a positive divisor."""
    return number // divisor if number >= 0 else -(-number // divisor)


def clamped(number, least, most):
    """A number kept within bounds."""
    return least if number < least else most if number > most else number
