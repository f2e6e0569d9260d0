"""Archives on a cluster: Apache Spark compresses and reads what is too large for one machine.

>>> import plyzip.spark
>>> plyzip.spark.compress(spark, "pgn/*", "games.plz", model="none").games  # doctest: +SKIP
200
>>> plyzip.spark.read(spark, "games.plz").groupBy("Result").count().show()  # doctest: +SKIP

Paths are of a file system that the driver and all workers have mounted, or URIs of a store that all of them reach by
pyarrow, as `s3a://bucket/games.plz` and `hdfs://host/games.plz`. `plyzip` is installed on all of them.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias

from plyzip import slices
from plyzip._plyzip import Model, Summary, __version__
from plyzip._plyzip import compress as compress_one
from plyzip._plyzip import open as open_archive
from plyzip._spark_read import TAGS, read, task_threads
from plyzip._store import FileSystem, Store, below, join, store_of
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
    filesystem: FileSystem | None = None,
) -> Summary:
    """Compresses files of PGN, `.zst` ones too, into one archive: each slice of `plyzip.slices.plan` is a task.

    The arguments are those of `plyzip.slices.compress`, which makes the same archive without a cluster: its bytes
    depend neither on the number of workers nor on tasks that were tried again. A task decodes each block again before
    it writes it, unless `verify` is false.

    Parts go to a folder beside the target, which is removed in the end; the target appears when it is complete. `model`
    is a name or a path, and has to be found on all workers.

    Source and target are paths, or URIs that pyarrow knows. With `filesystem`, a file system of pyarrow or fsspec that
    can be pickled, they are its paths: so a store has credentials and an address.

    Raises FileNotFoundError, FileExistsError, UsageError and OSError before anything is computed; what fails in a task
    is an exception of Spark's, with the task's own in its text.
    """
    if isinstance(model, Model):
        raise UsageError("the model is to be opened on all workers: its name or its path is wanted")
    where = os.fspath(target)
    store, path = store_of(where, filesystem)
    if not overwrite:
        store.refuse_existing(path)
    coding = slices.Coding(model=model, block_games=block_games, page_games=page_games, verify=verify)
    # What is wrong with these is told now.
    compress_one(b"", **coding)
    plan = slices.plan(source, slice_bytes=slice_bytes, filesystem=filesystem)
    name = f".plyzip-{uuid.uuid4().hex}.parts"
    folder = join(path, name)
    store.make_folder(folder)
    try:
        # Tasks know the store by what the driver was given, and open it themselves.
        task = _task(plan, _Folder(join(where, name) if "://" in where else folder, filesystem), coding)
        rows = spark.range(0, len(plan), 1, len(plan)).mapInArrow(task, _PART).collect()
        rows.sort(key=lambda row: row["number"])
        if [row["number"] for row in rows] != list(range(len(plan))):
            raise DefectError("not each slice has one part")
        parts = [(below(folder, row["name"]), row["sha256"]) for row in rows]
        store.insist(lambda: _join(store, parts, path, overwrite))
    finally:
        store.remove_folder(folder)
    with store.open(path) as file:
        return open_archive(file).summary


class _Folder(NamedTuple):
    """Where the parts go."""

    path: str
    filesystem: FileSystem | None


def _task(
    plan: list[slices.Slice], folder: _Folder, coding: slices.Coding
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


def _part(part: slices.Slice, folder: _Folder, number: int, coding: slices.Coding) -> dict[str, int | str]:
    """Makes the archive of a slice, under a name of its own for each attempt."""
    name = f"{number:08}-{uuid.uuid4().hex}.plz"
    store, path = store_of(below(folder.path, name), folder.filesystem)
    with part.open(folder.filesystem) as pgn, store.new(path, overwrite=True) as file:
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


def _join(store: Store, parts: list[tuple[str, str]], path: str, overwrite: bool) -> None:
    """Makes the archive of the parts, each a path and the hash of what its task wrote."""
    with store.new(path, overwrite) as file:
        for part, sha256 in parts:
            _append(store, file, part, sha256)


def _append(store: Store, target: BinaryIO, path: str, sha256: str) -> None:
    """Copies a part, which has to be what its task wrote."""
    copying = _Hashing(target)
    try:
        with store.open(path) as part:
            shutil.copyfileobj(part, copying, 1 << 20)
    except FileNotFoundError as error:
        why = "not seen by the driver: is the target's folder mounted on all nodes?"
        raise FileNotFoundError(2, why, path) from error
    if copying.sha256.hexdigest() != sha256:
        raise OSError(f"{path} is not what its task wrote")
