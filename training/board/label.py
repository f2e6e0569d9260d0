"""Labels positions of expanded games with the teacher's policy and its chances of a win, draw and loss.

    PYTHONPATH=training python3 -m board.label --corpus DIR --teacher FILE --out DIR --from-game A --to-game B \\
        --shard-games 500 --threads 2

CORPUS is a folder that `plyzip-training expand` wrote, TEACHER a file of `fetch_teacher.py`. A shard has the positions
of `--shard-games` games in sequence and is written as one file at once (OUT/0123456.labels, named by its first game).
Shards that are there already are skipped, so that a run may be stopped and started again at any time.
They come in an order shuffled with a fixed seed, so that the shards there at any time are a fair sample of the range.

On a CPU that does other work too, `--processes 2 --threads 1` is much faster than two threads, which wait for
each other at every layer. Compiling takes half a minute and makes the rest about a sixth faster.

Labelled are the positions that have something to be learned (a played move, or the game's end) and a legal
move. A file is little-endian without padding; `read` reads it:

    magic      4 bytes  PZTL
    version    u32      1
    first game u32      index of the shard's first game in the corpus
    games      u32
    positions  u32
    then each position, by game and ply:
        game   u32      index in the corpus
        ply    u16      0 is the game's first position: the position's index is the game's start + ply
        n      u8       number of pairs
        w d l  3 u8     chances of a win, draw and loss for the side to move, in units of 1/255, rounded
        n pairs, the greatest share first:
            place  u8   of the move among the position's legal moves
            share  u8   of the policy at temperature 1, in units of 1/255, rounded; at least 1

Shares sum to about 255 only, for they are rounded each on its own and moves that round to 0 are left out.
"""

import argparse
import ctypes
import multiprocessing
import os
import signal
import struct
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from board import teacher
from board.corpus import Corpus
from schema import schema

MAGIC, VERSION, HEAD = schema.labels.magic.encode(), schema.labels.version, struct.Struct("<4s4I")
RECORD = np.dtype([("game", "<u4"), ("ply", "<u2"), ("pairs", "u1"), ("wdl", "u1", 3)])
UNIT = schema.labels.unit
SEED = 1
BATCH = 64


class Labels(NamedTuple):
    """The labels of N positions; the pairs of position i are first[i] to first[i + 1]."""

    game: np.ndarray  # (N,) u32
    ply: np.ndarray  # (N,) u16
    wdl: np.ndarray  # (N, 3) u8, units of 1/255
    first: np.ndarray  # (N + 1,) i64
    place: np.ndarray  # u8
    share: np.ndarray  # u8, units of 1/255


def read(path):
    """The labels of a file."""
    data = Path(path).read_bytes()
    magic, version, _, _, positions = HEAD.unpack_from(data)
    if (magic, version) != (MAGIC, VERSION):
        raise ValueError(f"{path} has no labels of version {VERSION}")
    starts, at, counter = np.empty(positions, np.int64), HEAD.size, RECORD.fields["pairs"][1]
    for position in range(positions):
        starts[position] = at
        at += RECORD.itemsize + 2 * data[at + counter]
    if at != len(data):
        raise ValueError(f"{path} has {len(data)} bytes, not {at}")
    data = np.frombuffer(data, np.uint8)
    records = data[starts[:, None] + np.arange(RECORD.itemsize)].view(RECORD)[:, 0]
    heads = np.zeros(len(data), bool)
    heads[: HEAD.size] = True
    heads[(starts[:, None] + np.arange(RECORD.itemsize)).ravel()] = True
    pairs = data[~heads].reshape(-1, 2)
    first = np.concatenate([[0], np.cumsum(records["pairs"], dtype=np.int64)])
    return Labels(records["game"], records["ply"], records["wdl"], first, pairs[:, 0], pairs[:, 1])


def packed(game, ply, policy, wdl):
    """The bytes of B positions' labels: games (B,), plies (B,), policies (B, L) and chances (B, 3)."""
    shares = np.rint(policy * UNIT).astype(np.uint8)
    places = np.argsort(-shares.astype(np.int16), axis=1, kind="stable")
    shares = np.take_along_axis(shares, places, axis=1)
    records = np.empty(len(game), RECORD)
    records["game"], records["ply"], records["wdl"] = game, ply, np.rint(wdl * UNIT)
    records["pairs"] = (shares > 0).sum(axis=1)
    sizes = RECORD.itemsize + 2 * records["pairs"].astype(np.int64)
    starts = np.cumsum(sizes) - sizes
    data = np.empty(sizes.sum(), np.uint8)
    data[starts[:, None] + np.arange(RECORD.itemsize)] = records.view(np.uint8).reshape(len(game), -1)
    row, column = np.nonzero(shares)
    at = starts[row] + RECORD.itemsize + 2 * column
    data[at], data[at + 1] = places[row, column], shares[row, column]
    return data.tobytes()


