"""Trains a network of `network.py` on batches from `plyzip-training batches`.

    plyzip-training pack train.pgn train.packed
    plyzip-training pack valid.pgn valid.packed
    PYTHONPATH=training python3 -m bag.train --train train.packed --valid valid.packed --out run --steps 16000

The learning rate rises for 200 steps, stays, and falls linearly to zero over the last
`--decay` share of the steps, in which weights and activations are rounded as
they will be in the exported graph. With `--teachers`, finished networks, the moves to be learned are
a mixture of the move played and of what the teachers expect in the mean. The run writes a checkpoint every
`--save` steps and goes on from it when started again; `--steps` may be
changed in between as long as the decay has not begun. With the same seed and
number of threads it computes the same weights.
"""

import argparse
import json
import math
import os
import queue
import subprocess
import threading
import time

import numpy as np
import torch
import torch.nn.functional as F

from bag.mirror import mirror
from bag.network import BOARD_SLOTS, MOVE_SLOTS, Network
from schema import schema


class Batches:
    """Batches read ahead from the generator, as tensors."""

    def __init__(self, tool, packed, seed, size, first=0, training=False, labels=None):
        """For training, later games come more often. With a folder of labels there are only positions that have one,
        and each batch ends with the teacher's share of each move (R,)."""
        self.labels = labels
        kind = ["--labels", labels] if labels else ["--training"] if training else []
        numbers = [f"--seed={seed}", f"--size={size}", f"--first={first}"]
        self.process = subprocess.Popen(
            [tool, "batches", packed, *numbers, *kind],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=1 << 22,
        )
        self.queue = queue.Queue(maxsize=4)
        threading.Thread(target=self.pump, daemon=True).start()

    def pump(self):
        def read(size):
            data = self.process.stdout.read(size)
            if len(data) < size:
                raise EOFError  # closed, or the generator died
            return data

        try:
            while True:
                self.pump_one(read)
        except (EOFError, ValueError):
            self.queue.put(None)

    def pump_one(self, read):
        header = read(8)
        count, rows = (int(n) for n in np.frombuffer(header, "<u4"))
        field = lambda n: np.frombuffer(read(2 * n), "<u2").astype(np.int32)
        board = field(count * BOARD_SLOTS).reshape(count, BOARD_SLOTS)
        counts, target, ply = field(count), field(count), field(count)
        moves = field(rows * MOVE_SLOTS).reshape(rows, MOVE_SLOTS)
        starts = np.cumsum(counts) - counts
        tensors = board, moves, np.repeat(np.arange(count, dtype=np.int32), counts)
        played = target != schema.batches.ended
        where = np.where(played, starts + target, 0).astype(np.int64)
        batch = [torch.from_numpy(t) for t in (*tensors, played, where, ply)]
        if self.labels:
            batch.append(torch.from_numpy(field(rows).astype(np.float32) / schema.batches.shares))
        self.queue.put(batch)

    def next(self):
        batch = self.queue.get()
        if batch is None:
            raise SystemExit("the generator of batches has stopped")
        return batch

    def close(self):
        self.process.kill()


def log_sums(logits, index, count):
    """The logarithm of the sum of the exponentials of each position's logits."""
    largest = torch.full((count,), -1e9).scatter_reduce(0, index, logits.detach(), "amax")
    total = torch.zeros(count).index_add(0, index, torch.exp(logits - largest[index]))
    return torch.log(total) + largest


@torch.no_grad()
def opinion(teachers, batch):
    """The probability of each move after the mean of the teachers' logits."""
    boards, moves, rows = batch[:3]
    logits = sum(teacher(boards, moves, rows)[0] for teacher in teachers) / len(teachers)
    return torch.exp(logits - log_sums(logits, rows.long(), len(boards))[rows.long()])


def losses(net, batch, taught=None, trust=0.0):
    """Cross-entropy of the move and of the game's end, in nats, for each position. With probabilities that
    teachers gave, `trust` is their share in what the move should have been."""
    boards, moves, rows, played, where, _ = batch
    logits, end = net(boards, moves, rows)
    index = rows.long()
    wanted = logits[where]
    if taught is not None:
        expected = torch.zeros_like(end).index_add(0, index, taught * logits)
        wanted = (1 - trust) * wanted + trust * expected
    move = (log_sums(logits, index, len(boards)) - wanted) * played
    return move, F.binary_cross_entropy_with_logits(end, (~played).float(), reduction="none")


