"""Learns what the features of the search's verdicts (`src/predict/verdict.rs`) weigh to begin with.

    cargo run --release --example verdict_features -- max.onnx train.pgn 405000 5000 9 features
    python3 training/verdicts.py features verdicts

Softmax regression over the legal moves, beside the network's logits times one weight, with a
little decay. Its result is a file of `i16` for `training/export.py --verdicts`. With the same file it computes the
same numbers.
"""

import math
import sys

import numpy as np
import torch

SLOTS, FEATURES = 10, 656
PASSES, BATCH, RATE, DECAY = 14, 1024, 0.03, 1e-4
MOVE = np.dtype([("logit", "<i4"), ("features", "<u2", SLOTS)])


def read(path):
    data = open(path, "rb").read()
    moves, positions, played = [], [], []
    at, rows = 0, 0
    while at < len(data):
        count, place = data[at], data[at + 1]
        moves.append(np.frombuffer(data, MOVE, count, at + 2))
        positions.append(count)
        played.append(rows + place)
        rows += count
        at += 2 + count * MOVE.itemsize
    moves = np.concatenate(moves)
    starts = np.concatenate([[0], np.cumsum(positions)])
    bits = torch.from_numpy(moves["logit"] / (65536 * math.log(2))).float()
    features = torch.from_numpy(moves["features"].astype(np.int64))
    return bits, features, torch.from_numpy(starts), torch.tensor(played)


def main():
    torch.manual_seed(1)
    torch.set_num_threads(1)
    bits, features, starts, played = read(sys.argv[1])
    count = len(played)
    held = count // 10
    weights = torch.nn.Parameter(torch.zeros(FEATURES))
    scale = torch.nn.Parameter(torch.ones(1))
    optimizer = torch.optim.Adam([weights, scale], lr=RATE)

    def cost(first, last):
        """Bits of the moves played in these positions, in the mean."""
        begin, end = starts[first], starts[last]
        logits = (bits[begin:end] * scale + weights[features[begin:end]].sum(1)) * math.log(2)
        position = torch.repeat_interleave(
            torch.arange(last - first), starts[first + 1 : last + 1] - starts[first:last]
        )
        most = torch.full((last - first,), -1e9)
        most = most.scatter_reduce(0, position, logits.detach(), "amax")
        total = torch.zeros(last - first).index_add(0, position, (logits - most[position]).exp())
        return (total.log() + most - logits[played[first:last] - begin]).mean() / math.log(2)

    with torch.no_grad():
        print(f"{count} positions, the last {held} held out; the network alone: {cost(count - held, count):.4f}")
    random = np.random.default_rng(1)
    for number in range(PASSES):
        optimizer.param_groups[0]["lr"] = RATE * (1 - number / PASSES)
        for first in random.permutation(range(0, count - held, BATCH)).tolist():
            loss = cost(first, min(first + BATCH, count - held)) + DECAY * (weights**2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            print(f"{loss.item():.4f}, held {cost(count - held, count):.4f}", flush=True)
    print(f"the network's weight: {scale.item():.3f}")
    numbers = (weights.detach() * 1024).round().clamp(-32767, 32767).numpy().astype("<i2")
    numbers.tofile(sys.argv[2])


if __name__ == "__main__":
    main()
