"""The rules of chess: the values that the program's own tests pin, found again from the document."""

import pytest
from plyzip_reference import blake3, fen
from plyzip_reference.bitboards import BETWEEN, LINES, attacks
from plyzip_reference.games import Game
from plyzip_reference.material import is_insufficient_material
from plyzip_reference.moves import CASTLING, EN_PASSANT
from plyzip_reference.position import initial
from plyzip_reference.position_key import position_key
from plyzip_reference.san import San
from plyzip_reference.split_mix import MASK64, split_mix
from plyzip_reference.standard.generator import SplitMix
from plyzip_reference.start import start_of
from random_games import random_game, starts

# Starts with castling of both kinds, captures en passant, promotions, and boards that no game leads to.
STARTS = (
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", False),
    ("r3k2r/pppp2P1/8/3Pp3/8/1n6/P1PPPP2/R3K2R w KQkq e6 0 1", False),
    ("8/1PPPk3/8/8/2pP4/8/1p2K1pp/5R2 b - d3 0 1", False),
    ("rn2k2r/PPP3P1/8/8/8/8/3pp1p1/R3K2R w KQkq - 0 1", False),
    ("qqqqk3/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQK3 w - - 0 1", False),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", True),
    ("1r1k1r2/8/8/8/8/8/8/1R3KR1 w GBfb - 0 1", True),
    ("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1", True),
)


def position(text, chess960=False):
    return fen.read(text.encode(), chess960)


def played_on(before, move):
    after = before.copy()
    after.play(move)
    # Which no move needs, and so is not kept.
    after.fullmoves += before.turn
    return after


def digest(each):
    """The start of the BLAKE3 of what `each` gives for the positions of games of random moves."""
    found = bytearray()
    seed = 0
    for length in (60, 100, 140):
        for text, chess960 in STARTS:
            present = position(text, chess960)
            for _ in range(length):
                found += each(present)
                legal = present.legal_moves()
                if not legal:
                    break
                seed += 1
                present = played_on(present, legal[split_mix(seed) % len(legal)])
    return blake3.digest(bytes(found)).hex()[:16]


def move_bytes(move):
    kind = (move.kind == CASTLING) | (move.kind == EN_PASSANT) << 1
    return bytes((move.role, move.departure, move.target, move.capture, move.promotion, kind))


def rights(present):
    return sum(1 << rook for side in present.rooks for rook in side if rook is not None)


def position_bytes(present):
    pieces = ((square, role, 1 - present.color_at(square)) for square, role in enumerate(present.roles) if role)
    squares = (64 if square is None else square for square in (present.legal_en_passant(), present.en_passant))
    numbers = rights(present).to_bytes(8, "little")
    numbers += present.halfmoves.to_bytes(4, "little") + present.fullmoves.to_bytes(4, "little")
    return b"".join(map(bytes, pieces)) + bytes((1 - present.turn, *squares)) + numbers


def test_legal_moves_and_their_order():
    found = digest(lambda present: b"".join(map(move_bytes, present.legal_moves())) + bytes((present.is_check(),)))
    assert found == "2fd81b54e7af86d6"


def test_positions_and_their_keys():
    assert digest(position_bytes) == "7c43298a8e545c89"
    assert digest(lambda present: position_key(present).to_bytes(8, "little")) == "947a3eca0d3eb545"


def test_positions_as_fen():
    counters = lambda present: f" {present.halfmoves} {present.fullmoves}"
    assert digest(lambda present: (fen.write(present) + counters(present)).encode()) == "987b20919a27c9d1"


def test_what_pieces_attack():
    found = bytearray()
    occupied = split_mix(1) & split_mix(2)
    for square in range(64):
        for color in (0, 1):
            for role in range(1, 7):
                found += attacks(role, color, square, occupied).to_bytes(8, "little")
        for other in range(64):
            found += BETWEEN[square][other].to_bytes(8, "little") + LINES[square][other].to_bytes(8, "little")
    assert blake3.digest(bytes(found)).hex()[:16] == "7bf50e4faa1459e1"


@pytest.mark.parametrize(
    "text, chess960, depth, count",
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", False, 4, 197_281),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", False, 3, 97_862),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", False, 4, 43_238),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", False, 3, 9_467),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", False, 3, 62_379),
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", True, 3, 12_189),
    ],
)
def test_numbers_of_moves_are_the_known_ones(text, chess960, depth, count):
    def paths(present, left):
        legal = present.legal_moves()
        return len(legal) if left == 1 else sum(paths(played_on(present, move), left - 1) for move in legal)

    assert paths(position(text, chess960), depth) == count


def mutated(text, random, letters):
    """At most two random changes, exchanges, deletions and insertions."""
    text = list(text)
    for _ in range(random.below(3)):
        place, letter = random.below(len(text)), letters[random.below(len(letters))]
        change = random.below(6)
        if change < 2:
            text[place] = letter
        elif change < 4:
            other = random.below(len(text))
            text[place], text[other] = text[other], text[place]
        elif change == 4:
            text.insert(place, letter)
        elif len(text) > 1:
            del text[place]
    return "".join(text)


def start(text, variant=None):
    tags = [[b"FEN", text.encode()]] + ([[b"Variant", variant.encode()]] if variant else [])
    return start_of(Game(tags))


