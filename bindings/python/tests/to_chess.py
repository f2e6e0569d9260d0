"""Games as python-chess has them: out of an archive by `to_chess`, and out of the PGN by `chess.pgn.read_game`.

Prints games for a second of processor time, and in how many of the games the two differ. Arguments: a PGN, and names of
models.
"""

from __future__ import annotations

import logging
import statistics
import sys
import time
from collections.abc import Callable

import chess.pgn
import plyzip

_ROUNDS = 5


def archive_games(data: bytes) -> list[chess.pgn.Game]:
    return [game.to_chess() for game in plyzip.open(data)]


def pgn_games(path: str) -> list[chess.pgn.Game]:
    with open(path, encoding="utf-8") as file:
        return list(iter(lambda: chess.pgn.read_game(file), None))


def speed(work: Callable[[], list[chess.pgn.Game]]) -> tuple[float, list[chess.pgn.Game]]:
    before = time.process_time()
    games = work()
    return len(games) / (time.process_time() - before), games


def main() -> None:
    logging.disable()
    path, *models = sys.argv[1:]
    for model in models or ["none"]:
        data = plyzip.compress(path, model=model, verify=False)
        speeds: list[tuple[float, float]] = []
        differ = 0
        for _ in range(_ROUNDS):
            of_archive, ours = speed(lambda data=data: archive_games(data))  # type: ignore[misc]
            of_pgn, theirs = speed(lambda: pgn_games(path))
            speeds.append((of_archive, of_pgn))
            differ = sum(str(one) != str(other) for one, other in zip(ours, theirs, strict=True))
        of_archive, of_pgn = (statistics.median(column) for column in zip(*speeds, strict=True))
        print(
            f"{model}: to_chess {of_archive:.0f} games/s, read_game {of_pgn:.0f} games/s, "
            f"{differ} of {len(theirs)} games differ"
        )


if __name__ == "__main__":
    main()
