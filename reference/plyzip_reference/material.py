"""Material with which neither side can win (docs/format/chess.md)."""

from .bitboards import DARK_SQUARES, LIGHT_SQUARES


def is_insufficient_material(position):
    """Whether neither side can win, as far as the material alone shows."""
    _, pawns, knights, bishops, rooks, queens, _ = position.by_role
    if pawns | rooks | queens:
        return False
    if knights:
        return position.occupied.bit_count() == 3
    return not bishops & DARK_SQUARES or not bishops & LIGHT_SQUARES
