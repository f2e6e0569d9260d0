"""Holds what `plyzip-training nnue-check-teacher` computes against the engine's own command `eval`.

    python3 training/check_teacher.py stockfish-15.1.nnue /usr/games/stockfish < positions.fen

Standard input has a position a line (FEN), none of them in check. The engine prints hundredths of a pawn, so half of
one is the largest difference that rounding explains; any larger one ends with status 1.
"""

import argparse
import re
import subprocess
import sys

PAWN = 361
ROUNDING = 0.0051


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights")
    parser.add_argument("engine")
    parser.add_argument("--tool", default="target/release/plyzip-training")
    options = parser.parse_args()
    positions = sys.stdin.read().splitlines()

    def output(command, lines):
        return subprocess.run(command, input="\n".join(lines) + "\n", text=True, capture_output=True, check=True).stdout

    found = output([options.tool, "nnue-check-teacher", options.weights], positions).splitlines()
    commands = [line for position in positions for line in (f"position fen {position}", "eval")]
    told = re.findall(r"NNUE evaluation\s+([-+]\d+\.\d+)", output([options.engine], [*commands, "quit"]))
    if not len(found) == len(told) == len(positions):
        sys.exit(f"{len(positions)} positions, {len(found)} and {len(told)} evaluations")
    sides = [1 if position.split()[1] == "w" else -1 for position in positions]
    differences = [
        abs(int(ours.split()[0]) * side / PAWN - float(theirs)) for ours, side, theirs in zip(found, sides, told)
    ]
    print(f"{len(positions)} positions, largest difference {max(differences, default=0):.4f} pawns")
    sys.exit(max(differences, default=0) > ROUNDING)


if __name__ == "__main__":
    main()
