"""Writes the small model of the golden archives: a network of the form that `training/bag/export.py` writes, about as
small as the features allow, with weights drawn from a seed.

    python3 tests/archives/small_model.py small.onnx

It predicts nothing. It is there so that an archive can hold a model's file without being large, and so that a network
of other widths than those that ship is decoded for as long as its generation is. Needs numpy, onnx and blake3.
"""

import json
import sys
from pathlib import Path

import blake3
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "training/schema.json").read_text())
BOARD, MOVES = SCHEMA["board"], SCHEMA["moves"]
SQUARES = 384
# Columns of the table of board features, units of the position's layers, columns of the table of move features.
WIDTHS = 4, 8, 2
ROUNDING = 12582912.0  # 1.5 x 2^23
# Finest units: 2^-5 of an activation in tables, 2^-7 in matrices.
TABLE_UNIT, MATRIX_UNIT = 5, 7


def split_mix(seed, count):
    """SplitMix64, as `codec/src/split_mix.rs` has it."""
    state = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


class Graph:
    """The graph under construction, and the same weights as integers."""

    def __init__(self):
        self.nodes, self.initializers, self.integers = [], [], {}

    def constant(self, name, array):
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(self, op, inputs, name=None, **attributes):
        name = name or f"{op.lower()}_{len(self.nodes) + 1}"
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        return name

    def draw(self, count, largest):
        """Integers from -largest to largest; each array has numbers of its own."""
        numbers = split_mix(1000 * (len(self.integers) + 1), count)
        return (numbers % np.uint64(2 * largest + 1)).astype(np.int64) - largest

    def bag(self, name, rows, width, indices):
        """The sum of a table's rows. Rows have units of their own: once, twice or four times the finest."""
        entries = self.draw(rows * width, 31).reshape(rows, width)
        units = 1 << np.arange(rows) % 3
        if name == "boards":
            entries[BOARD["padding"]] = 0
        bias = 64 * np.arange(width)
        self.integers[name] = entries * units[:, None], bias
        stored = self.node("Cast", [self.constant(name + "_table", entries.astype(np.int8))], to=TensorProto.FLOAT)
        unit = self.constant(name + "_units", units.astype(np.uint8)[:, None])
        unit = self.node("Cast", [unit], to=TensorProto.FLOAT)
        finest = self.constant(name + "_unit", np.array(2.0**-TABLE_UNIT, np.float32))
        table = self.node("Mul", [stored, self.node("Mul", [unit, finest])])
        summed = self.node("ReduceSum", [self.node("Gather", [table, indices], axis=0), "axis_1"], keepdims=0)
        return self.node("Add", [summed, self.constant(name + "_bias", (bias * 2.0**-TABLE_UNIT).astype(np.float32))])

    def linear(self, name, value, inputs, outputs, largest, bias=True):
        """A product with weights of 8 bits. Outputs have units of their own: the finest, or twice that."""
        entries = self.draw(inputs * outputs, largest).reshape(inputs, outputs)
        units = 1 << np.arange(outputs) % 2
        offset = 16 * (np.arange(outputs) % 9 - 2) if bias else np.zeros(outputs, np.int64)
        self.integers[name] = entries * units, offset
        stored = self.node("Cast", [self.constant(name + "_weights", entries.astype(np.int8))], to=TensorProto.FLOAT)
        unit = self.constant(name + "_unit", (units * 2.0**-MATRIX_UNIT).astype(np.float32))
        product = self.node("MatMul", [value, self.node("Mul", [stored, unit])])
        if not bias:
            return product
        offset = self.constant(name + "_bias", (offset * 2.0**-MATRIX_UNIT).astype(np.float32))
        return self.node("Add", [product, offset])

    def activation(self, value):
        value = self.node("Clip", [value, "lowest", "highest"])
        return self.node("Sub", [self.node("Add", [value, "rounding"]), "rounding"])


