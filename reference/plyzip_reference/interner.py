"""Values by number (docs/format/tags.md)."""

from .mixing import hash32, hash_bytes

NO_ID = (1 << 32) - 1


class Interner:
    """Gives equal values equal numbers, and others others."""

    def __init__(self):
        self.ids = {}
        self.values = {}
        # How many numbers were drawn for values whose hash was taken.
        self.drawn = 0

    def intern(self, value):
        """The number of a value, a new one if need be."""
        number = self.ids.get(value)
        if number is not None:
            return number
        number = hash_bytes(value)
        while number == NO_ID or number in self.values:
            self.drawn += 1
            number = hash32(self.drawn, 0x1D)
        self.values[number] = value
        self.ids[value] = number
        return number

    def find(self, value):
        """The number of a value, if it has one."""
        return self.ids.get(value)

    def value(self, number):
        return self.values.get(number, b"")
