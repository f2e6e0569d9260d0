"""Paths: `bag`, `board` and `schema` are found in `training`, by the tests and by the programs that they run. And what
several tests begin with: games and a network trained on them, both made once."""

import json
import os
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TRAINING = os.path.join(ROOT, "training")
sys.path[:0] = [TRAINING, os.path.dirname(os.path.abspath(__file__))]
os.environ["PYTHONPATH"] = TRAINING

import games  # noqa: E402 (found by the paths above)

GAMES, HELD = 200, 40
TOY = [
    "--size",
    "toy",
    "--held-games",
    str(HELD),
    "--batch",
    "128",
    "--precision",
    "f32",
    "--device",
    "cpu",
    "--threads",
    "1",
    "--valid-positions",
    "1024",
    "--recent-games",
    "0",
    "--no-compile",
]


def run(*command, **environment):
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, env=os.environ | environment, timeout=900
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def train(corpus, out, *options):
    return run(sys.executable, "-m", "board.train", "--corpus", corpus, "--run", out, *TOY, *options)


@pytest.fixture(scope="session")
def work(tmp_path_factory):
    """Games, packed and expanded by the pipeline's own stages."""
    folder = tmp_path_factory.mktemp("pipeline")
    games.write(folder / "train.pgn", GAMES)
    run(
        "make",
        "-C",
        os.path.join(ROOT, "training"),
        folder / "train.x" / "meta.json",
        f"WORK={folder}",
        f"PGN={folder / 'train.pgn'}",
    )
    return folder


@pytest.fixture(scope="session")
def trained(work):
    """A run in two calls; the rounding begins in the second."""
    first = train(work / "train.x", work / "toy", "--to", "0.6", "--steps", "240")
    second = train(work / "train.x", work / "toy", "--to", "1.0", "--steps", "160")
    return first, second
