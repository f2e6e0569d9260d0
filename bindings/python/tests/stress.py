"""Threads that share an archive: all pairs of calls, each result compared with what one thread gets.

`python stress.py --seconds 600` goes on for so long; test_threads.py has a short form of it.
"""

from __future__ import annotations

import argparse
import itertools
import random
import threading
import time
from collections.abc import Callable

import chess
import plyzip
from conftest import random_game

# Longer than any call takes, on a machine with much else to do.
HANG = 120.0

AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"

Call = Callable[[plyzip.Archive], object]

# Each takes another way through the archive. What is compared holds the bytes of all games that come.
CALLS: dict[str, Call] = {
    "filter": lambda archive: [bytes(game) for game in archive.filter(player="ito")],
    "late filter": lambda archive: [bytes(game) for game in archive.filter(plies="20..")],
    "position": lambda archive: [bytes(game) for game in archive.filter(position=AFTER_E4)],
    "count": lambda archive: archive.count(player="muller"),
    "late count": lambda archive: archive.count(plies="..40"),
    "find": lambda archive: [(bytes(game), ply) for game, ply in archive.find(chess.STARTING_FEN)],
    "tags": lambda archive: archive.tags("White", "Date").to_pylist(),
    "late tags": lambda archive: archive.tags("ECO", "White").to_pylist(),
    "index": lambda archive: [bytes(archive[index]) for index in range(0, len(archive), 7)],
    "iteration": lambda archive: [bytes(game) for game in archive],
    "slice": lambda archive: [bytes(game) for game in archive[::-3]],
}


def archive_of_pages(seed: int = 7) -> bytes:
    """An archive of some blocks, each of several pages."""
    numbers = random.Random(seed)
    pgn = "".join(f"{random_game(numbers)}\n\n" for _ in range(36))
    return plyzip.compress(pgn.encode(), model="none", block_games=18, page_games=2, verify=False)


def expected(data: bytes) -> dict[str, object]:
    """What each call gives if there is one thread, and one of plyzip's."""
    archive = plyzip.open(data, threads=1)
    return {name: call(archive) for name, call in CALLS.items()}


def together(archive: plyzip.Archive, names: list[str], results: dict[str, object], rounds: int) -> None:
    """Threads that make these calls on one archive, so many times each."""
    wrong: list[str] = []
    start = threading.Barrier(len(names))

    def work(name: str) -> None:
        start.wait()
        for _ in range(rounds):
            try:
                if CALLS[name](archive) != results[name]:
                    wrong.append(f"{name}: another result")
            except BaseException as error:  # noqa: BLE001
                wrong.append(f"{name}: {error!r}")

    # Those of a test that has failed do not keep the interpreter from its end.
    threads = [threading.Thread(target=work, args=(name,), daemon=True) for name in names]
    for thread in threads:
        thread.start()
    end = time.monotonic() + HANG
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    assert not any(thread.is_alive() for thread in threads), f"{names} hang"
    assert not wrong, wrong


def stress(seconds: float, seed: int = 0) -> int:
    """All pairs on two threads, at least once, and then in any order on two and on eight; how many pairs there were."""
    data = archive_of_pages()
    results = expected(data)
    numbers = random.Random(seed)
    pairs = list(itertools.combinations_with_replacement(CALLS, 2))
    end = time.monotonic() + seconds
    done = 0
    for pair in pairs:
        together(plyzip.open(data), list(pair), results, 1)
        done += 1
    while time.monotonic() < end:
        pair = numbers.choice(pairs)
        size = numbers.choice([2, 8])
        threads = numbers.choice([None, 1, 2, 3])
        together(
            plyzip.open(data, threads=threads), [pair[at % 2] for at in range(size)], results, numbers.choice([1, 3])
        )
        done += 1
    return done


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=600)
    arguments.add_argument("--seed", type=int, default=0)
    asked = arguments.parse_args()
    print(f"{stress(asked.seconds, asked.seed)} pairs of calls, all right")
