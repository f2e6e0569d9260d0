"""Trains the NNUE network of the search (`codec/src/engine/nnue/mod.rs`).

    plyzip-training nnue-positions BEFORE train.packed 1 4000000 600 positions
    python3 training/nnue.py positions nnue --from BEFORE --passes 3

Targets are win probabilities: those of the search's values, blended with the game's result where no random moves were
played. Of a small network (`--tables 1`) half of the positions are seen in a mirror, left for right, in each pass; a
large one always has its kings on the right, and what its tables have besides what is common to all decays
(`--decay`). BEFORE is the network of the generation before. The result is a file of `i16` for
`training/equip.py --nnue`. With the same seed, files and number of threads it computes the same numbers.
"""

import argparse
import time

import numpy as np
import torch

from kernels import Bag
from schema import schema

NNUE = schema.nnue
WIDTH, PIECES, CLASSES, TABLES = NNUE.width, NNUE.pieces, NNUE.classes, NNUE.tables
# The table for a king on each square, from its side, and how its side sees the board.
SQUARES = np.arange(64)
MIRROR = np.where(SQUARES & 4, 0, 7)
TABLE = np.array(NNUE.table_of_rank)[SQUARES >> 3, ((SQUARES ^ MIRROR) & 3) >> 1]
ONE, OUTPUT_ONE, CENTIPAWNS = NNUE.one, NNUE.output_one, NNUE.centipawns
# Bounds of the program's integers.
MOST_IN_ROW, MOST_AT_START = NNUE.most_in_row / ONE, NNUE.most_at_start / ONE
MOST_IN_OUTPUT = NNUE.most_in_output / OUTPUT_ONE
SCALE = 180.0  # centipawns to the unit of log-odds, as in evaluation.py
RECORD = np.dtype([("features", "<u2", 32), ("value", "<i2"), ("result", "u1"), ("pieces", "u1")])


class Nnue(torch.nn.Module):
    def __init__(self, tables):
        super().__init__()
        # What all tables have in common.
        self.shared = torch.nn.Parameter(torch.randn(PIECES, WIDTH) * 0.08)
        self.grow(tables)
        self.start = torch.nn.Parameter(torch.zeros(WIDTH) + 0.2)
        self.outputs = torch.nn.Parameter((torch.randn(1, 2 * WIDTH) * 0.05).repeat(CLASSES, 1))
        self.offsets = torch.nn.Parameter(torch.zeros(CLASSES))

    def bound(self):
        """Keeps the weights where the program's integers hold them."""
        with torch.no_grad():
            self.shared.clamp_(-MOST_IN_ROW, MOST_IN_ROW)
            own = self.rows.view(-1, PIECES, WIDTH)
            own.copy_((own + self.shared).clamp(-MOST_IN_ROW, MOST_IN_ROW) - self.shared)
            self.start.clamp_(-MOST_AT_START, MOST_AT_START)
            self.outputs.clamp_(-MOST_IN_OUTPUT, MOST_IN_OUTPUT)
            self.offsets.clamp_(-1.98, 1.98)

    def table(self):
        """The rows of all tables, and zeros for no piece."""
        rows = self.rows.view(-1, PIECES, WIDTH) + self.shared
        return torch.cat([rows.view(-1, WIDTH), torch.zeros(1, WIDTH)])

    def forward(self, own, other, classes):
        """In units of CENTIPAWNS."""
        rows = self.table()
        sums = [Bag.apply(rows, features) + self.start for features in (own, other)]
        active = torch.cat(sums, 1).clamp(0, 1) ** 2
        every = torch.addmm(self.offsets, active, self.outputs.T)
        return every.gather(1, classes[:, None])[:, 0]

    def numbers(self):
        """The integers that the program reads."""
        parts = [
            (self.table()[:-1], ONE), (self.start, ONE), (self.outputs, OUTPUT_ONE),
            (self.offsets, ONE * OUTPUT_ONE),
        ]
        parts = [(part.detach() * one).round().numpy().astype("<i2").ravel() for part, one in parts]
        return np.concatenate(parts)

    def grow(self, tables):
        """Gives so many kings a table each, so far without anything of its own; one alone never has."""
        self.rows = torch.nn.Parameter(torch.zeros(tables * PIECES, WIDTH), requires_grad=tables > 1)


