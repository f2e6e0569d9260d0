"""Writes a trained board network as an ONNX graph that gives the same bits on every machine.

    PYTHONPATH=training python3 -m board.export run/portable.pt board.onnx --corpus train.x

docs/format/board.md defines the arithmetic and the tensors, which the program reads by their names; the graph computes
the same numbers in onnxruntime, and `integers.py` in numpy.

The graph computes in f64. Its sums and products are those of integers times known powers of two, below 2^53 units: none
of them is ever rounded, so their order does not matter. Where numbers become fewer bits, they are rounded to f32 first,
since that is how a processor does it fastest. Factors of a normalisation and of an attention are made of one square
root and one division, or one division, which IEEE 754 rounds alike everywhere. Exponentials come from a table in the
file.

Inputs, for B positions (`view.py` says what they mean): `now` (B, 64) i64; `past` (B, 448) i64, 14 times the number
of plies back less one added to each code; `conditions` (B, CONDITIONS) f64; `heard` (B, 64, 16) i64
(`BoardNetwork.heard`). Outputs, f64 integers in units of 2^-16 nat: `played` and `taught` (B, 4096), a score for each
from * 64 + to; `played_promotion` and `taught_promotion` (B, 64, 4), added to the score of a promotion to knight,
bishop, rook, queen on that square; `end` (B,); `value` (B, 3).

With `--corpus` the residual stream is scaled to fit where positions of the last games show that it must be, and the
graph is run on them, beside the network it was made of.
"""

import argparse
import json
import math
import os

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

from board import checkpoint
from board.corpus import Corpus
from board.network import EPSILON, NORM_MOST, NORM_UNIT, RAYS, SITE_MOST, halved, row_unit
from board.view import CONDITIONS, PAST, SQUARES, VIEW_VERSION, view

STREAM = 2.0**-12  # unit of the residual stream and of the tables of tokens
FINE = 2.0**-16  # unit of biases and of the outputs
SCORE = 2.0**-8  # unit of an attention's scores, in nats
FORMAT_VERSION = 2
MOST_STREAM = 2**21  # of a number of the residual stream, in its units
ROOM = 2  # how many times the largest number that was seen in the stream must fit
MOST_SCORE = 2**14 - 1  # of an attention's score without its bias, and of a bias
MOST_OUTPUT = 2**28  # of a term of an output
MOST_BIAS = 2**26  # of a matrix, in units of its sums
MOST_SPREAD = 2.0**6  # of the largest unit of what one matrix reads to the smallest
LEAST_UNIT = 2.0**-32


