"""The digests of tests/vectors.rs, found by this decoder's features and search: some minutes, with PLYZIP_SLOW=1."""

import os
import re
import struct
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from plyzip_reference.files import project_file
from plyzip_reference.game_context import GameContext
from plyzip_reference.games import Game
from plyzip_reference.history import History
from plyzip_reference.standard.analysis import Effort, LineAnalysis
from plyzip_reference.standard.board_features import board_features
from plyzip_reference.standard.generator import SplitMix
from plyzip_reference.standard.move_features import move_features
from plyzip_reference.standard.nnue import Nnue
from plyzip_reference.standard.reranker import FIRST_FORM_SLOTS, reranker_features
from plyzip_reference.standard.tactics import Tactics
from random_games import random_game, starts

blake3 = pytest.importorskip("blake3")
pytestmark = pytest.mark.skipif(not os.environ.get("PLYZIP_SLOW"), reason="takes minutes")

DIGESTS = re.findall(rb'"([0-9a-f]{64})"', project_file("tests/vectors.rs"))


def histories(rounds, random):
    """The positions of random games from every start."""
    for _ in range(rounds):
        for start in starts():
            history = History(start.copy())
            for move in random_game(start, 80, random):
                yield history
                history.play(move)


def test_features():
    tags = {"WhiteElo": b"2712", "BlackElo": b"2433", "Result": b"1-0", "Date": b"2019", "Event": b"Rapid"}
    context = GameContext(Game(tags=[(name.encode(), value) for name, value in tags.items()]))
    context.online = True
    digest = blake3.blake3()
    for history in histories(8, SplitMix(5)):
        tactics = Tactics(history.position)
        rows = move_features(history, tactics)
        indices = board_features(history, context, tactics) + [index for row in rows for index in row]
        digest.update(struct.pack(f"<{len(indices)}H", *indices))
    assert digest.hexdigest().encode() == DIGESTS[0]


def made_up(count):
    return [i * 7919 % 61 - 30 for i in range(count)]


SMALL = made_up(200_968)
# Width 128, three king buckets.
SHAPED = [1, 128, 1, 0, 0, *6 * [1], *24 * [2], *made_up(3 * 768 * 128 + 17 * 128 + 8)]


@pytest.mark.parametrize(
    "numbers, effort, expected",
    [(SMALL, "2000 8", DIGESTS[1:4]), (SMALL, "2000 8 30", DIGESTS[4:7]), (SHAPED, "2000 8", DIGESTS[7:10])],
)
def test_verdicts(numbers, effort, expected):
    nnue = Nnue(numbers)
    context, random = GameContext(Game()), SplitMix(5)
    digests = [blake3.blake3() for _ in expected]
    for history in histories(1, random):
        if history.ply() == 0:
            line = LineAnalysis(nnue, Effort(effort))
        logits = [random.below(8) << 15 for _ in history.position.legal_moves()]
        features = move_features(history, Tactics(history.position))
        analysis = line.examine(history, context, logits, features)
        if analysis is not None:
            of_reranker = reranker_features(analysis)
            first_form = [row[:FIRST_FORM_SLOTS] for row in of_reranker]
            replies = [row[FIRST_FORM_SLOTS:] for row in of_reranker]
            for digest, rows in zip(digests, (analysis.search_features(), first_form, replies)):
                digest.update(b"".join(struct.pack(f"<{len(row)}H", *row) for row in rows))
    assert [digest.hexdigest().encode() for digest in digests] == expected
