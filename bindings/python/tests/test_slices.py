"""PGN cut into slices, plain and in frames of zstd."""

from __future__ import annotations

import dataclasses
import doctest
import gzip
import os
import random
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import plyzip
import plyzip.slices
import pytest
from conftest import FAMOUS
from plyzip._plyzip import find_game

zstandard = pytest.importorskip("zstandard")

#: What is hard to cut: other ends of lines, tags that follow blank lines, no tag Event, tags within comments.
HARD = {
    "carriage returns": FAMOUS.replace(b"\n", b"\r") * 40,
    "both": b"\xef\xbb\xbf" + FAMOUS.replace(b"\n", b"\r\n") * 40,
    "no Event": b'[White "A"]\n[Black "B"]\n\n1. e4 *\n\n' * 300,
    "no movetext": b'[Event "A"]\n[White "A"]\n\n[Black "B"]\n\n' * 300,
    "comments": b'[Event "A"]\n\n1. e4 {\n[%clk 0:01]\n\n[Event "x"]\n } *\n\n' * 300,
    "one line": b'[Event "A"] 1. e4 * [Event "B"] 1. d4 *' * 300,
    "text": b"no games at all\n" * 900,
}


def packed(pgn: bytes, frame_bytes: int, known: bool = True) -> bytes:
    """PGN in frames of zstd, cut anywhere, of which each follows one to be skipped, as pzstd has them."""
    frames = []
    for begin in range(0, len(pgn), frame_bytes):
        compressor = zstandard.ZstdCompressor(write_content_size=known, write_checksum=True)
        frame = compressor.compress(pgn[begin : begin + frame_bytes])
        frames += [b"\x50\x2a\x4d\x18\x04\x00\x00\x00", len(frame).to_bytes(4, "little"), frame]
    return b"".join(frames)


def read(plan: list[plyzip.slices.Slice]) -> list[bytes]:
    pieces = []
    for part in plan:
        with part.open() as pgn:
            pieces.append(pgn.read())
    return pieces


def games_of(pgn: bytes) -> int:
    return plyzip.open(plyzip.compress(pgn, model="none", verify=False)).summary.games


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path


@pytest.mark.parametrize("kind", HARD)
def test_no_game_is_divided(folder: Path, kind: str) -> None:
    pgn = HARD[kind]
    (folder / "games.pgn").write_bytes(pgn)
    (folder / "games.zst").write_bytes(packed(pgn, 700))
    (folder / "unknown.zst").write_bytes(packed(pgn, 700, known=False))
    games = games_of(pgn)
    for name in ["games.pgn", "games.zst", "unknown.zst"]:
        for slice_bytes in [1, 999, 2000, 20_000]:
            pieces = read(plyzip.slices.plan(name, slice_bytes=slice_bytes))
            assert b"".join(pieces) == pgn
            assert sum(map(games_of, pieces)) == games
            assert (len(pieces) > 1) == (kind not in ["text", "one line"] and slice_bytes < len(pgn))


def test_a_cut_is_where_the_whole_has_a_game(pgn: bytes) -> None:
    starts, at = [], 0
    archive = plyzip.open(plyzip.compress(pgn, model="none"))
    for game in archive:
        starts.append(at)
        at += len(bytes(game))
    numbers = random.Random(5)
    for _ in range(300):
        begin = numbers.randrange(len(pgn))
        found = find_game(pgn[begin:])
        if found is None:
            # At most the last game begins behind it: the line that it begins in is not looked at.
            assert sum(start > begin for start in starts) <= 1
        else:
            assert begin + found in starts
            assert sum(begin < start < begin + found for start in starts) <= 1


def test_slices_are_as_long_as_asked_for(folder: Path, pgn: bytes) -> None:
    (folder / "games.pgn").write_bytes(pgn * 5)
    pieces = read(plyzip.slices.plan("games.pgn", slice_bytes=30_000))
    longest = max(len(bytes(game)) for game in plyzip.open(plyzip.compress(pgn, model="none")))
    assert all(abs(len(piece) - 30_000) < 2 * longest for piece in pieces[:-1])


def test_files_come_in_the_order_of_their_names(folder: Path) -> None:
    for name in ["b.pgn", "a.pgn", "c.txt"]:
        (folder / name).write_bytes(name.encode())
    (folder / "d.pgn").mkdir()
    assert read(plyzip.slices.plan("*.pgn")) == [b"a.pgn", b"b.pgn"]
    assert read(plyzip.slices.plan(["b.pgn", Path("a.pgn")])) == [b"b.pgn", b"a.pgn"]
    (folder / "[odd].pgn").write_bytes(b"odd")
    assert read(plyzip.slices.plan("[odd].pgn")) == [b"odd"]


def test_an_archive_of_nothing(folder: Path) -> None:
    (folder / "a.pgn").touch()
    assert plyzip.slices.compress("a.pgn", "a.plz", model="none").original_bytes == 0
    assert plyzip.decompress("a.plz") == b""


