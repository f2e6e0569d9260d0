"""Some bytes of a file, as a file."""

from __future__ import annotations

import io
from typing import BinaryIO


class FilePart(io.RawIOBase):
    """The bytes of `file` from `begin` to before `end`. Others may read the file, too, but not at the same time."""

    def __init__(self, file: BinaryIO, begin: int, end: int) -> None:
        self._file, self._begin, self._length = file, begin, end - begin
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._length}[whence]
        self._at = start + offset
        return self._at

    def read(self, size: int = -1) -> bytes:
        left = max(0, self._length - self._at)
        self._file.seek(self._begin + self._at)
        piece = self._file.read(left if size < 0 else min(size, left))
        self._at += len(piece)
        return piece
