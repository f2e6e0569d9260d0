"""Steps in tile registers, or in those of 512 bits, have the losses and gradients of PyTorch but for bf16 products."""

import numpy as np
import pytest
import torch

from board import tiles
from board.corpus import Corpus
from board.network import BoardNetwork, Config
from board.train import Objective
from board.view import left_is_right, view

MOST_MOVES = 128

pytestmark = pytest.mark.skipif(not tiles.available(), reason="no tile registers and no AVX-512 BF16")


def network(width):
    """One whose parameters are all of some size."""
    torch.manual_seed(1)
    sizes = {"heads": width // 32, "hidden": 2 * width, "policy": width // 2}
    net = BoardNetwork(Config(width=width, layers=2, pooled=64, dropout=0.0, **sizes))
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            if name.endswith(("relative", "absolute", "pair")):
                parameter.normal_(0, 0.3)
            elif name.endswith("bias"):
                parameter.normal_(0, 0.1)
    return net


def lessons(corpus, count):
    """Positions, a quarter of them with promotions, and flags for all that may be hidden or mirrored."""
    randomness = torch.Generator().manual_seed(5)
    index = corpus.lessons()
    index = index[torch.randperm(len(index), generator=randomness)]
    promoting = torch.cat([torch.zeros(1), (corpus.moves >> 12 > 0).cumsum(0)])
    promotes = promoting[corpus.first[index + 1].long()] > promoting[corpus.first[index].long()]
    index = torch.cat([index[promotes][: count // 4], index[~promotes]])[:count].contiguous()
    flags = torch.randint(0, 32, (count,), generator=randomness)
    alike = left_is_right(corpus.state[index, 0] & 15, index - corpus.start[corpus.game[index].long()])
    return index, torch.where(alike, flags, flags & ~1)


def seen(corpus, index, flags):
    batch = corpus.batch(index, MOST_MOVES)
    hidden = lambda bit: (flags & bit) > 0
    shown = batch._replace(
        elo=batch.elo.masked_fill(hidden(2)[:, None], 0),
        result=batch.result.masked_fill(hidden(4), 0),
        year=batch.year.masked_fill(hidden(8), 0),
        pace=batch.pace.masked_fill(hidden(16), 0),
    )
    return batch, view(shown, hidden(1))


def rounded(net, shown):
    net.observing = True
    with torch.no_grad():
        net(shown)
    net.observing = False
    for site in net.sites():
        site.choose()
    net.quantised = True


def other_logits(path, corpus, index):
    """Logits of another network for half of the games, and for positions in nats, 0 where there are none."""
    begin, end = corpus.games // 4, corpus.games * 3 // 4
    moves = corpus.first[corpus.start[[begin, end]]].tolist()
    values = np.random.default_rng(3).integers(1, 3000, moves[1] - moves[0]).astype(np.int16)
    values.tofile(path)
    added = torch.zeros(len(index), MOST_MOVES)
    for row, position in enumerate(index.tolist()):
        if begin <= int(corpus.game[position]) < end:
            first, last = (int(corpus.first[position + after]) - moves[0] for after in (0, 1))
            count = min(last - first, MOST_MOVES)
            added[row, :count] = torch.from_numpy(values[first : first + count] / 1024)
    return tiles.Offsets(path, corpus, begin, end), added


@pytest.mark.parametrize("quantised", [False, True])
@pytest.mark.parametrize("offset", [False, True])
@pytest.mark.parametrize("width", [64, 128])
def test_gradients_are_those_of_pytorch(work, width, quantised, offset):
    corpus = Corpus(work / "train.x")
    net = network(width)
    index, flags = lessons(corpus, 96)
    batch, shown = seen(corpus, index, flags)
    if quantised:
        rounded(net, shown)
    offsets = None
    none = torch.zeros(0, MOST_MOVES), torch.zeros(0, 3)
    unknown = torch.zeros_like(batch.played), torch.zeros(len(index))
    sums = Objective(net)(shown, batch.played, batch.ended, *unknown, *none, None, 0.5)
    wanted = [sums[0, 0] / sums[0, 1], sums[1, 0] / sums[1, 1], torch.zeros(())]
    loss = (sums[0, 0] + sums[1, 0]) / len(index)
    if offset:
        offsets, added = other_logits(work / "offsets", corpus, index)
        logits = net(shown)[1] + added
        moves = shown.legal.any(dim=1) & ~batch.ended & (added[:, 0] != 0)
        assert 0 < moves.sum() < len(index)
        cross = torch.nn.functional.cross_entropy(logits, batch.played, reduction="none")[moves]
        wanted[2] = cross.mean()
        loss = loss + cross.sum() / (added[:, 0] != 0).sum()
    loss.backward()
    gradients = {name: parameter.grad for name, parameter in net.named_parameters() if parameter.grad is not None}
    for parameter in net.parameters():
        parameter.grad = None
    found = tiles.Tiles(net, corpus, 2).step(index, flags.to(torch.uint8), offsets)
    assert torch.allclose(found, torch.stack(wanted).double(), rtol=4e-3)
    for name, parameter in net.named_parameters():
        if name not in gradients or name.startswith("heads.value"):
            continue
        own, other = gradients[name].flatten(), parameter.grad.flatten()
        assert own.norm() > 0, name
        assert torch.cosine_similarity(own, other, dim=0) > 0.98, name
        assert abs(float(other.norm() / own.norm()) - 1) < 0.05, name
