"""The interpreter goes on while plyzip works, hears Ctrl-C, and survives a fork."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import plyzip
import pytest
from conftest import FAMOUS, many

# Minutes of work.
LONG = many(4000)


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """As at a terminal: what a shell starts in the background is to ignore Ctrl-C, and so does Python there."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted(work: object, after: float) -> float:
    """How many seconds `work` goes on when Ctrl-C is pressed."""
    pressed = []

    def press() -> None:
        time.sleep(after)
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        work()  # type: ignore[operator]
    return time.monotonic() - pressed[0]


@pytest.mark.usefixtures("hears_ctrl_c")
@pytest.mark.skipif(sys.platform == "win32", reason="os.kill is Unix")
@pytest.mark.parametrize("model", ["none", "standard"])
def test_ctrl_c_ends_the_work_and_leaves_nothing(model: str, tmp_path: Path) -> None:
    target = tmp_path / "games.plz"
    seconds = interrupted(lambda: plyzip.compress(LONG, target, model=model), 0.7)
    assert seconds < 10
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("hears_ctrl_c")
@pytest.mark.skipif(sys.platform == "win32", reason="os.kill is Unix")
def test_an_archive_that_was_interrupted_is_read_again() -> None:
    archive = plyzip.open(plyzip.compress(many(1500), model="none", verify=False))

    def search() -> None:
        # However fast the machine is, it is at it when the signal comes.
        while True:
            assert list(archive.find("8/8/8/8/8/8/8/K1k5 w - -")) == []

    assert interrupted(search, 0.3) < 10
    assert archive[2].tags["White"] == "Morphy, Paul"


def test_other_threads_go_on_meanwhile() -> None:
    steps = 0
    done = threading.Event()

    def count() -> None:
        nonlocal steps
        while not done.is_set():
            steps += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    games = many(300)
    begin = time.monotonic()
    plyzip.compress(games, model="none")
    seconds = time.monotonic() - begin
    done.set()
    thread.join()
    assert steps > 20 * seconds


def _child(data: bytes, results: multiprocessing.Queue[str]) -> None:
    results.put(plyzip.open(data)[0].tags["White"])
    results.put(INHERITED[1].tags["White"])


INHERITED = plyzip.open(plyzip.compress(FAMOUS, model="none"))


@pytest.mark.skipif(sys.platform != "linux", reason="fork is Unix")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_processes_that_were_forked_work() -> None:
    assert len(list(INHERITED)) == 2  # the threads are there
    context = multiprocessing.get_context("fork")
    results: multiprocessing.Queue[str] = context.Queue()
    child = context.Process(target=_child, args=(plyzip.compress(FAMOUS), results))
    child.start()
    try:
        assert results.get(timeout=60) == "Morphy, Paul"
        assert results.get(timeout=60) == "Anderssen, Adolf"
    finally:
        child.kill()
