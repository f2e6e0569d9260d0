"""The random games of tests/games/mod.rs, whose positions and choices the program's tests pin."""

from plyzip_reference import fen
from plyzip_reference.moves import NORMAL

# Where the games begin, and whether castling is that of Chess960.
STARTS = (
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", False),
    ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", False),
    ("8/PPPPPPPP/8/2k5/5K2/8/pppppppp/8 w - - 0 1", False),
    ("rn2k2r/PPP3P1/8/8/8/8/3pp1p1/R3K2R w KQkq - 0 1", False),
    ("8/8/4k3/8/8/3K4/8/7R w - - 0 1", False),
    ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", False),
    ("7k/8/8/8/8/1q6/8/K7 w - - 0 1", False),
    ("1r5k/8/8/8/8/8/8/K7 w - - 0 1", False),
    ("k1b5/1p1p4/1P1P4/8/8/1p1p4/1P1P4/K1B5 w - - 0 1", False),
    ("8/8/4k3/8/8/3K4/8/7R w - - 97 80", False),
    ("8/8/4k3/8/8/3K4/8/8 w - - 0 80", False),
    ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", False),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", True),
    ("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1", True),
    ("1r1k1r2/8/8/8/8/8/8/1R3KR1 w GBfb - 0 1", True),
    ("qqqqk3/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQK3 w - - 0 1", False),
)


def starts():
    """The positions that the games begin with."""
    return [fen.read(text.encode(), chess960) for text, chess960 in STARTS]


def random_game(start, longest, random):
    """The moves of a game in which rare ones are played often; all are chosen before anything else is random."""
    position, moves = start.copy(), []
    while len(moves) < longest and (legal := position.legal_moves()):
        rare = [move for move in legal if move.kind != NORMAL or move.promotion]
        among = rare if rare and random.below(2) else legal
        moves.append(among[random.below(len(among))])
        position.play(moves[-1])
    return moves
