"""Learns the weights of the search features (`codec/src/analysis/search_features.rs`) and the reranker
(`codec/src/analysis/reranker`).

    plyzip-training search-positions max.onnx train.pgn 405000 15000 4 searched
    plyzip-training search-features searched features1 --noise 30 --seed 1      # and features2 --seed 2, ...
    plyzip-training search-features searched-of-valid features-of-valid
    python3 training/search_features.py features1 features2 --weights search_features --reranker reranker \\
        --valid features-of-valid

Softmax regression over the legal moves, beside the network's logits times one weight; and logistic regression of the
ends of games, beside what the program says of them when it begins. The files of features take turns, one a pass: they
are of other positions, or of the same with other noise. `--start` goes on from the `--state` of a run on positions that
were searched less, or from one of a reranker of the first form. Without `--reranker` only the weights of the search
features are learned. The results are files of `i16` for `training/equip.py`. With the same files it computes the same
numbers on one machine.
"""

import argparse
import math

import numpy as np
import torch

from bag.kernels import Bag, Clip
from schema import schema

FEATURES, RERANKER = schema.search_features, schema.reranker
FIRST, SECOND, ENDS = RERANKER.layers
UNIT = 2.0**-RERANKER.unit_bits
VECTOR_UNIT = 2.0**-RERANKER.vector_unit_bits
BATCH = 512

# In the files of features: a position, a legal move, and a move that was looked at, whose vector has `vector` numbers.
HEAD = ("moves", "u1"), ("played", "u1"), ("known", "u1"), ("vector", "<u2"), ("end", "<i4"), ("others", "<i2")
POSITION = np.dtype(list(HEAD))
ENDED = 255
MOVE = np.dtype([("logit", "<i4"), ("features", "<u2", FEATURES.slots)])


def looked_at(vector):
    features = ("features", "<u2", RERANKER.slots)
    return np.dtype([("place", "u1"), features, ("prior", "<u2"), ("vector", "u1", vector)])


# What the network's log-odds of the end count when the program begins: the weight in `codec/src/predict/parameters.rs`.
WEIGHT_OF_END = 46_000 / 65_536


class Positions:
    """A file of features. Moves of all positions stand one after the other, and so do the reranker's features of moves
    that were looked at."""

    def __init__(self, path):
        data = memoryview(np.fromfile(path, np.uint8))
        self.vector = int(np.frombuffer(data[: POSITION.itemsize], POSITION)["vector"][0])
        known_move = looked_at(self.vector)
        heads, moves, reranked = [], [], []
        at = 0
        while at < len(data):
            count, _, known = data[at : at + 3]
            begin = at + POSITION.itemsize
            middle = begin + count * MOVE.itemsize
            end = middle + known * known_move.itemsize
            heads.append(data[at:begin])
            moves.append(data[begin:middle])
            reranked.append(data[middle:end])
            at = end
        heads = np.frombuffer(b"".join(heads), POSITION)
        moves = np.frombuffer(b"".join(moves), MOVE)
        reranked = np.frombuffer(b"".join(reranked), known_move)
        self.count = len(heads)
        self.starts = np.concatenate([[0], np.cumsum(heads["moves"], dtype=np.int64)])
        self.reranked_starts = np.concatenate([[0], np.cumsum(heads["known"], dtype=np.int64)])
        self.logits = torch.from_numpy((moves["logit"] / 65536).astype(np.float32))
        # In as few bits as in the file: millions of positions have to fit.
        self.features = np.ascontiguousarray(moves["features"])
        self.reranked = np.ascontiguousarray(reranked["features"])
        self.vectors = np.ascontiguousarray(reranked["vector"])
        self.priors = torch.from_numpy(reranked["prior"].astype(np.float32))
        self.rows = torch.from_numpy(np.repeat(self.starts[:-1], heads["known"]) + reranked["place"])
        self.ended = torch.from_numpy((heads["played"] == ENDED).astype(np.float32))
        self.played = torch.from_numpy(self.starts[:-1] + np.where(heads["played"] == ENDED, 0, heads["played"]))
        # In nats: what the program says of the end before the reranker does.
        self.ends = torch.from_numpy((WEIGHT_OF_END * heads["end"] / 65536 + heads["others"] / 256).astype(np.float32))


