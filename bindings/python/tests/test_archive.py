"""An open archive against what python-chess reads from the same PGN."""

from __future__ import annotations

import io
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import chess
import chess.pgn
import plyzip
import pytest
from conftest import FAMOUS


def test_it_is_a_sequence(archive: plyzip.Archive, games: list[chess.pgn.Game]) -> None:
    assert len(archive) == len(games) == archive.summary.games
    assert [str(game).strip() for game in archive] == [str(game) for game in games]
    for index in [0, 7, 8, 49, 50, 119, -1, -120]:
        assert str(archive[index]).strip() == str(games[index])
        assert archive[index].index == index % 120
    for wrong in [120, -121]:
        with pytest.raises(IndexError):
            archive[wrong]
    with pytest.raises(TypeError):
        archive["0"]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "part", [slice(None), slice(3, 30, 4), slice(None, None, -1), slice(40, 10, -7), slice(5, 5), slice(-3, 999)]
)
def test_slices_are_those_of_a_list(archive: plyzip.Archive, part: slice) -> None:
    numbers = list(range(120))
    games = archive[part]
    assert len(games) == len(numbers[part])
    assert [game.index for game in games] == numbers[part]
    assert [game.index for game in games[::-2]] == numbers[part][::-2]
    if numbers[part]:
        assert games[-1].index == numbers[part][-1]


def test_games_are_what_python_chess_reads(archive: plyzip.Archive, games: list[chess.pgn.Game]) -> None:
    for game, expected in zip(archive, games, strict=True):
        assert game.tags == dict(expected.headers)
        assert game.moves == [move.uci() for move in expected.mainline_moves()]
        assert game.plies == len(game.moves)
        assert str(game.to_chess()) == str(expected)
        assert bytes(game) == game.pgn.encode()


def test_games_compare_by_place_and_bytes(data: bytes) -> None:
    one, other = plyzip.open(data), plyzip.open(data)
    assert one[3] == other[3] and hash(one[3]) == hash(other[3])
    assert one[3] != one[4] and one[3] != 3


