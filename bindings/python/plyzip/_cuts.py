"""Where PGN is cut into slices: at the first game that surely starts behind a place that the length tells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from plyzip import _zstd
from plyzip._plyzip import find_game

#: How far behind the place where a slice should end a game start is looked for.
_SEARCH_BYTES = 16 << 20
#: How far at first.
_FIRST_SEARCH_BYTES = 1 << 16
_CHUNK_BYTES = 1 << 20
#: What a frame of zstd that does not say how much it holds is taken to hold, for each of its bytes.
_RATIO = 5


def plain_cuts(file: BinaryIO, length: int, slice_bytes: int) -> Iterator[tuple[int, int]]:
    """The places in a PGN of so many bytes where slices end; each with 0."""
    last = 0
    for place in range(slice_bytes, length, slice_bytes):
        start = _first_start(_plain(file, place, min(length, place + _SEARCH_BYTES)))
        if start is not None and place + start > last:
            last = place + start
            yield last, 0


def zstd_cuts(file: BinaryIO, length: int, slice_bytes: int) -> Iterator[tuple[int, int]]:
    """The begins of frames in a `.zst` file behind which slices end; each with how many bytes of PGN behind it."""
    held, last = 0, 0
    for frame in _zstd.frames(file, 0, length):
        if held >= slice_bytes and frame.begin > last:
            held = 0
            cut = _frame_cut(file, frame.begin, length)
            if cut is not None:
                # The frame that it is in; one that begins before has no cut of its own.
                last = cut[0]
                yield cut
        size = frame.content_bytes
        held += _RATIO * (frame.end - frame.begin) if size is None else size


def _frame_cut(file: BinaryIO, begin: int, end: int) -> tuple[int, int] | None:
    """The first game that surely starts behind the begin of a frame: the begin of the frame in which it does, and its
    place there."""
    start = _first_start(content(file, True, begin, end))
    if start is None:
        return None
    for frame in _zstd.frames(file, begin, end):
        # In pieces, of which no more are held than one.
        size = sum(len(piece) for piece in _zstd.content(file, frame))
        if start < size:
            return frame.begin, start
        start -= size
    return None


def _first_start(chunks: Iterator[bytes]) -> int | None:
    """Where in these bytes a game surely starts first, within the first 16 MiB."""
    window, wanted = bytearray(), _FIRST_SEARCH_BYTES
    for chunk in chunks:
        window += chunk[: _SEARCH_BYTES - len(window)]
        if len(window) >= wanted:
            start = find_game(bytes(window))
            if start is not None or len(window) == _SEARCH_BYTES:
                return start
            wanted = min(2 * len(window), _SEARCH_BYTES)
    return find_game(bytes(window))


def _plain(file: BinaryIO, begin: int, end: int) -> Iterator[bytes]:
    file.seek(begin)
    step = _FIRST_SEARCH_BYTES
    while begin < end:
        chunk = file.read(min(step, end - begin))
        if not chunk:
            return
        begin += len(chunk)
        step = min(2 * step, _CHUNK_BYTES)
        yield chunk


def content(file: BinaryIO, zstd: bool, begin: int, end: int) -> Iterator[bytes]:
    """The PGN in these bytes of a file, in pieces of up to 1 MiB."""
    if not zstd:
        return _plain(file, begin, end)
    return (chunk for frame in _zstd.frames(file, begin, end) for chunk in _zstd.content(file, frame))
