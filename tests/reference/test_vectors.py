"""The digests of tests/vectors.rs, found by this decoder's features and search: some minutes, with PLYZIP_SLOW=1."""

import os
import re
import struct
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from plyzip_reference import fen
from plyzip_reference.files import project_file
from plyzip_reference.game_context import GameContext
from plyzip_reference.games import Game
from plyzip_reference.history import History
from plyzip_reference.moves import EN_PASSANT
from plyzip_reference.position import initial
from plyzip_reference.standard.analysis import Effort, LineAnalysis
from plyzip_reference.standard.board_features import board_features
from plyzip_reference.standard.generator import SplitMix
from plyzip_reference.standard.move_features import move_features
from plyzip_reference.standard.nnue import Nnue
from plyzip_reference.standard.reranker import reranker_features
from plyzip_reference.standard.tactics import Tactics

blake3 = pytest.importorskip("blake3")
pytestmark = pytest.mark.skipif(not os.environ.get("PLYZIP_SLOW"), reason="takes minutes")

DIGESTS = re.findall(rb'"([0-9a-f]{64})"', project_file("tests/vectors.rs"))
# The positions of tests/games/mod.rs, and whether castling is that of Chess960.
STARTS = (
    None,
    ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", False),
    ("8/PPPPPPPP/8/2k5/5K2/8/pppppppp/8 w - - 0 1", False),
    ("rn2k2r/PPP3P1/8/8/8/8/3pp1p1/R3K2R w KQkq - 0 1", False),
    ("8/8/4k3/8/8/3K4/8/7R w - - 0 1", False),
    ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", False),
    ("7k/8/8/8/8/1q6/8/K7 w - - 0 1", False),
    ("1r5k/8/8/8/8/8/8/K7 w - - 0 1", False),
    ("k1b5/1p1p4/1P1P4/8/8/1p1p4/1P1P4/K1B5 w - - 0 1", False),
    ("8/8/4k3/8/8/3K4/8/7R w - - 97 80", False),
    ("8/8/4k3/8/8/3K4/8/8 w - - 0 80", False),
    ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", False),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", True),
    ("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1", True),
    ("1r1k1r2/8/8/8/8/8/8/1R3KR1 w GBfb - 0 1", True),
    ("qqqqk3/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQK3 w - - 0 1", False),
)


def random_game(start, random):
    position, moves = start.copy(), []
    while len(moves) < 80 and (legal := position.legal_moves()):
        rare = [move for move in legal if move.is_castling() or move.promotion or move.kind == EN_PASSANT]
        among = legal if not rare or random.below(2) == 0 else rare
        moves.append(among[random.below(len(among))])
        position.play(moves[-1])
    return moves


def histories(rounds, random):
    """The positions of random games from every start."""
    for _ in range(rounds):
        for start in STARTS:
            position = initial() if start is None else fen.read(start[0].encode(), start[1])
            history = History(position.copy())
            for move in random_game(position, random):
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


@pytest.mark.parametrize("effort, expected", [("2000 8", DIGESTS[1:3]), ("2000 8 30", DIGESTS[3:5])])
def test_verdicts(effort, expected):
    nnue = Nnue([i * 7919 % 61 - 30 for i in range(200_968)])
    context, random = GameContext(Game()), SplitMix(5)
    digests = [blake3.blake3(), blake3.blake3()]
    for history in histories(1, random):
        if history.ply() == 0:
            line = LineAnalysis(nnue, Effort(effort))
        logits = [random.below(8) << 15 for _ in history.position.legal_moves()]
        features = move_features(history, Tactics(history.position))
        analysis = line.examine(history, context, logits, features)
        if analysis is not None:
            for digest, rows in zip(digests, (analysis.search_features(), reranker_features(analysis))):
                digest.update(b"".join(struct.pack(f"<{len(row)}H", *row) for row in rows))
    assert [digest.hexdigest().encode() for digest in digests] == expected
