"""Games to test with: famous ones, and random ones with all that a PGN may have."""

from __future__ import annotations

import random
from pathlib import Path

import chess
import chess.pgn
import plyzip
import pytest

ROOT = Path(__file__).resolve().parents[3]

# Two games as their books have them.
FAMOUS = b"""\
[Event "Paris Opera"]
[Site "Paris FRA"]
[Date "1858.??.??"]
[White "Morphy, Paul"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7
8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7
14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0

[Event "Immortal game"]
[Site "London ENG"]
[Date "1851.06.21"]
[White "Anderssen, Adolf"]
[Black "Kieseritzky, Lionel"]
[Result "1-0"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5
8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6 11. Rg1 cxb5 12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8
15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+ 20. Ke2 Na6
21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0

"""

START = '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {}"]'


def many(times: int) -> bytes:
    """The famous games so many times. None repeats another, which would take no time: each begins at another move."""
    game = FAMOUS.decode()
    copies = (game.replace('"]\n\n', f'"]\n{START.format(number)}\n\n') for number in range(1, times + 1))
    return "".join(copies).encode()


EVENTS = ["City blitz", "Müller memorial", 'The "Open"', "Rated game"]
NAMES = ["Müller, Karl", "Novák, Jan", "O'Neill, Sean", "Đokić, Ana", "Ito, Ken", "Smith, A"]


def random_game(numbers: random.Random, chess960: bool = False) -> chess.pgn.Game:
    """A game of random moves."""
    board = chess.Board.from_chess960_pos(numbers.randrange(960)) if chess960 else chess.Board()
    game = chess.pgn.Game()
    game.setup(board)
    game.headers["Event"] = numbers.choice(EVENTS)
    game.headers["Date"] = f"{numbers.randint(1990, 2025)}.{numbers.randint(1, 12):02}.??"
    game.headers["White"], game.headers["Black"] = numbers.sample(NAMES, 2)
    for side in ["White", "Black"]:
        if numbers.random() < 0.8:
            game.headers[f"{side}Elo"] = str(numbers.randint(1000, 2800))
    node: chess.pgn.GameNode = game
    for _ in range(numbers.randint(0, 90)):
        moves = list(board.legal_moves)
        if not moves:
            break
        node = node.add_variation(numbers.choice(moves))
        board.push(node.move)
        if numbers.random() < 0.05:
            node.comment = "so it was"
        if numbers.random() < 0.03 and len(moves) > 1:
            other = numbers.choice([move for move in moves if move != node.move])
            node.parent.add_variation(other)
    game.headers["Result"] = board.result()
    return game


@pytest.fixture(scope="session")
def games() -> list[chess.pgn.Game]:
    numbers = random.Random(25)
    return [random_game(numbers, chess960=number % 7 == 3) for number in range(120)]


@pytest.fixture(scope="session")
def pgn(games: list[chess.pgn.Game]) -> bytes:
    return "".join(f"{game}\n\n" for game in games).encode()


@pytest.fixture(scope="session")
def data(pgn: bytes) -> bytes:
    """An archive of several blocks and pages."""
    return plyzip.compress(pgn, model="none", block_games=50, page_games=8)


@pytest.fixture(scope="session")
def archive(data: bytes) -> plyzip.Archive:
    return plyzip.open(data)
