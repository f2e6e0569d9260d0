"""The teacher's planes, move places and file formats; and with its weights, its agreement with lc0.

    PLYZIP_TEACHER=teacher-f32.npz PLYZIP_LC0=.../lc0 PLYZIP_LC0_WEIGHTS=network.pb.gz PLYZIP_GAMES=valid.pgn \\
        LD_LIBRARY_PATH=(folder of lc0) pytest -s training/tests/test_teacher.py

Also PLYZIP_TEACHER_ONNX, a file of `lc0 leela2onnx`, to be compared at full precision; PLYZIP_TEACHER_COMPACT,
files with fewer bits, separated by colons; and PLYZIP_POSITIONS, how many positions of the games are
compared (1,000). Tests are skipped for what is not given.
"""

import os
import re
import subprocess

import numpy as np
import pytest
import torch

from board import label, teacher
from board.corpus import MISSING

TINY = dict(
    encoders=2, width=32, heads=4, feedforward=48, compressed=4, generator_hidden=16, generated=8, policy=32,
    wdl_squares=4, wdl_hidden=8,
)  # fmt: skip
PROMOTION_CODES = {None: 0, 2: 1, 3: 2, 4: 3, 5: 4}  # by python-chess's piece types
NAMES = ("pieces", "repeated", "black", "castling", "halfmoves", "moves", "legal")


def square(name):
    return ord(name[0]) - ord("a") + 8 * (int(name[1]) - 1)


def packed(move):
    """A move such as e7e8q in the 16 bits of `teacher.py`."""
    promotion = "?nbrq".index(move[4]) if len(move) == 5 else 0
    return square(move[:2]) | square(move[2:4]) << 6 | promotion << 12


def board(placement):
    """The 64 codes of a FEN's first field."""
    codes = torch.zeros(64, dtype=torch.uint8)
    for rank, row in enumerate(placement.split("/")):
        file = 0
        for symbol in row:
            if symbol.isdigit():
                file += int(symbol)
            else:
                codes[(7 - rank) * 8 + file] = "?PNBRQKpnbrqk".index(symbol)
                file += 1
    return codes


def position(*placements, black=False, castling=0, halfmoves=0, repeated=(), moves=("a1a1",)):
    """The teacher's input for one position; `placements` begin with the present one."""
    pieces = torch.full((1, 8, 64), MISSING, dtype=torch.uint8)
    for slot, placement in enumerate(placements):
        pieces[0, slot] = board(placement)
    again = torch.zeros(1, 8, dtype=torch.uint8)
    again[0, : len(repeated)] = torch.tensor(repeated, dtype=torch.uint8)
    return dict(
        pieces=pieces,
        repeated=again,
        black=torch.tensor([black]),
        castling=torch.tensor([castling], dtype=torch.uint8),
        halfmoves=torch.tensor([halfmoves], dtype=torch.uint8),
        moves=torch.tensor([[packed(move) for move in moves]], dtype=torch.int16),
        legal=torch.ones(1, len(moves), dtype=torch.bool),
    )


def planes(given):
    return teacher.planes(*(given[name] for name in NAMES[:5]))[0].T  # (112, 64)


def places(given):
    return teacher.policy_places(given["pieces"], given["black"], given["moves"])[0].tolist()


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
KINGS_PAWN = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"


def ones(plane):
    assert ((plane == 0) | (plane == 1)).all()
    return set(plane.nonzero().flatten().tolist())


def test_planes_of_the_initial_position():
    found = planes(position(START, castling=15))
    assert found.shape == (112, 64)
    assert ones(found[0]) == set(range(8, 16))
    assert ones(found[5]) == {square("e1")}
    assert ones(found[6]) == set(range(48, 56))
    assert ones(found[10]) == {square("d8")}
    assert not found[12:104].any()
    assert found[104:108].all()
    assert not found[108:111].any()
    assert found[111].all()


def test_planes_are_seen_by_the_side_to_move():
    given = position(KINGS_PAWN, START, black=True, castling=0b0110, halfmoves=37, repeated=(1, 0))
    found = planes(given)
    # Black's pieces are ours and come to stand on our side of the board, in both positions.
    assert ones(found[0]) == set(range(8, 16))
    assert ones(found[5]) == {square("e1")}
    assert ones(found[6]) == set(range(48, 56)) - {square("e7")} | {square("e5")}
    assert ones(found[13]) == set(range(8, 16))
    assert ones(found[19]) == set(range(48, 56))
    assert found[12].all() and not found[25].any()
    # We castle short, they long.
    assert [bool(plane.all()) for plane in found[104:108]] == [False, True, True, False]
    assert found[108].all()
    assert (found[109] == 37).all()


