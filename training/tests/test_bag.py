"""The bag network: what is taken out of a model computes what the model does; its second head learns from labels."""

import os
import sys

import numpy as np
import onnx
import pytest
import torch
from onnx.reference import ReferenceEvaluator

from bag.between import between
from bag.ensemble import apart, ensemble, shares_of
from bag.import_network import network_of
from bag.train import Batches
from board.corpus import Corpus
from conftest import ROOT, run
from labels import labels

TOOL = os.path.join(ROOT, "target", "release", "plyzip-training")


def test_the_imported_network_is_the_models(work):  # noqa: F811
    """The graph's exact arithmetic and the rounded network's in f32 agree to the bit: no sum reaches 2^24 units."""
    path = os.path.join(ROOT, "models", "standard.onnx")
    net = network_of(path).eval()
    net.quantised = True
    batches = Batches(TOOL, work / "train.packed", 1, 24)
    boards, moves, rows = batches.next()[:3]
    batches.close()
    squares = torch.stack([moves[:, 0], moves[:, 1]], 1).long() + 768 * rows.long()[:, None]
    inputs = {"boards": boards, "moves": moves, "rows": rows, "squares": squares}
    inputs = {name: value.long().numpy() for name, value in inputs.items()}
    graph = ReferenceEvaluator(onnx.load(path)).run(None, inputs)
    with torch.no_grad():
        found = net(boards, moves, rows)
    for exact, value in zip(graph, found):
        assert np.array_equal(exact, (value * 65536).numpy()), np.abs(exact - (value * 65536).numpy()).max()


def test_the_second_head_learns_what_the_labels_say(work, tmp_path):  # noqa: F811
    corpus = Corpus(work / "train.x")
    labels(tmp_path / "lessons", corpus, 0, 160)
    labels(tmp_path / "checks", corpus, 160, 200)
    lines = run(
        sys.executable,
        "-m",
        "bag.taught",
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
        "--steps",
        "200",
        "--rate",
        "3e-3",
        "--out",
        tmp_path / "taught.pt",
    )
    before, after = lines[0]["teacher_from_second_bits"], lines[-1]["teacher_from_second_bits"]
    assert after < 0.7 * before, (before, after)
    state = torch.load(tmp_path / "taught.pt", weights_only=True)
    assert set(state) == {"net", "sizes", "taught"}


def test_weights_lie_between_those_of_two_states():
    before, after = {"score": torch.tensor([1.0, -4.0])}, {"score": torch.tensor([3.0, 4.0])}
    assert between(before, after, 0.25)["score"].tolist() == [1.5, -2.0]
    for share, state in enumerate((before, after)):
        assert torch.equal(between(before, after, share)["score"], state["score"])


def test_the_networks_of_an_ensemble_come_apart():
    whole = network_of(os.path.join(ROOT, "models", "max.onnx"))
    parts = [(net.state_dict(), net.sizes) for net in apart(whole, 3)]
    assert [sizes for _, sizes in parts] == 3 * [parts[0][1]]
    weights, sizes = ensemble(parts, shares_of(3))
    assert tuple(sizes) == tuple(whole.sizes)
    for name, value in whole.state_dict().items():
        assert torch.equal(weights[name], value), name
    with pytest.raises(ValueError, match="no ensemble of 2 networks"):
        apart(whole, 2)
