"""Learns what the search's verdicts weigh (`src/analysis/search_features.rs`) and the network that looks at them a second time (`src/analysis/reranker.rs`).

    cargo run --release --example searched_positions -- max.onnx train.pgn 405000 15000 4 found
    cargo run --release --example verdict_features -- found features1 30 1      # and features2 30 2, ...
    cargo run --release --example verdict_features -- found-of-valid features-of-valid
    python3 training/verdicts.py features1 features2 --verdicts verdicts --second-look second_look --valid features-of-valid

Softmax regression over the legal moves, beside the network's logits times one weight. The files of features take turns, one a pass: they are of other
positions, or of the same with other noise. `--start` goes on from the `--state` of a run on positions that were searched less. Without `--second-look`
only the verdicts' weights are learned. The results are files of `i16` for `training/equip.py`. With the same files it computes the same numbers on one machine.
"""

import argparse
import math

import numpy as np
import torch

from kernels import Bag, Clip

SLOTS, FEATURES = 10, 656
MOVE = np.dtype([("logit", "<i4"), ("features", "<u2", SLOTS)])
# Classes of what was found come first; then those of marks.
VIEW_SLOTS, FOUND, VIEWS = 49, 839, 3160
VIEW = np.dtype([("place", "u1"), ("classes", "<u2", VIEW_SLOTS)])
FIRST, SECOND, LARGEST = 96, 48, 4.0
BATCH = 512


class Positions:
    """A file of features. Moves of all positions stand one after the other, and so do the views of moves that were looked at."""

    def __init__(self, path):
        data = memoryview(np.fromfile(path, np.uint8))
        moves, views, counts, looked_at, played = [], [], [], [], []
        at = 0
        while at < len(data):
            count, place, viewed = data[at : at + 3]
            middle = at + 3 + count * MOVE.itemsize
            end = middle + viewed * VIEW.itemsize
            moves.append(data[at + 3 : middle])
            views.append(data[middle:end])
            counts.append(count)
            looked_at.append(viewed)
            played.append(place)
            at = end
        moves, views = np.frombuffer(b"".join(moves), MOVE), np.frombuffer(b"".join(views), VIEW)
        self.count = len(counts)
        self.starts = np.concatenate([[0], np.cumsum(counts)])
        self.view_starts = np.concatenate([[0], np.cumsum(looked_at)])
        self.logits = torch.from_numpy((moves["logit"] / 65536).astype(np.float32))
        # In 16 bits: millions of positions have to fit.
        self.features = np.ascontiguousarray(moves["features"])
        self.classes = np.ascontiguousarray(views["classes"])
        self.rows = torch.from_numpy(np.repeat(self.starts[:-1], looked_at) + views["place"])
        self.played = torch.from_numpy(self.starts[:-1] + np.array(played))


class Verdicts(torch.nn.Module):
    """Weights of the tables in nats, and the second look if there is to be one."""

    def __init__(self, second_look, dropout):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.tensor([0.9]))
        self.weights = torch.nn.Parameter(torch.zeros(FEATURES, 1))
        self.second_look = second_look
        table = torch.randn(VIEWS, FIRST) * 0.1
        table[FOUND:] = 0
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
        if self.second_look:
            views = slice(positions.view_starts[first], positions.view_starts[last])
            units = Bag.apply(self.table, bags(positions.classes[views])) + self.bias
            units = self.dropout(Clip.apply(units, LARGEST))
            second = self.last(Clip.apply(self.first(units), LARGEST))[:, 0]
            logits = logits.index_add(0, positions.rows[views] - begin, second)
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
        """Rounds the second look to what the program computes with: units of 2^-8."""
        parts = [self.table, self.bias, self.first.weight, self.first.bias, self.last.weight, self.last.bias]
        for part in parts:
            part.copy_((part * 256).round().clamp(-32767, 32767) / 256)
        return torch.cat([(part * 256).round().flatten() for part in parts]).numpy().astype("<i2")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("features", nargs="+")
    parser.add_argument("--verdicts", required=True)
    parser.add_argument("--second-look")
    parser.add_argument("--valid", help="features of other positions, to look at instead of the last tenth of each file")
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
    verdicts = Verdicts(options.second_look is not None, options.dropout)
    if options.start:
        verdicts.load_state_dict(torch.load(options.start))

    tables = [verdicts.weights, verdicts.scale]
    network = [p for n, p in verdicts.named_parameters() if n not in ("weights", "scale")]
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
            loss = verdicts.cost(positions, first, min(first + BATCH, learned))
            cost += loss.item() / len(batches)
            loss = loss + 1e-4 * (verdicts.weights**2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"pass {number + 1}: {learned} positions of {path}, {cost:.4f}; others {verdicts.mean_cost(*looked_at):.4f}", flush=True)
    if options.state:
        torch.save(verdicts.state_dict(), options.state)
    numbers = verdicts.round()
    print(f"rounded: {verdicts.mean_cost(*looked_at):.4f}; the network's weight: {verdicts.scale.item():.3f}")
    if options.second_look:
        numbers.tofile(options.second_look)
    weights = verdicts.weights.detach()[:, 0] / math.log(2)
    weights = (weights * 1024).round().clamp(-32767, 32767).numpy().astype("<i2")
    weights.tofile(options.verdicts)


if __name__ == "__main__":
    main()
