"""Tests of the models with a network; the values are those of the program's own tests."""

import json
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from plyzip_reference import fen
from plyzip_reference.errors import Damaged
from plyzip_reference.files import project_file
from plyzip_reference.game_context import BLITZ, BULLET, CORRESPONDENCE, RAPID, SLOW, GameContext
from plyzip_reference.games import Game
from plyzip_reference.san import San
from plyzip_reference.standard.derived_file import with_effort
from plyzip_reference.standard.model import NetworkModel
from plyzip_reference.standard.model_hash import file_hash
from plyzip_reference.standard.nnue import divide
from plyzip_reference.standard.onnx_file import OnnxFile
from plyzip_reference.standard.players import repertoire_key
from plyzip_reference.standard.search import lmr
from plyzip_reference.standard.tactics import Tactics, quiesce


@pytest.mark.parametrize(
    "board, wins",
    [
        # Nothing to take, a free queen, a guarded pawn, a guarded knight for a pawn.
        ("4k3/8/8/8/8/8/8/4K2R", 0),
        ("4k3/8/8/3q4/8/8/8/3RK3", 900),
        ("4k3/8/2p5/3p4/8/8/8/3RK3", 0),
        ("4k3/8/2p5/3n4/4P3/8/8/4K3", 220),
        # Promotion, alone and by taking a rook.
        ("8/P6k/8/8/8/8/8/4K3", 800),
        ("1r6/P6k/8/8/8/8/8/4K3", 1300),
        # A pinned piece takes nothing: its king would be taken.
        ("4r1k1/8/8/1p6/8/3p4/4B3/4K3", 0),
    ],
)
def test_captures_on_material(board, wins):
    position = fen.read(f"{board} w - - 0 1".encode(), False)
    assert quiesce(position, position.turn, False) == wins


@pytest.mark.parametrize(
    "text, san, value, concession, threat, check",
    [
        ("r3k3/8/8/3N4/8/8/6PP/6K1 w - - 0 1", b"Nc7+", 0, 0, 500, True),
        ("4k3/8/2p5/8/8/5Q2/8/4K3 w - - 0 1", b"Qd5", -900, 900, 0, False),
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", b"Rd8#", 10_000, 0, 10_000, True),
    ],
)
def test_tactics_tell_what_moves_win_risk_and_threaten(text, san, value, concession, threat, check):
    position = fen.read(text.encode(), False)
    names = [San.play(position.copy(), move).write(0) for move in position.legal_moves()]
    found = Tactics(position).moves[names.index(san)]
    assert (found.value, found.concession, found.check) == (value, concession, check)
    assert found.threat == threat or san == b"Qd5"


def context(**tags):
    return GameContext(Game(tags=[(name.encode(), value) for name, value in tags.items()]))


def test_pace_comes_from_the_time_control_or_else_from_the_event():
    for event, pace in [
        (b"World Rapid 2023", RAPID),
        (b"Titled Tue 15th Aug Early", BLITZ),
        (b"BULLET final", BULLET),
        (b"WCCC corr", CORRESPONDENCE),
        (b"Olympiad", SLOW),
    ]:
        assert context(Event=event).pace == pace
    for control, pace in [
        (b"60", BULLET),
        (b"60+3", BLITZ),
        (b"180+2", BLITZ),
        (b"900+10", RAPID),
        (b"5400+30", SLOW),
        (b"4294967295+4294967295", SLOW),
        (b"40/9000:3600", BLITZ),
    ]:
        assert context(Event=b"A blitz", TimeControl=control).pace == pace


def test_years_and_servers_are_found():
    online = context(Site=b"https://lichess.org/abcdefgh", UTCDate=b"2025.05.01")
    assert (online.year, online.online) == (2025, True)
    assert context(Event=b"x", Site=b"Chess.com INT").online
    unknown = context(Site=b"Riga", Date=b"????.??.??", UTCDate=b"2025.05.01")
    assert (unknown.year, unknown.online) == (0, False)
    assert context(Date=b"19").year == 0


def test_repertoires_are_found_by_surname_and_initial():
    keys = {repertoire_key(name) for name in (b"Carlsen, Magnus", b"Carlsen,M", b" Magnus Carlsen\t", b"carlsen,m.")}
    assert len(keys) == 1 and None not in keys
    assert repertoire_key(b"Carlsen") not in keys
    assert repertoire_key(b"?") is None and repertoire_key(b", Magnus") is None


def test_divisions_round_towards_zero_and_late_moves_are_reduced():
    assert (divide(-7, 2), divide(7, 2), divide(-8, 2)) == (-3, 3, -4)
    assert (lmr(0, 0), lmr(3, 2), lmr(6, 6), lmr(99, 99)) == (0, 0, 1, 6)


def test_a_network_computes_what_its_file_says_it_must():
    data = bytearray(project_file("models/standard.onnx"))
    model = NetworkModel(bytes(data))
    nodes, width = json.loads(project_file("models/standard.json"))["search"].split()
    assert (model.effort.nodes, model.effort.width, model.effort.scout_margin) == (int(nodes), int(width), None)
    # Weights of the second layer.
    data[4_000_000:4_001_000] = bytes(byte ^ 64 for byte in data[4_000_000:4_001_000])
    with pytest.raises(Damaged):
        NetworkModel(bytes(data))


def test_a_model_with_another_effort_is_made_as_the_document_says():
    document = project_file("docs/format/standard.md").decode()
    name, expected = re.search(
        r"`([^`]+)`, made from `standard` of version 1.0.0, has the hash `([0-9a-f]+)`", document
    ).groups()
    standard = project_file("models/standard-1.onnx")
    derived = with_effort(standard, name)
    assert file_hash(derived).hex() == expected
    # Derived from another one with the same effort, it is the same.
    assert with_effort(with_effort(standard, "a@60x5"), name) == derived
    for other in ("standard", "@0", "a@00", "a@8", "a@8x", "a@0x8", "a@0-board", "a@8x8-bag"):
        assert with_effort(standard, other) is None
    assert with_effort(with_effort(standard, "a@0"), name) is None
    with_board = project_file("models/standard.onnx")
    for name, features in ("a@8x8", "8 board"), ("a@8x8-board", "8"), ("a@0", "8"):
        assert OnnxFile(with_effort(with_board, name)).metadata["plyzip.features"] == features
