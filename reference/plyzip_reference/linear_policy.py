"""The linear policy: what predicts moves where there is no network (docs/format/none.md)."""

from functools import cache, reduce
from operator import or_

import numpy as np

from .bitboards import BISHOP, KING, KNIGHT, PAWN, ROOK, WHITE, attacks, squares
from .exchange import VALUES
from .files import project_file
from .plain_features import PLAIN_FEATURES, SLOTS, STARTS

PIECES = 6 * 64
REPLY_CLASSES = PIECES + 1
# Groups of properties, in order, with the number of values of each.
SIZES = (
    ("piece", 2 * PIECES),
    ("last", 2 * REPLY_CLASSES),
    ("last_from", PIECES + 1),
    ("recapture", 64),
    ("hanging", 2 * PIECES),
    ("attacked", 2 * PIECES),
    ("ply", 24),
    ("castling", 16),
    ("en_passant", 8),
    ("result", 4),
    ("phase", 12),
    ("check", 2),
    ("balance", 15),
    ("rating", 8),
)
FIRST = {name: sum(size for _, size in SIZES[:place]) for place, (name, _) in enumerate(SIZES)}
PROPERTIES = sum(size for _, size in SIZES)
# Ratings at which the next class begins.
RATINGS = (2000, 2200, 2350, 2450, 2550, 2650)
# What each role adds to the phase.
PHASE = (0, 0, 1, 1, 2, 4, 0)

CAPTURES = 6 * 7 + 4 * 7
ATTRIBUTES = 2 * PIECES + CAPTURES
# Plies at which the next stage begins.
STAGE_STARTS = (8, 14, 20, 30, 44, 64, 90)
# A weight of 1 is 2^-5 nat.
WEIGHT_SHIFT = 16 - 5


@cache
def _weights():
    """The weights of pairs, by property and attribute, and those of features, by stage."""
    table = np.frombuffer(project_file("codec/tables/policy.bin"), dtype=np.int8)
    pairs = PROPERTIES * ATTRIBUTES
    stages = len(STAGE_STARTS) + 1
    if len(table) != pairs + stages * PLAIN_FEATURES:
        raise ValueError("a linear policy of another size")
    return table[:pairs].reshape(PROPERTIES, ATTRIBUTES), table[pairs:].reshape(stages, PLAIN_FEATURES)


def reply_class(history, back):
    """Piece and square of arrival of the move so many plies ago, seen from the side to move."""
    last = history.last(back)
    if last is None:
        return REPLY_CLASSES - 1
    flip = 0 if history.position.turn == WHITE else 56
    return (last.role - 1) * 64 + (last.arrival() ^ flip)


def _attacked_by(position, color):
    """By role: the squares that a side's pieces of this role attack."""
    found = [0] * 7
    for square in squares(position.by_color[color]):
        role = position.roles[square]
        found[role] |= attacks(role, color, square, position.occupied)
    return found


def _by_cheaper(attacked, role):
    """The squares that pieces cheaper than `role` attack, of a side that attacks these."""
    if role in (PAWN, KING):
        return 0
    cheaper = attacked[PAWN]
    if role >= ROOK:
        cheaper |= attacked[KNIGHT] | attacked[BISHOP]
    if role > ROOK:
        cheaper |= attacked[ROOK]
    return cheaper


def properties(history, context):
    """The properties of a position."""
    position = history.position
    own = position.turn
    flip = 0 if own == WHITE else 56
    found = []
    add = lambda group, value: found.append(FIRST[group] + value)
    place = lambda role, square: (role - 1) * 64 + (square ^ flip)
    sides = (own, 1 - own)
    attacked = [_attacked_by(position, side) for side in sides]
    everywhere = [reduce(or_, by_role) for by_role in attacked]
    phase = balance = 0
    for side, color in enumerate(sides):
        for role in range(1, 7):
            pieces = position.by_role[role] & position.by_color[color]
            phase += PHASE[role] * pieces.bit_count()
            if role != KING:
                balance += (1 - 2 * side) * VALUES[role] * pieces.bit_count()
            hanging = _by_cheaper(attacked[1 - side], role) | everywhere[1 - side] & ~everywhere[side]
            for square in squares(pieces):
                piece = side * PIECES + place(role, square)
                add("piece", piece)
                if role != KING and everywhere[1 - side] >> square & 1:
                    add("hanging" if hanging >> square & 1 else "attacked", piece)
    for back in range(2):
        add("last", back * REPLY_CLASSES + reply_class(history, back))
    last = history.last(0)
    add("last_from", PIECES if last is None else place(last.role, last.departure))
    if last is not None and last.capture:
        add("recapture", last.arrival() ^ flip)
    add("ply", min(history.ply() // 5, 23))
    rights = [rook is not None for side in sides for rook in position.rooks[side]]
    add("castling", sum(right << bit for bit, right in enumerate(rights)))
    en_passant = position.legal_en_passant()
    if en_passant is not None:
        add("en_passant", en_passant & 7)
    add("result", context.result_for(own))
    add("phase", min(phase // 2, 11))
    add("check", int(position.is_check()))
    # Rounded towards 0.
    pawns = abs(balance) // 100 * (1 if balance > 0 else -1)
    add("balance", min(max(pawns, -7), 7) + 7)
    rating = context.elo[own]
    add("rating", 0 if rating == 0 else 1 + sum(rating >= start for start in RATINGS))
    return found


def attributes(features):
    """The attributes of a move with these plain features."""
    to, departure, capture = (features[SLOTS[name]] - STARTS[SLOTS[name]] for name in ("to", "from", "capture"))
    return to, PIECES + departure, 2 * PIECES + capture


def logits(history, context, moves):
    """The logit of each move with these plain features, in units of 2^-16 nat."""
    of_pairs, of_stages = _weights()
    sums = of_pairs[properties(history, context)].sum(axis=0, dtype=np.int32)
    stage = sum(history.ply() >= start for start in STAGE_STARTS)
    of_features = of_stages[stage][np.array(moves)].sum(axis=1, dtype=np.int32).tolist()
    sums = sums.tolist()
    return [
        (sum(sums[attribute] for attribute in attributes(features)) + learned) << WEIGHT_SHIFT
        for features, learned in zip(moves, of_features)
    ]
