"""What goes to python-chess and comes from it. The extension module calls these functions."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping

import chess
import chess.pgn

from plyzip._plyzip import Game

Tags = Mapping[str, str]


def pairs(tags: Tags | None) -> list[tuple[str, str]]:
    """Tags as pairs of text."""
    if tags is not None and not isinstance(tags, Mapping):
        raise TypeError(f"tags are a mapping of names to values, and no {type(tags).__name__}")
    return [] if tags is None else [(str(name), str(value)) for name, value in tags.items()]


def line(
    game: Game | chess.pgn.Game | chess.Board | Iterable[chess.Move | str], tags: Tags | None
) -> tuple[list[tuple[str, str]], list[str]]:
    """The tags of a game, which say where it starts, and its moves as UCI has them."""
    moves: Iterable[chess.Move | str]
    if isinstance(game, Game):
        game = game.to_chess()
    if isinstance(game, chess.pgn.Game):
        tags = game.headers if tags is None else tags
        moves = game.mainline_moves()
        start = game.board()
    elif isinstance(game, chess.Board):
        moves = game.move_stack
        start = game.root()
    elif isinstance(game, Iterable) and not isinstance(game, (str, bytes)):
        return pairs(tags), [uci(move) for move in game]
    else:
        wanted = 'a game, a chess.Board, or several moves, as ["e2e4", "c7c5"], are wanted'
        got = repr(game) if isinstance(game, (str, bytes)) and len(game) < 100 else type(game).__name__
        raise TypeError(f"{wanted}, and no {got}")
    if type(start) is not chess.Board:
        raise ValueError("variants other than Chess960 are not played")
    known = dict(pairs(tags))
    # The start that is there counts, whatever the tags say.
    for name in ("FEN", "SetUp", "Variant"):
        known.pop(name, None)
    if start.chess960:
        known["Variant"] = "Chess960"
    if start.chess960 or start.fen() != chess.STARTING_FEN:
        known["FEN"] = start.fen()
    return list(known.items()), [uci(move) for move in moves]


def uci(move: chess.Move | str) -> str:
    """A move as UCI has it."""
    if isinstance(move, str):
        return move
    if isinstance(move, chess.Move):
        return move.uci()
    raise TypeError(f"a move is a chess.Move or text, and no {type(move).__name__}")


def move(text: str) -> chess.Move:
    """A move from UCI."""
    return chess.Move.from_uci(text)


def fen(position: chess.Board | str) -> str:
    """A position as FEN."""
    if isinstance(position, str):
        return position
    if isinstance(position, chess.Board):
        return position.fen(en_passant="legal")
    raise TypeError(f"a position is a chess.Board or a FEN, and no {type(position).__name__}")


def board(fen: str) -> chess.Board:
    """The position of a FEN."""
    try:
        return chess.Board(fen)
    except ValueError:
        wanted = 'a chess.Board, a FEN, a game, or several moves, as ["e2e4", "c7c5"], are wanted'
        got = repr(fen) if len(fen) < 100 else "str"
        raise TypeError(f"{wanted}, and no {got}") from None


def read(pgn: str) -> chess.pgn.Game:
    """The game that a PGN is."""
    return chess.pgn.read_game(io.StringIO(pgn)) or chess.pgn.Game()


def game(tags: Tags | None, moves: Iterable[chess.Move]) -> chess.pgn.Game:
    """A game of these tags and moves."""
    made = chess.pgn.Game(None if tags is None else dict(tags))
    made.add_line(moves)
    return made