class Labeller:
    """The teacher over positions of a corpus in batches of one size."""

    def __init__(self, corpus, model, batch, device, compiled):
        self.corpus, self.model, self.batch, self.device = corpus, model, batch, device
        if compiled:
            # Weights never change here, so that they can be laid out once as the processor's products want them.
            import torch._inductor.config

            torch._inductor.config.freezing = True
            model.network = torch.compile(model.network, dynamic=False)

    @torch.no_grad()
    def __call__(self, index):
        """Policies (B, L) and chances (B, 3), f32, of the positions `index` (B,), at most a batch of them."""
        choice = self.corpus.first[index + 1] - self.corpus.first[index]
        # A batch always has the same size, or it would be compiled anew; the last one repeats a position.
        whole = torch.cat([index, index[-1:].expand(self.batch - len(index))])
        given = self.corpus.batch(whole, int(choice.max()))
        names = ("pieces", "repeated", "black", "castling", "halfmoves", "moves", "legal")
        logits, wdl = self.model(*(getattr(given, name).to(self.device) for name in names))
        return logits.softmax(1)[: len(index)].cpu().numpy(), wdl[: len(index)].cpu().numpy()

    def shard(self, first_game, end_game):
        """The bytes of a shard, and its number of positions."""
        index = self.corpus.lessons(first_game, end_game)
        index = index[self.corpus.first[index + 1] > self.corpus.first[index]]
        parts = [HEAD.pack(MAGIC, VERSION, first_game, end_game - first_game, len(index))]
        for some in index.split(self.batch):
            game = self.corpus.game[some].long()
            ply = some - self.corpus.start[game]
            parts.append(packed(game.numpy(), ply.numpy(), *self(some)))
        return b"".join(parts), len(index)


def shards(from_game, to_game, shard_games):
    """The (first, end) games of all shards of a range, shuffled with a fixed seed."""
    starts = np.arange(from_game, to_game, shard_games)
    np.random.default_rng(SEED).shuffle(starts)
    return [(int(start), min(int(start) + shard_games, to_game)) for start in starts]


def keep_memory():
    """Lets glibc keep freed memory: batches allocate the same large blocks over and over, and getting their pages
    anew from the system each time costs more than half of the speed."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return
    trim_threshold, mmap_max = -1, -4  # <malloc.h>
    mallopt(mmap_max, 0)
    mallopt(trim_threshold, 2**31 - 1)


def run(args, process):
    """Labels every `args.processes`-th shard, beginning with number `process`."""
    keep_memory()
    torch.set_num_threads(args.threads)
    corpus = Corpus(args.corpus)
    model = teacher.load(args.teacher, getattr(torch, args.dtype), args.device)
    labeller = Labeller(corpus, model, args.batch, args.device, not args.eager)
    to_game = min(args.to_game or corpus.games, corpus.games)
    chosen = shards(args.from_game, to_game, args.shard_games)
    if args.games:
        chosen = chosen[: -(-args.games // args.shard_games)]
    done, begun = 0, time.time()
    for first_game, end_game in chosen[process :: args.processes]:
        path = args.out / f"{first_game:07}.labels"
        if path.exists():
            continue
        data, positions = labeller.shard(first_game, end_game)
        new = path.with_suffix(".new")
        new.write_bytes(data)
        os.replace(new, path)
        done += positions
        rate = done / (time.time() - begun)
        print(f"{path.name}: {positions} positions, {len(data)} bytes; {rate:.0f} positions/s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True, help="folder of arrays that `plyzip-training expand` wrote")
    parser.add_argument("--teacher", required=True, help="file of fetch_teacher.py")
    parser.add_argument("--out", type=Path, required=True, help="folder of the shards")
    parser.add_argument("--from-game", type=int, default=0)
    parser.add_argument("--to-game", type=int, help="the game after the last; the default is all")
    parser.add_argument("--shard-games", type=int, default=500)
    parser.add_argument("--games", type=int, help="stop after shards of that many games of the range")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="threads of each process")
    parser.add_argument("--processes", type=int, default=1, help="processes that share the shards")
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dtype", choices=("float32", "bfloat16"), default="bfloat16")
    parser.add_argument("--eager", action="store_true", help="do without torch.compile")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    # Daemons end with this process, however it ends but by SIGKILL.
    context = multiprocessing.get_context("spawn")
    others = [context.Process(target=run, args=(args, k), daemon=True) for k in range(1, args.processes)]
    for other in others:
        other.start()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    run(args, 0)
    for other in others:
        other.join()
    if any(other.exitcode for other in others):
        raise SystemExit("a process has failed")


if __name__ == "__main__":
    main()
