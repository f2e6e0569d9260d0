"""Learns the weights of the search features (`codec/src/analysis/search_features.rs`) and the reranker
(`codec/src/analysis/reranker.rs`).

    plyzip-training search-positions max.onnx train.pgn 405000 15000 4 searched
    plyzip-training search-features searched features1 --noise 30 --seed 1      # and features2 --seed 2, ...
    plyzip-training search-features searched-of-valid features-of-valid
    python3 training/search_features.py features1 features2 --weights search_features --reranker reranker \\
        --valid features-of-valid

Softmax regression over the legal moves, beside the network's logits times one weight. The files of features take turns,
one a pass: they are of other positions, or of the same with other noise. `--start` goes on from the `--state` of a run
on positions that were searched less. Without `--reranker` only the weights of the search features are learned. The
results are files of `i16` for `training/equip.py`. With the same files it computes the same numbers on one machine.
"""

import argparse
import math

import numpy as np
import torch

from bag.kernels import Bag, Clip
from schema import schema

FEATURES, RERANKER = schema.search_features, schema.reranker
MOVE = np.dtype([("logit", "<i4"), ("features", "<u2", FEATURES.slots)])
LOOKED_AT = np.dtype([("place", "u1"), ("features", "<u2", RERANKER.slots)])
FIRST, SECOND = RERANKER.layers
UNIT = 2.0**-RERANKER.unit_bits
BATCH = 512


class Positions:
    """A file of features. Moves of all positions stand one after the other, and so do the reranker's features of moves
    that were looked at."""

    def __init__(self, path):
        data = memoryview(np.fromfile(path, np.uint8))
        moves, reranked, counts, looked_at, played = [], [], [], [], []
        at = 0
        while at < len(data):
            count, place, known = data[at : at + 3]
            middle = at + 3 + count * MOVE.itemsize
            end = middle + known * LOOKED_AT.itemsize
            moves.append(data[at + 3 : middle])
            reranked.append(data[middle:end])
            counts.append(count)
            looked_at.append(known)
            played.append(place)
            at = end
        moves, reranked = np.frombuffer(b"".join(moves), MOVE), np.frombuffer(b"".join(reranked), LOOKED_AT)
        self.count = len(counts)
        self.starts = np.concatenate([[0], np.cumsum(counts)])
        self.reranked_starts = np.concatenate([[0], np.cumsum(looked_at)])
        self.logits = torch.from_numpy((moves["logit"] / 65536).astype(np.float32))
        # In 16 bits: millions of positions have to fit.
        self.features = np.ascontiguousarray(moves["features"])
        self.reranked = np.ascontiguousarray(reranked["features"])
        self.rows = torch.from_numpy(np.repeat(self.starts[:-1], looked_at) + reranked["place"])
        self.played = torch.from_numpy(self.starts[:-1] + np.array(played))


