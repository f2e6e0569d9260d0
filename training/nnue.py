"""Trains the NNUE network of the search (`codec/src/engine/nnue/mod.rs`).

    plyzip-training nnue-positions BEFORE train.packed 1 4000000 600 positions
    python3 training/nnue.py positions nnue --from BEFORE --passes 3

Targets are win probabilities: those of the search's values, blended with the game's result where no random moves were
played. Of a small network (`--king-buckets 1`) half of the positions are seen in a mirror, left for right, in each
pass; a large one always has its kings on the right, and the weights that its king buckets add to the common ones decay
(`--decay`). BEFORE is the network of the generation before. The result is a file of `i16` for
`training/equip.py --nnue`. With the same seed, files and number of threads it computes the same numbers.
"""

import argparse
import time

import numpy as np
import torch

from bag.kernels import Bag
from schema import schema

NNUE = schema.nnue
WIDTH, FEATURES = NNUE.width, NNUE.features
KING_BUCKETS, OUTPUT_BUCKETS = NNUE.king_buckets, NNUE.output_buckets
# The bucket of a king on each square, from its side, and how its side sees the board.
SQUARES = np.arange(64)
MIRROR = np.where(SQUARES & 4, 0, 7)
KING_BUCKET = np.array(NNUE.king_bucket_of_rank)[SQUARES >> 3, ((SQUARES ^ MIRROR) & 3) >> 1]
ACTIVATION_ONE, OUTPUT_ONE, CENTIPAWNS = NNUE.activation_one, NNUE.output_one, NNUE.centipawns
# Bounds of the program's integers.
MAX_FEATURE_WEIGHT = NNUE.max_feature_weight / ACTIVATION_ONE
MAX_ACCUMULATOR_BIAS = NNUE.max_accumulator_bias / ACTIVATION_ONE
MAX_OUTPUT_WEIGHT = NNUE.max_output_weight / OUTPUT_ONE
SCALE = 180.0  # centipawns to the unit of log-odds, as in evaluation.py
RECORD = np.dtype([("features", "<u2", 32), ("value", "<i2"), ("result", "u1"), ("pieces", "u1")])


class Nnue(torch.nn.Module):
    def __init__(self, king_buckets):
        super().__init__()
        # The mean of all king buckets; `own_weights` are added to it.
        self.shared_weights = torch.nn.Parameter(torch.randn(FEATURES, WIDTH) * 0.08)
        self.grow(king_buckets)
        self.accumulator_bias = torch.nn.Parameter(torch.zeros(WIDTH) + 0.2)
        self.output_weights = torch.nn.Parameter((torch.randn(1, 2 * WIDTH) * 0.05).repeat(OUTPUT_BUCKETS, 1))
        self.output_bias = torch.nn.Parameter(torch.zeros(OUTPUT_BUCKETS))

    def bound(self):
        """Keeps the weights where the program's integers hold them."""
        with torch.no_grad():
            self.shared_weights.clamp_(-MAX_FEATURE_WEIGHT, MAX_FEATURE_WEIGHT)
            own, shared = self.own_weights.view(-1, FEATURES, WIDTH), self.shared_weights
            own.copy_((own + shared).clamp(-MAX_FEATURE_WEIGHT, MAX_FEATURE_WEIGHT) - shared)
            self.accumulator_bias.clamp_(-MAX_ACCUMULATOR_BIAS, MAX_ACCUMULATOR_BIAS)
            self.output_weights.clamp_(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT)
            self.output_bias.clamp_(-1.98, 1.98)

    def feature_weights(self):
        """The weights of the features in each king bucket, and zeros for no piece: (buckets * FEATURES + 1, WIDTH)."""
        weights = self.own_weights.view(-1, FEATURES, WIDTH) + self.shared_weights
        return torch.cat([weights.view(-1, WIDTH), torch.zeros(1, WIDTH)])

    def forward(self, own, other, output_bucket):
        """The evaluation in units of CENTIPAWNS."""
        weights = self.feature_weights()
        sums = [Bag.apply(weights, features) + self.accumulator_bias for features in (own, other)]
        active = torch.cat(sums, 1).clamp(0, 1) ** 2
        every = torch.addmm(self.output_bias, active, self.output_weights.T)
        return every.gather(1, output_bucket[:, None])[:, 0]

    def numbers(self):
        """The integers that the program reads."""
        parts = [
            (self.feature_weights()[:-1], ACTIVATION_ONE), (self.accumulator_bias, ACTIVATION_ONE),
            (self.output_weights, OUTPUT_ONE), (self.output_bias, ACTIVATION_ONE * OUTPUT_ONE),
        ]
        parts = [(part.detach() * one).round().numpy().astype("<i2").ravel() for part, one in parts]
        return np.concatenate(parts)

    def grow(self, king_buckets):
        """Gives each king bucket weights of its own, which are 0; those of a single bucket stay so."""
        own_weights = torch.zeros(king_buckets * FEATURES, WIDTH)
        self.own_weights = torch.nn.Parameter(own_weights, requires_grad=king_buckets > 1)


