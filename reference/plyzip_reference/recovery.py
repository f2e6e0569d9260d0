"""Recovery records (docs/format/recovery.md): damage in place is made good; missing or extra bytes are not."""

import struct
from dataclasses import dataclass
from zlib import crc32

from . import blake3
from .errors import Damaged

MAGIC = b"\xc1PLR"
NAME = "plyzip/recovery"
HEADER = struct.Struct("<4sBBIQ16sI")
ORDER = 0xFFFF


def _powers():
    powers, element = [], 1
    for _ in range(ORDER):
        powers.append(element)
        element <<= 1
        if element >> 16:
            element ^= 0x1100B
    return powers


POWERS = _powers()
LOGARITHMS = {element: exponent for exponent, element in enumerate(POWERS)}


def times(a, b):
    return POWERS[(LOGARITHMS[a] + LOGARITHMS[b]) % ORDER] if a and b else 0


def over(a, b):
    return POWERS[(LOGARITHMS[a] - LOGARITHMS[b]) % ORDER] if a else 0


def value_at(polynomial, x):
    """The value of a polynomial, whose constant term comes first."""
    value = 0
    for term in reversed(polynomial):
        value = times(value, x) ^ term
    return value


def product(a, b, terms):
    """The first terms of a product of polynomials, constant term first."""
    result = [0] * terms
    for i, factor in enumerate(a):
        for j, term in enumerate(b[: terms - i]):
            result[i + j] ^= times(factor, term)
    return result