def test_places_of_moves():
    lonely = "8/8/8/8/8/8/8/8"
    white = position("4k3/1P6/8/8/8/8/8/R3K2R", moves=("e1g1", "e1c1", "e1e2", "b7b8n", "b7a8q", "b7c8b", "b7b8r"))
    first = teacher.PROMOTIONS
    assert places(white) == [
        square("e1") * 64 + square("h1"),
        square("e1") * 64 + square("a1"),
        square("e1") * 64 + square("e2"),
        square("b7") * 64 + square("b8"),
        first + 1 * 24 + 0 * 3 + 0,
        first + 1 * 24 + 2 * 3 + 2,
        first + 1 * 24 + 1 * 3 + 1,
    ]
    black = position("r3k2r/8/8/8/8/8/6p1/4K3", black=True, moves=("e8g8", "e8c8", "e8d7", "g2h1q", "g2g1n"))
    assert places(black) == [
        square("e1") * 64 + square("h1"),
        square("e1") * 64 + square("a1"),
        square("e1") * 64 + square("d2"),
        first + 6 * 24 + 7 * 3 + 0,
        square("g7") * 64 + square("g8"),
    ]
    rook = position("4k3/8/8/8/8/8/8/4R1K1", moves=("e1c1",))
    assert places(rook) == [square("e1") * 64 + square("c1")]
    assert not planes(position(lonely))[:13].any()


def test_square_map():
    reached = teacher.square_map()
    assert reached.shape == (64, 64)
    assert (reached.diagonal() == -1).all()
    assert (reached[square("d4")] == 1).sum() == 27 + 8
    assert (reached[square("a1")] == 1).sum() == 21 + 2


def batch(*positions):
    """Positions together, their moves padded."""
    longest = max(given["moves"].shape[1] for given in positions)
    pad = lambda tensor: torch.nn.functional.pad(tensor, (0, longest - tensor.shape[1]))
    parts = [given | {name: pad(given[name]) for name in ("moves", "legal")} for given in positions]
    return {name: torch.cat([part[name] for part in parts]) for name in NAMES}


def tiny():
    torch.manual_seed(1)
    return teacher.Teacher(**TINY).eval().requires_grad_(False)