def from_numbers(path):
    """The network of a file of integers."""
    numbers = np.fromfile(path, "<i2").astype(np.float32)
    tables = (len(numbers) - WIDTH - CLASSES * (2 * WIDTH + 1)) // (PIECES * WIDTH)
    net = Nnue(tables)
    ends = np.cumsum([tables * PIECES * WIDTH, WIDTH, CLASSES * 2 * WIDTH])
    rows, start, outputs, offsets = (torch.from_numpy(part) for part in np.split(numbers, ends))
    with torch.no_grad():
        rows = rows.view(tables, PIECES, WIDTH) / ONE
        net.shared.copy_(rows.mean(0))
        net.rows.copy_((rows - net.shared).view(-1, WIDTH))
        net.start.copy_(start / ONE)
        net.outputs.copy_(outputs.view(CLASSES, -1) / OUTPUT_ONE)
        net.offsets.copy_(offsets / (ONE * OUTPUT_ONE))
    return net


def seen(features, king):
    """The rows of features in a large network; `king` is the role's first feature on the own side."""
    is_king = (features >= king) & (features < king + 64)
    squares = (features * is_king).max(1) - king
    rows = (features ^ MIRROR[squares][:, None]) + PIECES * TABLE[squares][:, None]
    return np.where(features < PIECES, rows, TABLES * PIECES).astype(np.int32)


def batch(records, mirrored, large):
    own = records["features"].astype(np.int32)
    if not large:
        own[mirrored] ^= np.where(own[mirrored] < PIECES, 7, 0)
    other = np.where(own < PIECES, (own + PIECES // 2) % PIECES ^ 56, PIECES).astype(np.int32)
    if large:
        own, other = seen(own, 5 * 64), seen(other, 5 * 64)
    classes = np.clip((records["pieces"].astype(np.int64) - 2) // 4, 0, CLASSES - 1)
    value = 1 / (1 + np.exp(-np.clip(records["value"].astype(np.float32) / SCALE, -30, 30)))
    return [torch.from_numpy(a) for a in (own, other, classes, value, records["result"])]


def loss(net, records, mirrored, share):
    own, other, classes, value, result = batch(records, mirrored, len(net.rows) > PIECES)
    target = torch.where(result < 3, (1 - share) * value + share * result.float() / 2, value)
    found = torch.sigmoid(net(own, other, classes) * (CENTIPAWNS / SCALE))
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
    decay = "of what the tables have besides what they have in common"
    parser.add_argument("--decay", type=float, default=1.0, help=decay)
    parser.add_argument("--tables", type=int, choices=[1, TABLES], default=TABLES)
    options = parser.parse_args()
    torch.manual_seed(1)
    random = np.random.default_rng(1)
    torch.set_num_threads(1)
    records = [np.fromfile(name, np.uint8) for name in options.positions]
    records = np.concatenate([r[: len(r) // RECORD.itemsize * RECORD.itemsize].view(RECORD) for r in records])
    held, records = records[:20000], records[20000:]
    net = Nnue(options.tables)
    if options.before and options.before.endswith(".pt"):
        net.load_state_dict(torch.load(options.before, weights_only=True))
    elif options.before:
        net = from_numbers(options.before)
        if len(net.rows) == PIECES:
            net.grow(options.tables)
    net.bound()
    groups = [
        {"params": [net.rows], "weight_decay": options.decay},
        {"params": [net.shared, net.start, net.outputs, net.offsets], "weight_decay": 0.0},
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
