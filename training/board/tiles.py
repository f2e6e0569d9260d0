"""A step's losses and gradients in tile registers (AMX), some ten times as fast as PyTorch on a processor with them.

Where there are none, the same products are computed in registers of 512 bits (AVX-512 BF16), with tiles in memory.
`tile_registers/` computes what `network.py` does, without dropout and without the value, for networks whose attention
heads have 16 channels. Products are of bf16, as on a GPU; `tests/test_tiles.py` compares gradients with PyTorch's.
"""

import ctypes
import hashlib
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import torch

from board.corpus import ENDED
from board.network import rounded_rows

SOURCES = Path(__file__).with_name("tile_registers")
FLAGS = "-std=c++17 -O3 -march=native -ffast-math -shared -fPIC -pthread".split()
TILE_FLAGS = ["-mamx-tile", "-mamx-bf16"]
GROUP = 4  # positions that go through the network together; a batch is a multiple


def processor_has(feature):
    """Whether Linux tells of a feature of this processor."""
    try:
        return feature in Path("/proc/cpuinfo").read_text()
    except OSError:
        return False


def available():
    """Whether this processor has registers for the products."""
    return processor_has("amx_bf16") or processor_has("avx512_bf16")


def compiled(config):
    """The library for a network's sizes, from a folder of earlier ones if it is there."""
    sizes = {"WIDTH": config.width, "LAYERS": config.layers, "HEADS": config.heads, "HIDDEN": config.hidden}
    sizes |= {"POLICY": config.policy, "POOLED": config.pooled}
    whole = config.width % 64 == 0 and all(sizes[name] % 32 == 0 for name in ("HIDDEN", "POLICY", "POOLED"))
    if not whole or config.width != 32 * config.heads or config.mixing != "both":
        rule = "a multiple of 64 for the width with a head for every 32, and multiples of 32 elsewhere"
        raise SystemExit(f"tiles are for attention and rays, {rule}")
    options = FLAGS + (TILE_FLAGS if processor_has("amx_bf16") else [])
    options += [f"-D{name}={size}" for name, size in sizes.items()]
    parts = [path.read_bytes() for path in sorted(SOURCES.iterdir())]
    name = hashlib.sha256(b"".join([*parts, " ".join(options).encode()])).hexdigest()[:16]
    path = Path(tempfile.gettempdir()) / f"plyzip-tiles-{name}.so"
    if not path.exists():
        new = path.with_suffix(".new")
        subprocess.run(["g++", *options, "-o", str(new), str(SOURCES / "step.cpp")], check=True)
        new.replace(path)
    return ctypes.CDLL(str(path))


def table(numbers):
    """As C reads them: a struct of pointers, and an i32 in the last place."""
    return (ctypes.c_int64 * len(numbers))(*numbers)


class Offsets:
    """What another network says of the moves of a range of games (`plyzip-training board-offsets`)."""

    def __init__(self, path, corpus, first_game, end_game):
        self.corpus = corpus
        self.begin = int(corpus.start[first_game])
        self.end = int(corpus.start[end_game]) if end_game < corpus.games else len(corpus.game)
        self.first_move = int(corpus.first[self.begin])
        moves = int(corpus.first[self.end]) - self.first_move
        self.logits = torch.from_numpy(np.memmap(path, np.int16, "c", shape=(moves,)))

    def addresses(self, index):
        """(B,) i64: where the logits of the positions' first moves are, 0 where there are none."""
        place = self.logits.data_ptr() + 2 * (self.corpus.first[index].long() - self.first_move)
        return torch.where((index >= self.begin) & (index < self.end), place, 0)


