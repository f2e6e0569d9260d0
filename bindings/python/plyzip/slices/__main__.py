"""`python -m plyzip.slices`: cuts PGN from a shell, for arrays of jobs."""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import shutil
import sys

from plyzip.slices import SLICE_BYTES, Slice, plan


def main() -> None:
    """Prints a plan, or the PGN of one of its slices."""
    parser = argparse.ArgumentParser(prog="python -m plyzip.slices", description="Cuts PGN into slices at game starts.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    planning = commands.add_parser("plan", help="print a line for each slice")
    planning.add_argument("files", nargs="+", metavar="FILE", help="PGN, .zst too; their order counts")
    planning.add_argument("--slice-bytes", type=int, default=SLICE_BYTES, metavar="N", help="bytes of PGN in a slice")
    planning.set_defaults(run=_plan)
    reading = commands.add_parser("read", help="write the PGN of a slice to standard output")
    reading.add_argument("plan", help="what `plan` has printed")
    reading.add_argument("number", type=int, help="the line of the slice, from 1 on")
    reading.set_defaults(run=_read)
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except (OSError, ValueError) as error:
        sys.exit(f"{parser.prog}: {error}")


def _plan(arguments: argparse.Namespace) -> None:
    for part in plan(arguments.files, slice_bytes=arguments.slice_bytes):
        print(json.dumps(dataclasses.asdict(part)))


def _read(arguments: argparse.Namespace) -> None:
    with open(arguments.plan, encoding="utf-8") as lines:
        line = next(itertools.islice(lines, max(0, arguments.number - 1), None), None)
    if line is None or arguments.number < 1:
        raise ValueError(f"{arguments.plan} has no line {arguments.number}")
    try:
        part = Slice(**json.loads(line))
    except TypeError:
        raise ValueError(f"line {arguments.number} of {arguments.plan} is no slice") from None
    with part.open() as pgn:
        shutil.copyfileobj(pgn, sys.stdout.buffer)


if __name__ == "__main__":
    main()
