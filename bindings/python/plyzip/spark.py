"""Archives on a cluster: Apache Spark compresses and reads what is too large for one machine.

>>> import plyzip.spark
>>> plyzip.spark.compress(spark, "pgn/*", "games.plz", model="none").games  # doctest: +SKIP
200
>>> plyzip.spark.read(spark, "games.plz").groupBy("Result").count().show()  # doctest: +SKIP

All paths are of a file system that the driver and all workers have mounted, and `plyzip` is installed on all of them.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from plyzip import slices
from plyzip._new_file import new_file, refuse_existing
from plyzip._plyzip import Model, Summary, __version__
from plyzip._plyzip import compress as compress_one
from plyzip._plyzip import open as open_archive
from plyzip._spark_read import TAGS, read, task_threads
from plyzip.errors import DefectError, UsageError

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import SparkSession

__all__ = ["TAGS", "compress", "read"]

_Path: TypeAlias = str | os.PathLike[str]
_PART = "number bigint, name string, sha256 string"


def compress(
    spark: SparkSession,
    source: _Path | Iterable[_Path],
    target: _Path,
    *,
    model: _Path | None = None,
    slice_bytes: int = slices.SLICE_BYTES,
    block_games: int = 20_000,
    page_games: int | None = None,
    verify: bool = True,
    overwrite: bool = False,
) -> Summary:
    """Compresses files of PGN, `.zst` ones too, into one archive: each slice of `plyzip.slices.plan` is a task.

    The arguments are those of `plyzip.slices.compress`, which makes the same archive without a cluster: its bytes
    depend neither on the number of workers nor on tasks that were tried again. A task decodes each block again before
    it writes it, unless `verify` is false.

    Parts go to a folder beside the target, which is removed in the end; the target appears when it is complete. `model`
    is a name or a path, and has to be found on all workers.

    Raises FileNotFoundError, FileExistsError, UsageError and OSError before anything is computed; what fails in a task
    is an exception of Spark's, with the task's own in its text.
    """
    if isinstance(model, Model):
        raise UsageError("the model is to be opened on all workers: its name or its path is wanted")
    path = os.path.abspath(target)
    if not overwrite:
        refuse_existing(path)
    coding = slices.Coding(model=model, block_games=block_games, page_games=page_games, verify=verify)
    # What is wrong with these is told now.
    compress_one(b"", **coding)
    plan = slices.plan(source, slice_bytes=slice_bytes)
    folder = os.path.join(os.path.dirname(path), f".plyzip-{uuid.uuid4().hex}.parts")
    os.mkdir(folder)
    try:
        task = _task(plan, folder, coding)
        rows = spark.range(0, len(plan), 1, len(plan)).mapInArrow(task, _PART).collect()
        rows.sort(key=lambda row: row["number"])
        if [row["number"] for row in rows] != list(range(len(plan))):
            raise DefectError("not each slice has one part")
        with new_file(path, overwrite) as file:
            for row in rows:
                _append(file, os.path.join(folder, row["name"]), row["sha256"])
    finally:
        _remove(folder)
    return open_archive(path).summary


def _task(
    plan: list[slices.Slice], folder: str, coding: slices.Coding
) -> Callable[[Iterator[pyarrow.RecordBatch]], Iterator[pyarrow.RecordBatch]]:
    """What makes the parts of the slices whose numbers it is given."""
    version = __version__

    def task(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        if __version__ != version:
            raise UsageError(f"this worker has version {__version__} of plyzip, and the driver {version}")
        for batch in batches:
            for number in batch.column(0).to_pylist():
                part = _part(plan[number], folder, number, coding)
                yield pyarrow.RecordBatch.from_pylist([part])

    return task


def _part(part: slices.Slice, folder: str, number: int, coding: slices.Coding) -> dict[str, int | str]:
    """Makes the archive of a slice, under a name of its own for each attempt."""
    name = f"{number:08}-{uuid.uuid4().hex}.plz"
    with part.open() as pgn, new_file(os.path.join(folder, name), overwrite=True) as file:
        hashing = _Hashing(file)
        compress_one(pgn, hashing, threads=task_threads(), **coding)
    return {"number": number, "name": name, "sha256": hashing.sha256.hexdigest()}


class _Hashing:
    """A file, and the hash of what is written to it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.sha256 = hashlib.sha256()

    def write(self, data: bytes, /) -> int:
        self.sha256.update(data)
        return self._file.write(data)


def _append(target: BinaryIO, path: str, sha256: str) -> None:
    """Copies a part, which has to be what its task wrote."""
    copying = _Hashing(target)
    try:
        with open(path, "rb") as part:
            shutil.copyfileobj(part, copying, 1 << 20)
    except FileNotFoundError as error:
        raise OSError(f"{path} is not seen by the driver: is the target's folder mounted on all nodes?") from error
    if copying.sha256.hexdigest() != sha256:
        raise OSError(f"{path} is not what its task wrote")


def _remove(folder: str) -> None:
    """Removes the parts, though an attempt that is lost may still write there."""
    gone = f"{folder}.removed"
    os.rename(folder, gone)
    shutil.rmtree(gone, ignore_errors=True)
