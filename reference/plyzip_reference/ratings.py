"""Ratings, and how a game changes them (docs/format/tags.md)."""

from . import number_forms as forms
from .errors import Damaged
from .integers import clamped, divided
from .logistic import squash
from .mixing import hash32
from .tag_values import DIFF, IS_NUMBER, near, spell

# Ratings of frequent players are kept in steps of 8, from 1000 on.
RATING_STEP, LEAST_RATING = 8, 1000


def elo(tagger, coder, side, column, known, told):
    """A rating: its number."""
    player = known.player(side)
    keys = [hash32(player, known.event), player]
    number = tagger.candidates.code(coder, column, keys, 0, tagger.values.find(told))
    if number is None:
        number = unknown_elo(tagger, coder, column, player, known, told)
    tagger.candidates.learn(column, keys, number)
    rating = forms.read(forms.Integer, tagger.values.value(number))
    if rating is not None:
        known.elos[side] = tagger.last_numbers[column] = tagger.players.elos[player] = rating
    return number


def unknown_elo(tagger, coder, column, player, known, told):
    """A rating that the player has not had before."""
    seen = tagger.players.elos.get(player)
    own = known_rating(tagger, player) if seen is None else seen
    other = next((rating for rating in known.elos if rating is not None), None)
    candidates = (own, other, tagger.last_numbers.get(column))
    base = next((rating for rating in candidates if rating is not None), 0)
    kind = (own is not None) << 1 | (other is not None) | (seen is not None) << 2
    contexts = [
        hash32(column, kind),
        hash32(hash32(column, kind), base // 100),
        hash32(hash32(column, kind), known.event),
    ]
    number = near(tagger, coder, column, forms.Integer, base, contexts, told)
    return spell(tagger, coder, column, player, told) if number is None else number


def known_rating(tagger, player):
    """What is known of the rating of a frequent player, or None."""
    column = tagger.names.find(b"")
    words = tagger.dictionaries.get(column)
    index = words.find(tagger.values.value(player)) if words else None
    if index is None or index >= len(tagger.ratings) or tagger.ratings[index] == 0:
        return None
    return LEAST_RATING + RATING_STEP * tagger.ratings[index]


def rating_diff(tagger, coder, side, column, known, told):
    """How the game changes a rating: its number."""
    number = forms.read(forms.Signed, told)
    detail = DIFF + side
    if not tagger.numbers.code(coder, [hash32(column, 1)], IS_NUMBER, detail, number is not None):
        return spell(tagger, coder, column, 0, told)
    ahead = clamped((known.elos[side] or 0) - (known.elos[1 - side] or 0), -800, 800)
    # The expected score in units of 2^-16: 400 points are a factor of 10.
    expected = squash(divided(ahead * 1473, 1000))
    result = tagger.result_place(known.result)
    score = 1 if result == 2 else 2 if result == side else 0
    base = 11 * (score * (1 << 15) - expected) + (1 << 15) >> 16
    outcome = score | (result is not None) << 2
    opposite = known.diffs[1 - side]
    opposite = 999 if opposite is None else clamped(opposite, -99, 99)
    contexts = [
        outcome,
        hash32(outcome, base),
        hash32(outcome, opposite),
        hash32(hash32(outcome, base), opposite),
        hash32(known.player(side), outcome),
        hash32(outcome, divided(ahead, 10)),
    ]
    delta = tagger.numbers.number(coder, contexts, DIFF, detail, (number or 0) - base)
    diff = known.diffs[side] = clamped(delta, -1 << 40, 1 << 40) + base
    value = forms.Signed.spell(diff)
    if value is None:
        raise Damaged("a rating difference out of range")
    return tagger.values.intern(value)
