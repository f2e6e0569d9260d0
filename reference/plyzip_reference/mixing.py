"""Binary events predicted from many contexts at once (docs/format/mixing.md)."""

from .errors import Damaged
from .integers import clamped
from .logistic import MAX_STRETCH, SQUASH, STRETCH

MASK32 = (1 << 32) - 1
MASK64 = (1 << 64) - 1


def hash32(a, b):
    """Mixes two numbers, taken modulo 2^32, into a hash of 32 bits."""
    mixed = ((a & MASK32) << 32 | b & MASK32) ^ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 29) * 0xBF58_476D_1CE4_E5B9 & MASK64
    mixed = (mixed ^ mixed >> 32) * 0x94D0_49BB_1331_11EB & MASK64
    return mixed >> 32


def hash_bytes(data):
    """A hash of bytes."""
    result = len(data)
    for byte in data:
        result = hash32(result, byte)
    return result


EVEN = 1 << 31
HISTORIES = 64
# The bits of a history that tell, if both are set, that it knows one bit only.
ALWAYS = 0b110
SLOT_LIMIT = 250
HISTORY_LIMIT = 500
BIAS = 256
# By the number of events seen: how much their odds count, in units of 1/256.
CONFIDENCE = [0, 128, 160, 180, 195, 205, 212, 218, 224, 229, 234, 239, 243, 248, 252] + [256] * 1100
RECIPROCAL = [(2 << 16) // (2 * n + 3) for n in range(1024)]
RATE = 24
LAST_RATE = 8
MOST_WEIGHT = 1 << 20
# So many slots lie together.
GROUP = 8


def history_of_nothing(history):
    """What to expect after a history: that what was always so stays so, the surer the longer."""
    if history & ALWAYS != ALWAYS:
        return EVEN
    p_last = (128, 200, 220, 230, 238, 246, 252, 254)[history >> 3] << 24
    return p_last if history & 1 else -p_last & MASK32


def updated(estimate, bit, limit):
    """An estimate, 22 bits of probability above 10 bits of count, after one more event."""
    p, count = estimate >> 10, estimate & 1023
    p += ((4194303 if bit else 0) - p) * RECIPROCAL[count] >> 16
    return p << 10 | min(count + 1, limit)


def history_class(count, run):
    """The past of a slot in 64 classes: how much of it, and whether it was always the same."""
    if count <= 3:
        amount = count
    elif count <= 6:
        amount = 4
    elif count <= 14:
        amount = 5
    elif count <= 49:
        amount = 6
    else:
        amount = 7
    length = run & 127
    if length >= min(count, 127):
        same = 3
    elif length <= 1:
        same = 0
    elif length <= 3:
        same = 1
    else:
        same = 2
    return amount << 3 | same << 1 | run >> 7


# By count << 8 | run.
HISTORY_CLASS = [history_class(count, run) for count in range(SLOT_LIMIT + 1) for run in range(256)]


class Slot:
    """What one context knows."""

    __slots__ = ("estimate", "check", "run")

    def __init__(self, check):
        self.estimate = EVEN
        self.check = check
        self.run = 0


class ContextMixer:
    """Mixes what several contexts say of a binary event."""

    # So many binary digits of a number are learned.
    DIGITS = 10

    def __init__(self, slot_bits, contexts, families, details):
        self.mask = (1 << slot_bits) - 1
        self.contexts = contexts
        self.families = families
        self.details = details
        # By place. A place that is not here has an empty slot.
        self.slots = {}
        fresh = [history_of_nothing(history) for history in range(HISTORIES)]
        self.histories = [[list(fresh) for _ in range(contexts)] for _ in range(families)]
        self.usual = [(1 << 16) * 3 // 4 // max(contexts, 1)] * (2 * contexts + 2)
        self.by_family = [list(self.usual) for _ in range(families)]
        # By detail; one that is not here has the usual weights.
        self.by_detail = {}
        self.last = [[1 << 15, 1 << 15] for _ in range(families)]

    def find(self, context):
        """The slot of a context: its own, or else the one of two candidates that knows less, emptied."""
        first = context & self.mask
        check = check_of(context)
        slots = self.slots
        one = slots.get(first)
        if one is None:
            if check == 0:
                return self.new(first, check)
        elif one.check == check:
            return one
        other = slots.get(first ^ 1)
        if other is None:
            if check == 0:
                return self.new(first ^ 1, check)
        elif other.check == check:
            return other
        if one is None:
            return self.new(first, check)
        if other is None and one.estimate & 1023:
            return self.new(first ^ 1, check)
        victim = one if other is None or one.estimate & 1023 <= other.estimate & 1023 else other
        victim.estimate, victim.check, victim.run = EVEN, check, 0
        return victim

    def new(self, place, check):
        slot = self.slots[place] = Slot(check)
        return slot

    def event(self, coder, contexts, advice, family, detail, told=None):
        """Codes a binary event and learns from it; `contexts` are those of its slots."""
        if not coder.learning:
            return told
        family %= self.families
        detail %= self.details
        histories = self.histories[family]
        inputs, slots = [], []
        for context, of_context in zip(contexts, histories):
            slot = self.find(context)
            slots.append(slot)
            estimate = slot.estimate
            count = estimate & 1023
            inputs.append(STRETCH[estimate >> 16] * CONFIDENCE[count] >> 8)
            inputs.append(STRETCH[of_context[HISTORY_CLASS[count << 8 | slot.run]] >> 16])
        inputs.append(BIAS)
        inputs.append(clamped(advice, -MAX_STRETCH, MAX_STRETCH))

        by_family = self.by_family[family]
        by_detail = self.by_detail.get(detail)
        if by_detail is None:
            by_detail = self.by_detail[detail] = list(self.usual)
        sums = (weighted(inputs, by_family), weighted(inputs, by_detail))
        last = self.last[family]
        p_true = SQUASH[weighted(sums, last) + MAX_STRETCH]

        bit = coder.bit(p_true, told)

        target = 65536 if bit else 0
        learn(inputs, by_family, (target - SQUASH[sums[0] + MAX_STRETCH]) * RATE)
        learn(inputs, by_detail, (target - SQUASH[sums[1] + MAX_STRETCH]) * RATE)
        learn(sums, last, (target - p_true) * LAST_RATE)
        for slot, of_context in zip(slots, histories):
            run = slot.run
            estimate = slot.estimate
            history = HISTORY_CLASS[(estimate & 1023) << 8 | run]
            of_context[history] = updated(of_context[history], bit, HISTORY_LIMIT)
            slot.estimate = updated(estimate, bit, SLOT_LIMIT)
            length = min((run & 127) + 1, 127) if run >> 7 == bit else 1
            slot.run = bit << 7 | length
        return bit

    def code(self, coder, contexts, family, detail, told=None):
        """A binary event by itself."""
        return self.event(coder, numbered(contexts), 0, family, detail, told)

    def byte(self, coder, contexts, family, detail):
        """A byte, the highest bit first."""
        return self.byte_at(coder, Nodes(contexts), 0, family, detail)

    def byte_at(self, coder, nodes, tree, family, detail):
        """A byte with contexts that other events share, from which `tree` tells it."""
        value = 1
        for depth in range(8):
            here = nodes.at(*node(tree, value, depth))
            value = value << 1 | self.event(coder, here, 0, family, detail << 8 | value)
        return value & 255

    def number(self, coder, contexts, family, detail, told=0):
        """A number: whether it is 0, its sign, its length and its digits in base 2."""
        nodes = Nodes(contexts)

        def event(group, place, bit):
            return self.event(coder, nodes.at(group, place), 0, family, detail, bit)

        if event(0, 0, told == 0):
            return 0
        negative = event(0, 1, told < 0)
        size = abs(told)
        length = 1
        while not event((length + 1) // GROUP, (length + 1) % GROUP, length >= size.bit_length()):
            length += 1
            if length > 62:
                raise Damaged("a number of more than 62 bits")
        value = 1
        for depth in range(length - 1):
            if depth < self.DIGITS:
                group, place = node(length, value, depth)
            else:
                group, place = length << 16 | 1 << 15 | depth, 1
            value = value << 1 | event(group, place, bool(size >> (length - 2 - depth) & 1))
        return -value if negative else value


def numbered(contexts):
    """Contexts, each with its number mixed in."""
    return [hash32(context, i) for i, context in enumerate(contexts)]


def check_of(context):
    """What tells the contexts of a slot apart."""
    return context >> 16 ^ (context & GROUP - 1) << 13


def node(tree, value, depth):
    """The group and the place of a node of a binary tree; `value` is 1 followed by the turns to it, `depth` of them."""
    below = depth % 3
    return tree << 16 ^ value >> below, 1 << below | value & (1 << below) - 1


class Nodes:
    """The contexts of something that is coded as several binary events: the nodes of a tree on the way to its leaf."""

    def __init__(self, contexts):
        self.contexts = numbered(contexts)
        self.group, self.here = None, []

    def at(self, group, place):
        """The contexts at a node."""
        if group != self.group:
            self.group = group
            self.here = [hash32(context, group) & ~(GROUP - 1) for context in self.contexts]
        return [context | place for context in self.here]


def weighted(inputs, weights):
    """A sum of log odds, kept within what can be squashed."""
    total = 0
    for x, weight in zip(inputs, weights):
        total += x * (weight + 32 >> 6)
    total >>= 10
    return -MAX_STRETCH if total < -MAX_STRETCH else MAX_STRETCH if total > MAX_STRETCH else total


def learn(inputs, weights, error):
    """Moves weights so that the sum errs less."""
    error >>= 6
    for i, x in enumerate(inputs):
        weight = weights[i] + (x * error + 8192 >> 14)
        weights[i] = -MOST_WEIGHT if weight < -MOST_WEIGHT else MOST_WEIGHT if weight > MOST_WEIGHT else weight