class Model(torch.nn.Module):
    """Weights of the search features in nats, and the reranker if there is to be one. `vector` is the number of a
    vector's numbers."""

    def __init__(self, reranker, vector, dropout):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.tensor([0.9]))
        self.weights = torch.nn.Parameter(torch.zeros(FEATURES.features, 1))
        self.reranker = reranker
        table = torch.randn(RERANKER.features, FIRST) * 0.1
        # Features of the analysis come first; then those of the network's move features, and of replies.
        table[RERANKER.analysis_features :] = 0
        self.table = torch.nn.Parameter(table)
        self.bias = torch.nn.Parameter(torch.zeros(FIRST))
        self.vector = torch.nn.Linear(vector, FIRST, bias=False)
        self.first = torch.nn.Linear(FIRST, SECOND)
        self.all_moves = torch.nn.Linear(2 * FIRST, SECOND, bias=False)
        self.last = torch.nn.Linear(SECOND, 1)
        self.ends = torch.nn.Linear(2 * FIRST, ENDS)
        self.last_of_ends = torch.nn.Linear(ENDS, 1)
        for layer in (self.vector, self.all_moves, self.last, self.last_of_ends):
            torch.nn.init.zeros_(layer.weight)
        for layer in (self.last, self.last_of_ends):
            torch.nn.init.zeros_(layer.bias)
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, positions, first, last):
        """Logits of the moves of these positions, and the log-odds that the game ends in each."""
        begin, end = positions.starts[first], positions.starts[last]
        bags = lambda indices: torch.from_numpy(indices.astype(np.int32))
        logits = positions.logits[begin:end] * self.scale
        features = bags(positions.features[begin:end])
        logits = logits + torch.nn.functional.embedding_bag(features, self.weights, mode="sum")[:, 0]
        ends = positions.ends[first:last]
        if self.reranker:
            starts = positions.reranked_starts
            known = slice(starts[first], starts[last])
            counts = torch.from_numpy(starts[first + 1 : last + 1] - starts[first:last])
            position = torch.repeat_interleave(torch.arange(last - first), counts)
            vectors = torch.from_numpy(positions.vectors[known]).float() * VECTOR_UNIT
            units = Bag.apply(self.table, bags(positions.reranked[known])) + self.bias + self.vector(vectors)
            units = self.dropout(Clip.apply(units, RERANKER.largest))
            all_moves = self.all_of(units, position, positions.priors[known], last - first)
            sums = self.first(units) + self.all_moves(all_moves)[position]
            second = self.last(Clip.apply(sums, RERANKER.largest))[:, 0]
            logits = logits.index_add(0, positions.rows[known] - begin, second)
            of_ends = self.last_of_ends(Clip.apply(self.ends(all_moves), RERANKER.largest))[:, 0]
            ends = ends + WEIGHT_OF_END * of_ends
        return logits, ends

    @staticmethod
    def all_of(units, position, priors, count):
        """The mean of the units of each position's moves by their priors, and the greatest of each."""
        total = torch.zeros(count).index_add(0, position, priors).clamp(min=1)
        shares = (priors / total[position])[:, None]
        mean = torch.zeros(count, FIRST).index_add(0, position, units * shares)
        where = position[:, None].expand(-1, FIRST)
        most = torch.zeros(count, FIRST).scatter_reduce(0, where, units, "amax")
        return torch.cat([mean, most], 1)

    def costs(self, positions, first, last):
        """Bits of the moves played in these positions, and of whether the game ends, in the mean over all of them."""
        logits, ends = self(positions, first, last)
        starts = positions.starts
        counts = torch.from_numpy(starts[first + 1 : last + 1] - starts[first:last])
        position = torch.repeat_interleave(torch.arange(last - first), counts)
        most = torch.full((last - first,), -1e9).scatter_reduce(0, position, logits.detach(), "amax")
        total = torch.zeros(last - first).index_add(0, position, (logits - most[position]).exp())
        played = logits[positions.played[first:last] - starts[first]]
        ended = positions.ended[first:last]
        moves = ((total.log() + most - played) * (1 - ended)).mean()
        end = torch.nn.functional.binary_cross_entropy_with_logits(ends, ended)
        return moves / math.log(2), end / math.log(2)

    @torch.no_grad()
    def mean_costs(self, positions, first, last):
        self.eval()
        sums = np.zeros(2)
        for at in range(first, last, 2048):
            end = min(at + 2048, last)
            sums += [cost.item() * (end - at) for cost in self.costs(positions, at, end)]
        self.train()
        return sums / (last - first)

    @torch.no_grad()
    def round(self):
        """Rounds the reranker to what the program computes with, and returns its numbers."""
        for part in self.parameters():
            if part is not self.scale and part is not self.weights:
                part.copy_((part / UNIT).round().clamp(-32767, 32767) * UNIT)
        most = RERANKER.largest_vector_weight
        self.vector.weight.copy_((self.vector.weight / UNIT).clamp(-most, most) * UNIT)
        second = torch.cat([self.first.weight, self.all_moves.weight], 1)
        parts = [self.table, self.bias, self.vector.weight.T, second, self.first.bias, self.last.weight, self.last.bias]
        parts += [self.ends.weight, self.ends.bias, self.last_of_ends.weight, self.last_of_ends.bias]
        header = np.array([*RERANKER.header, self.vector.in_features], "<i2")
        return np.concatenate([header, *((part / UNIT).round().flatten().numpy().astype("<i2") for part in parts)])

    def start(self, path):
        """Begins with a state; one of a reranker of the first form has fewer features, no vector, and no ends. A
        vector may be longer than the state's: that of several networks side by side begins with that of the first."""
        known = torch.load(path, weights_only=True)
        state = self.state_dict()
        for name, part in known.items():
            state[name][tuple(slice(size) for size in part.shape)] = part
        self.load_state_dict(state)


