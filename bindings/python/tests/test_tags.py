"""Tags as Arrow has them, in several libraries."""

from __future__ import annotations

import chess.pgn
import plyzip
import pyarrow
import pytest
from conftest import FAMOUS


def test_the_table_is_what_python_chess_reads(archive: plyzip.Archive, games: list[chess.pgn.Game]) -> None:
    table = archive.tags()
    names = list(dict.fromkeys(name for game in games for name in game.headers))
    assert set(table.column_names) == {"index", *names}
    assert table.schema.field("index").type == pyarrow.int64()
    assert table.schema.field("White").type == pyarrow.string()
    rows = table.to_pylist()
    assert [row.pop("index") for row in rows] == list(range(120))
    for row, game in zip(rows, games, strict=True):
        assert {name: value for name, value in row.items() if value is not None} == dict(game.headers)


def test_columns_are_chosen_by_name(archive: plyzip.Archive) -> None:
    table = archive.tags("BlackElo", "White", "WhiteTitle", "White")
    assert table.column_names == ["index", "BlackElo", "White", "WhiteTitle"]
    assert table["WhiteTitle"].null_count == len(archive)


def test_names_that_no_game_has_are_errors_unless_they_are_usual(archive: plyzip.Archive) -> None:
    for name in ["Whte", "moves", "plies", "white", "", "index"]:
        with pytest.raises(plyzip.UsageError, match=f'no game has a tag "{name}"'):
            archive.tags("White", name)
        with pytest.raises(plyzip.UsageError):
            archive.tag_stream(name, "ECO")
    # Games of a range may lack what others have.
    assert archive.tags("Whte", games=(0, 3))["Whte"].null_count == 3
    assert plyzip.open(plyzip.compress(b"")).tags("Whte").num_rows == 0
    strange = plyzip.open(plyzip.compress(b'[Whte "A"]\n\n*\n', model="none"))
    assert strange.tags("Whte")["Whte"].to_pylist() == ["A"]


def test_tags_that_moves_foretell_take_pages() -> None:
    pgn = FAMOUS.replace(b'[Result "1-0"]', b'[Result "1-0"]\n[ECO "C41"]')
    archive = plyzip.open(plyzip.compress(pgn, model="none"))
    assert "ECO" not in archive.tags().column_names
    assert archive.tags("ECO")["ECO"].to_pylist() == ["C41", "C41"]


def test_other_libraries_take_it(archive: plyzip.Archive) -> None:
    names = [game.tags["White"] for game in archive]
    assert archive.tags().to_pandas()["White"].tolist() == names
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(archive)["White"].to_list() == names
    duckdb = pytest.importorskip("duckdb")
    tags = archive.tags("White")
    rows = duckdb.sql('select "White", count(*) from tags group by all').fetchall()
    assert dict(rows) == {name: names.count(name) for name in names}
    assert tags.num_rows == 120


def test_a_stream_is_taken_more_than_once(archive: plyzip.Archive) -> None:
    stream = archive.tag_stream("White")
    one, other = pyarrow.table(stream), pyarrow.table(stream)
    assert one.equals(other) and one.num_rows == 120
    # A capsule that nobody takes is freed.
    stream.__arrow_c_stream__()


def test_many_games_and_many_names() -> None:
    pgn = b"".join(b'[Event "%d"]\n\n*\n\n' % number for number in range(70_000))
    table = plyzip.open(plyzip.compress(pgn, model="none", verify=False)).tags()
    assert table["Event"].to_pylist() == [str(number) for number in range(70_000)]
    strange = b"".join(b'[A%d "x"]\n\n*\n\n[Event ""]\n*\n\n' % number for number in range(300))
    archive = plyzip.open(plyzip.compress(strange, model="none"))
    with pytest.raises(plyzip.UsageError, match="more than 256 names"):
        archive.tags()
    assert archive.tags("A7")["A7"].to_pylist().count("x") == 1


def test_an_empty_archive_has_an_empty_table() -> None:
    table = plyzip.open(plyzip.compress(b"")).tags()
    assert (table.num_rows, table.column_names) == (0, ["index"])