def test_the_archive_is_that_of_its_slices(folder: Path, pgn: bytes) -> None:
    (folder / "a.pgn").write_bytes(pgn * 2)
    (folder / "b.pgn.zst").write_bytes(packed(pgn, 9_000))
    summary = plyzip.slices.compress("*", "out.plz", model="none", slice_bytes=40_000, page_games=16)
    plan = plyzip.slices.plan(["a.pgn", "b.pgn.zst"], slice_bytes=40_000)
    parts = [plyzip.compress(piece, model="none", page_games=16) for piece in read(plan)]
    assert len(parts) == 5
    assert Path("out.plz").read_bytes() == b"".join(parts)
    assert plyzip.decompress("out.plz") == pgn * 3
    assert summary.games == 360
    with pytest.raises(FileExistsError):
        plyzip.slices.compress("a.pgn", "out.plz", model="none")
    plyzip.slices.compress("a.pgn", "out.plz", model="none", overwrite=True)
    assert plyzip.decompress("out.plz") == pgn * 2
    assert stat.S_IMODE(os.stat("out.plz").st_mode) == stat.S_IMODE(os.stat("a.pgn").st_mode)
    os.symlink("out.plz", "link.plz")
    plyzip.slices.compress("b.pgn.zst", "link.plz", model="none", overwrite=True)
    assert os.path.islink("link.plz") and plyzip.decompress("out.plz") == pgn
    os.unlink("link.plz")
    assert sorted(os.listdir()) == ["a.pgn", "b.pgn.zst", "out.plz"]


def test_what_cannot_be_cut_says_why(folder: Path, pgn: bytes) -> None:
    frames = packed(pgn, 9_000)
    for name, data, error, text in [
        ("a.gz", gzip.compress(pgn), plyzip.UsageError, "packed by gzip"),
        ("a.zst", frames[:-5], OSError, "ends within a frame"),
        ("b.zst", frames + b"rest", OSError, "no zstd file"),
        ("c.zst", frames[:20], OSError, "ends within a frame"),
    ]:
        (folder / name).write_bytes(data)
        with pytest.raises(error, match=text) as caught:
            plyzip.slices.plan(name, slice_bytes=10_000)
        assert name in str(caught.value)
    pytest.importorskip("pyarrow")
    with pytest.raises(plyzip.UsageError, match="no URI that pyarrow knows"):
        plyzip.slices.plan("gopher://host/games.pgn")
    with pytest.raises(FileNotFoundError):
        plyzip.slices.plan("*.pgn")
    with pytest.raises(IsADirectoryError):
        plyzip.slices.plan(folder)
    with pytest.raises(plyzip.UsageError):
        plyzip.slices.plan("a.zst", slice_bytes=0)


def test_a_damaged_frame_leaves_no_archive(folder: Path, pgn: bytes) -> None:
    frames = bytearray(packed(pgn, len(pgn)))
    frames[len(frames) // 2] ^= 1
    (folder / "a.zst").write_bytes(frames)
    with pytest.raises(OSError, match=r"a\.zst is damaged"):
        plyzip.slices.compress("a.zst", "out.plz", model="none")
    assert os.listdir() == ["a.zst"]


def test_a_file_that_has_changed_is_refused(folder: Path, pgn: bytes) -> None:
    (folder / "a.pgn").write_bytes(pgn)
    [part] = plyzip.slices.plan("a.pgn")
    with part.open() as file:
        file.read(1)
        (folder / "a.pgn").write_bytes(pgn[:-1])
        with pytest.raises(OSError, match="is not what it was"):
            file.read()
    with pytest.raises(OSError, match=f"had {len(pgn)} when"):
        part.open()


def test_a_bomb_is_read_in_pieces(folder: Path) -> None:
    # 2 GB of blanks.
    compressor = zstandard.ZstdCompressor().compressobj()
    with open("bomb.zst", "wb") as file:
        for _ in range(2000):
            file.write(compressor.compress(b" " * 1_000_000))
        file.write(compressor.flush())
    script = """
import resource, plyzip.slices
[part] = plyzip.slices.plan("bomb.zst", slice_bytes=1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
pgn, total = part.open(), 0
while piece := pgn.read(1 << 20):
    total += len(piece)
print(total, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    total, kilobytes = map(int, done.stdout.split())
    assert total == 2_000_000_000 and kilobytes < 50_000


def test_a_shell_cuts_it_too(folder: Path, pgn: bytes) -> None:
    (folder / "a.pgn").write_bytes(pgn)
    command = [sys.executable, "-m", "plyzip.slices"]

    def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([*command, *arguments], capture_output=True)

    planned = run("plan", "a.pgn", "--slice-bytes", "9000").stdout
    (folder / "plan").write_bytes(planned)
    plan = plyzip.slices.plan("a.pgn", slice_bytes=9000)
    assert planned.count(b"\n") == len(plan) > 2
    pieces = [run("read", "plan", str(number + 1)).stdout for number in range(len(plan))]
    assert pieces == read(plan)
    for arguments in [["read", "plan", "0"], ["read", "plan", "99"], ["read", "a.pgn", "1"], ["plan", "absent"]]:
        done = run(*arguments)
        assert done.returncode == 1 and done.stderr.startswith(b"python -m plyzip.slices: ")
        assert b"Traceback" not in done.stderr


def test_slices_are_plain_values(folder: Path) -> None:
    (folder / "a.pgn").write_bytes(FAMOUS)
    [part] = plyzip.slices.plan("a.pgn")
    assert plyzip.slices.Slice(**dataclasses.asdict(part)) == part


def test_examples(folder: Path) -> None:
    failed, tried = doctest.testmod(plyzip.slices, extraglobs={"plyzip": plyzip, "FAMOUS": FAMOUS})
    assert tried > 5 and not failed
    for function in [find_game, plyzip._plyzip.is_late]:
        doctest.run_docstring_examples(function, {}, name=function.__name__)