@torch.no_grad()
def validate(net, batches):
    """Bits a ply for moves and ends, and bits of moves by ply."""
    net.eval()
    sums = np.zeros((5, 2))
    move_bits = end_bits = plies = 0.0
    for batch in batches:
        move, end = (loss.double().numpy() / math.log(2) for loss in losses(net, batch))
        played, ply = batch[3].numpy(), batch[5].numpy()
        move_bits, end_bits, plies = move_bits + move.sum(), end_bits + end.sum(), plies + played.sum()
        group = np.digitize(ply, [10, 20, 40, 80])
        np.add.at(sums[:, 0], group, move)
        np.add.at(sums[:, 1], group, played)
    net.train()
    by_ply = [round(bits / max(1, count), 3) for bits, count in sums]
    return {"move": round(move_bits / plies, 4), "end": round(end_bits / plies, 4), "by_ply": by_ply}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", required=True)
    parser.add_argument("--valid", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--tool", default="target/release/plyzip-training")
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--decay", type=float, default=0.45)
    parser.add_argument("--rounded", type=float, default=0.15)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--weight-decay", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=int, default=500)
    parser.add_argument("--sizes", type=int, nargs=3, default=[512, 256, 64])
    parser.add_argument("--valid-batches", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    products = "medium computes products in bfloat16, where the processor has it: a fifth less time"
    parser.add_argument("--products", choices=("highest", "medium"), default="highest", help=products)
    parser.add_argument("--teachers", nargs="*", default=[], help="checkpoints to learn from as well")
    parser.add_argument("--trust", type=float, default=0.6, help="the teachers' share in what is learned")
    options = parser.parse_args()

    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    torch.set_float32_matmul_precision(options.products)
    os.makedirs(options.out, exist_ok=True)
    checkpoint = os.path.join(options.out, "checkpoint.pt")
    net = Network(*options.sizes)
    optimizer = torch.optim.AdamW(
        net.parameters(), lr=options.rate, betas=(0.9, 0.99), weight_decay=options.weight_decay, fused=True
    )
    step = 0
    if os.path.exists(checkpoint):
        state = torch.load(checkpoint, weights_only=True)
        net.load_state_dict(state["net"])
        if "optimizer" in state:  # `import_network.py` has none
            optimizer.load_state_dict(state["optimizer"])
        step = state["step"]
        for group in optimizer.param_groups:
            group["weight_decay"] = options.weight_decay
    teachers = []
    for path in options.teachers:
        state = torch.load(path, weights_only=True)
        teachers.append(Network(*state["sizes"]).requires_grad_(False).eval())
        teachers[-1].load_state_dict(state["net"])
    batches = Batches(options.tool, options.valid, 0, 2048)
    valid = [batches.next() for _ in range(options.valid_batches)]
    batches.close()
    batches = Batches(options.tool, options.train, options.seed, options.batch, step, training=True)
    decay_from = int(options.steps * (1 - options.decay))
    rounded_from = int(options.steps * (1 - options.rounded))
    log = open(os.path.join(options.out, "log.jsonl"), "a")
    begun, average = time.time(), None
    mirrors = torch.Generator().manual_seed(options.seed + step)
    while step < options.steps:
        net.quantised = step >= rounded_from
        rate = options.rate * min(1, (step + 1) / 200)
        if step >= decay_from:
            rate *= (options.steps - step) / (options.steps - decay_from)
        for group in optimizer.param_groups:
            group["lr"] = rate
        batch = mirror(batches.next(), mirrors)
        taught = opinion(teachers, batch) if teachers else None
        move, end = losses(net, batch, taught, options.trust)
        loss = move.mean() + end.mean()
        optimizer.zero_grad()
        loss.backward()
        net.board_table.grad[schema.board.padding] = 0  # the padding stays nothing
        optimizer.step()
        step += 1
        bits = loss.item() / math.log(2)
        average = bits if average is None else 0.99 * average + 0.01 * bits
        if step % options.save == 0 or step == options.steps:
            state = {"net": net.state_dict(), "optimizer": optimizer.state_dict()}
            state |= {"step": step, "sizes": options.sizes}
            torch.save(state, checkpoint + ".new")
            os.replace(checkpoint + ".new", checkpoint)
            record = {"step": step, "seconds": round(time.time() - begun), "train": round(average, 4)}
            record |= {"quantised": net.quantised} | validate(net, valid)
            print(json.dumps(record), flush=True)
            log.write(json.dumps(record) + "\n")
            log.flush()
    batches.close()


if __name__ == "__main__":
    main()
