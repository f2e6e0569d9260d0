"""The plain features of moves: those that need no search (docs/format/features.md)."""

from bisect import bisect_right

from .bitboards import (
    BISHOP,
    FILES,
    KING,
    KING_ATTACKS,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    attacks,
    bishop_attacks,
    rook_attacks,
    squares,
)
from .exchange import VALUES, exchange, gain, least_valuable
from .position_key import TURN_KEY, piece_key

# The slots of a move's features, in order, with the number of values of each.
SIZES = (
    ("from", 6 * 64),
    ("to", 6 * 64),
    ("from_to", 64 * 64),
    ("capture", 6 * 7 + 4 * 7),
    ("exchange", 2 * 21),
    ("hanging", 6 * 21),
    ("safety", 256),
    ("origin", 256),
    ("threat", 256),
    ("kind", 256),
    ("course", 256),
    ("enemy_king", 6 * 225),
    ("own_king", 6 * 225),
    ("last_arrival", 6 * 225 + 1),
)
SLOTS = {name: slot for slot, (name, _) in enumerate(SIZES)}
# By slot: the first index of its features.
STARTS = [sum(size for _, size in SIZES[:slot]) for slot in range(len(SIZES))]
PLAIN_FEATURES = sum(size for _, size in SIZES)

# Centipawns at which the next class begins.
VALUE_BOUNDS = (10, 50, 120, 200, 270, 350, 450, 550, 700, 950)


def value_bucket(value):
    """Centipawns as one of 21 classes, finer near zero."""
    magnitude = bisect_right(VALUE_BOUNDS, abs(value))
    return 10 - magnitude if value < 0 else 10 + magnitude


def displacement(to, reference):
    """How a square lies to another, as one of 225."""
    return ((to >> 3) + 7 - (reference >> 3)) * 15 + (to & 7) + 7 - (reference & 7)


def _is_cheaper(attacker, role):
    return VALUES[attacker] + 50 < VALUES[role]


def _flags(*set_bits):
    """A number whose bits are these, the lowest first."""
    number = 0
    for bit, is_set in enumerate(set_bits):
        if is_set:
            number |= 1 << bit
    return number


class _Departure:
    """What the features of all moves of one piece share."""

    def __init__(self, view, square, role):
        position = view.position
        at_square = position.attackers(square, position.occupied)
        self.square = square
        self.threats = at_square & view.enemy
        self.guards = at_square & view.own
        cheapest = least_valuable(position, self.threats)
        self.by_cheaper = cheapest is not None and _is_cheaper(cheapest[1], role)
        # What the enemy wins by capturing the piece.
        self.hanging = 0
        if cheapest is not None and role != KING:
            attacker, attacking = cheapest
            self.hanging = exchange(position, attacker, square, 1 - view.turn, VALUES[attacking], VALUES[role])
        self.mobility = attacks(role, view.turn, square, position.occupied).bit_count()


class _Facts:
    """What several features of one move are computed from."""

    def __init__(self, view, move):
        position = view.position
        self.move = move
        self.departure, self.arrival = move.departure, move.arrival()
        self.placed = move.placed()
        without = position.occupied & ~(1 << self.departure)
        # Occupied squares after the move; what castling does to the rook and en passant to the pawn is left out.
        self.after = without | 1 << self.arrival
        at_arrival = position.attackers(self.arrival, without)
        self.threats = at_arrival & view.enemy
        self.guards = at_arrival & view.own & ~(1 << self.departure)
        self.hits = attacks(self.placed, view.turn, self.arrival, self.after)
        self.exchange = gain(move)
        if self.threats and not move.is_castling():
            placed = VALUES[self.placed]
            self.exchange = exchange(position, self.departure, self.arrival, view.turn, placed, self.exchange)


