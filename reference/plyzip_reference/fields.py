"""Fields of bytes, read one after the other."""

from .errors import Damaged


class Fields:
    """Reads fields from bytes."""

    def __init__(self, data, at=0):
        self.data = data
        self.at = at

    def bytes(self, length):
        if length > len(self.data) - self.at:
            raise Damaged("a field longer than what holds it")
        self.at += length
        return self.data[self.at - length : self.at]

    def byte(self):
        return self.bytes(1)[0]

    def u32(self):
        return int.from_bytes(self.bytes(4), "little")

    def i64(self):
        return int.from_bytes(self.bytes(8), "little", signed=True)

    def varint(self):
        number = shift = 0
        while True:
            byte = self.byte()
            if shift == 63 and byte & 127 > 1:
                raise Damaged("a number of more than 64 bits")
            number |= (byte & 127) << shift
            if not byte & 128:
                if byte == 0 and shift:
                    raise Damaged("a number with needless zeros")
                return number
            shift += 7
            if shift > 63:
                raise Damaged("a number of more than 64 bits")

    def rest(self):
        return self.bytes(len(self.data) - self.at)

    def ended(self):
        return self.at == len(self.data)