def build():
    """The graph, and the names of its outputs."""
    g = Graph()
    board, context, move = WIDTHS
    # Activations are 32 to the nat, outputs 65536.
    for name, value in [("lowest", 0), ("highest", 127), ("rounding", ROUNDING), ("output_scale", 2048)]:
        g.constant(name, np.array(value, np.float32))
    g.constant("axis_1", np.array([1], np.int64))
    g.constant("flat", np.array([-1], np.int64))
    h = g.activation(g.bag("boards", BOARD["features"], board, "boards"))
    h = g.activation(g.linear("board_1", h, board, context, 90))
    h = g.activation(g.node("Add", [g.linear("board_2", h, context, context, 60), h]))
    joined = g.linear("join", h, context, move, 60, bias=False)
    squares = g.linear("square_scores", h, context, 2 * SQUARES, 31)
    end = g.linear("end", h, context, 1, 31)
    ends = g.node("Reshape", [g.node("Mul", [end, "output_scale"]), "flat"], "ends")
    bag = g.bag("moves", MOVES["features"], move, "moves")
    z = g.activation(g.node("Add", [bag, g.node("Gather", [joined, "rows"], axis=0)]))
    z = g.activation(g.node("Add", [g.linear("move_1", z, move, move, 90), z]))
    score = g.node("Reshape", [g.linear("score", z, move, 1, 120, bias=False), "flat"])
    chosen = g.node("Gather", [g.node("Reshape", [squares, "flat"]), "squares"], axis=0)
    chosen = g.node("ReduceSum", [chosen, "axis_1"], keepdims=0)
    logits = g.node("Mul", [g.node("Add", [score, chosen]), "output_scale"], "logits")
    return g, [logits, ends]


def check_input(positions=4, rows=160):
    """The input whose output the file records (`Network::verify` in `codec/src/network/graph.rs`)."""
    random = split_mix(1, positions * BOARD["slots"] + rows * (MOVES["slots"] + 1))
    take, rest = np.split(random, [positions * BOARD["slots"]])
    boards = (take % np.uint64(BOARD["features"])).astype(np.int64).reshape(positions, BOARD["slots"])
    rest = rest.reshape(rows, MOVES["slots"] + 1)
    moves = (rest[:, :-1] % np.uint64(MOVES["features"])).astype(np.int64)
    moves[:, :2] %= SQUARES
    moves[:, 1] += SQUARES
    return boards, moves, (rest[:, -1] % np.uint64(positions)).astype(np.int64)


def outputs_of(integers, boards, moves, rows):
    """The network in integers: logits and ends in units of 2^-16 nat."""

    def activation(value, bits):
        """From units of 2^-bits; half to even."""
        value = np.clip(value, 0, 127 << bits)
        floor, rest, half = value >> bits, value & ((1 << bits) - 1), 1 << (bits - 1)
        return floor + ((rest > half) | ((rest == half) & (floor & 1 == 1)))

    def bag(name, indices):
        table, bias = integers[name]
        return table[indices].sum(1) + bias

    def linear(name, value):
        weights, offset = integers[name]
        return value @ weights + offset

    h = activation(bag("boards", boards), TABLE_UNIT)
    h = activation(linear("board_1", h), MATRIX_UNIT)
    h = activation(linear("board_2", h) + (h << MATRIX_UNIT), MATRIX_UNIT)
    joined, squares, ends = linear("join", h), linear("square_scores", h), linear("end", h)[:, 0]
    z = activation((bag("moves", moves) << MATRIX_UNIT - TABLE_UNIT) + joined[rows], MATRIX_UNIT)
    z = activation(linear("move_1", z) + (z << MATRIX_UNIT), MATRIX_UNIT)
    logits = linear("score", z)[:, 0] + squares[rows, moves[:, 0]] + squares[rows, moves[:, 1]]
    return logits << 11 - MATRIX_UNIT, ends << 11 - MATRIX_UNIT


def main():
    graph, outputs = build()
    numbers = np.concatenate(outputs_of(graph.integers, *check_input()))
    shapes = {"boards": ["B", BOARD["slots"]], "moves": ["R", MOVES["slots"]], "rows": ["R"], "squares": ["R", 2]}
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name, shape in shapes.items()]
    outputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in zip(outputs, (["R"], ["B"]))
    ]
    onnx_graph = helper.make_graph(graph.nodes, "plyzip", inputs, outputs, graph.initializers)
    model = helper.make_model(onnx_graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    keys = SCHEMA["model"]["properties"]
    properties = {
        keys["name"]: "small",
        keys["features_version"]: str(SCHEMA["features_version"]),
        keys["check"]: blake3.blake3(numbers.astype("<i4").tobytes()).hexdigest(),
        keys["built_in_book"]: blake3.blake3((ROOT / "codec/tables/book.bin").read_bytes()).hexdigest(),
    }
    helper.set_model_props(model, properties)
    onnx.checker.check_model(model)
    Path(sys.argv[1]).write_bytes(model.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
