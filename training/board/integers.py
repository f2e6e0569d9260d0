"""Runs an exported board network in integers, from its tensors alone: docs/format/board.md, in numpy.

    PYTHONPATH=training python3 -m board.integers board.onnx seen.npz found.npz

It is written to be read and compared with, not to be fast. `seen.npz` holds `now`, `past`, `conditions` and `heard`, as
the graph's inputs are.
"""

import math
import sys

import numpy as np
import onnx
from onnx import numpy_helper

from board.network import RAYS
from board.view import PAST, SQUARES

SINGLE = np.float32
NORMAL = -4  # exponent of a normalised activation's unit
STREAM = -12  # of the residual stream
FINE = -16  # of biases of the policy and of outputs
SCORE = -8  # of attention scores
MOST_STREAM = 2**21
MOST_SCORE = 2**14 - 1
MOST_OUTPUT = 2**28


def power(exponent):
    return np.ldexp(SINGLE(1), exponent)


def rounded(value, least, most):
    """Of f32, clipped, then half to even: i64."""
    assert value.dtype == SINGLE
    return np.rint(np.clip(value, SINGLE(least), SINGLE(most))).astype(np.int64)


def requantised(sums, exponent, least, most):
    return rounded(sums.astype(SINGLE) * power(exponent), least, most)


def fine(sums, exponent):
    """Sums in units of 2^exponent as integers in units of 2^-16."""
    scaled = np.ldexp(sums.astype(np.float64), exponent - FINE)
    return np.rint(np.clip(scaled, -MOST_OUTPUT, MOST_OUTPUT)).astype(np.int64)


def normalised(stream):
    """(B, 64, width): multiples of 2^-4."""
    width = stream.shape[-1]
    total = (stream**2).sum(-1, keepdims=True) + (width * 2**20 + 3125) // 6250
    root = (math.isqrt(width << 42) + 1) // 2  # sqrt(width) in units of 2^-20, rounded
    factor = (np.ldexp(np.float64(root), -16) / np.sqrt(total.astype(np.float64))).astype(SINGLE)
    return rounded(stream.astype(SINGLE) * factor, -63, 63)


