"""Where files are: folders of this machine, or a store of objects that pyarrow reaches by its URI."""

from __future__ import annotations

import fnmatch
import glob
import io
import os
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, TypeAlias, TypeVar, cast

from plyzip._new_file import new_file, refuse_existing
from plyzip.errors import UsageError

if TYPE_CHECKING:
    import pyarrow.fs

#: A `pyarrow.fs.FileSystem`, or one of fsspec.
FileSystem: TypeAlias = Any

_BUFFER_BYTES = 1 << 18
#: How often a store is asked that fails, and the seconds before it is asked again, which double each time.
_ATTEMPTS, _PAUSE = 5, 0.2
#: Stores in which an object appears when it is complete, and folders are no more than names.
_OF_OBJECTS = {"s3", "gcs", "abfs"}
#: Spark's names for the protocol.
_S3 = ("s3a://", "s3n://")
_Result = TypeVar("_Result")


class Store(Protocol):
    """Files by their paths."""

    def open(self, path: str) -> BinaryIO:
        """A file to be read, which seeks."""

    def new(self, path: str, overwrite: bool) -> AbstractContextManager[BinaryIO]:
        """A file to write to, which has its name when the block is left without an exception."""

    def refuse_existing(self, path: str) -> None:
        """Raises FileExistsError if there is such a file."""

    def matching(self, pattern: str) -> list[str]:
        """The paths that a pattern names, in their order; a file's own path names it."""

    def make_folder(self, path: str) -> None:
        """Makes a folder, in a folder that is there."""

    def remove_folder(self, path: str) -> None:
        """Removes a folder with all that is in it."""

    def insist(self, work: Callable[[], None]) -> None:
        """Does what reads and writes, and begins anew if it may help."""


def store_of(path: str, filesystem: FileSystem | None) -> tuple[Store, str]:
    """Where a path is, and what the path is called there."""
    if filesystem is not None:
        if "://" in path:
            raise UsageError(f"{path}: with a file system, its own paths are wanted, and no URI")
        return Remote(_arrow_file_system(filesystem)), path
    if "://" not in path:
        return Local(), os.path.abspath(path)
    if path.startswith(_S3):
        path = f"s3://{path.partition('://')[2]}"
    found, inside = _of_uri(path)
    return Remote(found), inside


def join(path: str, name: str) -> str:
    """The path of a file beside another."""
    if "://" not in path:
        return os.path.join(os.path.dirname(path), name)
    uri, question, query = path.partition("?")
    return f"{uri.rpartition('/')[0]}/{name}{question}{query}"


def below(folder: str, name: str) -> str:
    """The path of a file in a folder."""
    uri, question, query = folder.partition("?") if "://" in folder else (folder, "", "")
    return f"{uri}/{name}{question}{query}"


class Local:
    """What is mounted on this machine."""

    def open(self, path: str) -> BinaryIO:
        return open(path, "rb")

    def new(self, path: str, overwrite: bool) -> AbstractContextManager[BinaryIO]:
        return new_file(path, overwrite)

    def refuse_existing(self, path: str) -> None:
        refuse_existing(path)

    def matching(self, pattern: str) -> list[str]:
        if os.path.exists(pattern):
            return [pattern]
        return sorted(path for path in glob.glob(pattern, recursive=True) if not os.path.isdir(path))

    def make_folder(self, path: str) -> None:
        os.mkdir(path)

    def remove_folder(self, path: str) -> None:
        # An attempt that is lost may still write there.
        gone = f"{path}.removed"
        os.rename(path, gone)
        shutil.rmtree(gone, ignore_errors=True)

    def insist(self, work: Callable[[], None]) -> None:
        work()