class Tiles:
    """Steps of one network over the positions of one corpus. The library holds one network at a time."""

    def __init__(self, net, corpus, threads):
        self.net, self.corpus = net, corpus
        self.library = compiled(net.config)
        reach = torch.full((64, 16, 8), 64, dtype=torch.uint8)
        reach[:, :8, :7] = net.ray_squares.to(torch.uint8)
        reach[:, 8:, 0] = net.knight_squares.to(torch.uint8)
        if self.library.tiles_begin(threads, ctypes.c_void_p(reach.data_ptr())):
            raise SystemExit("the system gives no registers for products of bf16")
        names = "squares state first moves game start elo year result pace".split()
        self.columns = [getattr(corpus, name).contiguous() for name in names]  # what `arrays` points to
        self.arrays = table([column.data_ptr() for column in self.columns] + [ENDED])

    def parameters(self, head_bias):
        """(weights, parameter) in the order of `Pointers`; a parameter of None takes no gradient."""
        net = self.net
        quantised = net.quantised
        own = lambda parameter: (parameter.detach(), parameter)
        matrix = lambda linear: [
            ((rounded_rows(linear.weight) if quantised else linear.weight).detach(), linear.weight),
            own(linear.bias),
        ]
        units = lambda *sites: (torch.cat([site.unit for site in sites]).detach(), None)
        yield from map(own, (net.now, net.square, net.past, net.condition))
        for block, bias in zip(net.blocks, head_bias):
            attention, rays = block.mixing.attention, block.mixing.rays
            for linear in (attention.qkv, rays.value, block.mixing.out, block.rise, block.fall):
                yield from matrix(linear)
            yield bias, bias
            sites = (attention.query_site, attention.key_site, attention.value_site, attention.out_site, rays.site)
            yield units(*sites, block.site)
        for head in (net.heads.played, net.heads.taught):
            for linear in (head.origin, head.target, head.promotion):
                yield from matrix(linear)
            yield own(head.pair)
            yield units(head.origin_site, head.target_site)
        yield from matrix(net.heads.pool)
        yield from matrix(net.heads.end)
        yield units(net.heads.site)

    def step(self, index, flags, offsets=None):
        """Sets the gradients of mean losses over the positions `index` (B,) i64 with `flags` (B,) u8: 1 mirrored; 2, 4,
        8, 16 ratings, result, year, pace hidden. Where `offsets` has logits of another network, the second head learns
        what to add to them. Returns nats a move, an end, a move with an offset."""
        net = self.net
        if len(index) % GROUP:
            raise ValueError(f"a batch is a multiple of {GROUP} positions")
        head_bias = [block.mixing.attention.bias().detach().contiguous() for block in net.blocks]
        held, sources, targets, given = [], [], [], []
        for weights, parameter in self.parameters(head_bias):
            weights = weights.float().contiguous()
            gradient = None if parameter is None else torch.empty_like(weights)
            held.append(weights)
            sources.append(weights.data_ptr())
            targets.append(0 if gradient is None else gradient.data_ptr())
            given.append((parameter, gradient))
        losses = (ctypes.c_double * 6)()
        places = None if offsets is None else offsets.addresses(index)
        self.library.tiles_step(
            self.arrays,
            ctypes.c_void_p(index.data_ptr()),
            ctypes.c_void_p(flags.data_ptr()),
            ctypes.c_int64(len(index)),
            int(net.quantised),
            table(sources),
            table(targets),
            None if places is None else ctypes.c_void_p(places.data_ptr()),
            losses,
        )
        biases = {id(bias): block.mixing.attention for bias, block in zip(head_bias, net.blocks)}
        for parameter, gradient in given:
            if gradient is None:
                continue
            attention = biases.get(id(parameter))
            if attention is None:
                parameter.grad = gradient
                continue
            attention.absolute.grad = gradient
            relative = torch.zeros_like(attention.relative)
            relative.index_add_(1, attention.displacement.flatten(), gradient.flatten(1))
            attention.relative.grad = relative
        sums = np.array(losses).reshape(3, 2)
        return torch.from_numpy(sums[:, 0] / np.maximum(sums[:, 1], 1))
