"""The training of the reranker computes what the second decoder does, and goes on from states of both forms."""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

import search_features
from schema import schema

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "reference"))

from plyzip_reference.standard import reranker as decoder

RERANKER = schema.reranker
VECTOR = 6
# What network and others say of the end.
ENDS, OTHERS = (-200_000, -70_000, 30_000), -700


@pytest.fixture
def features(tmp_path):
    """A file of three positions: 4 moves of which 3 were looked at, 3 and 2 with all of them, the last one where the
    game ended."""
    random = np.random.default_rng(5)
    data = b""
    for (moves, known, played), end in zip(((4, 3, 2), (3, 3, 0), (2, 2, search_features.ENDED)), ENDS):
        head = (moves, played, known, VECTOR, end, OTHERS)
        data += np.array(head, search_features.POSITION).tobytes()
        for _ in range(moves):
            slots = random.integers(schema.search_features.features, size=schema.search_features.slots)
            data += np.array((random.integers(-90_000, 90_000), slots), search_features.MOVE).tobytes()
        for place in range(known):
            slots = random.integers(RERANKER.features, size=RERANKER.slots)
            row = place, slots, random.integers(1, 10_000), random.integers(128, size=VECTOR)
            data += np.array(row, search_features.looked_at(VECTOR)).tobytes()
    path = tmp_path / "features"
    path.write_bytes(data)
    return path


def made_up(vector=VECTOR):
    torch.manual_seed(3)
    model = search_features.Model(True, vector, 0.0)
    with torch.no_grad():
        for name, part in model.named_parameters():
            if name not in ("scale", "weights"):
                part.copy_(torch.randn_like(part) * (0.05 if name == "table" else 0.2))
    return model


def test_numbers_are_those_that_the_decoder_computes_with(features, monkeypatch):
    positions = search_features.Positions(features)
    model = made_up().eval()
    numbers = model.round()
    reranker = decoder.Reranker(numbers)
    logits, ends = model(positions, 0, positions.count)
    model.reranker = False
    before, ends_before = model(positions, 0, positions.count)
    logits, ends = (logits - before).detach(), ((ends - ends_before) / search_features.WEIGHT_OF_END).detach()
    for number in range(positions.count):
        known = slice(*positions.reranked_starts[number : number + 2])
        places = range(known.stop - known.start)
        monkeypatch.setattr(decoder, "reranker_features", lambda _, known=known: positions.reranked[known].tolist())
        analysis = SimpleNamespace(
            searched=list(places),
            legal=list(places),
            vectors=positions.vectors[known],
            priors=SimpleNamespace(prior=[int(prior) << 16 for prior in positions.priors[known]]),
        )
        found, end = reranker.rerank(analysis)
        expected = logits[positions.starts[number] :][: len(places)] / np.log(2)
        # Each unit is rounded down.
        assert np.allclose(np.array(found) / 65_536, expected, atol=0.05)
        assert abs(end / 65_536 - ends[number]) < 0.05 and abs(end) > 1_000


def test_ends_cost_and_moves_do_not_where_the_game_ended(features):
    positions = search_features.Positions(features)
    moves, end = search_features.Model(True, VECTOR, 0.0).costs(positions, 2, 3)
    assert moves == 0
    assert abs(end.item() - np.log2(1 + np.exp(-positions.ends[2].item()))) < 1e-5
    assert abs(positions.ends[2] - (search_features.WEIGHT_OF_END * ENDS[2] / 65_536 + OTHERS / 256)) < 1e-5


def test_a_state_of_the_first_form_is_a_start(tmp_path):
    known = {name: part for name, part in made_up().state_dict().items() if "ends" not in name}
    known = {name: part for name, part in known.items() if name not in ("vector.weight", "all_moves.weight")}
    known["table"] = known["table"][:3160]
    torch.save(known, tmp_path / "state")
    model = search_features.Model(True, VECTOR, 0.0)
    model.start(tmp_path / "state")
    assert torch.equal(model.table[:3160], known["table"]) and not model.table[3160:].any()
    assert not model.vector.weight.any()


def test_a_state_with_shorter_vectors_is_a_start(tmp_path):
    known = made_up()
    torch.save(known.state_dict(), tmp_path / "state")
    model = search_features.Model(True, 3 * VECTOR, 0.0)
    model.start(tmp_path / "state")
    assert torch.equal(model.vector.weight[:, :VECTOR], known.vector.weight)
    assert not model.vector.weight[:, VECTOR:].any()
    assert torch.equal(model.table, known.table)