def test_text_is_no_game_and_damage_hides_no_other_game(data: bytes) -> None:
    assert len(plyzip.open(plyzip.compress(b"no PGN at all\n"))) == 0
    assert list(plyzip.open(plyzip.compress(b""))) == []
    damaged = bytearray(data)
    damaged[-len(data) // 5] ^= 1
    games, read = iter(plyzip.open(damaged)), 0
    with pytest.raises(plyzip.DamagedError):
        for game in games:
            assert game.index == read
            read += 1
    assert 8 <= read < 120
    # No game is skipped by going on.
    with pytest.raises(plyzip.DamagedError):
        next(games)


def folded(text: str) -> str:
    return text.lower().replace("ü", "u").replace("á", "a").replace("đ", "d").replace("ć", "c")


def test_filters_find_what_a_loop_finds(archive: plyzip.Archive, games: list[chess.pgn.Game]) -> None:
    def elo(game: chess.pgn.Game, side: str) -> int:
        return int(game.headers.get(f"{side}Elo", "0"))

    def moves(game: chess.pgn.Game) -> int:
        return len(list(game.mainline_moves()))

    def sans(game: chess.pgn.Game) -> list[str]:
        return [node.san() for node in game.mainline()]

    def named(game: chess.pgn.Game, name: str) -> bool:
        return any(folded(game.headers[side]).startswith(name) for side in ["White", "Black"])

    cases: list[tuple[dict[str, Any], Callable[[chess.pgn.Game], bool]]] = [
        ({"player": "muller"}, lambda game: named(game, "muller")),
        ({"player": ["muller", "ito"]}, lambda game: named(game, "muller") and named(game, "ito")),
        ({"white": "dokic"}, lambda game: folded(game.headers["White"]).startswith("dokic")),
        ({"date": ("2000", "2010")}, lambda game: 2000 <= int(game.headers["Date"][:4]) <= 2010),
        ({"date": 2004}, lambda game: game.headers["Date"].startswith("2004")),
        ({"elo": (1500, None)}, lambda game: min(elo(game, "White"), elo(game, "Black")) >= 1500),
        ({"plies": (None, 20)}, lambda game: moves(game) <= 20),
        ({"plies": "30..50", "result": "*"}, lambda game: 30 <= moves(game) <= 50 and game.headers["Result"] == "*"),
        ({"tag": {"Event": "^Müller|Open"}}, lambda game: game.headers["Event"] in ["Müller memorial", 'The "Open"']),
        ({"moves": "e4"}, lambda game: game.board().fen() == chess.STARTING_FEN and sans(game)[:1] == ["e4"]),
        ({"position": chess.Board()}, lambda game: game.board().fen() == chess.STARTING_FEN),
        ({"event": None}, lambda game: True),
        ({"player": "nobody"}, lambda game: False),
    ]
    for conditions, holds in cases:
        expected = [index for index, game in enumerate(games) if holds(game)]
        others = [index for index, game in enumerate(games) if not holds(game)]
        assert [game.index for game in archive.filter(**conditions)] == expected, conditions
        assert [game.index for game in archive.filter(**conditions, first=3)] == expected[:3], conditions
        assert archive.count(**conditions) == len(expected), conditions
        assert [game.index for game in archive.filter(**conditions, invert=True)] == others, conditions
    assert sum(0 < len([game for game in games if holds(game)]) < 120 for _, holds in cases) == 11


def test_filtered_games_are_a_sequence(archive: plyzip.Archive) -> None:
    cases: list[dict[str, Any]] = [{"plies": (40, None)}, {"player": "ito"}, {"player": "nobody"}, {}]
    for conditions in cases:
        games = archive.filter(**conditions)
        numbers = [game.index for game in games]
        # Again, and from its begin.
        assert [game.index for game in games] == numbers
        assert (len(games), games.indices, bool(games)) == (len(numbers), numbers, bool(numbers))
        for part in [slice(1, 9, 3), slice(None, None, -1), slice(-2, None)]:
            assert [game.index for game in games[part]] == games[part].indices == numbers[part]
            assert games[part].tags("White")["index"].to_pylist() == numbers[part]
        if numbers:
            assert games[-1] == archive[numbers[-1]]
        with pytest.raises(IndexError):
            games[len(numbers)]
    assert len(archive.filter(plies=(40, None), first=5)) == 5
    assert len(archive.filter(player="ito", invert=True)) + len(archive.filter(player="ito")) == len(archive)
    assert not archive.filter(first=0)


def test_what_is_not_asked_for_is_not_decoded(data: bytes) -> None:
    damaged = bytearray(data)
    damaged[-len(data) // 5] ^= 1
    archive = plyzip.open(damaged)
    with pytest.raises(plyzip.DamagedError):
        list(archive)
    games = archive.filter(player="ito")
    assert (
        len(games)
        == len(games.indices)
        == games.tags("White").num_rows
        == archive.table("White", player="ito").num_rows
    )
    assert games[0].index == games.indices[0]
    with pytest.raises(plyzip.DamagedError):
        len(archive.filter(plies=(40, None)))
    with pytest.raises(plyzip.DamagedError):
        archive[::2].table("moves")
    assert archive[::2].table("White").num_rows == 60


def test_filters_that_make_no_sense_are_errors(archive: plyzip.Archive) -> None:
    wrongs: list[dict[str, Any]] = [{"colour": "red"}, {"elo": "x"}, {"plies": 2.5}, {"tag": "x"}, {"eco": "Z"}]
    for wrong in wrongs:
        with pytest.raises(plyzip.UsageError):
            archive.filter(**wrong)
        with pytest.raises(ValueError):
            archive.count(**wrong)


def test_positions_are_found_as_by_a_loop(archive: plyzip.Archive, games: list[chess.pgn.Game]) -> None:
    def plies_of(game: chess.pgn.Game, wanted: str) -> int | None:
        board = game.board()
        for ply, move in enumerate([*game.mainline_moves(), None]):
            if board.epd(en_passant="legal").split()[:4] == wanted.split()[:4]:
                return ply
            if move:
                board.push(move)
        return None

    seen = 0
    for source, ply in [(0, 1), (1, 2), (3, 0), (5, 12), (8, 3)]:
        board = games[source].board()
        for move in list(games[source].mainline_moves())[:ply]:
            board.push(move)
        wanted = board.epd(en_passant="legal")
        expected = [(index, plies_of(game, wanted)) for index, game in enumerate(games)]
        expected = [(index, ply) for index, ply in expected if ply is not None]
        assert [(game.index, ply) for game, ply in archive.find(board)] == expected
        seen += len(expected)
    assert seen >= 5
    with pytest.raises(plyzip.UsageError):
        archive.find("no position")


def test_transpositions_are_found() -> None:
    pgn = b'[White "A"]\n\n1. d4 d5 2. c4 *\n\n[White "B"]\n\n1. c4 d5 2. d4 *\n\n[White "C"]\n\n1. e4 *\n'
    board = chess.Board()
    for san in ["d4", "d5", "c4"]:
        board.push_san(san)
    found = [(game.tags["White"], ply) for game, ply in plyzip.open(plyzip.compress(pgn)).find(board)]
    assert found == [("A", 3), ("B", 3)]


def test_archives_close(data: bytes) -> None:
    with plyzip.open(data) as archive:
        games = iter(archive)
        assert next(games).index == 0
    with pytest.raises(ValueError, match="closed"):
        archive[0]


def test_places_that_are_none_are_index_errors(archive: plyzip.Archive) -> None:
    sequences: list[Any] = [archive, archive[3:9]]
    for sequence in sequences:
        for place in [len(sequence), -len(sequence) - 1, 10**30, -(10**30), 2**63]:
            with pytest.raises(IndexError):
                sequence[place]
        wrongs: list[Any] = ["1", 1.0, None]
        for wrong in wrongs:
            with pytest.raises(TypeError):
                sequence[wrong]


def test_a_pgn_is_called_one(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "games.pgn"
    path.write_bytes(FAMOUS)
    calls: list[Any] = [plyzip.open, plyzip.decompress]
    for call in calls:
        for source in [path, FAMOUS]:
            with pytest.raises(plyzip.DamagedError, match="looks like a PGN: plyzip.compress"):
                call(source)
        with pytest.raises(plyzip.DamagedError, match="^(?!.*PGN)"):
            call(b"neither this nor that")


def test_file_objects_and_paths_are_read(data: bytes, tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "games.plz"
    path.write_bytes(data)
    for source in [path, str(path), io.BytesIO(data), path.open("rb"), memoryview(data)]:
        assert str(plyzip.open(source)[60]) == str(plyzip.open(data)[60])


def test_many_threads_read_one_archive(data: bytes, games: list[chess.pgn.Game]) -> None:
    archive = plyzip.open(data, threads=2)
    wrong = []

    def read(first: int) -> None:
        for index in range(first, 120, 5):
            if str(archive[index]).strip() != str(games[index]):
                wrong.append(index)

    threads = [threading.Thread(target=read, args=(first,)) for first in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_famous_games_of_standard() -> None:
    archive = plyzip.open(plyzip.compress(FAMOUS))
    assert repr(archive[1]) == "<Game 1: Anderssen, Adolf - Kieseritzky, Lionel, 1-0>"
    assert archive.summary.models[0][0] == "standard"
    assert archive.summary.bits_per_move is not None


def test_a_tree_counts_what_a_loop_counts(archive: plyzip.Archive, games: list[chess.pgn.Game]) -> None:
    def expected(wanted: chess.Board, transposed: bool) -> tuple[Counter[str], int]:
        """Games by the move that they go on with, and those that end there."""
        found: Counter[str] = Counter()
        ended = 0
        for game in games:
            board = game.board()
            moves = [*game.mainline_moves(), None]
            if not transposed and [*moves[: len(wanted.move_stack)]] != wanted.move_stack:
                continue
            for move in moves:
                if board.epd() == wanted.epd():
                    ended += move is None
                    found.update([] if move is None else [move.uci()])
                    break
                if move is not None:
                    board.push(move)
        return found, ended

    board = chess.Board()
    for move in list(games[0].mainline_moves())[:4]:
        uci = [m.uci() for m in board.move_stack]
        places: list[tuple[chess.Board | str | list[str], bool]] = [(board, True), (board.fen(), True), (uci, False)]
        for place, transposed in places:
            tree = archive.tree(place)
            moves, ended = expected(board, transposed)
            assert {m.uci(): outcomes.games for m, outcomes in tree.moves} == moves
            assert tree.ended.games == ended and tree.all.games == ended + moves.total()
            assert tree.fen.split()[0] == board.board_fen()
        board.push(move)
    start = archive.tree()
    counts = [outcomes.games for _, outcomes in start.moves]
    assert counts == sorted(counts, reverse=True)
    white = sum(game.headers["Result"] == "1-0" for game in games)
    assert start.all.white == white == archive.tree(result="1-0").all.games
    assert archive.tree(result="1-0", invert=True).all.games == start.all.games - white
    assert archive.tree(first=3).all.games == 3
    assert archive.tree("").fen == start.fen
    for wrong in ["e5", "8/8 w", ["e2e5"]]:
        with pytest.raises(plyzip.UsageError):
            archive.tree(wrong)
    with pytest.raises(TypeError):
        archive.tree(5)  # type: ignore[arg-type]
