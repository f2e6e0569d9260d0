"""Which games repeat others of their block (docs/format/repeats.md)."""

from bisect import bisect_left
from typing import NamedTuple

from .coder import Decoder
from .errors import Damaged
from .models import BitModel, NumberModel

NEAR = 64


class Repeat(NamedTuple):
    """What a game repeats."""

    # The number in the block of an earlier game that repeats none.
    of: int
    has_tags: bool
    has_tokens: bool


def decode(data, games):
    """For each of so many games what it repeats, or None."""
    if not data:
        return [None] * games
    coder, model = Decoder(data), Model()
    return [model.code(coder, number) for number in range(games)]


class Model:
    """Everything that is learned of repeats."""

    def __init__(self):
        self.repeats = [BitModel() for _ in range(4)]
        self.follows, self.has_tags, self.has_tokens = [[BitModel(), BitModel()] for _ in range(3)]
        self.is_near = BitModel()
        self.distance = NumberModel()
        # The numbers of the games that repeat none.
        self.originals = []
        # The place among them of the one behind that which was repeated last.
        self.next = 0
        self.history = 0
        self.has_followed = False
        self.last = Repeat(0, False, False)

    def code(self, coder, number, told=None):
        """What a game repeats, or None."""
        is_repeat = self.repeats[self.history].code(coder, told is not None)
        self.history = self.history << 1 & 3 | is_repeat
        if not is_repeat:
            self.originals.append(number)
            return None
        told = told or Repeat(0, False, False)
        place = self._place(coder, bisect_left(self.originals, told.of))
        if place >= len(self.originals):
            raise Damaged("a game that repeats none")
        self.next = place + 1
        has_tags = self.has_tags[self.last.has_tags].code(coder, told.has_tags)
        has_tokens = self.has_tokens[self.last.has_tokens].code(coder, told.has_tokens)
        self.last = Repeat(self.originals[place], has_tags, has_tokens)
        return self.last

    def _place(self, coder, told):
        self.has_followed = self.follows[self.has_followed].code(coder, told == self.next)
        if self.has_followed:
            return self.next
        ahead = told - self.next
        if self.is_near.code(coder, 1 <= ahead <= NEAR):
            return self.next + self.distance.code(coder, max(ahead, 0))
        place = 0
        for shift in reversed(range(max(len(self.originals) - 1, 0).bit_length())):
            place = place << 1 | coder.bit(1 << 15, bool(told >> shift & 1))
        return place


def start(game):
    """What tells the position that a game begins with."""
    return game.tag("FEN"), game.tag("Variant")