class Remote:
    """A file system of pyarrow."""

    def __init__(self, filesystem: pyarrow.fs.FileSystem) -> None:
        self._files = filesystem
        self._of_objects = filesystem.type_name in _OF_OBJECTS

    def open(self, path: str) -> BinaryIO:
        return cast(BinaryIO, io.BufferedReader(_Reading(self._files, path), _BUFFER_BYTES))

    @contextmanager
    def new(self, path: str, overwrite: bool) -> Iterator[BinaryIO]:
        if not overwrite:
            self.refuse_existing(path)
        # In a store of objects a name comes with the last byte, and a copy may be limited to some gigabytes.
        unfinished = path if self._of_objects else join(path, f".plyzip-{uuid.uuid4().hex}.tmp")
        try:
            with self._files.open_output_stream(unfinished) as stream:
                yield stream
            if unfinished != path:
                if not overwrite:
                    self.refuse_existing(path)
                self._files.move(unfinished, path)
        except BaseException:
            # Leaving the block has given the object its name.
            with suppress(OSError):
                self._files.delete_file(unfinished)
            raise

    def refuse_existing(self, path: str) -> None:
        if again(lambda: self._exists(path)):
            raise FileExistsError(17, "it exists; overwrite=True replaces it", path)

    def matching(self, pattern: str) -> list[str]:
        import pyarrow.fs

        if again(lambda: self._exists(pattern)):
            return [pattern]
        parts = pattern.split("/")
        plain = next((place for place, part in enumerate(parts) if _is_pattern(part)), None)
        if plain is None:
            return []
        recursive = "**" in parts or plain < len(parts) - 1
        selector = pyarrow.fs.FileSelector("/".join(parts[:plain]), allow_not_found=True, recursive=recursive)
        found = again(lambda: self._files.get_file_info(selector))
        paths = [info.path for info in found if info.type == pyarrow.fs.FileType.File]
        return sorted(path for path in paths if _matches(path.split("/"), parts))

    def make_folder(self, path: str) -> None:
        if not self._of_objects:
            again(lambda: self._files.create_dir(path, recursive=False))

    def remove_folder(self, path: str) -> None:
        # Nothing of it is there if no part was written.
        with suppress(FileNotFoundError):
            again(lambda: self._files.delete_dir(path))

    def insist(self, work: Callable[[], None]) -> None:
        again(work)

    def _exists(self, path: str) -> bool:
        import pyarrow.fs

        [info] = self._files.get_file_info([path])
        return bool(info.type == pyarrow.fs.FileType.File)


class _Reading(io.RawIOBase):
    """An object that is read from a store, which is asked again where it fails."""

    def __init__(self, filesystem: pyarrow.fs.FileSystem, path: str) -> None:
        self.name = path
        self._files = filesystem
        self._at = 0
        self._file = again(self._open)
        self._length: int = again(self._file.size)

    def _open(self) -> pyarrow.NativeFile:
        return self._files.open_input_file(self.name)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._length}[whence] + offset
        return self._at

    def readinto(self, buffer: object) -> int:
        room = memoryview(cast(bytearray, buffer))
        wanted = max(0, min(len(room), self._length - self._at))
        data = again(lambda: self._read(wanted), self._reopen) if wanted else b""
        room[: len(data)] = data
        self._at += len(data)
        return len(data)

    def _read(self, size: int) -> bytes:
        self._file.seek(self._at)
        data: bytes = self._file.read(size)
        if not data:
            raise OSError(f"{self.name} ends before its length")
        return data

    def _reopen(self) -> None:
        with suppress(OSError):
            self._file.close()
        self._file = self._open()

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


def again(ask: Callable[[], _Result], before: Callable[[], None] | None = None) -> _Result:
    """What a store answers; it is asked several times before an OSError that may pass is raised."""
    for attempt in range(_ATTEMPTS):
        try:
            if attempt and before:
                before()
            return ask()
        except (FileNotFoundError, FileExistsError, PermissionError, IsADirectoryError):
            raise
        except OSError:
            if attempt + 1 == _ATTEMPTS:
                raise
            time.sleep(_PAUSE * 2**attempt)
    raise AssertionError("at least one attempt is made")


def _is_pattern(part: str) -> bool:
    return any(letter in part for letter in "*?[")


def _matches(parts: list[str], pattern: list[str]) -> bool:
    """Whether the parts of a path are those of a pattern, as `glob` has them."""
    if not pattern or not parts:
        return parts == pattern
    if pattern[0] == "**":
        return _matches(parts, pattern[1:]) or _matches(parts[1:], pattern)
    hidden = parts[0].startswith(".") and not pattern[0].startswith(".")
    return not hidden and fnmatch.fnmatchcase(parts[0], pattern[0]) and _matches(parts[1:], pattern[1:])


def _arrow_file_system(filesystem: FileSystem) -> pyarrow.fs.FileSystem:
    import pyarrow.fs

    if isinstance(filesystem, pyarrow.fs.FileSystem):
        return filesystem
    try:
        return pyarrow.fs.PyFileSystem(pyarrow.fs.FSSpecHandler(_of_fsspec(filesystem)))
    except ImportError:
        pass
    raise UsageError(f"a file system of pyarrow or fsspec is wanted, and no {type(filesystem).__name__}")


def _of_fsspec(filesystem: FileSystem) -> FileSystem:
    from fsspec import AbstractFileSystem

    if isinstance(filesystem, AbstractFileSystem):
        return filesystem
    raise ImportError


def _of_uri(uri: str) -> tuple[pyarrow.fs.FileSystem, str]:
    import pyarrow
    import pyarrow.fs

    try:
        found, path = pyarrow.fs.FileSystem.from_uri(uri)
    except pyarrow.ArrowInvalid as error:
        raise UsageError(f"{uri} is no URI that pyarrow knows: {error}; pass filesystem= and its own paths") from None
    return found, path
