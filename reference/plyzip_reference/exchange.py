"""Values of pieces and static exchange evaluation (docs/format/chess.md)."""

from .bitboards import BISHOP, KING, KNIGHT, QUEEN, ROOK, bishop_attacks, first, rook_attacks

# By role, in centipawns.
VALUES = (0, 100, 320, 330, 500, 900, 10_000)
MAX_DEPTH = 31


def gain(move):
    """What a move wins if nothing is taken back, in centipawns."""
    return VALUES[move.capture] + (VALUES[move.promotion] - 100 if move.promotion else 0)


def least_valuable(position, pieces):
    """Square and role of the least valuable of some pieces, the first of them; None if there are none."""
    for role in range(1, 7):
        found = pieces & position.by_role[role]
        if found:
            return first(found), role
    return None


def exchange(position, departure, arrival, mover, placed, captured):
    """What `mover` wins by an exchange on the square of arrival, in centipawns."""
    by_role = position.by_role
    gains = [captured]
    occupied = position.occupied & ~(1 << departure | 1 << arrival)
    side = 1 - mover
    on_square = placed
    attackers = position.attackers(arrival, occupied) & occupied
    while len(gains) <= MAX_DEPTH:
        found = least_valuable(position, attackers & position.by_color[side])
        if found is None:
            break
        square, role = found
        if role == KING and attackers & position.by_color[1 - side]:
            break
        gains.append(on_square - gains[-1])
        on_square = VALUES[role]
        occupied &= ~(1 << square)
        # A piece behind the one that has captured now attacks too.
        if role not in (KNIGHT, ROOK):
            attackers |= bishop_attacks(arrival, occupied) & (by_role[BISHOP] | by_role[QUEEN])
        if role in (ROOK, QUEEN, KING):
            attackers |= rook_attacks(arrival, occupied) & (by_role[ROOK] | by_role[QUEEN])
        attackers &= occupied
        side = 1 - side
    while len(gains) > 1:
        last = gains.pop()
        gains[-1] = -max(-gains[-1], last)
    return gains[0]