def some_positions():
    return batch(
        position(START, castling=15, moves=("e2e4", "g1f3", "d2d4")),
        position(KINGS_PAWN, START, black=True, castling=15, moves=("e7e5",)),
        position("4k3/1P6/8/8/8/8/8/R3K2R", castling=3, moves=("e1g1", "b7b8q")),
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_outputs(dtype):
    given = some_positions()
    logits, wdl = tiny().to(dtype)(**given)
    assert logits.shape == given["legal"].shape and wdl.shape == (3, 3)
    assert logits.dtype == wdl.dtype == torch.float32
    assert torch.equal(logits == -torch.inf, ~given["legal"])
    assert torch.allclose(wdl.sum(1), torch.ones(3), atol=1e-5)


def test_positions_do_not_mix():
    given, model = some_positions(), tiny()
    together = model(**given)
    for place in range(3):
        alone = model(**{name: tensor[place : place + 1] for name, tensor in given.items()})
        assert torch.allclose(together[0][place], alone[0][0], atol=1e-5)
        assert torch.allclose(together[1][place], alone[1][0], atol=1e-5)


def test_compiles_whole():
    given, model = some_positions(), tiny()
    compiled = torch.compile(model, fullgraph=True, dynamic=False, backend="eager")
    assert torch.allclose(compiled(**given)[1], model(**given)[1], atol=1e-6)


@pytest.mark.parametrize("bits, group, tolerance", [(32, 0, 0), (16, 0, 1e-3), (8, 0, 5e-3), (8, 5, 5e-3)])
def test_file_is_read_back(tmp_path, bits, group, tolerance):
    model, path = tiny(), tmp_path / "tiny.npz"
    weights = {name: weight.numpy() for name, weight in model.state_dict().items()}
    teacher.save(path, TINY, weights, bits=bits, group=group)
    loaded = teacher.load(path)
    for name, weight in loaded.state_dict().items():
        assert torch.allclose(weight, torch.from_numpy(weights[name]), atol=tolerance), name
    given = some_positions()
    assert torch.allclose(loaded(**given)[1], model(**given)[1], atol=tolerance)


def test_quantised_is_within_half_a_step():
    weight = np.random.default_rng(1).normal(size=(7, 50)).astype(np.float32)
    for group in (0, 16, 64):
        values, scale = teacher.quantised(weight, group)
        steps = scale.repeat(group or 50, axis=1)[:, :50]
        error = np.abs(teacher.restored(values, scale, group) - weight)
        assert (error <= steps * 0.5001).all()


def test_labels_are_read_back(tmp_path):
    policy = np.array([[0.1, 0.7, 0.2, 0.0], [0.001, 0.999, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25]], np.float32)
    wdl = np.array([[1, 0, 0], [0.2, 0.5, 0.3], [0, 0, 1]], np.float32)
    path = tmp_path / "labels"
    body = label.packed(np.array([70000, 70000, 70001]), np.array([0, 1, 300]), policy, wdl)
    path.write_bytes(label.HEAD.pack(label.MAGIC, label.VERSION, 70000, 2, 3) + body)
    found = label.read(path)
    assert found.game.tolist() == [70000, 70000, 70001] and found.ply.tolist() == [0, 1, 300]
    assert found.wdl.tolist() == [[255, 0, 0], [51, 128, 76], [0, 0, 255]]
    assert found.first.tolist() == [0, 3, 4, 8]
    assert found.place.tolist() == [1, 2, 0, 1, 0, 1, 2, 3]
    assert found.share.tolist() == [178, 51, 26, 255, 64, 64, 64, 64]


def test_shards_cover_the_range_once():
    found = label.shards(100, 1130, 50)
    assert sorted(found) == [(start, min(start + 50, 1130)) for start in range(100, 1130, 50)]
    assert found != sorted(found) and found == label.shards(100, 1130, 50)


# From here on with the weights.


def given_path(name):
    if name not in os.environ:
        pytest.skip(f"{name} is not given")
    return os.environ[name]


def of_board(state):
    """The teacher's input for a python-chess board with its moves played, legal moves in python-chess's order."""
    import chess

    counts, boards = {}, []
    replayed = state.root()
    for move in [None] + state.move_stack:
        if move:
            replayed.push(move)
        key = replayed._transposition_key()
        boards.append((replayed.board_fen(), min(counts.get(key, 0), 2)))
        counts[key] = counts.get(key, 0) + 1
    boards = boards[::-1][:8]
    rights = [
        state.has_kingside_castling_rights(chess.WHITE), state.has_queenside_castling_rights(chess.WHITE),
        state.has_kingside_castling_rights(chess.BLACK), state.has_queenside_castling_rights(chess.BLACK),
    ]  # fmt: skip
    return position(
        *(placement for placement, _ in boards),
        black=state.turn == chess.BLACK,
        castling=sum(right << bit for bit, right in enumerate(rights)),
        halfmoves=state.halfmove_clock,
        repeated=[count for _, count in boards],
        moves=[move.uci() for move in state.legal_moves],
    )


@pytest.fixture(scope="module")
def boards():
    """Positions of real games: at most four of a game, one of them with a promotion or castling if there is one."""
    chess_pgn = pytest.importorskip("chess.pgn")
    wanted = int(os.environ.get("PLYZIP_POSITIONS", 1000))
    random, found = np.random.default_rng(1), []
    with open(given_path("PLYZIP_GAMES"), encoding="utf-8", errors="replace") as file:
        while len(found) < wanted and (game := chess_pgn.read_game(file)):
            state, usual, special = game.board(), [], []
            for move in game.mainline_moves():
                moves = list(state.legal_moves)
                rare = any(other.promotion or state.is_castling(other) for other in moves)
                (special if rare or state.is_repetition(2) else usual).append(state.copy())
                state.push(move)
            for group, most in ((usual, 2), (special, 2)):
                chosen = random.permutation(len(group))[:most]
                found += [group[place] for place in chosen]
    return found[:wanted]


def probabilities(model, boards):
    """Of each board the policy over its legal moves, and (win, draw, loss)."""
    policies, outcomes = [], []
    for start in range(0, len(boards), 64):
        given = batch(*(of_board(state) for state in boards[start : start + 64]))
        with torch.inference_mode():
            logits, wdl = model(**given)
        policies += [row[legal].numpy() for row, legal in zip(logits.softmax(1), given["legal"])]
        outcomes.append(wdl.numpy())
    return policies, np.concatenate(outcomes)


def divergence(wanted, found):
    """Kullback-Leibler divergence in nats of two distributions."""
    wanted = wanted / wanted.sum()
    return float((wanted * np.log(np.maximum(wanted, 1e-9) / np.maximum(found, 1e-9))).sum())


def compare(title, wanted, found):
    worst = [np.abs(a - b).max() for a, b in zip(wanted, found)]
    mean = np.concatenate([np.abs(a - b) for a, b in zip(wanted, found)]).mean()
    nats = np.mean([divergence(a, b) for a, b in zip(wanted, found)])
    same = np.mean([a[b.argmax()] >= a.max() - 1e-9 for a, b in zip(wanted, found)])
    print(
        f"\n{title}: {len(wanted)} positions, difference at most {max(worst):.6f}, on average {mean:.6f}; "
        f"divergence {nats:.6f} nats; same first move {same:.4f}"
    )
    return max(worst), nats, same


def full_precision():
    return teacher.load(given_path("PLYZIP_TEACHER"))


@pytest.fixture(scope="module")
def reference(boards):
    return probabilities(full_precision(), boards)


class Lc0:
    """lc0 by UCI, asked for its network's opinion of one position at a time."""

    def __init__(self, program, weights):
        self.process = subprocess.Popen(
            [program, f"--weights={weights}", "--threads=1", "--minibatch-size=1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.say("uci")
        self.until("uciok")
        for name, value in (("PolicyTemperature", "1.0"), ("VerboseMoveStats", "true"), ("SmartPruningFactor", "0")):
            self.say(f"setoption name {name} value {value}")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, start):
        lines = []
        while not lines or not lines[-1].startswith(start):
            line = self.process.stdout.readline()
            if not line:
                raise EOFError("lc0 has ended")
            lines.append(line)
        return lines

    def policy(self, state):
        """The policy by move (UCI), as printed: in units of 0.0001; and (value, P(draw))."""
        self.say("ucinewgame")
        moves = " ".join(move.uci() for move in state.move_stack)
        self.say("position startpos" + (" moves " + moves if moves else ""))
        self.say("go nodes 1")
        policy, node = {}, None
        for line in self.until("bestmove"):
            if found := re.match(r"info string (\S+) .*\(P: *([\d.]+)%\)", line):
                if found[1] == "node":
                    node = tuple(float(re.search(rf"\({key}: *(-?[\d.]+)\)", line)[1]) for key in ("WL", "D"))
                else:
                    policy[found[1]] = float(found[2]) / 100
        return policy, node

    def close(self):
        self.say("quit")
        self.process.wait()


def test_agrees_with_lc0(boards, reference):
    engine = Lc0(given_path("PLYZIP_LC0"), given_path("PLYZIP_LC0_WEIGHTS"))
    policies, values = [], []
    for state in boards:
        policy, node = engine.policy(state)
        names = [state.uci(move, chess960=True) for move in state.legal_moves]  # castling as lc0 prints it
        assert set(policy) == set(names)
        policies.append(np.array([policy[name] for name in names]))
        values.append(node)
    engine.close()
    found, wdl = reference
    worst, nats, same = compare("lc0 and the port", policies, found)
    value = np.stack([wdl[:, 0] - wdl[:, 2], wdl[:, 1]], axis=1)
    off = np.abs(value - np.array(values))
    print(f"value and draw differ by {off.max(axis=0)} at most, {off.mean(axis=0)} on average")
    assert worst < 0.002 and nats < 2e-3 and same > 0.99


def test_agrees_with_onnx(boards, reference):
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(given_path("PLYZIP_TEACHER_ONNX"))
    onnx = pytest.importorskip("onnx")
    graph = onnx.load(given_path("PLYZIP_TEACHER_ONNX")).graph
    (table,) = (onnx.numpy_helper.to_array(i) for i in graph.initializer if i.name == "/const/mapping_table")
    place_of = np.full(teacher.POLICY, -1)
    place_of[table] = np.arange(len(table))
    policies, outcomes = [], []
    for start in range(0, len(boards), 64):
        given = batch(*(of_board(state) for state in boards[start : start + 64]))
        x = teacher.planes(*(given[name] for name in NAMES[:5])).transpose(1, 2).reshape(-1, 112, 8, 8)
        logits, wdl = session.run(["/output/policy", "/output/wdl"], {"/input/planes": x.numpy()})
        outcomes.append(wdl)
        moves = teacher.policy_places(given["pieces"], given["black"], given["moves"]).numpy()
        for row, chosen, legal in zip(logits, moves, given["legal"].numpy()):
            chosen = place_of[chosen[legal]]
            assert (chosen >= 0).all()
            scores = np.exp(row[chosen] - row[chosen].max())
            policies.append(scores / scores.sum())
    found, wdl = reference
    worst, nats, same = compare("onnx and the port", policies, found)
    off = np.abs(wdl - np.concatenate(outcomes)).max()
    print(f"win, draw and loss differ by {off:.6f} at most")
    assert worst < 1e-3 and nats < 1e-6 and off < 1e-3


def test_bfloat16_agrees(boards, reference):
    policies, wdl = reference
    model = full_precision().to(torch.bfloat16)
    worst, nats, same = compare("full precision and bfloat16", policies, probabilities(model, boards)[0])
    assert nats < 1e-3


def test_compact_files_agree(boards, reference):
    for path in given_path("PLYZIP_TEACHER_COMPACT").split(":"):
        for dtype in (torch.float32, torch.bfloat16):
            model = teacher.load(path, dtype)
            title = f"full precision and {path} in {dtype}"
            worst, nats, same = compare(title, reference[0], probabilities(model, boards)[0])
            assert nats < 3e-3
