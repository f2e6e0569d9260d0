"""In which order the players of an event are tried (docs/format/tags.md)."""

from typing import NamedTuple

from .integers import clamped, divided
from .logistic import stretch
from .models import BitModel

TRAITS = 5
LIMIT = 1023


class View(NamedTuple):
    """What is known of the game whose player is sought."""

    side: int
    round: int
    # The points that the player is likely to have, doubled.
    points: int
    # White's rating, where Black is sought.
    elo: int | None


def round_bit(number):
    return 1 << number if 1 <= number < 64 else 0


class Order:
    """How likely an entrant is to play next, learned from a few of their traits, each taken by itself."""

    def __init__(self):
        # By side, trait and class: whether such an entrant was the one.
        self.models = {}

    def model(self, *place):
        if place not in self.models:
            self.models[place] = BitModel(LIMIT)
        return self.models[place]

    def chances(self, view, entrants, white):
        """The entrants but White, the likeliest first: score, entrant, classes."""
        found = []
        for recency, entrant in enumerate(entrants):
            if entrant.player != white:
                of_traits = classes(view, recency, entrant)
                models = [self.model(view.side, trait, place) for trait, place in enumerate(of_traits)]
                odds = [stretch(clamped(model.p_true >> 6, 1, 65535)) for model in models]
                found.append((sum(odds), entrant, of_traits))
        return sorted(found, key=lambda chance: -chance[0])

    def learn(self, side, chances, found):
        """Takes note of who it was: the one at this place."""
        for place, (_, _, of_traits) in enumerate(chances):
            for trait, of_trait in enumerate(of_traits):
                self.model(side, trait, of_trait).update(place == found)


def classes(view, recency, entrant):
    """The classes of an entrant's traits."""
    playing = int(entrant.rounds & round_bit(view.round) != 0)
    gap = clamped(view.round - entrant.last_round, -3, 3) + 3
    colour = int(entrant.side == view.side)
    behind = clamped(view.points - entrant.points, -6, 12) + 6
    difference = 25
    if view.elo is not None and entrant.elo is not None:
        difference = clamped(divided(entrant.elo - view.elo, 40), -12, 12) + 12
    return (
        min(recency, 31) | playing << 5,
        gap | colour << 3 | playing << 4,
        behind | playing << 5,
        difference | playing << 5,
        min(entrant.games, 31) | colour << 5,
    )
