"""The reranker: a second network, which ranks moves by what the search found (docs/format/analysis.md)."""

from bisect import bisect_right

import numpy as np

from ..errors import Damaged
from ..fixed import nats_to_bits

LOSS = (
    1,
    4,
    8,
    12,
    16,
    20,
    25,
    30,
    36,
    42,
    50,
    58,
    66,
    75,
    85,
    95,
    110,
    125,
    140,
    160,
    180,
    200,
    225,
    250,
    275,
    300,
    350,
    400,
    600,
    1000,
)
VALUE = (
    -1000,
    -600,
    -400,
    -300,
    -220,
    -160,
    -120,
    -90,
    -65,
    -45,
    -28,
    -12,
    0,
    1,
    13,
    29,
    46,
    66,
    91,
    121,
    161,
    221,
    301,
    401,
    601,
)
RISE = (-300, -150, -80, -50, -30, -15, -5, 6, 16, 31, 51, 81, 151, 301, 1000)
STEP = (
    -300,
    -150,
    -100,
    -80,
    -60,
    -45,
    -35,
    -25,
    -18,
    -12,
    -7,
    -3,
    0,
    1,
    4,
    8,
    13,
    19,
    26,
    36,
    46,
    61,
    81,
    101,
    151,
    301,
    500,
    1000,
    1500,
    2500,
)
ENTROPY = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16)
PLY = (18, 20, 22, 24, 28, 32, 36, 40, 48, 56, 64, 80, 96, 112, 140)
RATING = (1, 2000, 2200, 2300, 2400, 2450, 2500, 2550, 2600, 2700)
FIRSTS = (
    0,
    31,
    62,
    93,
    124,
    155,
    186,
    212,
    228,
    259,
    271,
    283,
    295,
    327,
    343,
    360,
    377,
    408,
    434,
    465,
    496,
    512,
    528,
    553,
    557,
    562,
    573,
    584,
    608,
    621,
    623,
    655,
    668,
    681,
    712,
    743,
    775,
    807,
)
MARK_SLOTS = (4, 5, 6, 7, 8, 9, 10, 14, 15, 17, 19)
MARKED = ((4934, 6381, 839), (10433, 10905, 2287), (11434, 11577, 2760), (11914, 12169, 2904))
# First features of the replies' slots.
REPLY_FIRSTS = (3160, 3179, 3204, 3209, 3227)
# Slots and features of the first form, and of the second; units of the layers; the largest activation and sum of
# magnitudes.
FIRST_FORM_SLOTS, FIRST_FORM_FEATURES, FEATURES = 49, 3160, 3230
FIRST, SECOND, ENDS = 96, 48, 32
SIZE = FIRST_FORM_FEATURES * FIRST + FIRST + SECOND * FIRST + SECOND + SECOND + 1
HEADER, MAX_VECTOR, MAX_VECTOR_WEIGHT = [-32_768, 2], 512, 127
LARGEST, LARGEST_SUM = 1024, 1 << 20


def _mark(feature):
    for first, last, number in MARKED:
        if first <= feature <= last:
            return number + feature - first
    raise ValueError("no mark")


def _surprisal(surprisal):
    return min(31, max(0, surprisal >> 14))


