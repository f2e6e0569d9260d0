"""What goes to python-chess and comes from it. The extension module calls these functions."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping

import chess
import chess.pgn

from plyzip._plyzip import Game
from plyzip.errors import UsageError

Tags = Mapping[str, str]


def pairs(tags: Tags | None) -> list[tuple[str, str]]:
    """Tags as pairs of text."""
    if tags is not None and not isinstance(tags, Mapping):
        raise TypeError(f"tags are a mapping of names to values, and no {type(tags).__name__}")
    return [] if tags is None else [(str(name), str(value)) for name, value in tags.items()]


def line(
    game: Game | chess.pgn.Game | chess.Board | str | Iterable[chess.Move | str], tags: Tags | None
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
    elif isinstance(game, str):
        known = pairs(tags)
        return known, [move.uci() for move in played(start_of(dict(known)), words(game)).move_stack]
    elif isinstance(game, Iterable) and not isinstance(game, bytes):
        known = pairs(tags)
        return known, several(game, known)
    else:
        wanted = 'a game, a chess.Board, or moves, as "e4 c5" or ["e2e4", "c7c5"], are wanted'
        got = repr(game) if isinstance(game, bytes) and len(game) < 100 else type(game).__name__
        raise TypeError(f"{wanted}, and no {got}")
    if type(start) is not chess.Board:
        raise ValueError("variants other than Chess960 are not played")
    known_of_tags = dict(pairs(tags))
    # The start that is there counts, whatever the tags say.
    for name in ("FEN", "SetUp", "Variant"):
        known_of_tags.pop(name, None)
    if start.chess960:
        known_of_tags["Variant"] = "Chess960"
    if start.chess960 or start.fen() != chess.STARTING_FEN:
        known_of_tags["FEN"] = start.fen()
    return list(known_of_tags.items()), [uci(move) for move in moves]


def several(moves: Iterable[chess.Move | str], known: list[tuple[str, str]]) -> list[str]:
    """Moves as UCI has them; those that are text may be SAN."""
    texts = [uci(move) for move in moves]
    if all(_UCI.fullmatch(text) for text in texts):
        # Which of them are legal is seen where they are played.
        return texts
    return [move.uci() for move in played(start_of(dict(known)), texts).move_stack]


def start_of(tags: dict[str, str]) -> chess.Board:
    """Where a game of these tags starts."""
    headers = chess.pgn.Headers(tags)
    try:
        return headers.board()
    except ValueError:
        raise UsageError("the tags FEN and Variant name no start that plyzip knows") from None


#: A move as UCI has it, and what stands before moves in a PGN.
_UCI = re.compile("[a-h][1-8][a-h][1-8][nbrq]?")
_NUMBER = re.compile(r"\d+\.+")


def words(text: str) -> list[str]:
    """The moves of a text, which may be numbered."""
    found = [_NUMBER.sub("", word, count=1) for word in text.split()]
    return [word for word in found if word]


def played(board: chess.Board, moves: Iterable[str]) -> chess.Board:
    """The position after moves that are UCI or SAN."""
    for ply, text in enumerate(moves, 1):
        try:
            move = board.parse_uci(text) if _UCI.fullmatch(text) else board.parse_san(text)
        except ValueError:
            if _UCI.fullmatch(text) or _SAN.fullmatch(text):
                raise UsageError(f"ply {ply}: {text} is illegal") from None
            shown = text if len(text) < 40 else f"{text[:40]}..."
            raise UsageError(f"ply {ply}: {shown!r} is no move in UCI or SAN") from None
        board.push(move)
    return board


_SAN = re.compile("([NBRQK]?[a-h]?[1-8]?x?[a-h][1-8](=?[NBRQ])?|[O0]-[O0](-[O0])?)[+#]?")


def uci(move: chess.Move | str) -> str:
    """A move as UCI has it; text as it is."""
    if isinstance(move, str):
        return move
    if isinstance(move, chess.Move):
        return move.uci()
    raise TypeError(f"a move is a chess.Move or text, and no {type(move).__name__}")


def move(text: str) -> chess.Move:
    """A move from UCI."""
    return chess.Move.from_uci(text)


def fen(position: chess.Board | str) -> str:
    """A position as FEN. Text is a FEN, which is looked at where it is read, or the moves that lead to the position."""
    if isinstance(position, str):
        return position if "/" in position else board(position).fen(en_passant="legal")
    if isinstance(position, chess.Board):
        return position.fen(en_passant="legal")
    raise TypeError(f"a position is a chess.Board, a FEN or moves, and no {type(position).__name__}")


def board(text: str) -> chess.Board:
    """The position of a FEN, or the one that moves lead to, which it has."""
    if "/" in text:
        try:
            return chess.Board(text)
        except ValueError as error:
            raise UsageError(f"the FEN {text[:100]!r} is wrong: {error}") from None
    moves = words(text)
    if not moves:
        raise UsageError("a FEN or moves are wanted, and the text is empty")
    return played(chess.Board(), moves)


def read(pgn: str) -> chess.pgn.Game:
    """The game that a PGN is."""
    return chess.pgn.read_game(io.StringIO(pgn)) or chess.pgn.Game()


#: Signs of events that are no NAG: those of `src/archive/events.rs`.
_OPEN, _CLOSE = -1, -2
_RESULTS = {-3: "1-0", -4: "0-1", -5: "1/2-1/2", -6: "*"}


def built(tags: list[tuple[str, str]], events: list[tuple[int, int, int | None] | str | int]) -> chess.pgn.Game:
    """The game that python-chess's reader would build, if it came upon this."""
    builder: chess.pgn.GameBuilder[chess.pgn.Game] = chess.pgn.GameBuilder()
    builder.begin_game()
    headers = builder.begin_headers()
    for name, value in tags:
        headers[name] = value
    # The builder looks at no board.
    nowhere = chess.Board(None)
    for event in events:
        if isinstance(event, tuple):
            builder.visit_move(nowhere, chess.Move(*event))
        elif isinstance(event, str):
            builder.visit_comment(event)
        elif event >= 0:
            builder.visit_nag(event)
        elif event == _OPEN:
            builder.begin_variation()
        elif event == _CLOSE:
            builder.end_variation()
        else:
            builder.visit_result(_RESULTS[event])
    builder.end_game()
    return builder.result()


def game(tags: Tags | None, moves: Iterable[chess.Move]) -> chess.pgn.Game:
    """A game of these tags and moves."""
    made = chess.pgn.Game(None if tags is None else dict(tags))
    made.add_line(moves)
    return made
