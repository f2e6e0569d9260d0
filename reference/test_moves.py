"""Moves and their prediction without a network."""

import pytest
from plyzip_reference import opening_book
from plyzip_reference.bitboards import BLACK, WHITE
from plyzip_reference.game_context import DRAWN, LOST, UNKNOWN, WON, GameContext
from plyzip_reference.games import Game
from plyzip_reference.history import History
from plyzip_reference.lines import Line
from plyzip_reference.moves_stream import MovesStream
from plyzip_reference.plain_features import PLAIN_FEATURES, STARTS, PlainFeatures, displacement, value_bucket
from plyzip_reference.player import player_key
from plyzip_reference.position import initial
from plyzip_reference.position_counts import PositionCounts
from plyzip_reference.san import San
from plyzip_reference.start import start_of
from plyzip_reference.surprisal import surprisal


def game(**tags):
    return Game([[name.encode(), value.encode()] for name, value in tags.items()])


# A page's stream of moves, as the program wrote it with the model `none`: three games and two variations.
STREAM = bytes.fromhex("b45de5bf22dc181a7a872075ba6b8d25e55c60")
GAMES = (
    dict(White="Morphy, Paul", Black="Duke Karl / Count Isouard", Result="1-0", WhiteElo="2690"),
    dict(Result="*", FEN="rn2k2r/PPP3P1/8/8/8/8/3pp1p1/R3K2R w KQkq - 0 1"),
    dict(Result="1/2-1/2", Variant="Chess960", FEN="4k3/8/8/8/8/8/8/R4K1R w HA - 0 1"),
)
LINES = (
    "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 "
    "Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#",
    "Kxe2 gxh1=N bxa8=Q Rf8 gxf8=R+ Kxf8 c8=B d1=Q+ Rxd1",
    "O-O-O Ke7 Kb2 Kf6",
)


def spelled(position, moves):
    return " ".join(San.play(position, move).write(0).decode() for move in moves)


def test_lines_and_variations_are_decoded():
    games = [game(**tags) for tags in GAMES]
    stream = MovesStream(STREAM)
    surprisals = stream.main_lines(games, 1000)
    assert [spelled(start_of(game), game.lines[0].moves) for game in games] == list(LINES)
    assert [len(of_game) for of_game in surprisals] == [len(line.split()) for line in LINES]
    assert surprisals[0][:4] == [(8, 14), (14, 17), (0, 3), (49, 4)]
    # 3... exd4 4. Nxd4 (4. Qxd4 Nc6) 4... Nf6
    games[0].lines += [Line((0, 5)), Line((1, 1))]
    stream.variations(games, [[3, 2], [], []])
    position = start_of(games[0])
    for move in games[0].lines[0].moves[:5]:
        position.play(move)
    inner = position.copy()
    assert spelled(position, games[0].lines[1].moves) == "exd4 Nxd4 Nf6"
    inner.play(games[0].lines[1].moves[0])
    assert spelled(inner, games[0].lines[2].moves) == "Qxd4 Nc6"


def test_surprisals_are_eighths_of_bits():
    # A half, a quarter, two eighths.
    table = [0, 1 << 23, 3 << 22, 7 << 21, 1 << 24]
    assert [surprisal(table, played) for played in range(4)] == [(8, 14), (16, 14), (24, 14), (24, 14)]
    assert surprisal([0, 1, 1 << 24], 0) == (192, 0)
    assert surprisal([place << 16 for place in range(257)], 7) == (64, 64)


def test_buckets_and_displacements():
    assert [value_bucket(value) for value in (-2000, -50, -9, 0, 9, 10, 950)] == [0, 8, 10, 10, 10, 11, 20]
    assert [displacement(to, 0) for to in (0, 1, 8, 63)] == [112, 113, 127, 224]


def test_each_slot_has_features_of_its_range():
    history = History(initial())
    for _ in range(30):
        for features in PlainFeatures(history).of_moves():
            ends = STARTS[1:] + [PLAIN_FEATURES]
            assert all(start <= feature < end for feature, start, end in zip(features, STARTS, ends))
        legal = history.position.legal_moves()
        history.play(legal[len(history.played) * 7 % len(legal)])


def test_a_knight_that_returns_repeats_the_position():
    history = History(initial())
    play = lambda word: history.play(
        next(m for m in history.position.legal_moves() if San.play(history.position.copy(), m).write(0) == word)
    )
    for word in (b"Nf3", b"Nf6", b"Ng1"):
        play(word)
    course = [features[10] - STARTS[10] for features in PlainFeatures(history).of_moves()]
    assert sum(number >> 2 & 1 for number in course) == 1
    play(b"Ng8")
    assert (history.occurrences(history.key()), history.moved[6], history.ply()) == (1, 2, 4)


@pytest.mark.parametrize("text, rating", [("2700", 2700), ("+2500", 2500), ("99999", 0), ("", 0), ("?", 0), ("2 7", 0)])
def test_ratings_are_numbers(text, rating):
    assert GameContext(game(WhiteElo=text)).elo == [rating, 0]


def test_results_are_seen_from_a_side():
    found = [
        [GameContext(game(Result=result)).result_for(side) for side in (WHITE, BLACK)]
        for result in ("1-0", "0-1", "1/2-1/2", "*", "won")
    ]
    assert found == [[WON, LOST], [LOST, WON], [DRAWN, DRAWN], [UNKNOWN, UNKNOWN], [UNKNOWN, UNKNOWN]]


def test_keys_of_players():
    assert player_key(b"") == 1
    assert len({player_key(name) for name in (b"Carlsen, Magnus", b"Carlsen,M", b"?", b"")}) == 4


def test_the_book_has_the_first_moves():
    book = opening_book.built_in()
    moves, _ = book.find(History(initial()).key())
    assert len(moves) >= 8
    # 1. e4 is what most games begin with.
    move = initial().legal_moves()[moves[0][0]]
    assert (move.departure, move.target) == (12, 28)
    assert [opening_book.count_of(class_) for class_ in (0, 1, 2, 3, 4, 5, 40)] == [1, 1, 2, 3, 4, 6, 1 << 20]


def test_counts_are_listed_in_the_order_of_the_first_occurrence():
    counts = PositionCounts()
    for index in (3, 1, 3, 3, 0):
        counts.add(7, index)
    assert (counts.moves(7), counts.moves(8)) == ([(3, 3), (1, 1), (0, 1)], [])
