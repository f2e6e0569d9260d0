"""The reranker: the values of the program's own tests of its features and layers."""

from math import log2
from types import SimpleNamespace

import numpy as np
import pytest
from plyzip_reference.bitboards import KING, KNIGHT, PAWN, ROOK
from plyzip_reference.errors import Damaged
from plyzip_reference.fixed import nats_to_bits
from plyzip_reference.game_context import RAPID
from plyzip_reference.standard.analysis import Analysis, Priors
from plyzip_reference.standard.reranker import (
    ENDS,
    FEATURES,
    FIRST,
    FIRST_FORM_FEATURES,
    FIRST_FORM_SLOTS,
    HEADER,
    MARK_SLOTS,
    SECOND,
    SIZE,
    Reranker,
    reranker_features,
)

WEIGHTS2 = FIRST_FORM_FEATURES * FIRST + FIRST
WEIGHTS3 = WEIGHTS2 + SECOND * FIRST + SECOND
# First and last marks of the ranges that marks are from.
MARKS = dict.fromkeys(MARK_SLOTS, 4934)
MARKS.update({MARK_SLOTS[4]: 6381, MARK_SLOTS[7]: 10433, MARK_SLOTS[8]: 10905})
MARKS.update({MARK_SLOTS[9]: 11577, MARK_SLOTS[10]: 12169})


def analysis():
    found = object.__new__(Analysis)
    moves = ((PAWN, 0), (ROOK, PAWN), (KING, 0), (KNIGHT, 0))
    found.legal = [SimpleNamespace(role=role, capture=capture) for role, capture in moves]
    found.logits, found.features = [0, 1 << 16, -1 << 16, 1 << 15], [MARKS] * 4
    found.priors = Priors(found.logits)
    found.depths, found.full = [[10, 20, -30_000, 0], [-40, 25, -30_000, 30]], [0, 1, 3]
    found.is_full, found.searched = set(found.full), found.full
    found.ply, found.phase, found.check, found.result, found.pace = 40, 20, False, 2, RAPID
    found.elo, found.before = [2650, 2500], [(30, 12), None]
    same = 1, 2, 0
    found.replies, found.expected = [(same, 18, 24, 4), (same, 1, 1, 0), (None, 0, 0, 0), (None, 0, 0, 0)], [0, 1, 1, 2]
    return found


def test_features_are_those_of_their_classes():
    features = reranker_features(analysis())
    assert len(features) == 3 and all(len(of_move) == 54 for of_move in features)
    # The best move: its loss and rank at the last depth, what the opponent lost, and what is not known.
    best = features[2]
    assert (best[0], best[9], best[35], best[36], best[37]) == (0, 259, 743 + 4, 775 + 31, 807 + 31)
    # At the first depth its loss is 20, and two moves are better.
    assert (best[4], best[10]) == (124 + 6, 271 + 2)
    # A value of -40; a rook that captures.
    assert (features[0][6], features[1][13]) == (186 + 10, 327 + 8 + ROOK)
    marks = best[38:FIRST_FORM_SLOTS]
    assert (marks[0], marks[4], marks[7], marks[8], marks[9], marks[10]) == (839, 2286, 2287, 2759, 2903, 3159)
    # Two of three moves, less likely than the third, have the same reply; the third is the one that was expected.
    replies = [of_move[FIRST_FORM_SLOTS:] for of_move in features]
    assert replies[0] == [3160 + 18, 3179 + 24, 3204 + 4, 3209 + 12, 3227]
    assert replies[1:] == [[3161, 3180, 3204, 3221, 3228], [3160, 3179, 3204, 3209, 3229]]


def test_extreme_values_are_classes_too():
    for value in (-30_000, 30_000):
        extreme = analysis()
        extreme.depths[1][1] = value
        extreme.before, extreme.elo, extreme.ply = [(-value, 60_000)] * 2, [65_535] * 2, 65_535
        assert all(0 <= feature < FEATURES for of_move in reranker_features(extreme) for feature in of_move)


def test_logits_are_those_of_the_layers():
    numbers = np.zeros(SIZE, int)
    # The best move at the last depth has 1 in the first unit, the second unit of the next layer half of it and 1/4,
    # and the logit twice that.
    numbers[reranker_features(analysis())[2][0] * FIRST] = 256
    numbers[WEIGHTS2 + FIRST] = 128
    numbers[WEIGHTS2 + SECOND * FIRST + 1] = 64
    numbers[WEIGHTS3 + 1] = 512
    found, end = Reranker(numbers).rerank(analysis())
    assert end == 0
    expected = [nats * log2(np.e) * 65_536 for nats in (0.5, 0.5, 0, 1.5)]
    assert all(abs(one - other) < 3 for one, other in zip(found, expected))


def test_rerankers_of_other_sizes_or_with_large_sums_are_refused():
    with pytest.raises(Damaged):
        Reranker(np.zeros(SIZE - 1, int))
    # 32 weights of 2^15, with both signs: just small enough; then a bias.
    for first, bias in ((WEIGHTS2, WEIGHTS2 + SECOND * FIRST), (WEIGHTS3, SIZE - 1)):
        numbers = np.zeros(SIZE, int)
        numbers[first : first + 32 : 2], numbers[first + 1 : first + 32 : 2] = 32_767, -32_768
        numbers[bias] = 16
        Reranker(numbers)
        numbers[bias] = -17
        with pytest.raises(Damaged):
            Reranker(numbers)


def test_the_second_form_sees_vectors_and_all_moves():
    vector = 6
    table, vectors = np.zeros((FEATURES, FIRST), int), np.zeros((vector, FIRST), int)
    bias1, second, after_second = np.zeros(FIRST, int), np.zeros((SECOND, 3, FIRST), int), np.zeros(2 * SECOND + 1, int)
    ends, after_ends = np.zeros((ENDS, 2, FIRST), int), np.zeros(2 * ENDS + 1, int)
    # The first unit is half of a vector's last number, less 1/8.
    bias1[0], vectors[5, 0], vectors[4, 0] = -32, 127, 1
    for unit in range(3):
        second[unit, unit, 0], after_second[SECOND + unit] = 256, 256
    ends[0, 0, 0], ends[0, 1, 0], after_ends[ENDS] = 256, 512, 256
    parts = table, bias1, vectors, second, after_second, ends, after_ends
    numbers = np.concatenate([[*HEADER, vector], *(part.flatten() for part in parts)])
    found = analysis()
    found.vectors = [[0, 0, 0, 0, 32, 64], [0, 1, 0, 0, 0, 16], [99] * 6, [127, 0, 0, 0, 0, 0]]
    units = [min(1024, (64 * 127 + 32 >> 5) - 32), (16 * 127 >> 5) - 32, 0]
    priors = [found.priors.prior[m] >> 16 for m in found.searched]
    mean = sum(prior * unit for prior, unit in zip(priors, units)) // sum(priors)
    logits, end = Reranker(numbers).rerank(found)
    assert end == (mean + 2 * units[0]) * 256
    assert [logits[m] for m in found.searched] == [nats_to_bits((unit + mean + units[0]) * 256) for unit in units]
    assert logits[2] == 0
    for place, number in ((len(numbers) - 1, None), (2, 7), (2, -1), (2, 513), (3 + (FEATURES + 1) * FIRST, 128)):
        damaged = numbers[:place] if number is None else numbers.copy()
        damaged[2:3] = damaged[2:3] if number is None or place != 2 else number
        if number == 128:
            damaged[place] = number
        with pytest.raises(Damaged):
            Reranker(damaged)
