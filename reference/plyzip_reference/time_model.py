"""How likely a player takes so many seconds over a move (docs/format/comments.md)."""

from .files import project_file
from .integers import clamped
from .logistic import squash
from .time_features import ln

FEATURES = 29
# Bins that have weights of their own; later ones share the last.
BINS = 28
RATIOS = 24
RATIO_STEP = 89
LEAST_RATIO = -6 * RATIO_STEP
# The first bins have ratios of their own.
COARSE_BINS = 2
BIAS = 77
# Of the first layer of the mixer: bins and selectors of each set.
SET_SIZES = ((BINS, 1), (11, 12), (7, 16), (4, 8))
INPUTS = 3
WEIGHT_BITS = 20
MOST_LOGIT = 2300
MOST_WEIGHT = 8 << WEIGHT_BITS
# Of the regressions by bin and by ratio, and of the two layers of the mixer.
BY_BIN_RATE, BY_RATIO_RATE, MIX_RATE, LAST_RATE = 12, 35, 4, 2


def first_second(time_bin):
    """The first second of a bin: seconds up to 8, then two bins for each doubling."""
    return time_bin if time_bin <= 8 else (8 + 4 * (time_bin % 2)) << (time_bin - 8) // 2


def bin_bits(time_bin):
    """How many binary digits tell the second within a bin."""
    return (first_second(time_bin + 1) - first_second(time_bin)).bit_length() - 1


def limited(logit):
    return clamped(logit, -MOST_LOGIT, MOST_LOGIT)


def dot(weights, inputs):
    return limited(sum(w * x for w, x in zip(weights, inputs)) >> WEIGHT_BITS)


def learn(weights, inputs, logit, bit, rate):
    """Moves weights along the gradient of what `bit` cost with `logit`."""
    error = ((bit << 16) - squash(logit)) * rate
    for i, x in enumerate(inputs):
        weights[i] = clamped(weights[i] + (error * x + (1 << 13) >> 14), -MOST_WEIGHT, MOST_WEIGHT)


def ratio_place(ratio):
    """The place below a ratio, and how far it is on the way to the next, in units of 1/256."""
    place, beyond = divmod(clamped(ratio - LEAST_RATIO, 0, (RATIOS - 1) * RATIO_STEP - 1), RATIO_STEP)
    return place, beyond * 256 // RATIO_STEP


class TimeModel:
    """The predictor of times."""

    def __init__(self):
        data = project_file("codec/tables/clocks.bin")
        weights = [int.from_bytes(data[at : at + 2], "little", signed=True) << 8 for at in range(0, len(data), 2)]
        rest = iter(weights)

        def rows(count, length):
            return [[next(rest) for _ in range(length)] for _ in range(count)]

        self.by_bin = rows(BINS, FEATURES)
        [self.by_feature] = rows(1, FEATURES)
        # Of the coarse bins second, as the file has them.
        self.by_place = rows(2, RATIOS)
        self.sets = [rows(bins * selected, INPUTS) for bins, selected in SET_SIZES]
        self.last = rows(BINS, len(SET_SIZES))

    def code(self, coder, features, selectors, usual, most):
        """The bin of a time, of which 0 holds all below one second. No time is longer than `most` seconds."""
        time_bin = 0
        while first_second(time_bin + 1) <= most:
            ratio = ln(16 * first_second(time_bin + 1) - 8) - usual
            if not self.event(coder, features, selectors, ratio, time_bin):
                break
            time_bin += 1
        return time_bin

    def event(self, coder, features, selectors, ratio, time_bin):
        """Whether a time is longer than those of a bin."""
        own = min(time_bin, BINS - 1)
        by_bin = self.by_bin[own]
        place, share = ratio_place(ratio)
        by_place = self.by_place[1 if time_bin < COARSE_BINS else 0]
        here, shares = by_place[place : place + 2], [256 - share, share]
        logits = [dot(by_bin, features), limited(dot(self.by_feature, features) + dot(here, shares))]
        inputs = [*logits, BIAS]
        chosen = [
            rows[min(time_bin, bins - 1) * selected + min(choice, selected - 1)]
            for rows, choice, (bins, selected) in zip(self.sets, selectors, SET_SIZES)
        ]
        votes = [dot(weights, inputs) for weights in chosen]
        last = self.last[own]
        logit = dot(last, votes)

        longer = coder.bit(clamped(squash(logit), 1 << 4, (1 << 16) - (1 << 4)))

        learn(last, votes, logit, longer, LAST_RATE)
        for weights, vote in zip(chosen, votes):
            learn(weights, inputs, vote, longer, MIX_RATE)
        learn(by_bin, features, logits[0], longer, BY_BIN_RATE)
        learn(self.by_feature, features, logits[1], longer, BY_RATIO_RATE)
        learn(here, shares, logits[1], longer, BY_RATIO_RATE)
        by_place[place : place + 2] = here
        return longer
