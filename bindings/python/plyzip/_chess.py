"""What goes to python-chess and comes from it. The extension module calls these functions."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping

import chess
import chess.pgn

Tags = Mapping[str, str]


def pairs(tags: Tags | None) -> list[tuple[str, str]]:
    """Tags as pairs of text."""
    return [] if tags is None else [(str(name), str(value)) for name, value in tags.items()]


def line(
    game: chess.pgn.Game | chess.Board | Iterable[chess.Move | str], tags: Tags | None
) -> tuple[list[tuple[str, str]], list[str]]:
    """The tags of a game, which say where it starts, and its moves as UCI has them."""
    moves: Iterable[chess.Move | str]
    if isinstance(game, chess.pgn.Game):
        tags = game.headers if tags is None else tags
        moves = game.mainline_moves()
        start = game.board()
    elif isinstance(game, chess.Board):
        moves = game.move_stack
        start = game.root()
    else:
        return pairs(tags), [uci(move) for move in game]
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
    return move if isinstance(move, str) else move.uci()


def move(text: str) -> chess.Move:
    """A move from UCI."""
    return chess.Move.from_uci(text)


def fen(position: chess.Board | str) -> str:
    """A position as FEN."""
    return position if isinstance(position, str) else position.fen(en_passant="legal")


def read(pgn: str) -> chess.pgn.Game | None:
    """The game that a PGN is."""
    return chess.pgn.read_game(io.StringIO(pgn))


def game(tags: Tags | None, moves: Iterable[chess.Move]) -> chess.pgn.Game:
    """A game of these tags and moves."""
    made = chess.pgn.Game(None if tags is None else dict(tags))
    made.add_line(moves)
    return made
