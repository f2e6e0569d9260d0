"""What the time that a player takes may depend on, as numbers (docs/format/comments.md)."""

from . import fixed
from .integers import clamped, divided

# One, in the units of features, and how far they go.
ONE = 256
MOST = 6 * ONE
# No time is longer, in sixteenths of a second.
LONGEST = 1 << 40
# The natural logarithms of times are some 0.7 from their mean.
USUAL_SPREAD = 179
LN_2 = 45_426
PAWN, KING = 1, 6


def ln(sixteenths):
    """The natural logarithm of a time in sixteenths of a second, and half a second more; in units of 1/256."""
    return (fixed.log2(clamped(sixteenths, 0, LONGEST) + 8) - 4 * fixed.ONE) * LN_2 >> 24


def fading(moves):
    """e^(-moves / 6) in units of 1/256."""
    return fixed.exp2(min(moves, 1000) * 15_758) >> 23


def describe(play, left, increment, total):
    """The features of the time for the last move, and what chooses the weights of the mixer.

    `left` is on the mover's clock before the move, `increment` is gained with each move, `total` is the time for forty
    moves; all in sixteenths of a second."""
    typical = ln(divided(total, 60))
    own, other = play.sides[play.side()], play.sides[1 - play.side()]
    own_fast, own_slow, own_spread = own.means(typical)
    other_fast, other_slow, _ = other.means(typical)
    (cost, entropy), (_, reply_entropy), (before_cost, _) = play.surprisals()
    last, before = play.moves()
    role = last.role if last else 0
    moves = max(play.ply() - 1, 0) // 2

    def scaled(value, usual, hundredths):
        return divided((value - usual) * hundredths, 100)

    def took(time):
        return typical if time is None else ln(time)

    def surprisal(eighths, usual, hundredths):
        return scaled(eighths * (ONE // 8), usual, hundredths)

    def at_once(time):
        return time is not None and time < 16

    logarithm_left = ln(left)
    pace = ln(divided(left, max(play.moves_left(), 1)) + divided(increment * 9, 10))
    opening = fading(moves)
    recapture = play.is_recapture()
    rating = play.rating()
    features = [
        ONE,
        scaled(own_slow, ONE, 70),
        scaled(own_fast, ONE, 70),
        scaled(took(own.took[0]), ONE, 50),
        scaled(took(own.took[1]), ONE, 40),
        scaled(took(other.took[0]), ONE, 50),
        scaled(other_slow, ONE, 50),
        scaled(logarithm_left, 4 * ONE, 50),
        scaled(pace, ONE, 70),
        scaled(typical, ONE, 70),
        opening * 3 // 2,
        divided(scaled(typical, ONE, 100) * opening, ONE),
        surprisal(cost, 2 * ONE, 30),
        surprisal(entropy, 640, 40),
        surprisal(before_cost, 2 * ONE, 30),
        surprisal(reply_entropy, 640, 30),
        recapture * ONE,
        recapture * scaled(own_slow, ONE, 70),
        ONE * 7 // 10 if last and last.capture else 0,
        ONE * 7 // 10 if role == PAWN else 0,
        ONE * 7 // 10 if role == KING else 0,
        ONE if entropy == 0 and cost == 0 else 0,
        ONE * 7 // 10 if before and before.capture else 0,
        ONE * 3 // 10 if play.wins() else 0,
        divided((own_spread - USUAL_SPREAD) * 3, 2),
        divided((other_fast - own_fast) * 2, 5),
        ONE * 7 // 10 if at_once(own.took[0]) else 0,
        ONE * 7 // 10 if at_once(own.took[0]) and at_once(own.took[1]) else 0,
        divided((rating - 1700) * ONE, 500) if rating > 0 else 0,
    ]
    selectors = [0, max(divided(logarithm_left, ONE), 0), max(divided((own_slow + ONE) * 2, ONE), 0), cost // 16]
    return [clamped(feature, -MOST, MOST) for feature in features], selectors
