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
# Units of the layers, numbers in all, and the largest activation and sum of magnitudes.
FEATURES, FIRST, SECOND = 3160, 96, 48
SIZE = FEATURES * FIRST + FIRST + SECOND * FIRST + SECOND + SECOND + 1
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
        found.append(features + [_mark(analysis.features[m][slot]) for slot in MARK_SLOTS])
    return found


class Reranker:
    """The embedding bag and the two dense layers."""

    def __init__(self, numbers):
        numbers = np.array(numbers, np.int64)
        if len(numbers) != SIZE:
            raise Damaged("a reranker of another size")
        table, self.bias1, weights2, self.bias2, self.weights3, bias3 = np.split(
            numbers, np.cumsum([FEATURES * FIRST, FIRST, SECOND * FIRST, SECOND, SECOND])
        )
        self.table, self.weights2 = table.reshape(FEATURES, FIRST), weights2.reshape(SECOND, FIRST)
        self.bias3 = int(bias3[0])
        sums = np.abs(self.weights2).sum(axis=1) + np.abs(self.bias2)
        if max(*sums, np.abs(self.weights3).sum() + abs(self.bias3)) > LARGEST_SUM:
            raise Damaged("a reranker whose sums could be too large")

    def logits(self, analysis):
        """What is added to the logit of each legal move, in units of 2^-16 bit."""
        found = [0] * len(analysis.legal)
        for m, features in zip(analysis.searched, reranker_features(analysis)):
            a = np.clip(self.bias1 + self.table[features].sum(axis=0), 0, LARGEST)
            b = np.clip((self.weights2 @ a + (self.bias2 << 8)) >> 8, 0, LARGEST)
            found[m] = nats_to_bits((self.bias3 << 8) + int((self.weights3 * b).sum()))
        return found