class Graph:
    def __init__(self):
        self.nodes, self.initializers, self.names = [], [], {}

    def constant(self, name, array):
        self.initializers.append(numpy_helper.from_array(np.asarray(array, order="C"), name))
        return name

    def number(self, value):
        """A scalar f64; each value stands once."""
        if value not in self.names:
            self.names[value] = self.constant(f"number_{len(self.names)}", np.array(value, np.float64))
        return self.names[value]

    def shape(self, *sizes):
        key = ("shape", *sizes)
        if key not in self.names:
            self.names[key] = self.constant(
                "shape_" + "_".join(map(str, sizes)).replace("-", "n"), np.array(sizes, np.int64)
            )
        return self.names[key]

    def node(self, op, inputs, name=None, **attributes):
        name = name or f"{op.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        return name

    def stored(self, name, integers, kind, unit):
        """Integers of few bits with their unit (a number, or one for each row), as f64."""
        assert np.abs(integers).max(initial=0) <= np.iinfo(kind).max, f"{name} does not fit {kind.__name__}"
        cast = self.node("Cast", [self.constant(name, integers.astype(kind))], to=TensorProto.DOUBLE)
        unit = self.number(unit) if np.isscalar(unit) else self.constant(name + "_unit", unit.astype(np.float64))
        return self.node("Mul", [cast, unit])

    def cast(self, value, kind):
        return self.node("Cast", [value], to=kind)

    def single(self, value):
        return self.cast(value, TensorProto.FLOAT)

    def clip(self, value, least, most):
        return self.node("Clip", [value, self.number(float(least)), self.number(float(most))])

    def rounded(self, value, unit, most, least=None):
        """Multiples of `unit` (a number, or a constant's name): rounded to f32, clipped, then half to even."""
        unit = unit if isinstance(unit, str) else self.number(unit)
        scaled = self.node("Div", [self.cast(self.single(value), TensorProto.DOUBLE), unit])
        scaled = self.clip(scaled, -most if least is None else least, most)
        return self.node("Mul", [self.node("Round", [scaled]), unit])

    def linear(self, name, value, layer, input_unit):
        """A matrix of 8 bits with a power-of-two unit for each output. `input_unit` is the smallest unit of what it
        reads; biases are integers in units of the sums."""
        weight = layer.weight.detach().double()
        unit = row_unit(layer.weight).double().clamp_min(LEAST_UNIT)
        bias = layer.bias.detach().double()[:, None]
        # A row that is next to nothing beside its bias.
        while (over := (bias.abs() / (unit * input_unit)).round() > MOST_BIAS).any():
            unit = torch.where(over, 2 * unit, unit)
        integers = torch.round(weight / unit).clamp(-127, 127).numpy()
        unit, bias = unit.numpy()[:, 0], bias.numpy()[:, 0]
        product = self.node("MatMul", [value, self.stored(name, integers.T, np.int8, unit)])
        bias_unit = self.constant(name + "_bias_unit", unit * input_unit)
        integers = self.cast(
            self.constant(name + "_bias", np.round(bias / (unit * input_unit)).astype(np.int32)), TensorProto.DOUBLE
        )
        return self.node("Add", [product, self.node("Mul", [integers, bias_unit])])

    def site(self, name, value, unit, kind, shape):
        """Rounding as trained; the units are repeated to `shape`."""
        unit = self.constant(name + "_unit", unit.reshape(shape) if len(unit) > 1 else unit)
        return self.rounded(value, unit, SITE_MOST[kind], 0 if kind == "unsigned7" else None)

    def added(self, tokens, more):
        """The residual stream with what a half of a block adds."""
        total = self.node("Add", [tokens, self.rounded(more, STREAM, MOST_STREAM)])
        return self.clip(total, -MOST_STREAM * STREAM, MOST_STREAM * STREAM)

    def fine(self, value, name=None):
        """In units of the outputs, as integers."""
        scaled = self.clip(self.node("Div", [value, self.number(FINE)]), -MOST_OUTPUT, MOST_OUTPUT)
        return self.node("Round", [scaled], name)

    def normalise(self, value, width):
        """Over the root mean square, in NORM_UNITs."""
        total = self.node("ReduceSum", [self.node("Mul", [value, value]), self.shape(-1)], keepdims=1)
        total = self.node("Add", [total, self.number(round(EPSILON * width / STREAM**2) * STREAM**2)])
        # sqrt(width) is rounded here, once, to 24 bits.
        root = round(math.sqrt(width) * 2**20) / 2**20
        factor = self.node("Div", [self.number(root), self.node("Sqrt", [total])])
        normal = self.node("Mul", [self.single(value), self.single(factor)])
        return self.rounded(self.cast(normal, TensorProto.DOUBLE), NORM_UNIT, NORM_MOST)


def units(site):
    """The unit of each group of a site, f64."""
    return np.maximum(site.unit.double().numpy(), LEAST_UNIT)


