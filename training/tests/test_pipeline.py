"""The whole way from a PGN to an exported network, at toy size, with the commands that make the real ones."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace

import chess
import numpy as np
import onnx
import pytest
import torch

from board import checkpoint, export
from board.corpus import ENDED, MISSING, Corpus, Sampler
from board.network import SIZES, BoardNetwork, Site
from board.train import LabelStore
from board.view import FIRST, view
from conftest import GAMES, HELD, ROOT, run, train
from labels import labels


def test_the_arrays_hold_the_games(work):
    corpus = Corpus(work / "train.x")
    assert corpus.games == GAMES
    source = open(work / "train.pgn")
    for number in range(20):
        record = chess.pgn.read_game(source)
        start = int(corpus.start[number])
        board = record.board()
        for ply, move in enumerate([*record.mainline_moves(), None]):
            batch = corpus.batch(torch.tensor([start + ply]), 224)
            for square in range(64):
                piece = board.piece_at(square)
                code = 0 if piece is None else piece.piece_type + 6 * (piece.color == chess.BLACK)
                assert batch.pieces[0, 0, square] == code
            assert bool(batch.black[0]) == (board.turn == chess.BLACK)
            assert int(batch.choice[0]) == board.legal_moves.count()
            assert (batch.pieces[0, ply + 1 :] == MISSING).all()
            if move is None:
                assert bool(batch.ended[0]) or board.legal_moves.count() == 0
            else:
                played = int(batch.moves[0, batch.played[0]])
                assert (played & 63, played >> 6 & 63) == (move.from_square, move.to_square)
                board.push(move)


def test_a_position_and_its_reflection_look_alike(work):
    """Black to move is White to move with the board flipped; a mirror changes files only."""
    corpus = Corpus(work / "train.x")
    index = corpus.lessons()[:400]
    batch = corpus.batch(index, 64)
    flipped = batch._replace(
        pieces=swap(batch.pieces).view(-1, 8, 8, 8).flip(2).reshape(-1, 8, 64),
        attackers=((batch.attackers >> 2) | ((batch.attackers & 3) << 2)).view(-1, 8, 8).flip(1).reshape(-1, 64),
        black=~batch.black,
        castling=(batch.castling >> 2) | ((batch.castling & 3) << 2),
        moves=batch.moves ^ torch.where(batch.legal, 56 | 56 << 6, 0).to(torch.int16),
        elo=batch.elo.flip(1),
        result=torch.tensor([0, 2, 1, 3], dtype=torch.uint8)[batch.result.long()],
    )
    mine, theirs = view(batch), view(flipped)
    white = FIRST["white"]
    for name in mine._fields:
        one, two = getattr(mine, name), getattr(theirs, name)
        if name == "conditions":
            one, two = (torch.cat([x[:, :white], x[:, white + 1 :]], 1) for x in (one, two))
        if name == "pair":
            one, two = one[mine.legal], two[mine.legal]
        assert torch.equal(one, two), name
    mirrored = view(batch, torch.ones(len(index), dtype=torch.bool))
    assert torch.equal(mirrored.now.view(-1, 8, 8).flip(2).reshape(-1, 64), mine.now)
    assert torch.equal((mirrored.pair ^ (7 | 7 << 6))[mine.legal], mine.pair[mine.legal])


def swap(pieces):
    return torch.where((pieces >= 1) & (pieces <= 12), (pieces + 5) % 12 + 1, pieces)


def test_held_games_are_never_learned_from(work):
    corpus = Corpus(work / "train.x")
    sampler = Sampler(corpus, 1, recent_games=0, held_games=HELD)
    seen = torch.cat([sampler.indices(step, 128) for step in range(2 * len(sampler.lessons) // 128)])
    assert int(corpus.game[seen].max()) == GAMES - HELD - 1
    # A pass shows every lesson once, but for what does not fill a batch.
    a_pass = len(sampler.lessons) // 128 * 128
    assert len(seen[:a_pass].unique()) == a_pass
    with pytest.raises(ValueError):
        Sampler(corpus, 1, held_games=GAMES)


def test_a_run_learns_and_goes_on_where_it_ended(work, trained):
    first, second = trained
    assert second[0]["from"] == pytest.approx(0.6)
    assert [record["rounded"] for record in (first[-1], second[-1])] == [False, True]
    corpus = Corpus(work / "train.x")
    held = corpus.lessons(GAMES - HELD)
    held = held[corpus.state[held, 3] != ENDED]
    legal_moves_alone = torch.log2((corpus.first[held + 1] - corpus.first[held]).double()).mean().item()
    for record in (first[-1], second[-1]):
        assert record["valid"]["move"] < legal_moves_alone - 0.5
    assert second[-1]["step"] >= 400


def test_the_same_steps_give_the_same_weights(work):
    for name in ("one", "two"):
        train(work / "train.x", work / name, "--steps", "12", "--seed", "7")
    one, two = (checkpoint.load(work / name / "portable.pt")[0].state_dict() for name in ("one", "two"))
    assert all(torch.equal(one[key], two[key]) for key in one)


def test_the_small_file_alone_is_enough_to_go_on(work, trained):
    shutil.copytree(work / "toy", work / "moved", ignore=shutil.ignore_patterns("state.pt", "log.jsonl"))
    record = torch.load(work / "moved" / "portable.pt", weights_only=True)
    record["progress"]["progress"] = 0.9
    torch.save(record, work / "moved" / "portable.pt")
    lines = train(work / "train.x", work / "moved", "--to", "1.0", "--steps", "20")
    assert lines[0]["from"] == 0.9 and lines[-1]["rounded"]
    assert lines[-1]["valid"]["move"] < trained[1][-1]["valid"]["move"] + 0.1


def test_what_rounding_clips_has_no_gradient():
    site = Site(1, "signed7")
    site.unit.fill_(0.5)
    value = torch.tensor([[-40.0, -3.3, 0.2, 31.4, 31.6]], requires_grad=True)
    rounded = site(value)
    assert rounded.tolist() == [[-31.5, -3.5, 0.0, 31.5, 31.5]]
    rounded.sum().backward()
    assert value.grad.tolist() == [[0.0, 1.0, 1.0, 1.0, 0.0]]


def test_the_small_file_holds_the_best_rounded_network(work, trained):
    shutil.copytree(work / "toy", work / "worse")
    state = torch.load(work / "worse" / "state.pt", weights_only=True)
    best = {name: value.clone() for name, value in state["average"].items()}
    state["progress"]["progress"], state["best"] = 0.95, (0.0, best)  # no later network is as good
    torch.save(state, work / "worse" / "state.pt")
    train(work / "train.x", work / "worse", "--to", "1.0", "--steps", "8")
    kept = checkpoint.load(work / "worse" / "portable.pt")[0].state_dict()
    assert all(torch.equal(kept[name], value.bfloat16().float()) for name, value in best.items())


def test_a_run_may_begin_with_the_weights_of_another(work, trained):
    lines = train(
        work / "train.x", work / "begun", "--start", work / "toy" / "portable.pt", "--steps", "4", "--to", "0.1"
    )
    assert lines[0]["from"] == 0.0 and not lines[-1]["rounded"]
    assert lines[-1]["valid"]["move"] < trained[1][-1]["valid"]["move"] + 0.1


def test_a_network_with_more_blocks_begins_as_it_was(work, trained):
    net, _ = checkpoint.load(work / "toy" / "portable.pt")
    deeper = BoardNetwork(replace(net.config, layers=4))
    deeper.begin_from(net)
    assert not torch.equal(deeper.blocks[3].rise.weight, torch.zeros_like(deeper.blocks[3].rise.weight))
    corpus = Corpus(work / "train.x")
    seen = view(corpus.batch(corpus.lessons()[:64], 64))
    net.quantised = False
    for own, other in zip(net.eval()(seen), deeper.eval()(seen)):
        assert torch.equal(own, other)
    with pytest.raises(ValueError, match="other sizes"):
        net.begin_from(deeper)


def test_a_stream_that_would_be_clipped_is_scaled(work, trained):
    net = checkpoint.load(work / "toy" / "portable.pt")[0].eval()
    corpus = Corpus(work / "train.x")
    seen = view(corpus.batch(corpus.lessons()[:64], 64))
    wanted = net(seen)[0][seen.legal]
    net.scale_stream(2.0**10)
    assert net.largest_in_stream(seen) > 512
    factor = export.fit_stream(net, seen)
    assert factor < 1 and 64 < net.largest_in_stream(seen) <= 256
    assert (net(seen)[0][seen.legal] - wanted).abs().mean() < 0.1  # roundings go another way here and there
    assert export.fit_stream(net, seen) == 1


def test_the_exported_graph_is_the_network(work, trained):
    found = run(
        sys.executable,
        os.path.join(ROOT, "training", "board", "export.py"),
        work / "toy" / "portable.pt",
        work / "toy.onnx",
        "--corpus",
        work / "train.x",
        "--last-games",
        HELD,
        "--positions",
        "300",
    )[-1]
    assert abs(found["graph_bits"] - found["network_bits"]) < 0.01
    assert found["logits_apart_mean"] < 0.1


def test_no_number_of_the_graph_depends_on_the_batch(work, trained):
    corpus = Corpus(work / "train.x")
    index = corpus.lessons(GAMES - HELD)[:9]
    net = checkpoint.load(work / "toy" / "portable.pt")[0]
    run_graph = export.runner(onnx.load(work / "toy.onnx"))
    together = run_graph(export.inputs_of(view(corpus.batch(index, 64)), net))
    for place in range(len(index)):
        alone = run_graph(export.inputs_of(view(corpus.batch(index[place : place + 1], 64)), net))
        for name, value in alone.items():
            assert np.array_equal(value[0], together[name][place]), name
            assert np.array_equal(value, np.round(value)), name


def test_the_games_end_is_a_lesson(work):
    corpus = Corpus(work / "train.x")
    index = corpus.lessons()
    ended = corpus.state[index, 3] == ENDED
    assert 0 < int(ended.sum()) <= GAMES
    last = corpus.start + corpus.plies
    assert set(index[ended].tolist()) <= set(last.tolist())


def test_evaluation_counts_every_position_once(work, trained):
    lines = subprocess.run(
        [
            sys.executable,
            os.path.join(ROOT, "training", "board", "evaluate.py"),
            "--corpus",
            work / "train.x",
            "--network",
            work / "toy" / "portable.pt",
            "--last-games",
            str(HELD),
            "--device",
            "cpu",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(lines.stdout)
    corpus = Corpus(work / "train.x")
    assert found["alone"]["positions"] == len(corpus.lessons(GAMES - HELD))
    # What is hidden makes it harder or leaves it alike, and two heads are no worse than one but for the fit.
    assert found["heads_mixed"]["move"] < found["alone"]["move"] + 0.1


def test_labels_are_learned_from(work, tmp_path):
    """Shards are read in any order, and every labelled position finds its own shares."""
    corpus = Corpus(work / "train.x")
    for name, first, end in (("b", 0, 80), ("a", 80, 160)):
        labels(tmp_path / name, corpus, first, end)
        os.rename(tmp_path / name / "0000000.labels", tmp_path / f"{name}.labels")
    store = LabelStore(tmp_path, corpus)
    index = store.index[torch.randperm(len(store.index))[:500]]
    shares, value = store.opinion(index, 128)
    last = (corpus.first[index + 1] - corpus.first[index]).long() - 1
    assert torch.allclose(shares.sum(1), torch.ones(500)) and torch.allclose(value.sum(1), torch.ones(500))
    assert torch.allclose(shares[:, 0], torch.full((500,), 0.25), atol=0.01)
    assert torch.allclose(shares[torch.arange(500), last], torch.full((500,), 0.75), atol=0.01)
    lines = train(work / "train.x", tmp_path / "run", "--labels", tmp_path, "--steps", "60")
    assert lines[0]["lessons"] == len(store.index)
    assert 0 < lines[-1]["train"]["taught"] < 4.5  # 4.8 before anything is learned, 0.81 when all is


def test_squares_hear_what_a_queen_and_a_knight_would_attack(work):
    net = BoardNetwork(SIZES["toy"])
    corpus = Corpus(work / "train.x")
    source = open(work / "train.pgn")
    for number in range(3):
        board = chess.pgn.read_game(source).end().board()
        ply = int(corpus.plies[number])
        batch = corpus.batch(corpus.start[number : number + 1] + ply, 224)
        heard = net.heard(view(batch))[0]
        flip = 56 if board.turn == chess.BLACK else 0
        sight = net.sight(view(batch), torch.float32)[0]
        for square in range(64):
            pieces = board.copy()
            pieces.set_piece_at(square, chess.Piece(chess.QUEEN, chess.WHITE))
            blockers = {target for target in pieces.attacks(square) if board.piece_at(target)}
            found = {int(target) ^ flip for target in heard[square ^ flip, :8] if target < 64}
            assert {target for target in found if board.piece_at(target)} == blockers
            # Where nothing stands, the last square is heard: nothing that a queen would not reach.
            assert found <= set(pieces.attacks(square))
            pieces.set_piece_at(square, chess.Piece(chess.KNIGHT, chess.WHITE))
            leaps = {int(target) ^ flip for target in heard[square ^ flip, 8:] if target < 64}
            assert leaps == set(pieces.attacks(square))
            assert int(sight[:, square ^ flip].sum()) == int((heard[square ^ flip] < 64).sum())
