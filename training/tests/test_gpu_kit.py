"""The calls of the kit, on the processor: toy networks, a teacher of random weights, seconds for minutes."""

import json
import lzma
import os
import shutil
import subprocess
import sys

import pytest
import torch

from board import checkpoint, teacher
from conftest import HELD, ROOT, run

GPU = os.path.join(ROOT, "training", "gpu")
OPTIONS = f"--held-games {HELD} --recent-games 0 --precision f32 --threads 1 --valid-positions 512"


@pytest.fixture(scope="module")
def kit(work, tmp_path_factory):
    """What prepare.sh makes, of the toy games."""
    folder = tmp_path_factory.mktemp("kit")
    (folder / "train.packed.xz").write_bytes(lzma.compress((work / "train.packed").read_bytes()))
    sizes = {
        "encoders": 1,
        "width": 16,
        "heads": 2,
        "feedforward": 16,
        "compressed": 2,
        "generator_hidden": 8,
        "generated": 8,
        "policy": 16,
        "wdl_squares": 2,
        "wdl_hidden": 8,
    }
    torch.manual_seed(1)
    weights = {name: value.numpy() for name, value in teacher.Teacher(**sizes).state_dict().items()}
    teacher.save(folder / "teacher.npz", sizes, weights)
    shutil.copy(os.path.join(ROOT, "target", "release", "plyzip-training"), folder)
    return folder


def call(kit, work_folder, stage, seconds, out):
    out.mkdir()
    environment = {
        "OUT": out,
        "WORK": work_folder,
        "KIT": kit,
        "SIZE": "toy",
        "DEVICE": "cpu",
        "BATCH": "64",
        "TRIED": "8",
        "HELD": HELD,
        "OPTIONS": OPTIONS,
        "PYTHON": sys.executable,
    }
    done = subprocess.run(
        ["bash", os.path.join(GPU, "call.sh"), stage, str(seconds)],
        capture_output=True,
        text=True,
        timeout=600,
        env=os.environ | {name: str(value) for name, value in environment.items()},
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "done, status 0" in done.stdout
    run("bash", os.path.join(GPU, "collect.sh"), out, KIT=str(kit))
    return done.stdout


def records(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith('{"')]


@pytest.mark.skipif(not os.environ.get("PLYZIP_SLOW"), reason="takes minutes, by the clock")
def test_two_calls_lead_from_games_to_a_network_and_two_more_to_its_pupil(kit, tmp_path):
    machine = tmp_path / "machine"
    first = records(call(kit, machine, "first", 60, tmp_path / "first"))
    assert [record["progress"] for record in first if "progress" in record][-1] == 0.75
    assert not first[-1]["rounded"]
    assert first[-1]["train"]["taught"] > 0, "the teacher was not asked"

    # The machine is lost: the next call begins with what came back.
    shutil.rmtree(machine)
    last = records(call(kit, machine, "last", 60, tmp_path / "last"))
    assert [record["from"] for record in last if "from" in record] == [0.75]
    found = json.loads((tmp_path / "last" / "board.json").read_text())
    assert found["rounded"] and found["alone"]["move"] < 5.5
    net, record = checkpoint.load(kit / "back" / "board.pt")
    assert net.quantised and record["progress"]["progress"] == 1.0

    # A lease later: a network that begins with the weights of this one and learns from it.
    (kit / "back" / "board.pt").rename(kit / "start.pt")
    shutil.copy(kit / "start.pt", kit / "elder.pt")
    again = records(call(kit, tmp_path / "another", "first", 60, tmp_path / "again"))
    assert again[-1]["progress"] == 0.75 and again[-1]["valid"]["move"] < first[-1]["valid"]["move"] + 0.1


def test_a_call_that_does_not_exist_is_an_error(kit, work, tmp_path):
    machine = tmp_path / "machine"
    machine.mkdir()
    shutil.copytree(work / "train.x", machine / "train.x")
    done = subprocess.run(
        ["bash", os.path.join(GPU, "call.sh"), "medium", "5"],
        capture_output=True,
        text=True,
        env=os.environ | {"OUT": str(tmp_path / "out"), "WORK": str(machine), "KIT": str(kit)},
    )
    assert done.returncode == 2 and "no such call" in done.stderr
