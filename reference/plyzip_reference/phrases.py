"""The phrases that layouts are made of (docs/format/layout.md)."""

from .errors import Damaged
from .models import NumberModel, SymbolModel

# What a phrase is about.
GAP, NUMBER, TAG, NAG, SAN = range(5)
TOPICS = 5
# The marks with which phrases begin: regular, and word for word.
REGULAR, LITERAL = b"=", b"#"


class Phrases:
    """All phrases met so far."""

    def __init__(self):
        self.phrases = []
        self.indices = [NumberModel() for _ in range(TOPICS)]
        self.length = NumberModel()
        # Bytes after each byte, and the first bytes of each topic.
        self.bytes = {}
        for phrase in (b"", b" ", b"\n", b"\n\n"):
            self.index(phrase)

    def index(self, phrase):
        """The index of a phrase, which is added if it is new."""
        if phrase not in self.phrases:
            self.phrases.append(phrase)
        return self.phrases.index(phrase)

    def code(self, coder, topic, limit):
        """A phrase without any guess: its index. None has more than `limit` bytes."""
        index = self.indices[topic].code(coder)
        if index > len(self.phrases):
            raise Damaged("a layout phrase that does not exist")
        if index > 0:
            return index - 1
        length = self.length.code(coder)
        if length > limit:
            raise Damaged("a layout phrase longer than its block")
        phrase = bytearray()
        before = topic
        for _ in range(length):
            if before not in self.bytes:
                self.bytes[before] = SymbolModel(8)
            phrase.append(self.bytes[before].code(coder))
            before = TOPICS + phrase[-1]
        return self.index(bytes(phrase))