def attention(g, name, normal, layer, out_unit):
    heads, inner = layer.heads, layer.inner
    depth = inner // heads
    qkv = g.linear(name + "_qkv", normal, layer.qkv, NORM_UNIT)
    parts = g.node("Reshape", [qkv, g.shape(-1, SQUARES, 3, heads, depth)])
    part = lambda place: g.node("Gather", [parts, g.constant(f"{name}_{place}", np.array(place, np.int64))], axis=2)
    query = g.node("Mul", [part(0), g.number(halved(depth))])
    query = g.site(name + "_query", query, units(layer.query_site), "signed7", (heads, 1))
    key = g.site(name + "_key", part(1), units(layer.key_site), "signed8", (heads, 1))
    value = g.site(name + "_value", part(2), units(layer.value_site), "signed8", (heads, 1))
    query, value = (g.node("Transpose", [x], perm=[0, 2, 1, 3]) for x in (query, value))
    key = g.node("Transpose", [key], perm=[0, 2, 3, 1])
    bias = np.round(layer.bias().detach().double().numpy() / SCORE).clip(-MOST_SCORE, MOST_SCORE)
    scores = g.rounded(g.node("MatMul", [query, key]), SCORE, MOST_SCORE)
    scores = g.node("Add", [scores, g.stored(name + "_relation", bias, np.int16, SCORE)])
    below = g.node("Sub", [g.node("ReduceMax", [scores, g.shape(-1)], keepdims=1), scores])
    last = g.names["exponential_last"]
    place = g.node("Min", [g.node("Div", [below, g.number(SCORE)]), g.number(float(last))])
    share = g.cast(g.node("Gather", ["exponential", g.cast(place, TensorProto.INT64)]), TensorProto.DOUBLE)
    total = g.single(g.node("ReduceSum", [share, g.shape(-1)], keepdims=1))
    factor = g.node("Div", ["one", total])
    mixed = g.node("Mul", [g.single(g.node("MatMul", [share, value])), factor])
    mixed = g.node("Transpose", [g.cast(mixed, TensorProto.DOUBLE)], perm=[0, 2, 1, 3])
    mixed = g.site(name + "_out", mixed, out_unit, "signed7", (heads, 1))
    return g.node("Reshape", [mixed, g.shape(-1, SQUARES, inner)])


def rays(g, name, normal, layer, width, unit):
    """Values looked up where `heard` says; the 65th square has nothing."""
    depth = width // RAYS
    value = g.linear(name + "_ray_matrix", normal, layer.value, NORM_UNIT)
    value = g.node("Reshape", [value, g.shape(-1, SQUARES, RAYS, depth)])
    value = g.site(name + "_ray", value, unit, "signed7", (RAYS, 1))
    value = g.node("Pad", [value, g.shape(0, 0, 0, 0, 0, 1, 0, 0)])
    square = g.node("Expand", [g.node("Unsqueeze", ["heard", g.shape(-1)]), g.shape(1, 1, 1, depth)])
    value = g.node("GatherElements", [value, square], axis=1)
    return g.node("Reshape", [value, g.shape(-1, SQUARES, width)])


def mixing(g, name, normal, layer, width):
    """What a block's first half adds. Units of groups that are next to nothing are raised, so that sums of products
    with all units fit into 32 bits."""
    attended, heard = units(layer.attention.out_site), units(layer.rays.site)
    least = max(attended.max(), heard.max()) / MOST_SPREAD
    attended, heard = np.maximum(attended, least), np.maximum(heard, least)
    parts = [
        attention(g, name, normal, layer.attention, attended),
        rays(g, name, normal, layer.rays, width, heard),
    ]
    mixed = g.node("Concat", parts, axis=2)
    return g.linear(name + "_out_matrix", mixed, layer.out, min(attended.min(), heard.min()))


def policy(g, name, normal, head):
    origin = g.node("Mul", [g.linear(name + "_origin", normal, head.origin, NORM_UNIT), g.number(head.scale)])
    origin = g.site(name + "_origin_site", origin, units(head.origin_site), "signed7", None)
    target = g.linear(name + "_target", normal, head.target, NORM_UNIT)
    target = g.site(name + "_target_site", target, units(head.target_site), "signed8", None)
    scores = g.node("MatMul", [origin, g.node("Transpose", [target], perm=[0, 2, 1])])
    scores = g.fine(g.node("Reshape", [scores, g.shape(-1, SQUARES * SQUARES)]))
    pair = np.round(head.pair.detach().double().numpy() / FINE).clip(-MOST_OUTPUT, MOST_OUTPUT)
    pair = g.cast(g.constant(name + "_pair", pair.astype(np.int32)), TensorProto.DOUBLE)
    g.node("Add", [scores, pair], name)
    g.fine(g.linear(name + "_promotion_matrix", normal, head.promotion, NORM_UNIT), name + "_promotion")


