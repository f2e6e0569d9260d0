"""PGN cut into slices at game starts, so that each can be compressed elsewhere.

A plan follows from the files alone: their order, their bytes and `slice_bytes`. The archives of its slices, one behind
the other, are an archive of all files: `plyzip cat` and `plyzip.spark` join them so. `python -m plyzip.slices` does it
from a shell.

>>> import plyzip.slices
>>> from pathlib import Path
>>> _ = Path("games.pgn").write_bytes(FAMOUS * 100)
>>> plan = plyzip.slices.plan("games.pgn", slice_bytes=50_000)
>>> [len(part.open().read()) for part in plan]
[50109, 25291]
>>> b"".join(part.open().read() for part in plan) == FAMOUS * 100
True
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, TypeAlias, TypedDict, cast

from plyzip._cuts import content, plain_cuts, zstd_cuts
from plyzip._plyzip import Summary
from plyzip._plyzip import compress as compress_one
from plyzip._plyzip import open as open_archive
from plyzip._store import FileSystem, store_of
from plyzip._zstd import is_zstd
from plyzip.errors import UsageError

__all__ = ["SLICE_BYTES", "Coding", "Slice", "compress", "plan"]

#: Bytes of PGN in a slice, unless others are asked for: two full blocks of an archive.
SLICE_BYTES = 64_000_000

_BUFFER_BYTES = 1 << 20
#: What other programs have packed, by its first bytes.
_PACKED = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"PK\x03\x04": "zip"}

_Path: TypeAlias = str | os.PathLike[str]
_Source: TypeAlias = _Path | Iterable[_Path]


class Coding(TypedDict, total=False):
    """How slices are compressed: the arguments of `plyzip.compress` that decide bytes, and `verify`."""

    model: _Path | None
    block_games: int
    page_games: int | None
    verify: bool


@dataclass(frozen=True)
class Slice:
    """A run of games of a file: what lies there from byte `begin` to byte `end`, but for its first `skip` bytes, and
    `more` bytes of what follows.

    In a `.zst` file (`zstd`) `begin` and `end` are ends of frames, and `skip` and `more` bytes of the PGN inside.
    `file_bytes` is the length of the file when it was cut.
    """

    path: str
    file_bytes: int
    zstd: bool
    begin: int
    end: int
    skip: int = 0
    more: int = 0

    def open(self, filesystem: FileSystem | None = None) -> io.BufferedReader:
        """The PGN of the slice as a file, which reads in bounded memory but does not seek. `filesystem` is the one that
        the plan was made with.

        Raises OSError if the file cannot be read, is damaged, or is not what it was when it was cut.
        """
        store, path = store_of(self.path, filesystem)
        file = store.open(path)
        found = file.seek(0, io.SEEK_END)
        if found != self.file_bytes:
            file.close()
            raise OSError(f"{self.path} has {found} bytes, and had {self.file_bytes} when it was cut")
        return io.BufferedReader(_SliceReader(file, self), _BUFFER_BYTES)


def plan(source: _Source, *, slice_bytes: int = SLICE_BYTES, filesystem: FileSystem | None = None) -> list[Slice]:
    """Cuts files into slices: those that a pattern such as `"pgn/*.pgn"` names, in the order of their names, or these
    files, in this order.

    A path is one of this machine, a URI that pyarrow knows (`s3://`, `s3a://`, `gs://`, `hdfs://`), or one of
    `filesystem`, a file system of pyarrow or fsspec.

    A slice begins with a file, and with the first game that starts behind each `slice_bytes` bytes of it. A `.zst` file
    is cut behind a frame, at the first game that starts there: a slice takes frames until they have `slice_bytes` bytes
    of PGN, those that do not say how much they hold taken for five times their size. Where no game starts within 16 MiB
    behind such a place, the slice goes on to the next one.

    Raises FileNotFoundError if there is no such file, UsageError for what cannot be cut, OSError if a file is damaged
    or cannot be read.
    """
    if slice_bytes < 1:
        raise UsageError("a slice holds at least one byte")
    files = _files(source, filesystem)
    parts = [part for path in files for part in _slices(path, slice_bytes, filesystem)]
    # Of no bytes there is an archive, too.
    return parts or [Slice(files[0], 0, False, 0, 0)]


def compress(
    source: _Source,
    target: _Path,
    *,
    model: _Path | None = None,
    slice_bytes: int = SLICE_BYTES,
    block_games: int = 20_000,
    page_games: int | None = None,
    verify: bool = True,
    threads: int | None = None,
    overwrite: bool = False,
    filesystem: FileSystem | None = None,
) -> Summary:
    """Makes on this machine, slice by slice, the archive that `plyzip.spark.compress` makes: byte for byte the same.

    The arguments are those of `plan` and of `plyzip.compress`.

    >>> from pathlib import Path
    >>> _ = Path("games.pgn").write_bytes(FAMOUS * 100)
    >>> plyzip.slices.compress("*.pgn", "games.plz", model="none", slice_bytes=50_000).games
    200
    >>> plyzip.decompress("games.plz") == FAMOUS * 100
    True
    """
    coding = Coding(model=model, block_games=block_games, page_games=page_games, verify=verify)
    parts = plan(source, slice_bytes=slice_bytes, filesystem=filesystem)
    store, path = store_of(os.fspath(target), filesystem)
    with store.new(path, overwrite) as file:
        for part in parts:
            with part.open(filesystem) as pgn:
                compress_one(pgn, file, threads=threads, **coding)
    with store.open(path) as file:
        return open_archive(file).summary


def _files(source: _Source, filesystem: FileSystem | None) -> list[str]:
    """Paths that do not depend on the folder that one is in; those of stores as they were given."""
    if not isinstance(source, (str, os.PathLike)):
        paths = [os.fspath(path) for path in source]
    elif isinstance(source, str):
        store, path = store_of(source, filesystem)
        paths = store.matching(path)
        if "://" in source:
            paths = [_uri(source, path, found) for found in paths]
    else:
        paths = [os.fspath(source)]
    if not paths:
        raise FileNotFoundError(2, "no file has such a name", str(source))
    is_here = filesystem is None
    return [os.path.abspath(path) if is_here and "://" not in path else path for path in paths]


def _uri(pattern: str, inside: str, found: str) -> str:
    """The URI of what was found by a pattern that is `inside` by its path in the store."""
    uri, question, query = pattern.partition("?")
    return f"{uri.removesuffix(inside)}{found}{question}{query}"


def _slices(path: str, slice_bytes: int, filesystem: FileSystem | None) -> Iterator[Slice]:
    store, inside = store_of(path, filesystem)
    with store.open(inside) as file:
        head = file.read(8)
        for magic, program in _PACKED.items():
            if head.startswith(magic):
                raise UsageError(f"{path} is packed by {program} and cannot be cut: unpack it, or pack it by zstd")
        length = file.seek(0, io.SEEK_END)
        zstd = is_zstd(head)
        cuts = zstd_cuts(file, length, slice_bytes) if zstd else plain_cuts(file, length, slice_bytes)
        at, skip = 0, 0
        for end, more in cuts:
            yield Slice(path, length, zstd, at, end, skip, more)
            at, skip = end, more
        if length:
            yield Slice(path, length, zstd, at, length, skip)


class _SliceReader(io.RawIOBase):
    """The bytes of a slice, in order."""

    def __init__(self, file: BinaryIO, part: Slice) -> None:
        self._file = file
        self._chunks = self._all(part)
        self._chunk = memoryview(b"")

    def _all(self, part: Slice) -> Iterator[bytes]:
        skip, more = part.skip, part.more
        for chunk in content(self._file, part.zstd, part.begin, part.end):
            yield chunk[skip:]
            skip -= min(skip, len(chunk))
        for chunk in content(self._file, part.zstd, part.end, part.file_bytes) if more else ():
            yield chunk[:more]
            more -= min(more, len(chunk))
            if not more:
                break
        if skip or more or self._file.seek(0, io.SEEK_END) != part.file_bytes:
            raise OSError(f"{part.path} is not what it was when it was cut")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        room = memoryview(cast(bytearray, buffer))
        while not self._chunk:
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._chunk = memoryview(chunk)
        taken = min(len(room), len(self._chunk))
        room[:taken] = self._chunk[:taken]
        self._chunk = self._chunk[taken:]
        return taken

    def close(self) -> None:
        self._file.close()
        super().close()
