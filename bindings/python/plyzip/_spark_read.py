"""Archives as DataFrames: tasks read runs of games, each from the member of the archive that holds them."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from plyzip._file_part import FilePart
from plyzip._plyzip import Archive, Game, Model, is_late
from plyzip._plyzip import open as open_archive
from plyzip._store import FileSystem, store_of
from plyzip.errors import UsageError

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

    _Batches: TypeAlias = Iterator[pyarrow.RecordBatch]

#: The columns of `read`, unless others are asked for: tags that no page is needed for.
TAGS = ("Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo", "TimeControl")

#: Columns that are no tags, with their types in Spark and what a game has in them.
_OF_GAMES: Mapping[str, tuple[str, Callable[[Game], Any]]] = {
    "moves": ("array<string>", lambda game: game.moves),
    "plies": ("int", lambda game: game.plies),
    "pgn": ("string", lambda game: game.pgn),
}
#: Games of a task, unless others are asked for: where tags suffice, and where pages are decoded.
_GAMES_BY_TAGS, _GAMES_BY_PAGES = 20_000, 2304
#: Games that are turned into a batch at a time.
_BATCH = 512


class Run(NamedTuple):
    """Games of a block: the bytes of the member that it is in, the number in the archive of the member's first game,
    and the numbers in the member of the first game and of the one behind the last."""

    begin: int
    end: int
    first: int
    game_begin: int
    game_end: int


def read(
    spark: SparkSession,
    source: str | os.PathLike[str],
    columns: Sequence[str] = TAGS,
    *,
    model: str | os.PathLike[str] | None = None,
    games_per_task: int | None = None,
    filesystem: FileSystem | None = None,
    **conditions: Any,
) -> DataFrame:
    """An archive as a DataFrame: `index`, the number of the game from 0 on, and these columns.

    A column is the name of a tag, whose text it has, null where a game has no such tag; or `moves` (UCI), `plies` or
    `pgn`, the game as it stands in the original. Nothing is decoded before rows are asked for. Tags come from the
    columns of blocks, 20,000 games a task; `moves`, `plies`, `pgn`, tags that moves foretell (`ECO`, `Opening`) and
    conditions take pages, 2,304 games a task.

    The conditions are those of `Archive.filter`, but for `games`, `first` and `invert`: only games that meet them are
    rows, and pages without a game that may meet them are not decoded.

    `source` is a path, a URI that pyarrow knows, or with `filesystem` a path of that.

    Raises OSError, DamagedError and UsageError for what is wrong with the archive's index and with the arguments; what
    fails in a task is an exception of Spark's, with the task's own in its text.
    """
    if isinstance(model, Model):
        raise UsageError("the model is to be opened on all workers: its name or its path is wanted")
    names = list(dict.fromkeys(columns))
    if isinstance(columns, str) or "index" in names:
        raise UsageError("the names of columns are wanted; the column index is always there")
    for name in {"games", "first", "invert"} & set(conditions):
        raise UsageError(f"{name} is no condition here: it would mean something else in each task")
    if games_per_task is not None and games_per_task < 1:
        raise UsageError("a task reads at least one game")
    path = os.fspath(source)
    if filesystem is None and "://" not in path:
        path = os.path.abspath(path)
    store, inside = store_of(path, filesystem)
    with store.open(inside) as file, open_archive(file, model=model) as archive:
        archive.count(first=0, **conditions)
        by_pages = bool(conditions) or not _OF_GAMES.keys().isdisjoint(names)
        by_pages = by_pages or any(is_late(name) for name in names)
        most = games_per_task or (_GAMES_BY_PAGES if by_pages else _GAMES_BY_TAGS)
        tasks = _tasks(archive, most)
    quoted = {name: name.replace("`", "``") for name in names}
    types = [f"`{quoted[name]}` {_OF_GAMES[name][0] if name in _OF_GAMES else 'string'}" for name in names]
    schema = ", ".join(["`index` bigint", *types])
    if not tasks:
        return spark.createDataFrame([], schema)
    task = _task(path, filesystem, tasks, names, model, conditions)
    return spark.range(0, len(tasks), 1, len(tasks)).mapInArrow(task, schema)


def task_threads() -> int:
    """The cores that this task has."""
    from pyspark import TaskContext

    context = TaskContext.get()
    return context.cpus() if context else 1


def _tasks(archive: Archive, most: int) -> list[list[Run]]:
    """The games of an archive in tasks of at most so many, each with runs of one or more blocks."""
    tasks: list[list[Run]] = []
    room = 0
    member, first = (-1, -1), 0
    for (begin, end), of_member in archive.blocks:
        if of_member != member:
            member, first = of_member, begin
        while begin < end:
            # A small block is not divided, a large one is, from its begin on: so tasks share no page.
            if room < min(end - begin, most):
                tasks.append([])
                room = most
            step = min(end - begin, room)
            tasks[-1].append(Run(*member, first, begin - first, begin + step - first))
            begin, room = begin + step, room - step
    return tasks


def _task(
    path: str,
    filesystem: FileSystem | None,
    tasks: list[list[Run]],
    names: list[str],
    model: str | os.PathLike[str] | None,
    conditions: dict[str, Any],
) -> Callable[[_Batches], _Batches]:
    """What gives the games of the tasks whose numbers it is given."""

    def task(batches: _Batches) -> _Batches:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for run in tasks[number]:
                    store, inside = store_of(path, filesystem)
                    with store.open(inside) as file:
                        with open_archive(
                            FilePart(file, run.begin, run.end), model=model, threads=task_threads()
                        ) as part:
                            yield from _batches(part, run, names, conditions)

    return task


def _batches(archive: Archive, run: Run, names: list[str], conditions: dict[str, Any]) -> _Batches:
    """The rows of a run, of which `archive` is the member."""
    import pyarrow
    import pyarrow.compute

    fields = [("index", pyarrow.int64())]
    fields += [(name, _arrow_type(name)) for name in names]
    schema = pyarrow.schema(fields)
    if not conditions and _OF_GAMES.keys().isdisjoint(names):
        table = archive.tags(*names or ["Event"], games=(run.game_begin, run.game_end))
        indices = pyarrow.compute.add(table["index"], run.first)
        table = table.select(names).add_column(0, "index", indices)
        yield from table.cast(schema).to_batches()
        return
    games: Iterator[Game] = iter(archive[run.game_begin : run.game_end])
    if conditions:
        games = iter(archive.filter(games=f"{run.game_begin + 1}-{run.game_end}", **conditions))
    while rows := [_row(game, run.first, names) for game in itertools.islice(games, _BATCH)]:
        yield pyarrow.RecordBatch.from_pylist(rows, schema)


def _row(game: Game, first: int, names: list[str]) -> dict[str, Any]:
    tags = game.tags
    row = {name: _OF_GAMES[name][1](game) if name in _OF_GAMES else tags.get(name) for name in names}
    return {"index": first + game.index, **row}


def _arrow_type(name: str) -> pyarrow.DataType:
    import pyarrow

    types = {"moves": pyarrow.list_(pyarrow.string()), "plies": pyarrow.int32()}
    return types.get(name, pyarrow.string())