def from_numbers(path):
    """The network of a file of integers."""
    numbers = np.fromfile(path, "<i2").astype(np.float32)
    king_buckets = (len(numbers) - WIDTH - OUTPUT_BUCKETS * (2 * WIDTH + 1)) // (FEATURES * WIDTH)
    net = Nnue(king_buckets)
    ends = np.cumsum([king_buckets * FEATURES * WIDTH, WIDTH, OUTPUT_BUCKETS * 2 * WIDTH])
    parts = [torch.from_numpy(part) for part in np.split(numbers, ends)]
    weights, accumulator_bias, output_weights, output_bias = parts
    with torch.no_grad():
        weights = weights.view(king_buckets, FEATURES, WIDTH) / ACTIVATION_ONE
        net.shared_weights.copy_(weights.mean(0))
        net.own_weights.copy_((weights - net.shared_weights).view(-1, WIDTH))
        net.accumulator_bias.copy_(accumulator_bias / ACTIVATION_ONE)
        net.output_weights.copy_(output_weights.view(OUTPUT_BUCKETS, -1) / OUTPUT_ONE)
        net.output_bias.copy_(output_bias / (ACTIVATION_ONE * OUTPUT_ONE))
    return net


def seen(features, king):
    """The places of the weights of features in a large network; `king` is the role's first feature on the own side."""
    is_king = (features >= king) & (features < king + 64)
    squares = (features * is_king).max(1) - king
    places = (features ^ MIRROR[squares][:, None]) + FEATURES * KING_BUCKET[squares][:, None]
    return np.where(features < FEATURES, places, KING_BUCKETS * FEATURES).astype(np.int32)


def batch(records, mirrored, large):
    own = records["features"].astype(np.int32)
    if not large:
        own[mirrored] ^= np.where(own[mirrored] < FEATURES, 7, 0)
    other = np.where(own < FEATURES, (own + FEATURES // 2) % FEATURES ^ 56, FEATURES).astype(np.int32)
    if large:
        own, other = seen(own, 5 * 64), seen(other, 5 * 64)
    output_bucket = np.clip((records["pieces"].astype(np.int64) - 2) // 4, 0, OUTPUT_BUCKETS - 1)
    value = 1 / (1 + np.exp(-np.clip(records["value"].astype(np.float32) / SCALE, -30, 30)))
    return [torch.from_numpy(a) for a in (own, other, output_bucket, value, records["result"])]


def loss(net, records, mirrored, share):
    own, other, output_bucket, value, result = batch(records, mirrored, len(net.own_weights) > FEATURES)
    target = torch.where(result < 3, (1 - share) * value + share * result.float() / 2, value)
    found = torch.sigmoid(net(own, other, output_bucket) * (CENTIPAWNS / SCALE))
    return ((found - target) ** 2).mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("positions", nargs="+")
    parser.add_argument("out")
    parser.add_argument("--passes", type=float, default=3)
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--result", type=float, default=0.3, help="what the game's result counts")
    parser.add_argument("--seconds", type=float, help="end after so long instead")
    before = "a network to begin with: its numbers, or with the ending .pt as trained"
    parser.add_argument("--from", dest="before", help=before)
    decay = "weight decay of the weights that are a king bucket's own"
    parser.add_argument("--decay", type=float, default=1.0, help=decay)
    parser.add_argument("--king-buckets", type=int, choices=[1, KING_BUCKETS], default=KING_BUCKETS)
    options = parser.parse_args()
    torch.manual_seed(1)
    random = np.random.default_rng(1)
    torch.set_num_threads(1)
    records = [np.fromfile(name, np.uint8) for name in options.positions]
    records = np.concatenate([r[: len(r) // RECORD.itemsize * RECORD.itemsize].view(RECORD) for r in records])
    held, records = records[:20000], records[20000:]
    net = Nnue(options.king_buckets)
    if options.before and options.before.endswith(".pt"):
        net.load_state_dict(torch.load(options.before, weights_only=True))
    elif options.before:
        net = from_numbers(options.before)
        if len(net.own_weights) == FEATURES:
            net.grow(options.king_buckets)
    net.bound()
    common = [net.shared_weights, net.accumulator_bias, net.output_weights, net.output_bias]
    groups = [
        {"params": [net.own_weights], "weight_decay": options.decay},
        {"params": common, "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.98))
    steps = int(options.passes * len(records) / options.batch)
    order, begun, step, mean = np.array([], np.int64), time.time(), 0, 0.0
    while options.seconds or step < steps:
        if len(order) < options.batch:
            order = random.permutation(len(records))
        chosen, order = order[: options.batch], order[options.batch :]
        done = step / steps
        if options.seconds:
            done = (time.time() - begun) / options.seconds
            if done >= 1:
                break
        for group in optimizer.param_groups:
            group["lr"] = options.rate * min(1, (step + 1) / 200) * (1 - done)
        error = loss(net, records[np.sort(chosen)], random.random(options.batch) < 0.5, options.result)
        optimizer.zero_grad()
        error.backward()
        optimizer.step()
        net.bound()
        mean += (error.item() - mean) * 0.01 if step else error.item()
        step += 1
        if step % 100 == 0:
            with torch.no_grad():
                test = loss(net, held, np.zeros(len(held), bool), options.result).item()
            print(f"{step} of {steps}, {time.time() - begun:.0f} s: {mean:.5f}, held {test:.5f}", flush=True)
    net.numbers().tofile(options.out)
    torch.save(net.state_dict(), options.out + ".pt")


if __name__ == "__main__":
    main()
