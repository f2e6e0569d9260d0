"""What mixers begin with: the tables of codec/tables/tags.bin (docs/format/mixing.md)."""

from functools import lru_cache

from .dictionary import Dictionary
from .errors import Damaged
from .fields import Fields
from .files import project_file
from .integers import clamped
from .logistic import squash
from .mixing import EVEN, HISTORIES, MASK32, SLOT_LIMIT, Slot, check_of, updated

# The largest table of slots that is made for what was learned before, as a power of two.
MOST_BITS = 18
HISTORY_UNIT = 24
HISTORY_COUNT = 120
COUNTS = [0, 1, 2, 3, 5, 9, 16, 24]
LEVELS = 40
LEVEL_UNIT = 72
# The first code of slots that have seen both bits.
MIXED = 16


def _unpacked():
    """By code of a slot: its estimate and its run."""
    codes = []
    for code in range(256):
        estimate, run = EVEN, 0
        if code < MIXED:
            bit = code & 1
            for _ in range(COUNTS[code >> 1]):
                estimate = updated(estimate, bit, 1023)
                run = bit << 7 | (run & 127) + 1
        else:
            amount, level = divmod(code - MIXED, LEVELS)
            level -= LEVELS // 2
            estimate = squash(level * LEVEL_UNIT + LEVEL_UNIT // 2) << 16 | COUNTS[2 + amount]
            run = (level >= 0) << 7 | 1
        codes.append((estimate, run))
    return codes


_UNPACKED = _unpacked()


class WarmTables:
    """The sections of a file of tables, by name."""

    def __init__(self, data):
        fields = Fields(data)
        if fields.varint() != 1:
            raise Damaged("a file of tables that begins otherwise")
        self.sections = {}
        for _ in range(fields.byte()):
            name = fields.bytes(fields.varint())
            self.sections[name.decode()] = fields.bytes(fields.varint())

    def slot_bits(self, name, games, least, most):
        """How large a table of slots is for so many games, as a power of two; what the section knows has room in it."""
        bits = clamped(games.bit_length() + 8, least, most)
        slots = len(self.sections.get(name, b"")) // 2
        return max(bits, min(slots.bit_length(), MOST_BITS))

    def dictionary(self, column):
        """The words of a column, or None."""
        section = self.sections.get("words:" + column)
        return Dictionary.read(section) if section is not None else None

    def warm(self, name, mixer):
        """Has a fresh mixer begin with what the section of this name holds, if there is one."""
        section = self.sections.get(name)
        if section is not None:
            warm(mixer, Fields(section))


def warm(mixer, fields):
    """Has a fresh mixer begin with what another one of the same shape has learned."""
    if (fields.byte(), fields.byte(), fields.u32()) != (mixer.contexts, mixer.families, mixer.details):
        raise Damaged("tables of a mixer of another shape")
    for of_family in mixer.histories:
        for of_context in of_family:
            levels = fields.bytes(HISTORIES)
            of_context[:] = [
                squash((level - 128) * HISTORY_UNIT + HISTORY_UNIT // 2) << 16 | HISTORY_COUNT for level in levels
            ]

    def weights(count):
        row = fields.bytes(2 * count)
        return [int.from_bytes(row[at : at + 2], "little", signed=True) << 5 for at in range(0, 2 * count, 2)]

    inputs = 2 * mixer.contexts + 2
    mixer.by_family = [weights(inputs) for _ in range(mixer.families)]
    mixer.last = [weights(2) for _ in range(mixer.families)]
    rows = fields.varint()
    mixer.usual = weights(inputs)
    mixer.by_detail = {}
    for _ in range(rows):
        detail = fields.varint()
        row = fields.bytes(inputs)
        mixer.by_detail[detail] = [((byte ^ 128) - 128 << 10) + 512 for byte in row]
    context = 0
    for _ in range(fields.varint()):
        context += fields.varint()
        estimate, run = _UNPACKED[fields.byte()]
        slot = _room(mixer, context)
        if slot is not None:
            slot.estimate, slot.check, slot.run = estimate, check_of(context), run
    if context > MASK32 or not fields.ended():
        raise Damaged("tables of a mixer that go on")


def _room(mixer, context):
    """The slot that a context which was learned before may have: none if both places are taken."""
    first, check = context & mixer.mask, check_of(context)
    one, other = mixer.slots.get(first), mixer.slots.get(first ^ 1)
    count = lambda slot: slot.estimate & 1023 if slot else 0
    checks = lambda slot: slot.check if slot else 0
    if checks(one) == check:
        place, slot = first, one
    elif checks(other) == check:
        place, slot = first ^ 1, other
    else:
        place, slot = (first, one) if count(one) <= count(other) else (first ^ 1, other)
    if count(slot) > 0:
        return None
    if slot is None:
        slot = mixer.slots[place] = Slot(check)
    return slot


@lru_cache(maxsize=None)
def shipped():
    """The tables of this generation."""
    return WarmTables(project_file("codec/tables/tags.bin"))


assert max(COUNTS) <= SLOT_LIMIT