class PlainFeatures:
    """The plain features of the legal moves of the position on the board."""

    def __init__(self, history):
        self.history = history
        self.position = position = history.position
        self.turn = position.turn
        self.own, self.enemy = position.by_color[self.turn], position.by_color[1 - self.turn]
        # Black sees the board upside down.
        self.flip = 0 if self.turn == WHITE else 56
        self.own_king, self.enemy_king = position.king(self.turn), position.king(1 - self.turn)
        # Only a piece that leaves one of these squares can uncover a check.
        self.enemy_king_view = rook_attacks(self.enemy_king, position.occupied)
        self.enemy_king_view |= bishop_attacks(self.enemy_king, position.occupied)
        latest = history.last(0)
        self.last_arrival = None if latest is None else latest.arrival()
        self.recaptures = latest is not None and latest.capture != 0
        self.last_own = history.last(1)
        self.departures = {}

    def of_moves(self):
        """For each legal move in canonical order its features, one for each slot, as indices."""
        return [self._features(move) for move in self.position.legal_moves()]

    def _features(self, move):
        departure = self.departures.get(move.departure)
        if departure is None:
            departure = self.departures[move.departure] = _Departure(self, move.departure, move.role)
        facts = _Facts(self, move)
        role, flip = move.role - 1, self.flip
        from_square, to_square = facts.departure ^ flip, facts.arrival ^ flip
        capture = role * 7 + move.capture
        if move.promotion:
            capture = 42 + (move.promotion - KNIGHT) * 7 + move.capture
        seen_from = lambda square: role * 225 + displacement(to_square, square ^ flip)
        values = (
            role * 64 + from_square,
            role * 64 + to_square,
            from_square * 64 + to_square,
            capture,
            21 * bool(move.capture) + value_bucket(facts.exchange),
            role * 21 + value_bucket(departure.hanging),
            self._safety(facts),
            self._origin(facts, departure),
            self._threat(facts),
            self._kind(facts, departure),
            self._course(facts, departure),
            seen_from(self.enemy_king),
            seen_from(self.own_king),
            6 * 225 if self.last_arrival is None else seen_from(self.last_arrival),
        )
        return [start + value for start, value in zip(STARTS, values)]

    def _safety(self, facts):
        """What attacks and defends the square of arrival."""
        by_role, threats, guards = self.position.by_role, facts.threats, facts.guards
        cheapest = least_valuable(self.position, threats)
        return _flags(
            threats & by_role[PAWN],
            threats & (by_role[KNIGHT] | by_role[BISHOP]),
            threats & (by_role[ROOK] | by_role[QUEEN]),
            threats & by_role[KING],
            guards & by_role[PAWN],
            guards,
            facts.exchange < 0,
            cheapest is not None and _is_cheaper(cheapest[1], facts.move.role),
        )

    def _origin(self, facts, departure):
        """What attacks and defends the square of departure, and whether the piece moved last."""
        threats, last_own = departure.threats, self.last_own
        moved_last = last_own is not None and last_own.arrival() == facts.departure
        return _flags(
            threats,
            departure.by_cheaper,
            departure.guards,
            self.last_arrival is not None and threats >> self.last_arrival & 1,
            moved_last,
            moved_last and last_own.departure == facts.arrival,
            threats & self.position.by_role[PAWN],
            departure.hanging > 0,
        )

    def _threat(self, facts):
        """What the piece attacks after the move."""
        by_role = self.position.by_role
        attacked = facts.hits & self.enemy & ~(1 << facts.arrival)
        return _flags(
            attacked >> self.enemy_king & 1,
            self._uncovers_check(facts),
            attacked & by_role[QUEEN],
            attacked & by_role[ROOK],
            self._any_undefended(attacked & ~by_role[PAWN], facts.after),
            self._any_undefended(attacked & by_role[PAWN], facts.after),
            facts.hits & KING_ATTACKS[self.enemy_king],
            self.last_arrival is not None and attacked >> self.last_arrival & 1,
        )

    def _any_undefended(self, pieces, after):
        return any(not self.position.attackers(square, after) & self.enemy for square in squares(pieces))

    def _uncovers_check(self, facts):
        """Whether another piece attacks the enemy king after the move."""
        if not self.enemy_king_view >> facts.departure & 1:
            return False
        by_role = self.position.by_role
        lines = rook_attacks(self.enemy_king, facts.after) & (by_role[ROOK] | by_role[QUEEN])
        lines |= bishop_attacks(self.enemy_king, facts.after) & (by_role[BISHOP] | by_role[QUEEN])
        return lines & self.own & ~(1 << facts.departure)

    def _kind(self, facts, departure):
        """The kind of move: passed pawn, castling, recapture, direction."""
        by_role, move = self.position.by_role, facts.move
        from_rank, to_rank = (facts.departure ^ self.flip) >> 3, (facts.arrival ^ self.flip) >> 3
        to_last_arrival = self.last_arrival == facts.arrival
        sliders = by_role[BISHOP] | by_role[ROOK] | by_role[QUEEN]
        return _flags(
            move.role == PAWN and self._is_passed(facts.arrival),
            move.is_castling(),
            to_last_arrival,
            to_last_arrival and self.recaptures,
            to_rank > from_rank,
            to_rank < from_rank,
            self._connects(facts),
            departure.guards & sliders,
        )

    def _is_passed(self, square):
        """Whether a pawn on the square has no enemy pawn ahead on its file or on a file beside it."""
        rank, file = (square ^ self.flip) >> 3, square & 7
        for pawn in squares(self.position.by_role[PAWN] & self.enemy):
            if (pawn ^ self.flip) >> 3 > rank and abs((pawn & 7) - file) <= 1:
                return False
        return True

    def _connects(self, facts):
        """Whether an own piece of the same role stands beside the arrival or on its file."""
        neighbours = FILES[facts.arrival & 7] | KING_ATTACKS[facts.arrival]
        others = self.position.by_role[facts.placed] & self.own & ~(1 << facts.arrival | 1 << facts.departure)
        return others & neighbours

    def _course(self, facts, departure):
        """The past of the piece, repetition, mobility, and how many own pieces it defends."""
        defended = (facts.hits & self.own).bit_count()
        change = min(max(facts.hits.bit_count() - departure.mobility, -6), 7)
        return (
            min(self.history.moved[facts.departure], 3)
            | self._repeats(facts) << 2
            | (change + 6) // 2 << 3
            | min(defended, 3) << 6
        )

    def _repeats(self, facts):
        """Whether the position after the move occurred before in the game."""
        move = facts.move
        if self.position.halfmoves < 3 or move.role == PAWN or move.capture or move.is_castling():
            return False
        # Castling rights that the move gives up, and a capture en passant that it forgoes, stay in this key.
        key = self.history.key() ^ TURN_KEY
        key ^= piece_key(self.turn, move.role, facts.departure) ^ piece_key(self.turn, move.role, facts.arrival)
        return self.history.occurrences(key) > 0
