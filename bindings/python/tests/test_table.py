"""Typed tables, Parquet and batches of positions."""

from __future__ import annotations

import datetime
import math
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import plyzip
import pyarrow
import pytest
from conftest import FAMOUS

STRANGE = b"".join(
    b'[Event "E"]\n[Date "%s"]\n[WhiteElo "%s"]\n\n1. e4 *\n\n' % pair
    for pair in [
        (b"2024.02.29", b"2700"),
        (b"2023.02.29", b"?"),
        (b"1999.??.??", b" 1500 "),
        (b"????.??.??", b""),
        (b"?", b"24OO"),
    ]
)


def test_columns_have_their_types(archive: plyzip.Archive, games: list[chess.pgn.Game]) -> None:
    table = archive.table("White", "WhiteElo:int", "BlackElo:float", "Date:year", "moves", "plies", "pgn")
    types = ["int64", "string", "int64", "double", "int32", "list<item: string>", "int32", "string"]
    assert [str(field.type) for field in table.schema] == types
    assert table.column_names == ["index", "White", "WhiteElo", "BlackElo", "Date", "moves", "plies", "pgn"]
    for row, game, own in zip(table.to_pylist(), games, archive, strict=True):
        elo = game.headers.get("WhiteElo")
        assert row["WhiteElo"] == (None if elo is None else int(elo))
        assert row["Date"] == int(game.headers["Date"][:4])
        assert row["moves"] == [move.uci() for move in game.mainline_moves()]
        assert (row["plies"], row["pgn"], row["index"]) == (len(row["moves"]), own.pgn, own.index)


def test_unknown_is_null_and_the_rest_an_error() -> None:
    archive = plyzip.open(plyzip.compress(STRANGE, model="none"))
    with pytest.raises(plyzip.UsageError, match="game 4: WhiteElo is '24OO', and not a whole number; errors="):
        archive.table("WhiteElo:int")
    with pytest.raises(plyzip.UsageError, match="game 1: Date is '2023.02.29', and not a date"):
        archive.table("Date:date")
    table = archive.table("WhiteElo:int", "Date:date", errors="coerce")
    assert table["WhiteElo"].to_pylist() == [2700, None, 1500, None, None]
    assert table["Date"].to_pylist() == [datetime.date(2024, 2, 29), None, None, None, None]
    assert archive.table("Date:year")["Date"].to_pylist() == [2024, 2023, 1999, None, None]
    assert archive.filter(games="1-4").table("WhiteElo:int")["WhiteElo"].to_pylist() == [2700, None, 1500, None]
    assert archive.table("index").column_names == ["index"]


def test_columns_that_make_no_sense_are_errors(archive: plyzip.Archive) -> None:
    for wrong in [
        [],
        ["White:integer"],
        ["moves:int"],
        ["WhiteElo", "WhiteElo:int"],
        ["Whte"],
        ["Whte:int"],
        ["White:"],
    ]:
        with pytest.raises(plyzip.UsageError):
            archive.table(*wrong)
        if wrong:
            parts: list[Any] = [archive.filter(player="ito"), archive[3:5]]
            for games in parts:
                with pytest.raises(plyzip.UsageError):
                    games.table(*wrong)
    with pytest.raises(plyzip.UsageError, match="raise"):
        archive.table("White", errors="ignore")
    with pytest.raises(plyzip.UsageError):
        archive.table("White", colour="red")
    with pytest.raises(plyzip.UsageError, match='no game has a tag "Whte"'):
        archive.filter(player="ito").tags("Whte")
    # A tag that other games have is null.
    assert archive.filter(player="nobody").tags("White").num_rows == 0


def test_conditions_choose_rows(archive: plyzip.Archive) -> None:
    whole = archive.table("White", "plies").to_pylist()
    games = archive.filter(plies=(40, None), player="ito")
    wanted = [whole[game.index] for game in games]
    assert 0 < len(wanted) < 100
    assert archive.table("White", "plies", plies=(40, None), player="ito").to_pylist() == wanted
    assert games.table("White", "plies").to_pylist() == wanted
    assert games[::-1].table("White", "plies").to_pylist() == wanted[::-1]
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(games)["White"].to_list() == [row["White"] for row in wanted]