class Model(torch.nn.Module):
    """Weights of the search features in nats, and the reranker if there is to be one."""

    def __init__(self, reranker, dropout):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.tensor([0.9]))
        self.weights = torch.nn.Parameter(torch.zeros(FEATURES.features, 1))
        self.reranker = reranker
        table = torch.randn(RERANKER.features, FIRST) * 0.1
        # Features of the analysis come first; then those of the network's move features.
        table[RERANKER.analysis_features :] = 0
        self.table = torch.nn.Parameter(table)
        self.bias = torch.nn.Parameter(torch.zeros(FIRST))
        self.first = torch.nn.Linear(FIRST, SECOND)
        self.last = torch.nn.Linear(SECOND, 1)
        torch.nn.init.zeros_(self.last.weight)
        torch.nn.init.zeros_(self.last.bias)
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, positions, first, last):
        begin, end = positions.starts[first], positions.starts[last]
        bags = lambda indices: torch.from_numpy(indices.astype(np.int32))
        logits = positions.logits[begin:end] * self.scale
        features = bags(positions.features[begin:end])
        logits = logits + torch.nn.functional.embedding_bag(features, self.weights, mode="sum")[:, 0]
        if self.reranker:
            known = slice(positions.reranked_starts[first], positions.reranked_starts[last])
            units = Bag.apply(self.table, bags(positions.reranked[known])) + self.bias
            units = self.dropout(Clip.apply(units, RERANKER.largest))
            second = self.last(Clip.apply(self.first(units), RERANKER.largest))[:, 0]
            logits = logits.index_add(0, positions.rows[known] - begin, second)
        return logits

    def cost(self, positions, first, last):
        """Bits of the moves played in these positions, in the mean."""
        logits = self(positions, first, last)
        starts = positions.starts
        counts = torch.from_numpy(starts[first + 1 : last + 1] - starts[first:last])
        position = torch.repeat_interleave(torch.arange(last - first), counts)
        most = torch.full((last - first,), -1e9).scatter_reduce(0, position, logits.detach(), "amax")
        total = torch.zeros(last - first).index_add(0, position, (logits - most[position]).exp())
        played = logits[positions.played[first:last] - starts[first]]
        return (total.log() + most - played).mean() / math.log(2)

    @torch.no_grad()
    def mean_cost(self, positions, first, last):
        self.eval()
        costs = [
            self.cost(positions, at, min(at + 2048, last)).item() * (min(at + 2048, last) - at)
            for at in range(first, last, 2048)
        ]
        self.train()
        return sum(costs) / (last - first)

    @torch.no_grad()
    def round(self):
        """Rounds the reranker to what the program computes with, and returns its numbers."""
        parts = [self.table, self.bias, self.first.weight, self.first.bias, self.last.weight, self.last.bias]
        for part in parts:
            part.copy_((part / UNIT).round().clamp(-32767, 32767) * UNIT)
        return torch.cat([(part / UNIT).round().flatten() for part in parts]).numpy().astype("<i2")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("features", nargs="+")
    parser.add_argument("--weights", required=True, help="the file for the weights of the search features")
    parser.add_argument("--reranker", help="the file for the reranker")
    valid = "features of other positions, to look at instead of the last tenth of each file"
    parser.add_argument("--valid", help=valid)
    parser.add_argument("--start", help="the state to begin with")
    parser.add_argument("--state", help="the file for the state to end with")
    parser.add_argument("--passes", type=int, default=8)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--decay", type=float, default=1.0)
    parser.add_argument("--dropout", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)

    valid = Positions(options.valid) if options.valid else None
    model = Model(options.reranker is not None, options.dropout)
    if options.start:
        model.load_state_dict(torch.load(options.start, weights_only=True))

    tables = [model.weights, model.scale]
    network = [p for n, p in model.named_parameters() if n not in ("weights", "scale")]
    optimizer = torch.optim.AdamW([
        {"params": tables, "weight_decay": 0.0, "rate": 10 * options.rate},
        {"params": network, "weight_decay": options.decay, "rate": options.rate},
    ])
    random = np.random.default_rng(options.seed)
    path = None
    for number in range(options.passes):
        turn = options.features[number % len(options.features)]
        if turn != path:
            path = turn
            positions = None  # so that the last are gone before the next come
            positions = Positions(path)
        learned = positions.count - (0 if valid else positions.count // 10)
        looked_at = (valid, 0, valid.count) if valid else (positions, learned, positions.count)
        batches = random.permutation(range(0, learned, BATCH)).tolist()
        cost = 0.0
        for step, first in enumerate(batches):
            progress = (number + step / len(batches)) / options.passes
            for group in optimizer.param_groups:
                group["lr"] = group["rate"] * (1 - progress)
            loss = model.cost(positions, first, min(first + BATCH, learned))
            cost += loss.item() / len(batches)
            loss = loss + 1e-4 * (model.weights**2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        others = model.mean_cost(*looked_at)
        print(f"pass {number + 1}: {learned} positions of {path}, {cost:.4f}; others {others:.4f}", flush=True)
    if options.state:
        torch.save(model.state_dict(), options.state)
    numbers = model.round()
    print(f"rounded: {model.mean_cost(*looked_at):.4f}; the network's weight: {model.scale.item():.3f}")
    if options.reranker:
        numbers.tofile(options.reranker)
    weights = model.weights.detach()[:, 0] / math.log(2)
    weights = (weights * 2**FEATURES.unit_bits).round().clamp(-32767, 32767).numpy().astype("<i2")
    weights.tofile(options.weights)


if __name__ == "__main__":
    main()