@dataclass
class Record:
    """A record in a file: what its headers say, and where its parity begins."""

    parity: int
    depth: int
    length: int
    hash: bytes
    begin: int

    @property
    def column_bytes(self):
        return 2 * self.depth

    @property
    def parity_bytes(self):
        return self.column_bytes * self.parity

    @property
    def data_columns(self):
        return -(-self.length // self.column_bytes)

    @property
    def columns(self):
        return self.data_columns + self.parity

    def header(self, place):
        fields = HEADER.pack(MAGIC, place, self.parity, self.depth, self.length, self.hash, 0)[:-4]
        return fields + struct.pack("<I", crc32(fields))

    def location(self, column):
        return POWERS[self.columns - 1 - column]


def records(data):
    """The records of a file, by those of their headers that are whole."""
    found = []
    at = data.find(MAGIC)
    while at >= 0:
        header = data[at : at + HEADER.size]
        if len(header) == HEADER.size and crc32(header[:-4]) == struct.unpack("<I", header[-4:])[0]:
            _, place, parity, depth, length, digest, _ = HEADER.unpack(header)
            columns = length // (2 * depth) + parity if depth else ORDER
            if place < 2 and parity > 1 and columns < ORDER and 2 * depth * parity <= 64 << 20:
                begin = at - 2 * depth * parity if place else at + HEADER.size
                record = Record(parity, depth, length, digest, begin)
                if record not in found:
                    found.append(record)
        at = data.find(MAGIC, at + 1)
    return found


def carrier(record, data):
    """The archive without games that carries the record of these bytes."""
    parity = remainders(record, data)
    columns = b"".join(struct.pack("<H", parity[r][j]) for j in range(record.parity) for r in range(record.depth))
    file = record.header(0) + columns + record.header(1)
    section = bytes([7, len(NAME)]) + NAME.encode() + blake3.digest(file) + varint(len(file)) + file
    section += struct.pack("<I", crc32(section))
    end = bytes([4, 0, 1]) + varint(len(section)) + blake3.digest(b"")
    end += struct.pack("<I", crc32(end))
    return b"\xc1PLZ\x03\x01\x00" + section + end + struct.pack("<I", len(end))


def varint(number):
    spelled = b""
    while number > 0x7F:
        spelled += bytes([number & 0x7F | 0x80])
        number >>= 7
    return spelled + bytes([number])


def codewords(record, data, parity=b""):
    """The symbols of each codeword, those of the data and as many of the parity as there are."""
    padded = data.ljust(record.data_columns * record.column_bytes, b"\0") + parity
    symbols = struct.unpack(f"<{len(padded) // 2}H", padded)
    return [list(symbols[r :: record.depth]) for r in range(record.depth)]


def remainders(record, data):
    """The parity of each codeword, highest power first."""
    generator = [1]
    for exponent in range(record.parity):
        generator = product([POWERS[exponent], 1], generator, len(generator) + 1)
    generator = generator[-2::-1]
    found = []
    for codeword in codewords(record, data):
        remainder = [0] * record.parity
        for symbol in codeword:
            factor = symbol ^ remainder[0]
            remainder = remainder[1:] + [0]
            if factor:
                remainder = [term ^ times(factor, of_g) for term, of_g in zip(remainder, generator)]
        found.append(remainder)
    return found


def shortest_register(sequences):
    """The length and the connections of the shortest register that produces all sequences (Feng and Tzeng)."""
    connections, length = [1], 0
    # For each sequence: connections and length before it last made the register longer, the discrepancy, and when.
    before = [([], 0, 1, 0) for _ in sequences]
    for count in range(1, len(sequences[0]) + 1):
        for number, sequence in enumerate(sequences):
            if count <= length:
                continue
            discrepancy = 0
            for connection, symbol in zip(connections, reversed(sequence[:count])):
                discrepancy ^= times(connection, symbol)
            if not discrepancy:
                continue
            old, old_length, old_discrepancy, when = before[number]
            grown = count - (when - old_length)
            if grown > length:
                before[number] = (list(connections), length, discrepancy, count)
                length = grown
            if old:
                shifted = [0] * (count - when) + [times(over(discrepancy, old_discrepancy), term) for term in old]
                terms = max(len(connections), len(shifted))
                connections = [
                    a ^ b
                    for a, b in zip(
                        connections + [0] * (terms - len(connections)), shifted + [0] * (terms - len(shifted))
                    )
                ]
    while connections[-1] == 0:
        connections.pop()
    return length, connections


def changes(record, syndromes):
    """What was added to which columns of codewords with these syndromes; None if that is not known."""
    length, locator = shortest_register(syndromes)
    most = min(len(syndromes) * record.parity // (len(syndromes) + 1), record.parity - 1)
    if length > most or len(locator) != length + 1:
        return None
    places = [i for i in range(record.columns) if value_at(locator, over(1, record.location(i))) == 0]
    if len(places) != length:
        return None
    derivative = [term if power % 2 else 0 for power, term in enumerate(locator)][1:]
    added = []
    for of_codeword in syndromes:
        evaluator = product(locator, of_codeword, record.parity)
        if any(evaluator[length:]):
            return None
        found = {}
        for column in places:
            inverse = over(1, record.location(column))
            value = value_at(evaluator[:length], inverse)
            found[column] = over(times(record.location(column), value), value_at(derivative, inverse))
        added.append(found)
    return added


def repair_record(record, data, parity):
    """The protected bytes as they were written."""
    words = codewords(record, data, parity)
    syndromes = {
        r: [value_at(word[::-1], POWERS[exponent]) for exponent in range(record.parity)] for r, word in enumerate(words)
    }
    damaged = [r for r in syndromes if any(syndromes[r])]
    group = len(damaged)
    while damaged and group:
        left = []
        for first in range(0, len(damaged), group):
            some = damaged[first : first + group]
            added = changes(record, [syndromes[r] for r in some])
            if added is None:
                left += some
                continue
            for r, columns in zip(some, added):
                for column, change in columns.items():
                    words[r][column] ^= change
        # Together, then each by itself.
        group = 1 if group > 1 else 0
        damaged = left
    symbols = [words[r][column] for column in range(record.data_columns) for r in range(record.depth)]
    repaired = struct.pack(f"<{len(symbols)}H", *symbols)[: record.length]
    if damaged or blake3.digest(repaired) != record.hash:
        raise Damaged("more than its recovery record can make good")
    return repaired


def repair(data):
    """A file with a record at its end, with all damage made good that left the number of its bytes as it was."""
    for record in reversed(records(data)):
        before = len(carrier_front(record))
        begin = record.begin - before - record.length
        if begin < 0:
            continue
        protected = data[begin : begin + record.length]
        repaired = repair_record(record, protected, data[record.begin : record.begin + record.parity_bytes])
        return data[:begin] + repaired + carrier(record, repaired)
    raise Damaged("no recovery record")


def carrier_front(record):
    """As many bytes as the carrier has before the parity."""
    file_bytes = record.parity_bytes + 2 * HEADER.size
    return bytes(7 + 2 + len(NAME) + 16 + len(varint(file_bytes)) + HEADER.size)
