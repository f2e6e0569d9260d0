"""What goes to numpy. The extension module calls this function."""

from __future__ import annotations

import numpy

#: The type of each column, little end first, and how many of them a position has.
_TYPES = {
    "pieces": ("<u8", 12),
    "turn": ("?", 1),
    "castling": ("u1", 1),
    "en_passant": ("i1", 1),
    "halfmove_clock": ("<u2", 1),
    "move": ("<u2", 1),
    "promotion": ("u1", 1),
    "score": ("<f4", 1),
    "game": ("<i8", 1),
    "ply": ("<i4", 1),
}


def batch(raw: dict[str, bytearray], planes: bool) -> dict[str, numpy.ndarray]:
    """Arrays over the bytes of columns, without a copy; with planes, one of them for each kind of pieces."""
    made = {}
    for name, data in raw.items():
        kind, width = _TYPES[name]
        array = numpy.frombuffer(data, kind)
        made[name] = array.reshape(-1, width) if width > 1 else array
    if planes:
        # A byte is a rank, and its lowest bit the file a.
        ranks = made.pop("pieces").view("u1").reshape(-1, 12, 8, 1)
        made = {"planes": numpy.unpackbits(ranks, axis=3, bitorder="little"), **made}
    return made
