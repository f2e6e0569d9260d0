"""Draws what commands print as the picture of a terminal: docs/terminal.svg of the README.

    packaging/terminal_svg.py target/release/plyzip > docs/terminal.svg

The commands run in a terminal of their own (Linux and macOS), with the sample of the repository, so the picture shows
what the program prints there, colours included.
"""

from __future__ import annotations

import fcntl
import html
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = 100
#: What runs; of what it prints, the lines that are shown (a gap is drawn where some are left out).
COMMANDS: list[tuple[str, list[slice]]] = [
    ("plyzip compress famous.pgn", [slice(None)]),
    ("plyzip list famous.pgn.plz --date 1850..1910", [slice(None)]),
    ("plyzip explain famous.pgn.plz --game 4", [slice(0, 6), slice(-8, -1)]),
]
FONT, LINE, LEFT, TOP = 13, 18, 20, 62
#: Of SGR codes, the classes that they are drawn in.
CLASSES = {"1": "bold", "2": "quiet", "31": "red", "32": "green", "33": "amber", "34": "blue", "36": "cyan"}
STYLE = (
    ".page{fill:#fff;stroke:#d1d9e0}.bar{fill:#f6f8fa}.text{fill:#1f2328}.quiet{fill:#59636e}.prompt,.green{fill:#1a7f37}"
    ".bits,.amber{fill:#bc4c00}.blue,.cyan{fill:#0550ae}.red{fill:#cf222e}.bold{font-weight:600}"
    "@media (prefers-color-scheme:dark){.page{fill:#0d1117;stroke:#3d444d}.bar{fill:#151b23}.text{fill:#f0f6fc}"
    ".quiet{fill:#9198a1}.prompt,.green{fill:#3fb950}.bits,.amber{fill:#ffa657}.blue,.cyan{fill:#79c0ff}.red{fill:#ff7b72}}"
)


def printed(program: Path, command: str, folder: str) -> list[str]:
    """The lines that a command prints to a terminal of so many columns."""
    terminal, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 60, COLUMNS, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(COLUMNS), "LANG": "C.UTF-8"}
    environment.pop("NO_COLOR", None)
    arguments = [str(program), *command.split()[1:]]
    with subprocess.Popen(arguments, cwd=folder, env=environment, stdout=end, stderr=end, stdin=end) as process:
        os.close(end)
        pieces = []
        while True:
            try:
                piece = os.read(terminal, 1 << 16)
            except OSError:
                break
            if not piece:
                break
            pieces.append(piece)
    os.close(terminal)
    if process.returncode:
        sys.exit(f"{command}: {b''.join(pieces).decode()}")
    text = b"".join(pieces).decode()
    # Progress is drawn over: what stands behind the last return to the begin of the line counts.
    lines = [line.rstrip("\r").split("\r")[-1].expandtabs(8) for line in text.split("\n")]
    lines = [re.sub(r"\x1b\[[0-9;?]*[A-LN-Za-ln-z]", "", line) for line in lines]
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def spans(line: str) -> str:
    """A line with its colours as SVG; bars of bits have theirs in any case."""
    drawn, classes = "", ["text"]
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if code:
            found = [CLASSES[number] for number in code.group(1).split(";") if number in CLASSES]
            classes = found or ["text"]
            continue
        for piece in re.split("([█▉▊▋▌▍▎▏]+)", part):
            if piece:
                name = "bits" if piece[0] in "█▉▊▋▌▍▎▏" else " ".join(classes)
                drawn += f'<tspan class="{name}">{html.escape(piece, quote=False)}</tspan>'
    return drawn


def main() -> None:
    program = Path(sys.argv[1]).resolve()
    rows: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ROOT / "samples" / "famous.pgn", folder)
        for command, shown in COMMANDS:
            rows += [""] if rows else []
            rows.append(f'<tspan class="prompt">$</tspan> <tspan class="text bold">{html.escape(command)}</tspan>')
            lines = printed(program, command, folder)
            for number, part in enumerate(shown):
                rows += ['<tspan class="quiet">  ⋮</tspan>'] if number else []
                rows += [spans(line) for line in lines[part]]
    width, height = 2 * LEFT + round(COLUMNS * FONT * 0.605), TOP + LINE * len(rows)
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace" '
        f'font-size="{FONT}"><title>plyzip in a terminal</title><style>{STYLE}</style>\n'
        f'<rect class="page" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>\n'
        f'<path class="bar" d="M1 34V9a8 8 0 0 1 8-8h{width - 18}a8 8 0 0 1 8 8v25z"/>'
        '<circle cx="20" cy="18" r="5.5" fill="#ff5f57"/><circle cx="38" cy="18" r="5.5" fill="#febc2e"/>'
        '<circle cx="56" cy="18" r="5.5" fill="#28c840"/>'
    )
    for number, row in enumerate(rows):
        print(f'<text x="{LEFT}" y="{TOP - 4 + LINE * number}" xml:space="preserve">{row}</text>')
    print("</svg>")


if __name__ == "__main__":
    main()