def build(net):
    """The graph of a rounded BoardNetwork."""
    if not net.quantised or net.config.mixing != "both":
        raise SystemExit("only networks with attention and rays that have been trained with rounding can be exported")
    net = net.cpu().eval()
    config, heads = net.config, net.heads
    g = Graph()
    exponential = np.round(127 * np.exp(-SCORE * np.arange(2048)))
    last = int(np.argmin(exponential))  # the first zero
    g.constant("exponential", exponential[: last + 1].astype(np.uint8))
    g.names["exponential_last"] = last
    g.constant("one", np.array(1, np.float32))

    table = lambda name, values: g.stored(name, np.round(values.detach().double().numpy() / STREAM), np.int16, STREAM)
    now = g.node("Gather", [table("now_table", net.now), "now"], axis=0)
    past = g.node("Gather", [table("past_table", net.past), "past"], axis=0)
    past = g.node("Reshape", [past, g.shape(-1, 7, SQUARES, config.width)])
    past = g.node("ReduceSum", [past, g.shape(1)], keepdims=0)
    condition = g.node("MatMul", ["conditions", table("condition_table", net.condition)])
    condition = g.node("Reshape", [condition, g.shape(-1, 1, config.width)])
    tokens = g.node("Add", [g.node("Add", [now, past]), table("square_table", net.square)])
    tokens = g.node("Add", [tokens, condition])
    for number, block in enumerate(net.blocks):
        name = f"block_{number}"
        mixed = mixing(g, name, g.normalise(tokens, config.width), block.mixing, config.width)
        tokens = g.added(tokens, mixed)
        hidden = g.linear(name + "_rise", g.normalise(tokens, config.width), block.rise, NORM_UNIT)
        hidden = g.single(g.node("Relu", [hidden]))
        hidden = g.cast(g.node("Mul", [hidden, hidden]), TensorProto.DOUBLE)
        unit = units(block.site)
        hidden = g.site(name + "_hidden", hidden, unit, "unsigned7", None)
        tokens = g.added(tokens, g.linear(name + "_fall", hidden, block.fall, unit[0]))
    normal = g.normalise(tokens, config.width)
    policy(g, "played", normal, heads.played)
    policy(g, "taught", normal, heads.taught)
    pooled = g.node("Relu", [g.linear("pool", normal, heads.pool, NORM_UNIT)])
    pooled = g.node("Div", [g.node("ReduceSum", [pooled, g.shape(1)], keepdims=0), g.number(float(SQUARES))])
    unit = units(heads.site)
    pooled = g.site("pooled", pooled, unit, "unsigned7", None)
    end = g.node("Reshape", [g.linear("end_matrix", pooled, heads.end, unit[0]), g.shape(-1)])
    g.fine(end, "end")
    g.fine(g.linear("value_matrix", pooled, heads.value, unit[0]), "value")

    inputs = [
        ("now", TensorProto.INT64, SQUARES),
        ("past", TensorProto.INT64, 7 * SQUARES),
        ("conditions", TensorProto.DOUBLE, CONDITIONS),
        ("heard", TensorProto.INT64, SQUARES, RAYS),
    ]
    shapes = {
        "played": [SQUARES**2],
        "taught": [SQUARES**2],
        "played_promotion": [SQUARES, 4],
        "taught_promotion": [SQUARES, 4],
        "end": [],
        "value": [3],
    }
    graph = helper.make_graph(
        g.nodes,
        "board",
        [helper.make_tensor_value_info(name, kind, ["B", *sizes]) for name, kind, *sizes in inputs],
        [helper.make_tensor_value_info(name, TensorProto.DOUBLE, ["B", *shape]) for name, shape in shapes.items()],
        g.initializers,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    helper.set_model_props(
        model,
        {
            "plyzip.board": str(FORMAT_VERSION),
            "plyzip.view": str(VIEW_VERSION),
            "plyzip.network": json.dumps(net.record()),
        },
    )
    onnx.checker.check_model(model)
    return model


def inputs_of(seen, net):
    """The graph's inputs for a View; `net` knows the squares of a board."""
    back = torch.arange(7, device=seen.past.device)[:, None] * PAST
    return {
        "now": seen.now.long().numpy(),
        "past": (seen.past.long() + back).flatten(1).numpy(),
        "conditions": seen.conditions.double().numpy(),
        "heard": net.heard(seen).numpy(),
    }


def logits_of(found, seen, name):
    """The exported scores of a View's legal moves, in nats, as the network orders them."""
    pair, promotion = seen.pair.numpy(), seen.promotion.numpy()
    rows = np.arange(len(pair))[:, None]
    kinds = np.pad(found[name + "_promotion"], ((0, 0), (0, 0), (1, 0)))
    scores = found[name][rows, pair] + kinds[rows, pair & 63, promotion]
    return np.where(seen.legal.numpy(), scores * FINE, -1e9)


def runner(model):
    """A function from inputs to outputs, by onnxruntime. (The evaluator of the onnx package knows the operators, too,
    but not `GatherElements` along more than 64 entries.)"""
    names = [output.name for output in model.graph.output]
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL  # no cast is left out
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    return lambda inputs: dict(zip(names, session.run(None, inputs)))


def fit_stream(net, seen):
    """Makes the residual stream of a network so small that it is not clipped: by a power of two, which its readers do
    not notice. Returns the factor."""
    excess = ROOM * net.largest_in_stream(seen) / (MOST_STREAM * STREAM)
    factor = 2.0 ** -max(0, math.ceil(math.log2(excess)))
    net.scale_stream(factor)
    return factor


@torch.no_grad()
def compare(model, net, corpus, index, most_moves=224):
    """Bits a move of the graph and of the network in f32, and how far their logits are apart."""
    run, bits, apart, count = runner(model), np.zeros(2), [], 0
    for begin in range(0, len(index), 256):
        batch = corpus.batch(index[begin : begin + 256], most_moves)
        seen = view(batch)
        exact = logits_of(run(inputs_of(seen, net)), seen, "played")
        float_logits = net(seen)[0].double().numpy()
        legal = seen.legal.numpy()
        apart.append(np.abs(exact - float_logits)[legal])
        moves = (~batch.ended & batch.legal.any(dim=1)).numpy()
        for place, logits in enumerate((exact, float_logits)):
            lost = np.logaddexp.reduce(logits, axis=1) - logits[np.arange(len(logits)), batch.played.numpy()]
            bits[place] += lost[moves].sum() / math.log(2)
        count += moves.sum()
    apart = np.concatenate(apart)
    return {
        "positions": len(index),
        "graph_bits": round(bits[0] / count, 4),
        "network_bits": round(bits[1] / count, 4),
        "logits_apart_mean": round(float(apart.mean()), 4),
        "logits_apart_99": round(float(np.quantile(apart, 0.99)), 4),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", help="portable file of a run")
    parser.add_argument("out", help="the ONNX file")
    parser.add_argument("--corpus", help="expanded games to compare on")
    parser.add_argument("--positions", type=int, default=1024)
    parser.add_argument("--last-games", type=int, default=4000)
    options = parser.parse_args()
    net = checkpoint.load(options.network)[0].eval()
    found = {}
    if options.corpus:
        corpus = Corpus(options.corpus)
        index = corpus.lessons(max(0, corpus.games - options.last_games))
        index = index[torch.linspace(0, len(index) - 1, min(options.positions, len(index))).long()]
        found["stream_factor"] = fit_stream(net, view(corpus.batch(index, 1)))
    model = build(net)
    onnx.save(model, options.out + ".new")
    os.replace(options.out + ".new", options.out)
    found |= {"bytes": os.path.getsize(options.out), "multiply_adds": net.config.multiply_adds()}
    if options.corpus:
        found |= compare(model, net, corpus, index)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
