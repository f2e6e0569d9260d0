"""What goes to pyarrow. The extension module calls these functions."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import pyarrow

from plyzip._new_file import new_file, refuse_existing
from plyzip.errors import UsageError

if TYPE_CHECKING:
    from plyzip import Games, TagStream

#: What PGN has for what is not known.
_UNKNOWN = re.compile(r"[?*.\s-]*")
_DATE = re.compile(r"(\d{4})[./-](\d\d|\?\?)[./-](\d\d|\?\?)")
#: Columns that are no text, and the type that each has.
_OWN_TYPES = {"moves": "list", "plies": "int"}


class Column(NamedTuple):
    """A column that is asked for: its name, and the type that its text is to have."""

    name: str
    type: str


class _Invalid(Exception):
    """A text that has another type."""


def _int(text: str) -> int:
    if re.fullmatch(r"[+-]?\d{1,18}", text, re.ASCII) is None:
        raise _Invalid
    return int(text)


def _float(text: str) -> float:
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", text, re.ASCII | re.IGNORECASE) is None:
        raise _Invalid
    return float(text)


def _date(text: str) -> datetime.date | None:
    found = _DATE.fullmatch(text)
    if found is None:
        raise _Invalid
    if "?" in text:
        return None
    try:
        return datetime.date(*map(int, found.groups()))
    except ValueError:
        raise _Invalid from None


def _year(text: str) -> int:
    found = _DATE.fullmatch(text) or re.fullmatch(r"(\d{4})", text, re.ASCII)
    if found is None:
        raise _Invalid
    return int(found.group(1))


_Converted: TypeAlias = int | float | datetime.date | None
_TYPES: dict[str, tuple[Any, Callable[[str], _Converted], str]] = {
    "int": (pyarrow.int64(), _int, "a whole number"),
    "float": (pyarrow.float64(), _float, "a number"),
    "date": (pyarrow.date32(), _date, "a date"),
    "year": (pyarrow.int32(), _year, "a year or a date"),
}


def table(stream: TagStream) -> pyarrow.Table:
    """A table of all that a stream gives."""
    return pyarrow.RecordBatchReader.from_stream(stream).read_all()


def turned(table: pyarrow.Table) -> pyarrow.Table:
    """The rows from the last one to the first."""
    return table.take(pyarrow.array(range(table.num_rows - 1, -1, -1), pyarrow.int64()))


def columns(texts: Sequence[str], errors: str) -> list[Column]:
    """Columns as `"WhiteElo:int"` names them."""
    if errors not in ("raise", "coerce"):
        raise UsageError(f'errors is "raise" or "coerce", and not {errors!r}')
    if not texts:
        raise UsageError('a table has columns, as "White", "WhiteElo:int", "moves" or "plies"')
    found: dict[str, Column] = {}
    for text in texts:
        name, colon, kind = text.rpartition(":")
        if not colon:
            name, kind = text, "str"
        if kind not in ("str", *_TYPES):
            raise UsageError(f"{text!r}: a column is of the type str, {', '.join(_TYPES)}, and not {kind!r}")
        if colon and kind != _OWN_TYPES.get(name, kind):
            raise UsageError(f"{text!r}: the column {name} has a type of its own")
        if name in _OWN_TYPES:
            kind = "str"
        if found.setdefault(name, Column(name, kind)).type != kind:
            raise UsageError(f"the column {name} is asked for with two types")
    found.pop("index", None)
    return list(found.values())


def names(columns: Sequence[Column]) -> list[str]:
    """The names of columns; of any, if none but `index` is asked for: no name would mean all."""
    return [column.name for column in columns] or ["Event"]


def typed(stream: TagStream, columns: Sequence[Column], errors: str) -> pyarrow.Table:
    """A table of all that a stream gives, with the types that are asked for."""
    plain = table(stream)
    made = {"index": plain["index"]}
    for name, kind in columns:
        made[name] = plain[name] if kind == "str" else _converted(plain, name, kind, errors)
    return pyarrow.table(made)


def _converted(plain: pyarrow.Table, name: str, kind: str, errors: str) -> pyarrow.ChunkedArray:
    """A column of text as one of this type."""
    arrow, convert, wanted = _TYPES[kind]
    # Each text is looked at once: there are few different ones.
    encoded = plain[name].combine_chunks().dictionary_encode()
    values: list[_Converted] = []
    for place, text in enumerate(encoded.dictionary.to_pylist()):
        text = text.strip()
        try:
            values.append(None if _UNKNOWN.fullmatch(text) else convert(text))
        except _Invalid:
            if errors == "raise":
                row = encoded.indices.to_pylist().index(place)
                number = plain["index"][row].as_py()
                hint = 'errors="coerce" makes it null'
                raise UsageError(f"game {number}: {name} is {text!r}, and not {wanted}; {hint}") from None
            values.append(None)
    return pyarrow.chunked_array([pyarrow.array(values, arrow).take(encoded.indices)])


def write_parquet(
    games: Games,
    cuts: Sequence[int],
    target: str | os.PathLike[str],
    texts: Sequence[str],
    errors: str,
    overwrite: bool,
) -> int:
    """Writes a table of games, those between two cuts at a time."""
    import pyarrow.parquet

    path = os.path.abspath(target)
    if not overwrite:
        refuse_existing(path)
    parts: Iterator[pyarrow.Table]
    if texts:
        # What is wrong with these is told now.
        columns(texts, errors)
        parts = (games[begin:end].table(*texts, errors=errors) for begin, end in pairwise(cuts))
    else:
        # Which columns there are shows when all blocks were looked at.
        parts = iter([games.tags()])
    first = next(parts, None)
    if first is None:
        first = games.table(*texts, errors=errors)
    with new_file(path, overwrite) as file, pyarrow.parquet.ParquetWriter(file, first.schema) as writer:
        writer.write_table(first)
        for part in parts:
            writer.write_table(part)
    return len(games)
