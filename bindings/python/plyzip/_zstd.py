"""Frames of zstd (RFC 8878): where they are in a file, and what is in them."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import BinaryIO, NamedTuple

from plyzip._file_part import FilePart

MAGIC = b"\x28\xb5\x2f\xfd"
_PIECE_BYTES = 1 << 20
#: As `zstd -d` has it; a hostile frame takes no more memory.
_MOST_WINDOW_BYTES = 1 << 27
_LONGEST_HEADER = 18
_UNKNOWN = (1 << 64) - 1


class Frame(NamedTuple):
    """Bytes of a file that are a frame, and how many bytes it says that it holds, if it does."""

    begin: int
    end: int
    content_bytes: int | None


def is_zstd(head: bytes) -> bool:
    """Whether a file that begins so has frames: with content, or first one to be skipped."""
    return head[:4] == MAGIC or _is_skippable(head)


def frames(file: BinaryIO, begin: int, end: int) -> Iterator[Frame]:
    """The frames in these bytes of a file, in order, without those that are to be skipped. Nothing is decompressed.

    Raises OSError if these are no whole frames.
    """
    while begin < end:
        file.seek(begin)
        head = file.read(_LONGEST_HEADER)
        if _is_skippable(head) and len(head) >= 8:
            begin += 8 + int.from_bytes(head[4:8], "little")
            if begin > end:
                raise _broken(file, "it ends within a frame")
            continue
        frame = _frame(file, begin, head)
        if frame.end > end:
            raise _broken(file, "it ends within a frame")
        yield frame
        begin = frame.end


def content(file: BinaryIO, frame: Frame) -> Iterator[bytes]:
    """What is in a frame, in pieces of up to 1 MiB. Raises OSError if it is damaged."""
    zstd = _library()
    decompressor = zstd.ZstdDecompressor(max_window_size=_MOST_WINDOW_BYTES)
    with decompressor.stream_reader(FilePart(file, frame.begin, frame.end), closefd=False) as reader:
        while True:
            try:
                piece = reader.read(_PIECE_BYTES)
            except zstd.ZstdError as error:
                raise _broken(file, str(error)) from None
            if not piece:
                return
            yield piece


def _is_skippable(head: bytes) -> bool:
    return head[1:4] == b"\x2a\x4d\x18" and head[0] >> 4 == 5


def _frame(file: BinaryIO, begin: int, head: bytes) -> Frame:
    zstd = _library()
    try:
        parameters = zstd.get_frame_parameters(head)
        at = begin + zstd.frame_header_size(head)
    except zstd.ZstdError as error:
        raise _broken(file, str(error)) from None
    if parameters.dict_id:
        raise _broken(file, "it takes a dictionary")
    last = False
    while not last:
        file.seek(at)
        header = file.read(3)
        if len(header) < 3:
            raise _broken(file, "it ends within a frame")
        number = int.from_bytes(header, "little")
        last, kind, size = bool(number & 1), number >> 1 & 3, number >> 3
        if kind == 3:
            raise _broken(file, "a block of a frame has no kind")
        # A run of one byte is stored as that byte.
        at += 3 + (1 if kind == 1 else size)
    known = parameters.content_size
    return Frame(begin, at + 4 * parameters.has_checksum, known if 0 <= known < _UNKNOWN else None)


def _broken(file: BinaryIO, why: str) -> OSError:
    return OSError(f"{file.name} is damaged, or no zstd file: {why}")


def _library() -> ModuleType:
    try:
        import zstandard
    except ImportError:
        raise ImportError("for .zst files the package zstandard is needed: pip install 'plyzip[spark]'") from None
    return zstandard
