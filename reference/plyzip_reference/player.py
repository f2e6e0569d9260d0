"""The key of a player's name (docs/format/none.md)."""

from .split_mix import split_mix


def player_key(name):
    """The key of a name as the tag spells it; never 0."""
    key = 1
    for byte in name:
        key = split_mix(key ^ byte)
    return max(key, 1)