class Network:
    def __init__(self, model):
        self.tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
        self.width = self.tensors["now_table"].shape[1]
        self.layers = sum(name.endswith("_qkv") for name in self.tensors)

    def table(self, name):
        return self.tensors[name].astype(np.int64)

    def exponents(self, name):
        """Of a tensor of powers of two, as a vector."""
        mantissa, exponent = np.frexp(self.tensors[name].ravel())
        assert (mantissa == 0.5).all(), f"`{name}` is not made of powers of two"
        return exponent.astype(np.int64) - 1

    def sums(self, name, value):
        """Value (..., inputs): sums (..., outputs), and the exponent of each row's unit."""
        return value @ self.table(name) + self.table(name + "_bias"), self.exponents(name + "_unit")

    def attended(self, name, parts, unit):
        """Parts (B, 64, 3, heads, depth) of sums, unit: their exponents likewise. Returns (B, 64, heads, depth)."""
        site = lambda part: self.exponents(f"{name}_{part}_unit")[:, None]
        depth = parts.shape[-1]
        query = requantised(parts[:, :, 0], unit[0] + halved(depth) - site("query"), -63, 63)
        key = requantised(parts[:, :, 1], unit[1] - site("key"), -127, 127)
        value = requantised(parts[:, :, 2], unit[2] - site("value"), -127, 127)
        product = np.einsum("bqhd,bkhd->bhqk", query, key)
        exponent = (site("query") + site("key"))[:, :, None] - SCORE
        score = requantised(product, exponent, -MOST_SCORE, MOST_SCORE) + self.table(name + "_relation")
        table = self.table("exponential")
        share = table[np.minimum(score.max(-1, keepdims=True) - score, len(table) - 1)]
        total = share.sum(-1).transpose(0, 2, 1)[..., None]
        factor = power(site("value") - site("out")) / total.astype(SINGLE)
        return rounded(np.einsum("bhqk,bkhd->bqhd", share, value).astype(SINGLE) * factor, -63, 63)

    def heard(self, name, value, unit, heard):
        """Value (B, 64, width) of sums: (B, 64, 16, width / 16), what each square hears."""
        unit = unit.reshape(RAYS, -1) - self.exponents(name + "_ray_unit")[:, None]
        value = requantised(value.reshape(*value.shape[:2], RAYS, -1), unit, -63, 63)
        value = np.pad(value, ((0, 0), (0, 1), (0, 0), (0, 0)))
        return np.take_along_axis(value, heard[..., None], 1)

    def mixed(self, name, normal, heard):
        """What a block's first half adds to the residual stream."""
        sums, unit = self.sums(name + "_qkv", normal)
        unit = unit + NORMAL
        heads = len(self.exponents(name + "_query_unit"))
        shape = (3, heads, -1)
        attended = self.attended(name, sums.reshape(*sums.shape[:2], *shape), unit.reshape(shape))
        sums, unit = self.sums(name + "_ray_matrix", normal)
        heard = self.heard(name, sums, unit + NORMAL, heard)
        # All in the smallest of their units.
        units = [self.exponents(name + "_out_unit"), self.exponents(name + "_ray_unit")]
        least = min(unit.min() for unit in units)
        flat = lambda value, unit: (value << (unit - least)[:, None]).reshape(*value.shape[:2], -1)
        value = np.concatenate([flat(attended, units[0]), flat(heard, units[1])], -1)
        sums, unit = self.sums(name + "_out_matrix", value)
        return requantised(sums, unit + least - STREAM, -MOST_STREAM, MOST_STREAM)

    def fed(self, name, normal):
        """What a block's second half adds."""
        sums, unit = self.sums(name + "_rise", normal)
        root = np.maximum(sums, 0).astype(SINGLE)
        site = self.exponents(name + "_hidden_unit")
        hidden = rounded(root * root * power(2 * (unit + NORMAL) - site), 0, 127)
        sums, unit = self.sums(name + "_fall", hidden)
        return requantised(sums, unit + site - STREAM, -MOST_STREAM, MOST_STREAM)

    def policy(self, name, normal):
        """Scores (B, 4096) of pairs of squares, and (B, 64, 4) of promotions."""
        sums, unit = self.sums(name + "_origin", normal)
        origin_site, target_site = (self.exponents(f"{name}_{part}_site_unit") for part in ("origin", "target"))
        origin = requantised(sums, unit + NORMAL + halved(len(unit)) - origin_site, -63, 63)
        sums, unit = self.sums(name + "_target", normal)
        target = requantised(sums, unit + NORMAL - target_site, -127, 127)
        scores = fine(origin @ target.transpose(0, 2, 1), origin_site + target_site)
        sums, unit = self.sums(name + "_promotion_matrix", normal)
        return scores.reshape(len(scores), -1) + self.table(name + "_pair"), fine(sums, unit + NORMAL)

    def run(self, now, past, conditions, heard):
        """The graph's inputs and outputs, the outputs as i64."""
        stream = self.table("now_table")[now] + self.table("square_table")
        stream = stream + self.table("past_table")[past].reshape(len(now), -1, SQUARES, self.width).sum(1)
        stream = stream + (conditions.astype(np.int64) @ self.table("condition_table"))[:, None]
        added = lambda more: np.clip(stream + more, -MOST_STREAM, MOST_STREAM)
        for number in range(self.layers):
            name = f"block_{number}"
            stream = added(self.mixed(name, normalised(stream), heard))
            stream = added(self.fed(name, normalised(stream)))
        normal = normalised(stream)
        found = {}
        for name in ("played", "taught"):
            found[name], found[name + "_promotion"] = self.policy(name, normal)
        sums, unit = self.sums("pool", normal)
        site = self.exponents("pooled_unit")
        pooled = requantised(np.maximum(sums, 0).sum(1), unit + NORMAL - 6 - site, 0, 127)
        for name in ("end", "value"):
            sums, unit = self.sums(name + "_matrix", pooled)
            found[name] = fine(sums, unit + site)
        found["end"] = found["end"][:, 0]
        return found


def halved(width):
    """The exponent of about 1 / sqrt(width)."""
    return -math.ceil(math.log2(width) / 2)


def main():
    model, seen, out = sys.argv[1:]
    seen = np.load(seen)
    network = Network(onnx.load(model))
    np.savez(out, **network.run(*(seen[name] for name in ("now", "past", "conditions", "heard"))))


assert PAST == 14

if __name__ == "__main__":
    main()
