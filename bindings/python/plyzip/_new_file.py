"""Files that have their name only when they are complete."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO


def refuse_existing(path: str) -> None:
    """Raises FileExistsError if there is such a file."""
    if os.path.lexists(path):
        raise FileExistsError(17, "it exists; overwrite=True replaces it", path)


@contextmanager
def new_file(path: str, overwrite: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, which has its name when the block is left without an exception, and is gone otherwise."""
    if not overwrite:
        refuse_existing(path)
    # Written through a link, as by `open`.
    path = os.path.realpath(path)
    folder = os.path.dirname(path)
    handle, unfinished = tempfile.mkstemp(prefix=".plyzip-", suffix=".tmp", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        # As `open` makes files; `mkstemp` lets nobody else read them.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(unfinished, 0o666 & ~mask)
        _place(unfinished, path, overwrite)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(unfinished)
        raise


def _place(unfinished: str, path: str, overwrite: bool) -> None:
    if not overwrite:
        try:
            # Unlike `replace`, this fails if somebody else was quicker.
            os.link(unfinished, path)
        except FileExistsError:
            refuse_existing(path)
            raise
        except OSError:
            # Not all file systems have links.
            refuse_existing(path)
        else:
            os.unlink(unfinished)
            return
    os.replace(unfinished, path)
