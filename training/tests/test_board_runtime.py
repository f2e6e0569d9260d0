"""Three programs that run an exported board network: plyzip, numpy and onnxruntime. They agree in every bit."""

import os
import subprocess

import numpy as np
import onnx
import pytest
import torch

from board import checkpoint, export, integers
from board.corpus import Corpus
from board.network import SIZES, BoardNetwork, Linear
from board.view import view
from conftest import ROOT

PLIES = 300


@pytest.fixture(scope="session")
def outputs():
    """The program that prints what a network says of games."""
    command = ["cargo", "build", "--quiet", "--locked", "--release", "-p", "plyzip-training"]
    subprocess.run(command, cwd=ROOT, check=True, timeout=1800)
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    return os.path.join(target, "release", "plyzip-training")


@pytest.fixture(scope="session")
def positions(work, tmp_path_factory):
    """Some games as PGN, and all of their positions as a network sees them."""
    corpus = Corpus(work / "train.x")
    count = int((corpus.start < PLIES).sum())
    end = int(corpus.start[count - 1] + corpus.plies[count - 1]) + 1
    pgn = tmp_path_factory.mktemp("games") / "some.pgn"
    parts = (work / "train.pgn").read_text().split("[Event ")
    pgn.write_text("".join("[Event " + part for part in parts[1 : count + 1]))
    return pgn, view(corpus.batch(torch.arange(end), 224))


def random_network(size, seen):
    """A network of random weights that has chosen its units on these positions."""
    torch.manual_seed(1)
    net = BoardNetwork(SIZES[size]).eval()
    with torch.no_grad():
        for block in net.blocks:
            block.mixing.attention.relative.normal_(0, 0.5)
            block.mixing.attention.absolute.normal_(0, 0.3)
        for matrix in net.modules():
            if isinstance(matrix, Linear):
                matrix.bias.normal_(0, 0.2)
        for head in (net.heads.played, net.heads.taught):
            head.pair.normal_(0, 1)
        net.observing = True
        net(seen)
        net.observing = False
    for site in net.sites():
        site.choose()
    net.quantised = True
    return net


def spoken(program, network, pgn):
    """What plyzip says: for each position, lists of integers."""
    done = subprocess.run([program, "board-outputs", network, pgn], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return [[[int(n) for n in part.split()] for part in line.split("|")] for line in done.stdout.splitlines()]


def expected(found, seen):
    """The same of numpy's or onnxruntime's arrays."""
    lines = []
    for row, legal in enumerate(seen.legal.numpy()):
        pair, kind = seen.pair[row].numpy()[legal], seen.promotion[row].numpy()[legal]
        line = []
        for head in ("played", "taught"):
            more = np.pad(found[head + "_promotion"][row], ((0, 0), (1, 0)))
            line.append((found[head][row][pair] + more[pair & 63, kind]).tolist())
        lines.append([*line, [found["end"][row]], found["value"][row].tolist()])
    return lines


def check(program, model, path, net, positions):
    pgn, seen = positions
    inputs = export.inputs_of(seen, net)
    numpy = expected(integers.Network(model).run(**inputs), seen)
    assert spoken(program, path, pgn) == numpy
    return numpy, inputs


def test_a_trained_network(outputs, positions, work, trained, tmp_path):
    net = checkpoint.load(work / "toy" / "portable.pt")[0]
    model = export.build(net)
    onnx.save(model, tmp_path / "toy.onnx")
    numpy, inputs = check(outputs, model, tmp_path / "toy.onnx", net, positions)
    assert expected(export.runner(model)(inputs), positions[1]) == numpy


SLOW = pytest.mark.skipif(not os.environ.get("PLYZIP_SLOW"), reason="takes half a minute")


@pytest.mark.parametrize("size", ["toy", pytest.param("small", marks=SLOW)])
def test_random_weights(outputs, positions, tmp_path, size):
    net = random_network(size, positions[1])
    model = export.build(net)
    onnx.save(model, tmp_path / "random.onnx")
    numpy, inputs = check(outputs, model, tmp_path / "random.onnx", net, positions)
    assert expected(export.runner(model)(inputs), positions[1]) == numpy
    # The training's own arithmetic is another, of about the same numbers.
    with torch.no_grad():
        logits = net(positions[1])[0].double().numpy()
    legal = positions[1].legal.numpy()
    exact = np.concatenate([line[0] for line in numpy]) * export.FINE
    apart = np.abs(exact - logits[legal])
    assert apart.mean() < 0.1 < logits[legal].std()


def test_weights_with_all_that_a_file_may_hold(outputs, positions, tmp_path):
    """A file that plyzip-training makes: units of groups that differ, limits that are reached."""
    path = tmp_path / "sample.onnx"
    subprocess.run([outputs, "board-sample", "toy", path], check=True)
    check(outputs, onnx.load(path), path, BoardNetwork(SIZES["toy"]), positions)


def test_offsets_are_those_of_the_network_of_features(outputs, work, tmp_path):
    """A model's own board network has no part in them: another one is to learn what that says, too."""
    written = []
    for model in ("standard", "standard@100x4-board"):
        path = tmp_path / "offsets"
        subprocess.run([outputs, "board-offsets", model, work / "train.packed", path, "--to-game", "2"], check=True)
        written.append(np.fromfile(path, np.int16))
    moves = Corpus(work / "train.x")
    assert len(written[0]) == int(moves.first[moves.start[2]])
    assert written[0].std() > 100
    assert (written[0] == written[1]).all()