MUTATED = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppp2P1/8/3Pp3/8/1n6/P1PPPP2/R3K2R w KQkq e6 0 1",
    "8/1PPPk3/8/8/2pP4/8/1p2K1pp/5R2 b - d3 0 1",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1r1k1r2/8/8/8/8/8/8/1R3KR1 w GBfb - 0 1",
    "8/8/4k3/8/8/3K4/8/7R w - - 97 80",
    "qqqqk3/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQK3 w - - 0 1",
)


def test_which_text_is_a_position():
    random, found, read = SplitMix(11), bytearray(), 0
    for number in range(6000):
        variant = (None, "chess960", "From Position")[number % 3]
        text = mutated(MUTATED[number // 3 % 8], random, "prnbqkPRNBQK12345678/wb-KQkqHAha 036")
        # The program's test writes the text as a tag, so that a quote could end it: there is none among the letters.
        present = start(text, variant)
        value = 0
        if present is not None:
            read += 1
            turned = rights(present) << 7 | rights(present) >> 57
            value = position_key(present) ^ present.halfmoves ^ turned & MASK64
        found += value.to_bytes(8, "little")
    assert (read, blake3.digest(bytes(found)).hex()[:16]) == (1950, "5c6b4467ab3edfdb")


@pytest.mark.parametrize(
    "text, variant, is_read",
    [
        # Too much material, and a check that no move could have given, are no reason to refuse.
        ("qqqqk3/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQK3 w - - 0 1", None, True),
        ("4k3/8/8/8/4R3/8/3N4/R3K2b b - - 0 1", None, True),
        ("4k3/4R3/2N5/1B6/8/8/8/4K3 b - - 0 1", None, True),
        # Pawns on the last ranks, a king too few or in check while the other side moves, bad rights.
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", None, False),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", None, False),
        ("4k3/8/8/8/8/8/8/4R2K w - - 0 1", None, False),
        ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", None, False),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", None, False),
        ("1r1k1r2/8/8/8/8/8/8/1R3KR1 w GBfb - 0 1", None, False),
        ("1r1k1r2/8/8/8/8/8/8/1R3KR1 w GBfb - 0 1", "Chess960", True),
        ("1r1k1r2/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1", "fischerandom", True),
        ("4k3/8/8/8/8/8/8/4K3 w", None, True),
        ("4k3/8/8/8/8/8/8/4K3", None, True),
        ("4k3/8/8/8/8/8/8/4K3 w - - 5", None, True),
        ("4k3/8/8/8/8/8/8/4K3 w - - 99999 99999", None, True),
        ("4k3/8/8/8/8/8/8/4K3 w - - 99999999999x 1", None, True),
        ("4k3/8/8/8/8/8/8/4K3 w - - 99x 1", None, False),
        ("4k3/8/8/8/8/8/8/4K3 w - - +0+-0 5 1", None, True),
        ("4k3/8/8/8/8/8/8/4K3 w - - 3+4 5 1", None, False),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", None, False),
        ("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", None, True),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Crazyhouse", False),
        ("", None, False),
    ],
)
def test_positions_of_all_sorts_are_read_or_refused(text, variant, is_read):
    assert (start(text, variant) is not None) == is_read


def test_chess960_has_no_start_of_its_own():
    assert start_of(Game([[b"Variant", b"Chess960"]])) is None
    assert position_key(start_of(Game([]))) == position_key(initial())


def test_how_moves_are_written():
    random, found = SplitMix(12), []
    for present in starts():
        for played in random_game(present, 60, random):
            found += [San.play(present.copy(), move).write(0) + b" " for move in present.legal_moves()]
            present.play(played)
    assert blake3.digest(b"".join(found)).hex()[:16] == "4b38def4c41de0d8"


def test_spellings_of_moves():
    present = position("3r4/4P3/6k1/8/8/8/8/4K2R w K - 0 1")
    forms = {b"e8=Q+": 0, b"e8Q+": 1 << 4, b"exd8/q": 5 << 4, b"ed8=N": 1 << 7, b"0-0": 1 << 14, b"e7xd8=N": 4 << 10}
    for text, form in forms.items():
        found = [San.play(present.copy(), move) for move in present.legal_moves()]
        assert text in [san.write(form) for san in found], text
    mate = position("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1")
    found = {San.play(mate.copy(), move).write(0) for move in mate.legal_moves()}
    assert {b"Qg7#", b"Qe5+", b"Qd2", b"Ke7"} <= found
    castling = [San.play(present.copy(), move) for move in present.legal_moves() if move.is_castling()]
    assert [san.category() for san in castling] == [16]


@pytest.mark.parametrize(
    "board, insufficient",
    [
        ("4k3/8/8/8/8/8/8/4K3", True),
        ("3nk3/8/8/8/8/8/8/4K3", True),
        ("3nk3/8/8/8/8/8/8/3NK3", False),
        ("3bk3/8/8/8/8/8/8/3NK3", False),
        ("2b1k3/8/8/8/8/8/8/1B1BK3", True),
        ("3bk3/8/8/8/8/8/8/1B1BK3", False),
        ("4k3/8/8/8/8/8/4P3/4K3", False),
        ("3qk3/8/8/8/8/8/8/4K3", False),
    ],
)
def test_material_with_which_nobody_can_win(board, insufficient):
    assert is_insufficient_material(position(board)) == insufficient
