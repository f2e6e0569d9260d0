"""What positions are called elsewhere: a section of codec/tables/tags.bin (docs/format/late-tags.md)."""

from .dictionary import Dictionary
from .errors import Damaged
from .fields import Fields
from .mixing import hash32


class KnownPositions:
    """By column and position: the name that games with this position have most often, and how sure that is."""

    def __init__(self, data):
        fields = Fields(data)
        self.names = [fields.bytes(fields.varint()) for _ in range(fields.varint())]
        self.entries = {}
        key = 0
        for _ in range(fields.varint()):
            key += fields.varint()
            naming = fields.varint()
            self.entries[key] = self.names[naming >> 4], naming & 15
        if not fields.ended():
            raise Damaged("openings that go on")

    def find(self, column, position):
        """Name and certainty, below 16, of the position with this key, or None."""
        return self.entries.get(hash32(hash32(column, position), position >> 32))

    def words(self):
        """All names as words that are equally frequent."""
        words = sorted(set(self.names))
        return Dictionary(words, [1] * len(words))
