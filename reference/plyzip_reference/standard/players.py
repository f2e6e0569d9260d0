"""The keys of players (docs/format/standard.md)."""

from ..player import player_key

SPACE = b" \t\n\x0c\r"


def _letters(name):
    return bytes(byte for byte in name.lower() if byte > 127 or chr(byte).isalnum())


def repertoire_key(name):
    """The key by which a player's repertoire is found, or None."""
    name = name.strip(SPACE)
    if b"," in name:
        surname, _, given = name.partition(b",")
    else:
        given, _, surname = name.rpartition(b" ")
    surname, given = _letters(surname), _letters(given)
    return player_key(surname + b"," + given[:1]) if surname else None
