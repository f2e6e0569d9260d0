"""The names of players who have not played before (docs/format/tags.md)."""

from . import warm
from .coder import Decoder
from .errors import Damaged
from .models import NumberModel
from .spelling import Spelling


class NewPlayers:
    """The names of players who have not played before: a stream of their own."""

    CONTEXTS = 6

    def __init__(self, data, games):
        tables = warm.shipped()
        self.coder = Decoder(data)
        # Names that are still to come.
        self.left = NumberModel().code(self.coder) if data else 0
        bits = tables.slot_bits("tags.players.new", games, 15, 20)
        self.spelling = Spelling(bits, self.CONTEXTS)
        self.words = tables.dictionary("")
        # What the last name looked like; 0 before the first.
        self.style = 0
        tables.warm("tags.players.new", self.spelling.mixing)

    def next(self):
        """The next name."""
        if self.left == 0:
            raise Damaged("fewer names than players")
        self.left -= 1
        name = self.spelling.code(self.coder, self.style, 0, words=self.words)
        self.style = 1 if b"," in name else 2 if b" " in name else 3
        return name
