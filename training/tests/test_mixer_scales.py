"""Scales of the mixer: learned page by page, and put into a model's file, where the second decoder finds them."""

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


def test_scales_go_from_games_to_a_file(tmp_path):
    games.write(tmp_path / "games.pgn", 20)
    run(TOOL, "mixer-scales", MODEL, tmp_path / "games.pgn", tmp_path / "scales", "--page-games", "4", "--pages", "2")
    scales = np.fromfile(tmp_path / "scales", "<i2")
    before = OnnxFile(MODEL.read_bytes()).numbers("plyzip.mixer")
    assert len(scales) == len(before) and np.abs(scales).max() <= 4 << 12
    moved = np.count_nonzero(scales != before)
    assert 10 < moved < len(scales), "games teach some of the scales, and none of them teach repertoires"
    equip = os.path.join(TRAINING, "equip.py")
    run(sys.executable, equip, MODEL, tmp_path / "model.onnx", "--mixer-scales", tmp_path / "scales")
    file = OnnxFile((tmp_path / "model.onnx").read_bytes())
    assert file.numbers("plyzip.mixer") == scales.tolist()
    run(sys.executable, equip, MODEL, tmp_path / "without.onnx", "--without", "mixer_scales")
    assert OnnxFile((tmp_path / "without.onnx").read_bytes()).numbers("plyzip.mixer") is None
