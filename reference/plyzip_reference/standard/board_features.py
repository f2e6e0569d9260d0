"""The features of a position (docs/format/features.md)."""

from bisect import bisect_right

from ..bitboards import FILES, KING, PAWN, attacks, squares
from ..plain_features import value_bucket

SLOTS = 67
PADDING = 3801
ERAS = (
    1900,
    1930,
    1950,
    1970,
    1980,
    1985,
    1990,
    1995,
    2000,
    2004,
    2008,
    2011,
    2013,
    2015,
    2017,
    2019,
    2021,
    2022,
)


def rating_bucket(rating):
    """One of 18, 0 for an unknown rating."""
    return 1 + min(16, (max(rating, 1200) - 1200) // 100) if rating else 0


def year_bucket(year):
    """One of 20, 0 for an unknown year."""
    return 1 + bisect_right(ERAS, year) if year else 0


def steps(value, exact, size, most):
    """The value itself below `exact`, then one number more for every `size`, at most `most`."""
    return value if value < exact else min(exact + (value - exact) // size, most)


def attacked_by(board, color):
    """The squares that a side attacks."""
    found = 0
    for square in squares(board.by_color[color]):
        found |= attacks(board.roles[square], color, square, board.occupied)
    return found


def passed_pawns(board, color):
    """The pawns of a side that no enemy pawn can block or capture."""
    own = board.by_role[PAWN] & board.by_color[color]
    enemy = board.by_role[PAWN] & board.by_color[1 - color]
    passed = []
    for square in squares(own):
        file = square & 7
        files = FILES[file] | (FILES[file - 1] if file else 0) | (FILES[file + 1] if file < 7 else 0)
        rank = square >> 3
        ahead = -1 << 8 * (rank + 1) if color == 0 else (1 << 8 * rank) - 1
        if not enemy & files & ahead:
            passed.append(square)
    return passed


def _pawn_square(square):
    return min(max(square - 8, 0), 47)


def board_features(history, context, tactics):
    position = history.position
    own = position.turn
    flip = 56 * own
    found = [
        3218 + rating_bucket(context.elo[own]),
        3236 + rating_bucket(context.elo[1 - own]),
    ]
    found.append(3254 + steps(history.ply(), 20, 8, 39))
    found.append(3294 + context.result_for(own))
    found.append(3771 + year_bucket(context.year))
    found.append(3791 + 2 * context.pace + context.online)
    found.append(3298 + steps(position.halfmoves, 8, 12, 15))
    found.append(3314 + min(2, history.occurrences(history.key())))
    if position.is_check():
        found.append(3317)
    if own == 0:
        found.append(3318)
    rights = [*position.rooks[own], *position.rooks[1 - own]]
    found += [2816 + place for place, rook in enumerate(rights) if rook is not None]
    en_passant = position.legal_en_passant()
    if en_passant is not None:
        found.append(2820 + (en_passant & 7))
    for n in range(5):
        last = history.last(n)
        if last is not None:
            start = 2828 + 128 * n if n < 3 else 3398 + 128 * (n - 3)
            found += [start + (last.departure ^ flip), start + 64 + (last.arrival() ^ flip)]
    found.append(3654 + value_bucket(tactics.evaluation.total))
    last = history.last(0)
    if last is not None and last.capture:
        found.append(3212 + last.capture - 1)
    found += [
        3319 + value_bucket(tactics.best),
        3340 + value_bucket(tactics.fears),
        3361 + value_bucket(tactics.balance),
    ]
    found.append(3382 + steps(len(tactics.moves), 8, 6, 15))
    attacked = [attacked_by(position, 0), attacked_by(position, 1)]
    for square in squares(position.occupied):
        color, role = position.color_at(square), position.roles[square] - 1
        e, place = int(color != own), square ^ flip
        a, d = attacked[1 - color] >> square & 1, attacked[color] >> square & 1
        if role == 0:
            found.append(4 * (48 * e + _pawn_square(place)) + a + 2 * d)
        elif role == KING - 1 and e:
            found.append(2688 + 2 * place + d)
        else:
            found.append(4 * (96 + 64 * (role - 1 + 5 * e) + place) + a + 2 * d)
    for e, color in enumerate((own, 1 - own)):
        found += [3675 + 48 * e + _pawn_square(square ^ flip) for square in passed_pawns(position, color)]
    found = found[:SLOTS]
    return found + [PADDING] * (SLOTS - len(found))
