"""Single games, predictions and costs, with python-chess."""

from __future__ import annotations

import math
from typing import Any

import chess
import chess.pgn
import chess.variant
import plyzip
import pytest
from conftest import FAMOUS


@pytest.mark.parametrize("model", ["none", "standard"])
def test_games_come_back(games: list[chess.pgn.Game], model: str) -> None:
    codec = plyzip.GameCodec(plyzip.Model(model))
    some = games if model == "none" else games[:8]
    encoded = [codec.encode(game) for game in some]
    assert codec.encode_batch(list(some)) == encoded
    for game, data in zip(some, encoded, strict=True):
        moves = list(game.mainline_moves())
        assert codec.decode(data, game.headers) == moves
        back = codec.decode_game(data, game.headers)
        assert list(back.mainline_moves()) == moves and back.headers == game.headers
        assert back.end().board().fen() == game.end().board().fen()


def test_boards_and_lists_of_moves_are_games() -> None:
    codec = plyzip.GameCodec("none")
    board = chess.Board()
    for san in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"]:
        board.push_san(san)
    data = codec.encode(board)
    assert codec.encode(board.move_stack) == data
    assert codec.encode(move.uci() for move in board.move_stack) == data
    assert codec.decode(data) == board.move_stack
    # A start of its own has to be told to the reader.
    board = chess.Board("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    board.push_uci("a7a8q")
    assert codec.decode(codec.encode(board), {"FEN": board.root().fen()}) == board.move_stack
    with pytest.raises(plyzip.PlyzipError):
        codec.decode(codec.encode(board))


def test_what_is_wrong_is_an_error() -> None:
    codec = plyzip.GameCodec("none")
    data = codec.encode(["e2e4"], {"White": "A"})
    for wrong in [b"", b"\x7f", data[:-1], data + b"\0", plyzip.GameCodec("standard").encode(["e2e4"])]:
        with pytest.raises(plyzip.PlyzipError):
            codec.decode(wrong, {"White": "A"})
    for moves in [["e2e5"], ["Nf5"], ["e2e4", "e2e4"], ["e2e4", "e5", "Ke3"], "e4 e4", "1. e2e4 e7e5 2. e2e4"]:
        with pytest.raises(plyzip.UsageError, match="illegal"):
            codec.encode(moves)
    for moves in [["x"], "x", "e4 e5 hello", '[White "A"]', "Nd2 " + 99 * "x"]:
        with pytest.raises(plyzip.UsageError, match="is no move in UCI or SAN|illegal"):
            codec.encode(moves)
    for tags in [{"FEN": "x"}, {"Variant": "Atomic"}]:
        with pytest.raises(ValueError):
            codec.encode([], tags)
    with pytest.raises(ValueError, match="variants"):
        codec.encode(chess.variant.AtomicBoard())


def test_what_is_neither_a_game_nor_moves_is_a_type_error() -> None:
    codec = plyzip.GameCodec("none")
    calls: list[Any] = [codec.encode, lambda game: plyzip.explain(game, model="none")]
    calls.append(lambda game: plyzip.predict(game, model="none"))
    calls.append(lambda game: codec.encode_batch([game]))
    for call in calls:
        for wrong in [b"e2e4", [1], [None], 5, None]:
            with pytest.raises(TypeError):
                call(wrong)
        with pytest.raises(TypeError, match=r"or moves, as .* and no b'e4'"):
            call(b"e4")
        with pytest.raises(TypeError, match="a move is a chess.Move or text, and no int"):
            call([1])
    with pytest.raises(TypeError, match="mapping"):
        codec.encode([], [("White", "A")])  # type: ignore[arg-type]
    archive = plyzip.open(plyzip.compress(FAMOUS, model="none"))
    with pytest.raises(TypeError, match="position"):
        archive.find(["e2e4"])  # type: ignore[arg-type]


def test_games_of_archives_and_fens_are_taken() -> None:
    game = plyzip.open(plyzip.compress(FAMOUS, model="none"))[0]
    codec = plyzip.GameCodec("none")
    assert codec.encode(game) == codec.encode(game.to_chess())
    bits = [plyzip.explain(one, model="none").total_bits for one in (game, game.to_chess())]
    assert bits[0] == bits[1]
    board = chess.Board("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    assert plyzip.predict(board.fen(), model="none").moves == plyzip.predict(board, model="none").moves


def test_text_is_moves_of_uci_or_san_or_a_fen() -> None:
    codec = plyzip.GameCodec("none")
    uci = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1"]
    wanted = codec.encode(uci)
    texts = [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O",
        "e4 e5 Nf3 Nc6 Bb5 a6 0-0",
        " ".join(uci),
        "1.e4 1...e5 2.g1f3 Nc6 Bb5 a6 O-O",
    ]
    for moves in [*texts, texts[1].split(), [*uci[:3], "Nc6", *uci[4:]]]:
        assert codec.encode(moves) == wanted, moves
        assert plyzip.explain(moves, model="none").total_bits == plyzip.explain(uci, model="none").total_bits
        assert plyzip.predict(moves, model="none").moves == plyzip.predict(uci, model="none").moves
    # From where the tags say that the game starts.
    tags = {"FEN": "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"}
    assert codec.encode("a8=Q+", tags) == codec.encode(["a7a8q"], tags) != codec.encode("a8=R", tags)
    archive = plyzip.open(plyzip.compress(FAMOUS, model="none"))
    board = chess.Board()
    board.push_san("e4")
    positions: list[Any] = [board, board.fen(), "e4", "e2e4", "1. e4"]
    for position in positions:
        assert [ply for _, ply in archive.find(position)] == [1, 1]
        assert archive.count(position=position) == 2
    for wrong in ["e5", "nonsense", "", "8/8/8 w - -"]:
        calls: list[Any] = [archive.find, lambda text: plyzip.predict(text, model="none")]
        for call in calls:
            with pytest.raises(plyzip.UsageError, match="illegal|no move in UCI or SAN|empty|FEN|position"):
                call(wrong)


@pytest.mark.parametrize("model", ["none", "standard"])
def test_probabilities_are_those_of_the_legal_moves(model: str) -> None:
    opened = plyzip.Model(model)
    board = chess.Board()
    for san in ["e4", "c5", "Nf3", "d6"]:
        forecast = plyzip.predict(board, model=opened)
        moves = dict(forecast.moves)
        assert set(moves) == set(board.legal_moves)
        assert math.isclose(sum(moves.values()), 1, abs_tol=1e-5)
        assert list(moves.values()) == sorted(moves.values(), reverse=True)
        assert 0 <= forecast.end_probability < 0.5
        board.push_san(san)
    # What tags say counts.
    strong = plyzip.predict(board, {"WhiteElo": "2700", "BlackElo": "2700"}, model=opened)
    assert strong.moves != plyzip.predict(board, model=opened).moves
    mated = plyzip.predict(["f2f3", "e7e5", "g2g4", "d8h4"], model=opened)
    assert (mated.moves, mated.end_probability) == ([], 1)


def test_chess960_castles_as_python_chess_does() -> None:
    board = chess.Board("rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1", chess960=True)
    assert {move for move, _ in plyzip.predict(board, model="none").moves} == set(board.legal_moves)


def test_costs_are_the_surprisals_of_predictions() -> None:
    game = plyzip.open(plyzip.compress(FAMOUS))[0].to_chess()
    costs = plyzip.explain(game)
    moves = list(game.mainline_moves())
    assert [ply.move for ply in costs.plies] == moves
    assert math.isclose(costs.move_bits, sum(ply.bits for ply in costs.plies))
    assert math.isclose(costs.total_bits, costs.move_bits + costs.end_bits)
    # 16. Qb8+ is what nobody expects; a prediction of the same position says as much.
    ply = moves.index(chess.Move.from_uci("b3b8"))
    forecast = plyzip.predict(moves[:ply], dict(game.headers))
    probability = dict(forecast.moves)[moves[ply]]
    assert math.isclose(costs.plies[ply].probability, probability)
    assert math.isclose(costs.plies[ply].bits, -math.log2(probability))
    assert costs.plies[ply].others[0] == forecast.moves[0] or costs.plies[ply].rank == 0
    # So many bytes has the game as a codec writes it.
    data = plyzip.GameCodec().encode(game)
    assert 0 <= 8 * len(data) - costs.total_bits < 32