def reranker_features(analysis):
    """For each searched move its features."""
    depths, full, priors = analysis.depths, analysis.full, analysis.priors
    d, last = len(depths) - 1, depths[-1]
    back = lambda n: max(0, d - n)
    best = analysis.best(d)
    total = max(1, sum(priors.prior[m] for m in full))
    share = lambda x: min(16, 16 * x // total)
    likeliest = max(full, key=lambda m: (analysis.logits[m], m))
    best_move = max(full, key=lambda m: (last[m], analysis.logits[m], m))
    values = sorted((last[m] for m in full), reverse=True)
    losses = sum(priors.prior[m] * min(best - last[m], 600) for m in full)
    before = analysis.before
    within = lambda margin: min(12, sum(last[m] + margin >= best for m in full))
    of_position = [
        bisect_right(LOSS, best - last[likeliest]),
        bisect_right(VALUE, best),
        bisect_right(LOSS, best - values[1] if len(values) > 1 else 0),
        bisect_right(LOSS, losses // total),
        bisect_right(ENTROPY, priors.entropy >> 14),
        bisect_right(PLY, analysis.ply),
        analysis.phase,
        analysis.result,
        analysis.pace,
        bisect_right(RATING, analysis.elo[0]),
        bisect_right(RATING, analysis.elo[1]),
        d,
        min(12, len(full)),
        int(analysis.check),
        _surprisal(priors.surprisal[best_move]),
        within(15),
        within(50),
        bisect_right(STEP, best - analysis.best(back(1))),
        bisect_right(STEP, best - analysis.best(0)),
        bisect_right(LOSS, before[0][1]) if before[0] else 31,
        bisect_right(LOSS, before[1][1]) if before[1] else 31,
        bisect_right(LOSS, best - before[1][0] + 300) if before[1] else 31,
    ]
    found = []
    for m in analysis.searched:
        move = analysis.legal[m]
        rank = lambda numbers: min(11, sum(numbers[other] > numbers[m] for other in full))
        kind = (move.role if m in analysis.is_full else 0) + 8 * bool(move.capture)
        better = lambda margin: share(sum(priors.prior[o] for o in full if last[o] > last[m] + margin))
        of_move = [
            bisect_right(LOSS, analysis.best(n) - depths[n][m]) for n in (d, back(1), back(2), back(4), 0, min(d, 2))
        ] + [
            bisect_right(VALUE, last[m]),
            bisect_right(RISE, last[m] - depths[0][m]),
            bisect_right(STEP, last[m] - depths[back(1)][m]),
            rank(last),
            rank(depths[0]),
            rank(analysis.logits),
            _surprisal(priors.surprisal[m]),
            kind,
            better(0),
            better(40),
        ]
        features = [first + number for first, number in zip(FIRSTS, of_move + of_position)]
        features += [_mark(analysis.features[m][slot]) for slot in MARK_SLOTS]
        packed, kind, effort, of_game = analysis.replies[m]
        same = sum(priors.prior[o] for o in full if analysis.replies[o][0] == packed)
        same = 0 if packed is None else 1 + share(same)
        of_replies = kind, effort, of_game, same, analysis.expected[m]
        found.append(features + [first + number for first, number in zip(REPLY_FIRSTS, of_replies)])
    return found


class Reranker:
    """The embedding bag and the dense layers, of either form."""

    def __init__(self, numbers):
        numbers = np.array(numbers, np.int64)
        self.vector, self.all_moves = 0, None
        if list(numbers[:2]) == HEADER:
            self._second_form(numbers[2:])
        elif len(numbers) == SIZE:
            self._first_form(numbers)
        else:
            raise Damaged("a reranker of another size")
        layers = [(np.hstack([self.weights2, self.all_moves]) if self.is_second_form else self.weights2, self.bias2)]
        layers.append((self.weights3[None], self.bias3))
        if self.is_second_form:
            layers += [(self.weights4, self.bias4), (self.weights5[None], self.bias5)]
        if any((np.abs(weights).sum(axis=1) + np.abs(bias)).max() > LARGEST_SUM for weights, bias in layers):
            raise Damaged("a reranker whose sums could be too large")

    def _first_form(self, numbers):
        self.is_second_form, self.slots = False, FIRST_FORM_SLOTS
        sizes = [FIRST_FORM_FEATURES * FIRST, FIRST, SECOND * FIRST, SECOND, SECOND]
        table, self.bias1, weights2, self.bias2, self.weights3, self.bias3 = np.split(numbers, np.cumsum(sizes))
        self.table, self.weights2 = table.reshape(-1, FIRST), weights2.reshape(SECOND, -1)

    def _second_form(self, numbers):
        self.is_second_form, self.slots = True, None
        self.vector = int(numbers[0]) if len(numbers) else -1
        sizes = [FEATURES * FIRST, FIRST, self.vector * FIRST, SECOND * 3 * FIRST, SECOND, SECOND, 1]
        sizes += [ENDS * 2 * FIRST, ENDS, ENDS, 1]
        if not 0 <= self.vector <= MAX_VECTOR or len(numbers) != 1 + sum(sizes):
            raise Damaged("a reranker of another size")
        parts = np.split(numbers[1:], np.cumsum(sizes)[:-1])
        table, self.bias1, vectors, weights2, self.bias2, self.weights3, self.bias3 = parts[:7]
        weights4, self.bias4, self.weights5, self.bias5 = parts[7:]
        self.table, self.vectors = table.reshape(-1, FIRST), vectors.reshape(-1, FIRST)
        weights2 = weights2.reshape(SECOND, -1)
        self.weights2, self.all_moves = weights2[:, :FIRST], weights2[:, FIRST:]
        self.weights4 = weights4.reshape(ENDS, -1)
        if self.vector and np.abs(self.vectors).max() > MAX_VECTOR_WEIGHT:
            raise Damaged("a reranker whose sums could be too large")

    def rerank(self, analysis):
        """What is added to the logit of each legal move, in units of 2^-16 bit, and to the log-odds that the game ends,
        in units of 2^-16 nat."""
        units = []
        for m, features in zip(analysis.searched, reranker_features(analysis)):
            sums = self.bias1 + self.table[features[: self.slots]].sum(axis=0)
            if self.vector:
                sums += (np.array(analysis.vectors[m], np.int64) @ self.vectors) >> 5
            units.append(np.clip(sums, 0, LARGEST))
        found, end = [0] * len(analysis.legal), 0
        shared = self.bias2 << 8
        if self.is_second_form:
            priors = np.array([analysis.priors.prior[m] >> 16 for m in analysis.searched])
            mean = priors @ np.array(units) // max(1, int(priors.sum()))
            all_moves = np.concatenate([mean, np.max(units, axis=0)])
            shared = shared + self.all_moves @ all_moves
            of_ends = np.clip((self.weights4 @ all_moves + (self.bias4 << 8)) >> 8, 0, LARGEST)
            end = (int(self.bias5[0]) << 8) + int((self.weights5 * of_ends).sum())
        for m, of_move in zip(analysis.searched, units):
            second = np.clip((self.weights2 @ of_move + shared) >> 8, 0, LARGEST)
            found[m] = nats_to_bits((int(self.bias3[0]) << 8) + int((self.weights3 * second).sum()))
        return found, end