def test_parquet_is_the_table(archive: plyzip.Archive, tmp_path: Path) -> None:
    import pyarrow.parquet

    path = tmp_path / "games.parquet"
    asked = ["White", "WhiteElo:int", "moves", "plies"]
    assert archive.to_parquet(path, *asked) == 120
    file = pyarrow.parquet.ParquetFile(path)
    # A row group for each block.
    assert file.num_row_groups == 3
    assert file.read().to_pylist() == archive.table(*asked).to_pylist()
    with pytest.raises(FileExistsError):
        archive.to_parquet(path, "White")
    with pytest.raises(plyzip.UsageError):
        archive.to_parquet(path, "WhiteElo:date", overwrite=True)
    assert file.read().num_rows == 120
    assert archive.to_parquet(path, *asked, overwrite=True, player="ito") == archive.count(player="ito")
    assert pyarrow.parquet.read_table(path).to_pylist() == archive.table(*asked, player="ito").to_pylist()
    archive.to_parquet(path, overwrite=True)
    assert pyarrow.parquet.read_table(path).to_pylist() == archive.tags().to_pylist()
    assert archive.to_parquet(path, "White", overwrite=True, player="nobody") == 0
    assert [part.name for part in tmp_path.iterdir()] == ["games.parquet"]


def boards(archive: plyzip.Archive) -> list[tuple[int, int, chess.Board, chess.Move, float]]:
    """What python-chess says of all positions."""
    found = []
    for number, game in enumerate(archive):
        read = game.to_chess()
        board = read.board()
        score = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}.get(read.headers["Result"], math.nan)
        for ply, move in enumerate(read.mainline_moves()):
            found.append((number, ply, board.copy(), move, score))
            board.push(move)
    return found


@pytest.mark.parametrize("size", [1, 64, 100_000])
def test_positions_are_those_of_python_chess(archive: plyzip.Archive, size: int) -> None:
    wanted = boards(archive)
    batches = list(archive.positions(batch=size))
    assert [len(batch["turn"]) for batch in batches[:-1]] == [size] * (len(batches) - 1)
    assert 0 < len(batches[-1]["turn"]) <= size
    rows = [
        {name: column[place] for name, column in batch.items()}
        for batch in batches
        for place in range(len(batch["turn"]))
    ]
    assert len(rows) == len(wanted) > 3000
    for row, (number, ply, board, move, score) in zip(rows, wanted, strict=True):
        assert (row["game"], row["ply"], row["turn"]) == (number, ply, board.turn)
        pieces = [int(board.pieces(kind, color)) for color in (True, False) for kind in chess.PIECE_TYPES]
        assert row["pieces"].tolist() == pieces
        rights = [board.has_kingside_castling_rights, board.has_queenside_castling_rights]
        bits = [right(color) for color in (True, False) for right in rights]
        assert row["castling"] == sum(bit << place for place, bit in enumerate(bits))
        assert row["en_passant"] == (board.ep_square if board.has_legal_en_passant() else -1)
        assert row["halfmove_clock"] == board.halfmove_clock
        assert row["move"] == 64 * move.from_square + move.to_square
        assert row["promotion"] == (move.promotion or 0)
        assert row["score"] == score or math.isnan(row["score"]) and math.isnan(score)


def test_planes_are_the_bitboards(archive: plyzip.Archive) -> None:
    for plain, batch in zip(archive.positions(batch=500), archive.positions(batch=500, planes=True), strict=True):
        assert batch["planes"].shape == (len(batch["turn"]), 12, 8, 8) and "pieces" not in batch
        for place in range(0, len(batch["turn"]), 50):
            for kind in range(12):
                squares = {8 * rank + file for rank, file in zip(*batch["planes"][place, kind].nonzero(), strict=True)}
                assert squares == set(chess.SquareSet(int(plain["pieces"][place, kind])))


def test_positions_of_chosen_games(archive: plyzip.Archive) -> None:
    games = archive.filter(player="ito", plies=(1, None))
    for positions in [games.positions(), archive.positions(player="ito", plies=(1, None)), games[::-1].positions()]:
        batch: Any = next(positions)
        assert list(dict.fromkeys(batch["game"].tolist())) == games.indices
    assert list(archive.filter(player="nobody").positions()) == []
    assert set(next(archive[7:9].positions())["game"].tolist()) <= {7, 8}
    batch = next(plyzip.open(plyzip.compress(FAMOUS, model="none")).positions())
    batch["score"][0] = 0.25
    assert len(batch["ply"]) == 33 + 45
    with pytest.raises(plyzip.UsageError):
        archive.positions(batch=0)
    with pytest.raises(plyzip.UsageError):
        archive.positions(colour="red")


def test_damage_is_told_and_told_again(data: bytes) -> None:
    damaged = bytearray(data)
    damaged[-len(data) // 5] ^= 1
    positions = plyzip.open(damaged).positions(batch=50)
    rows = 0
    with pytest.raises(plyzip.DamagedError):
        for batch in positions:
            rows += len(batch["ply"])
    assert rows > 0
    with pytest.raises(plyzip.DamagedError):
        next(positions)


def test_many_columns_are_one_table(archive: plyzip.Archive) -> None:
    assert isinstance(archive.table("White"), pyarrow.Table)
    assert archive.table("White", "index", "White").column_names == ["index", "White"]
