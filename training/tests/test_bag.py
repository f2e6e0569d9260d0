"""The bag network: what is taken out of a model computes what the model does; its second head learns from labels.

Its modules have names that the board network's have too, so that everything here runs in processes of its own.
"""

import os
import subprocess
import sys

import torch

from conftest import ROOT
from corpus import Corpus
from labels import labels
from test_pipeline import run, work  # noqa: F401 (a fixture)

TOOL = os.path.join(ROOT, "target", "release", "plyzip-training")

# The graph's exact arithmetic and the rounded network's in f32 agree to the bit: no sum reaches 2^24 units.
SAME = """
import sys
import numpy as np, onnx, torch
from onnx.reference import ReferenceEvaluator
from import_network import network_of
from train import Batches
model = onnx.load(sys.argv[1])
net = network_of(sys.argv[1]).eval()
net.quantised = True
batches = Batches(sys.argv[2], sys.argv[3], 1, 24)
boards, moves, rows = batches.next()[:3]
batches.close()
squares = torch.stack([moves[:, 0], moves[:, 1]], 1).long() + 768 * rows.long()[:, None]
inputs = {"boards": boards, "moves": moves, "rows": rows, "squares": squares}
graph = ReferenceEvaluator(model).run(None, {name: value.long().numpy() for name, value in inputs.items()})
with torch.no_grad():
    found = net(boards, moves, rows)
for exact, value in zip(graph, found):
    assert np.array_equal(exact, (value * 65536).numpy()), np.abs(exact - (value * 65536).numpy()).max()
print("equal:", len(rows), "moves")
"""


def test_the_imported_network_is_the_models(work):  # noqa: F811
    done = subprocess.run(
        [sys.executable, "-c", SAME, os.path.join(ROOT, "models", "standard.onnx"), TOOL, work / "train.packed"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.path.join(ROOT, "training")},
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.startswith("equal:")


def test_the_second_head_learns_what_the_labels_say(work, tmp_path):  # noqa: F811
    corpus = Corpus(work / "train.x")
    labels(tmp_path / "lessons", corpus, 0, 160)
    labels(tmp_path / "checks", corpus, 160, 200)
    lines = run(
        sys.executable,
        os.path.join(ROOT, "training", "taught.py"),
        os.path.join(ROOT, "models", "standard.onnx"),
        "--packed",
        work / "train.packed",
        "--labels",
        tmp_path / "lessons",
        "--check-packed",
        work / "train.packed",
        "--check-labels",
        tmp_path / "checks",
        "--check-positions",
        "1024",
        "--batch",
        "256",
        "--tool",
        TOOL,
        "--seconds",
        "25",
        "--rate",
        "3e-3",
        "--out",
        tmp_path / "taught.pt",
    )
    before, after = lines[0]["teacher_from_second_bits"], lines[-1]["teacher_from_second_bits"]
    assert after < 0.7 * before, (before, after)
    state = torch.load(tmp_path / "taught.pt", weights_only=True)
    assert set(state) == {"net", "sizes", "taught"}
