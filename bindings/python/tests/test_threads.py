"""Threads: those that callers have, and those that plyzip has."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import chess
import plyzip
import pytest
from conftest import FAMOUS, many
from stress import archive_of_pages, stress

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def test_any_two_calls_share_an_archive() -> None:
    assert stress(15) >= 66


def all_of(works: list[Callable[[], None]], seconds: float = 120) -> None:
    """Does all of it at the same time."""
    failed: list[BaseException] = []

    def work(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    threads = [threading.Thread(target=work, args=(one,), daemon=True) for one in works]
    for thread in threads:
        thread.start()
    end = time.monotonic() + seconds
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    assert not any(thread.is_alive() for thread in threads), "they hang"
    assert not failed, failed


def test_an_iterator_that_threads_share_gives_each_game_once() -> None:
    data = archive_of_pages()
    everything = sorted(bytes(game) for game in plyzip.open(data))
    makes: list[Callable[[plyzip.Archive], Iterator[Any]]] = [
        lambda archive: iter(archive),
        lambda archive: iter(archive.filter(plies="0..")),
        lambda archive: archive.find(chess.STARTING_FEN),
    ]
    for make in makes:
        shared = make(plyzip.open(data))
        seen: list[bytes] = []

        def take(shared: Iterator[Any] = shared, seen: list[bytes] = seen) -> None:
            for item in shared:
                seen.append(bytes(item[0] if isinstance(item, tuple) else item))

        all_of([take] * 8)
        assert sorted(seen) == everything


def test_one_codec_serves_many_threads() -> None:
    codec = plyzip.GameCodec("none")
    games = [game.to_chess() for game in plyzip.open(archive_of_pages())]
    encoded = [codec.encode(game) for game in games]

    def encode() -> None:
        assert [codec.encode(game) for game in games] == encoded
        assert codec.encode_batch(list(games)) == encoded

    all_of([encode] * 8)


def test_calls_that_wait_for_each_other_by_pipes_take_no_threads_from_others() -> None:
    pgn = many(200)
    ends = [os.pipe() for _ in range(2 * CORES)]
    backs: list[bytes] = []

    def send(end: int) -> None:
        with open(end, "wb") as pipe:
            plyzip.compress(pgn, pipe, model="none", verify=False)

    def receive(end: int) -> None:
        with open(end, "rb") as pipe:
            backs.append(plyzip.decompress(pipe))

    receivers = [partial(receive, end) for end, _ in ends]
    senders = [partial(send, end) for _, end in ends]
    all_of([*receivers, *senders], 300)
    assert backs == [pgn] * len(ends)


def run(script: str) -> list[float]:
    """The numbers that a script prints."""
    begin = f"""
import plyzip
FAMOUS = {FAMOUS!r}
def status(name):
    for line in open("/proc/self/status"):
        if line.startswith(name + ":"):
            return int(line.split()[1])
"""
    done = subprocess.run([sys.executable, "-c", begin + script], capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return [float(word) for word in done.stdout.split()]


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux")


@on_linux
def test_a_thousand_archives_and_forty_codecs_share_threads() -> None:
    (threads,) = run("""
import time
data = plyzip.compress(FAMOUS, model="none")
archives = [plyzip.open(data) for _ in range(1000)]
codecs = [plyzip.GameCodec("none", threads=1 + number % 4) for number in range(40)]
for archive in archives[::10]:
    assert archive[0].plies == 33
for codec in codecs:
    assert len(codec.decode(codec.encode(["e2e4", "e7e5"]))) == 2
time.sleep(0.5)
print(status("Threads"))
""")
    assert threads <= 1 + 2 * CORES


@on_linux
def test_no_call_has_more_threads_than_there_are_cores() -> None:
    most, seconds = run("""
import os, threading, time
most = 0
done = threading.Event()
def watch():
    global most
    while not done.is_set():
        most = max(most, len(os.listdir("/proc/self/task")))
        time.sleep(0.001)
watcher = threading.Thread(target=watch)
watcher.start()
begin = time.monotonic()
for threads in [1000, 2**31, 2**63]:
    data = plyzip.compress(FAMOUS, model="none", threads=threads)
    assert plyzip.decompress(data, threads=threads) == FAMOUS
    assert plyzip.open(data, threads=threads)[0].plies == 33
    plyzip.GameCodec("none", threads=threads).encode(["e2e4"])
seconds = time.monotonic() - begin
done.set()
watcher.join()
print(most, seconds)
""")
    assert most <= 2 + CORES
    assert seconds < 30


def test_numbers_of_threads_that_make_no_sense_are_errors() -> None:
    calls: list[Callable[[Any], object]] = [
        lambda threads: plyzip.compress(b"", threads=threads),
        lambda threads: plyzip.open(plyzip.compress(b""), threads=threads),
        lambda threads: plyzip.GameCodec("none", threads=threads),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="at least one thread"):
            call(0)
        for wrong in [-1, 2**64]:
            with pytest.raises(OverflowError):
                call(wrong)
        with pytest.raises(TypeError):
            call("two")


@on_linux
def test_a_model_is_in_memory_once() -> None:
    before, one, many, seconds_one, seconds_many, freed = run("""
import time
data = plyzip.compress(FAMOUS)
def timed(work):
    begin = time.monotonic()
    result = work()
    return result, time.monotonic() - begin
kinds = [plyzip.Model, plyzip.GameCodec, lambda: plyzip.open(data)[0]]
before = status("RssAnon")
first, seconds_one = timed(plyzip.Model)
one = status("RssAnon")
models, seconds_many = timed(lambda: [plyzip.Model() for _ in range(20)] + [plyzip.GameCodec() for _ in range(20)])
archives = [plyzip.open(data) for _ in range(20)]
for archive in archives:
    assert archive[0].plies == 33
many = status("RssAnon")
del first, models, archives, archive
freed = status("RssAnon")
print(before, one, many, seconds_one, seconds_many, freed)
""")
    of_one = max(one - before, 5000)
    # Sixty of them; an archive has a page that is decoded, too.
    assert many - one < 10 * of_one, (before, one, many)
    assert seconds_many < 20 * seconds_one, (seconds_one, seconds_many)
