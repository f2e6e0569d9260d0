"""Trains the small network of the search (`src/predict/values.rs`).

    cargo run --release --example value_positions -- VALUES train.packed 1 4000000 600 positions
    python3 training/values.py positions values --passes 8

Targets are win probabilities: those of the search's values, blended with the game's result
where no random moves were played. Half of the positions are seen in a mirror, left for
right, in each pass. VALUES is the network of the generation before. The result is a file of `i16` for `training/equip.py --values`. With the same seed, files and
number of threads it computes the same numbers.
"""

import argparse
import time

import numpy as np
import torch

from kernels import Bag

WIDTH, PIECES, CLASSES = 256, 768, 8
ONE, OUTPUT_ONE, CENTIPAWNS = 255, 64, 400
SCALE = 180.0  # centipawns to the unit of log-odds, as in evaluation.py
RECORD = np.dtype([("features", "<u2", 32), ("value", "<i2"), ("result", "u1"), ("pieces", "u1")])


class Values(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = torch.nn.Parameter(torch.randn(PIECES + 1, WIDTH) * 0.08)
        self.start = torch.nn.Parameter(torch.zeros(WIDTH) + 0.2)
        self.outputs = torch.nn.Parameter((torch.randn(1, 2 * WIDTH) * 0.05).repeat(CLASSES, 1))
        self.offsets = torch.nn.Parameter(torch.zeros(CLASSES))

    def bound(self):
        """Keeps the weights where the program's integers hold them."""
        with torch.no_grad():
            self.rows[PIECES] = 0
            self.rows.clamp_(-1.97, 1.97)
            self.start.clamp_(-1.97, 1.97)
            self.outputs.clamp_(-1.98, 1.98)
            self.offsets.clamp_(-1.98, 1.98)

    def forward(self, own, other, classes):
        """In units of CENTIPAWNS."""
        sums = [Bag.apply(self.rows, features) + self.start for features in (own, other)]
        active = torch.cat(sums, 1).clamp(0, 1) ** 2
        every = torch.addmm(self.offsets, active, self.outputs.T)
        return every.gather(1, classes[:, None])[:, 0]

    def numbers(self):
        """The integers that the program reads."""
        parts = [
            (self.rows[:PIECES], ONE), (self.start, ONE), (self.outputs, OUTPUT_ONE),
            (self.offsets, ONE * OUTPUT_ONE),
        ]
        parts = [(part.detach() * one).round().numpy().astype("<i2").ravel() for part, one in parts]
        return np.concatenate(parts)


def batch(records, mirrored):
    own = records["features"].astype(np.int32)
    own[mirrored] ^= np.where(own[mirrored] < PIECES, 7, 0)
    other = np.where(own < PIECES, (own + PIECES // 2) % PIECES ^ 56, PIECES).astype(np.int32)
    classes = np.clip((records["pieces"].astype(np.int64) - 2) // 4, 0, CLASSES - 1)
    value = 1 / (1 + np.exp(-records["value"].astype(np.float32) / SCALE))
    return [torch.from_numpy(a) for a in (own, other, classes, value, records["result"])]


def loss(net, records, mirrored, share):
    own, other, classes, value, result = batch(records, mirrored)
    target = torch.where(result < 3, (1 - share) * value + share * result.float() / 2, value)
    found = torch.sigmoid(net(own, other, classes) * (CENTIPAWNS / SCALE))
    return ((found - target) ** 2).mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("positions", nargs="+")
    parser.add_argument("out")
    parser.add_argument("--passes", type=float, default=8)
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--result", type=float, default=0.3, help="what the game's result counts")
    parser.add_argument("--seconds", type=float, help="end after so long instead")
    parser.add_argument("--from", dest="before", help="a network to begin with")
    options = parser.parse_args()
    torch.manual_seed(1)
    random = np.random.default_rng(1)
    torch.set_num_threads(1)
    records = [np.fromfile(name, np.uint8) for name in options.positions]
    records = np.concatenate([r[: len(r) // RECORD.itemsize * RECORD.itemsize].view(RECORD) for r in records])
    held, records = records[:20000], records[20000:]
    net = Values()
    if options.before:
        net.load_state_dict(torch.load(options.before, weights_only=True))
    net.bound()
    optimizer = torch.optim.Adam(net.parameters(), lr=options.rate, betas=(0.9, 0.98))
    steps = int(options.passes * len(records) / options.batch)
    order, begun, step, mean = np.array([], np.int64), time.time(), 0, 0.0
    while step < steps:
        if len(order) < options.batch:
            order = random.permutation(len(records))
        chosen, order = order[: options.batch], order[options.batch :]
        done = step / steps
        if options.seconds:
            done = (time.time() - begun) / options.seconds
            if done >= 1:
                break
        optimizer.param_groups[0]["lr"] = options.rate * min(1, (step + 1) / 200) * (1 - done)
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