def text(costs):
    """Bits a position: of moves and of ends."""
    return " and ".join(f"{cost:.4f}" for cost in costs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("features", nargs="+")
    parser.add_argument("--weights", required=True, help="the file for the weights of the search features")
    parser.add_argument("--reranker", help="the file for the reranker")
    valid = "features of other positions, to look at instead of the last tenth of each file"
    parser.add_argument("--valid", help=valid)
    parser.add_argument("--start", help="the state to begin with")
    parser.add_argument("--state", help="the file for the state to end with")
    parser.add_argument("--passes", type=int, default=8, help="with 0 the state to begin with is rounded as it is")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--decay", type=float, default=1.0)
    parser.add_argument("--dropout", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)

    valid = Positions(options.valid) if options.valid else None
    path = options.features[0]
    positions = Positions(path)
    model = Model(options.reranker is not None, positions.vector, options.dropout)
    if options.start:
        model.start(options.start)

    tables = [model.weights, model.scale]
    network = [p for n, p in model.named_parameters() if n not in ("weights", "scale")]
    optimizer = torch.optim.AdamW(
        [
            {"params": tables, "weight_decay": 0.0, "rate": 10 * options.rate},
            {"params": network, "weight_decay": options.decay, "rate": options.rate},
        ]
    )
    random = np.random.default_rng(options.seed)
    learned_of = lambda positions: positions.count - (0 if valid else positions.count // 10)
    held_back = lambda: (valid, 0, valid.count) if valid else (positions, learned_of(positions), positions.count)
    for number in range(options.passes):
        turn = options.features[number % len(options.features)]
        if turn != path:
            path = turn
            positions = None  # so that the last are gone before the next come
            positions = Positions(path)
        learned = learned_of(positions)
        batches = random.permutation(range(0, learned, BATCH)).tolist()
        cost = np.zeros(2)
        for step, first in enumerate(batches):
            progress = (number + step / len(batches)) / options.passes
            for group in optimizer.param_groups:
                group["lr"] = group["rate"] * (1 - progress)
            moves, ends = model.costs(positions, first, min(first + BATCH, learned))
            cost += np.array([moves.item(), ends.item()]) / len(batches)
            loss = moves + ends + 1e-4 * (model.weights**2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        others = text(model.mean_costs(*held_back()))
        print(f"pass {number + 1}: {learned} positions of {path}, {text(cost)}; others {others}", flush=True)
    if options.state:
        torch.save(model.state_dict(), options.state)
    numbers = model.round()
    print(f"rounded: {text(model.mean_costs(*held_back()))}; the network's weight: {model.scale.item():.3f}")
    if options.reranker:
        numbers.tofile(options.reranker)
    weights = model.weights.detach()[:, 0] / math.log(2)
    weights = (weights * 2**FEATURES.unit_bits).round().clamp(-32767, 32767).numpy().astype("<i2")
    weights.tofile(options.weights)


if __name__ == "__main__":
    main()
