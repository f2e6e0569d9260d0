"""Board networks of a model: one or several, with weights that are learned for all of them together."""

import os
import sys
from pathlib import Path

import numpy as np

import games
from conftest import ROOT, TRAINING, run

sys.path.insert(0, os.path.join(ROOT, "reference"))

from plyzip_reference.standard.onnx_file import OnnxFile

TOOL = Path(ROOT, "target", "release", "plyzip-training")
MODEL = Path(ROOT, "models", "standard.onnx")
SILENT = [4096, 0, 0, 0, 0, 4096, 0, 0] * 4  # weights of two networks that say nothing


def test_a_model_has_several_board_networks_and_weights_of_each(tmp_path):
    boards = [tmp_path / f"board{seed}.onnx" for seed in (1, 2)]
    for seed, board in enumerate(boards, 1):
        run(TOOL, "board-sample", "toy", board, "--seed", seed)
    equipped = lambda model, name, *options: run(
        sys.executable, os.path.join(TRAINING, "equip.py"), model, tmp_path / name, *options
    )
    file = lambda name: OnnxFile((tmp_path / name).read_bytes())

    equipped(MODEL, "two.onnx", "--board", *boards)
    two = file("two.onnx")
    assert two.metadata["plyzip.features"] == "8 board"
    assert two.numbers("plyzip.board_weights") == SILENT
    assert two.tensors["plyzip.board"].tobytes() != two.tensors["plyzip.board_2"].tobytes()

    games.write(tmp_path / "games.pgn", 30)
    run(TOOL, "board-weights", tmp_path / "two.onnx", tmp_path / "games.pgn", tmp_path / "weights", "--least-gain", "0")
    weights = np.fromfile(tmp_path / "weights", "<i2")
    assert len(weights) == len(SILENT) + 4
    stages = weights[:-4].reshape(4, 8)
    # Networks of random weights know nothing of games, and take from what the network of features says.
    assert np.count_nonzero(stages[:, 1:5]) > 8 and (np.abs(stages[:, 1:5]) < stages[:, :1]).all()
    equipped(tmp_path / "two.onnx", "learned.onnx", "--board-weights", tmp_path / "weights")
    assert file("learned.onnx").numbers("plyzip.board_weights") == weights.tolist()
    # As many networks keep the weights that there were, fewer begin with weights that say nothing.
    equipped(tmp_path / "learned.onnx", "again.onnx", "--board", *reversed(boards))
    assert file("again.onnx").numbers("plyzip.board_weights") == weights.tolist()
    equipped(tmp_path / "learned.onnx", "one.onnx", "--board", boards[0])
    assert file("one.onnx").numbers("plyzip.board_weights") == [4096, 0, 0, 4096, 0] * 4
    assert "plyzip.board_2" not in file("one.onnx").tensors
    equipped(tmp_path / "learned.onnx", "none.onnx", "--without", "board")
    none = file("none.onnx")
    assert none.metadata["plyzip.features"] == "8"
    assert not [name for name in none.tensors if name.startswith("plyzip.board")]
