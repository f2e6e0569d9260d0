"""Keys of positions (docs/format/chess.md)."""

from .bitboards import BLACK, WHITE, squares
from .split_mix import split_mix

# 12 x 64 for pieces on squares, 4 for castling rights, 8 for files of en passant, 1 for the turn.
CONSTANTS = [split_mix(place) for place in range(1, 782)]
CASTLING = 768
EN_PASSANT = 772
TURN_KEY = CONSTANTS[780]


def piece_key(color, role, square):
    """The constant of a piece on a square."""
    return CONSTANTS[(role - 1 + 6 * color) * 64 + square]


def position_key(position):
    """The key of a position."""
    key = 0
    for color in (WHITE, BLACK):
        for square in squares(position.by_color[color]):
            key ^= piece_key(color, position.roles[square], square)
        for side, rook in enumerate(position.rooks[color]):
            if rook is not None:
                key ^= CONSTANTS[CASTLING + 2 * color + side]
    en_passant = position.legal_en_passant()
    if en_passant is not None:
        key ^= CONSTANTS[EN_PASSANT + (en_passant & 7)]
    if position.turn == WHITE:
        key ^= TURN_KEY
    return key
