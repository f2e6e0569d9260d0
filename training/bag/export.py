"""Writes a checkpoint as an ONNX graph that computes in exact arithmetic.

    PYTHONPATH=training python3 -m bag.export run/checkpoint.pt models/standard.onnx --name standard

All numbers in the graph are f32, but every one of them is an integer times a known
power of two, and no sum can reach 2^24 of its units: so each operation is
exact in any order, with or without fused multiplication. The bounds are
proved here and again by the program that loads the graph. Activations are integers
from 0 to 127; adding and subtracting 1.5 x 2^23 rounds to integers, half to even.

The graph's inputs are i64 indices: `boards` (B, slots), `moves` (R, slots), `rows` (R,) the
position of each move, `squares` (R, 2) the places of the move's squares in the
flattened (B, 768) square scores. Its outputs are i32-valued f32 in units of 2^-16 nat:
`logits` (R,) and `ends` (B,). `plyzip.check` in the metadata is what an integer
implementation, below, computes for a generated input.

With `--beside CHECKPOINT...` the graph is of an ensemble (`ensemble.py`).

What goes with a network besides, books and a search, is added by `equip.py`.
"""

import argparse
import json
import os

import blake3
import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from bag.ensemble import ensemble, shares_of
from bag.network import (
    BOARD_FEATURES,
    BOARD_SLOTS,
    MOVE_FEATURES,
    MOVE_SLOTS,
    SQUARES,
    TABLE_SHIFT,
    Network,
    table_shift,
    weight_shift,
)
from schema import schema

ROUNDING = 12582912.0  # 1.5 x 2^23
OUTPUT_SCALE = 2048.0  # activations are 32 to the nat, outputs 65536


class Graph:
    """An ONNX graph under construction; `integer` holds the same weights as integers."""

    def __init__(self):
        self.nodes, self.initializers, self.integer, self.count = [], [], {}, 0

    def constant(self, name, array):
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(self, op, inputs, name=None, **attributes):
        self.count += 1
        name = name or f"{op.lower()}_{self.count}"
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        return name

    def table(self, name, table, bias):
        """Tables of 8 bits with a power-of-two unit for each row, at the finest 2^-10 nat, which is 2^-5
        of an activation and the unit of the bias."""
        shift = table_shift(torch.from_numpy(table)).numpy().astype(np.int64)
        entries = np.round(table * 2.0**shift).astype(np.int64)
        assert np.abs(entries).max() <= 127, f"{name} does not fit 8 bits"
        assert shift.max() - shift.min() < 8, f"the units of {name} do not fit 8 bits"
        self.integer[name] = entries << (TABLE_SHIFT - shift), np.round(bias * 1024).astype(np.int64)
        stored = self.constant(name, entries.astype(np.int8))
        stored = self.node("Cast", [stored], to=TensorProto.FLOAT)
        # The units in bytes too, as multiples of the finest.
        unit = self.constant(name + "_units", (1 << shift.max() - shift).astype(np.uint8))
        unit = self.node("Cast", [unit], to=TensorProto.FLOAT)
        finest = self.constant(name + "_unit", np.array(32 * 2.0 ** -shift.max(), np.float32))
        stored = self.node("Mul", [stored, self.node("Mul", [unit, finest])])
        bias = np.round(bias * 1024).astype(np.float32) / 32
        return stored, self.constant(name + "_bias", bias)

    def bag(self, table, bias, indices):
        rows = self.node("Gather", [table, indices], axis=0)
        total = self.node("ReduceSum", [rows, "axis_1"], keepdims=0)
        return self.node("Add", [total, bias])

    def activation(self, value):
        value = self.node("Clip", [value, "lowest", "highest"])
        return self.node("Sub", [self.node("Add", [value, "rounding"]), "rounding"])

    def linear(self, name, value, weight, bias=None, added=()):
        """Weights of 8 bits with a power-of-two unit for each output."""
        shift = weight_shift(*map(torch.from_numpy, (weight, *added)))
        shift = shift.numpy()[:, 0].astype(np.int64)
        entries = np.round(weight * 2.0 ** shift[:, None]).astype(np.int64)
        assert np.abs(entries).max() <= 127
        offset = np.zeros(len(weight)) if bias is None else bias
        # The bias in the unit of the products: 2^-shift of 1/32 nat.
        offset = np.round(offset * 32 * 2.0**shift).astype(np.int64)
        self.integer[name] = entries, shift, offset
        stored = self.constant(name, entries.T.astype(np.int8))
        stored = self.node("Cast", [stored], to=TensorProto.FLOAT)
        unit = self.constant(name + "_unit", (2.0 ** -shift).astype(np.float32))
        product = self.node("MatMul", [value, self.node("Mul", [stored, unit])])
        if bias is None:
            return product
        return self.node(
            "Add", [product, self.constant(name + "_bias", (offset * 2.0**-shift).astype(np.float32))]
        )


def build(weights):
    g = Graph()
    w = {name: value.numpy().astype(np.float64) for name, value in weights.items()}
    for name, value in [
        ("lowest", 0), ("highest", 127), ("rounding", ROUNDING),
        ("output_scale", OUTPUT_SCALE),
    ]:
        g.constant(name, np.array(value, np.float32))
    g.constant("axis_1", np.array([1], np.int64))
    g.constant("flat", np.array([-1], np.int64))

    h = g.activation(g.bag(*g.table("board_table", w["board_table"], w["board_bias"]), "boards"))
    h = g.activation(g.linear("board_1", h, w["board_1"], w["board_1_bias"]))
    second = g.linear("board_2", h, w["board_2"], w["board_2_bias"])
    h = g.activation(g.node("Add", [second, h]))
    joined = g.linear("join", h, w["join"])
    squares = g.linear("square_scores", h, w["squares"], w["squares_bias"], [w["score"]])
    end = g.linear("end", h, w["end"], w["end_bias"])
    ends = g.node("Reshape", [g.node("Mul", [end, "output_scale"]), "flat"], "ends")

    bag = g.bag(*g.table("move_table", w["move_table"], w["move_bias"]), "moves")
    z = g.activation(g.node("Add", [bag, g.node("Gather", [joined, "rows"], axis=0)]))
    first = g.linear("move_1", z, w["move_1"], w["move_1_bias"])
    z = g.activation(g.node("Add", [first, z]))
    score = g.node("Reshape", [g.linear("score", z, w["score"], added=[w["squares"]]), "flat"])
    chosen = g.node("Gather", [g.node("Reshape", [squares, "flat"]), "squares"], axis=0)
    chosen = g.node("ReduceSum", [chosen, "axis_1"], keepdims=0)
    logits = g.node("Mul", [g.node("Add", [score, chosen]), "output_scale"], "logits")
    return g, [logits, ends]


def split_mix(count):
    """The generator of the check's input: SplitMix64 from state 1."""
    state = (1 + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def check_input(positions=4, rows=160):
    random = split_mix(positions * BOARD_SLOTS + rows * (MOVE_SLOTS + 1))
    take, rest = random[: positions * BOARD_SLOTS], random[positions * BOARD_SLOTS :]
    boards = (take % np.uint64(BOARD_FEATURES)).astype(np.int64).reshape(positions, BOARD_SLOTS)
    rest = rest.reshape(rows, MOVE_SLOTS + 1)
    moves = (rest[:, :MOVE_SLOTS] % np.uint64(MOVE_FEATURES)).astype(np.int64)
    moves[:, :2] %= SQUARES
    moves[:, 1] += SQUARES
    return boards, moves, (rest[:, MOVE_SLOTS] % np.uint64(positions)).astype(np.int64)


def reference(integer, boards, moves, rows):
    """The network in int64 alone: logits and ends in units of 2^-16 nat."""

    def activation(value, shift):
        # value in units of 2^-shift of an activation; round half to even
        value = np.clip(value, 0, 127 << shift)
        floor, rest, half = value >> shift, value & ((1 << shift) - 1), 1 << (shift - 1)
        return floor + ((rest > half) | ((rest == half) & (floor & 1 == 1)))

    def bag(name, indices):
        table, bias = integer[name]
        return table[indices].sum(1) + bias  # units of 2^-5

    def linear(name, value):
        """In units of 2^-11 of an activation, whatever the row's own."""
        weight, shift, offset = integer[name]
        return (value @ weight.T + offset) << (11 - shift)

    h = activation(bag("board_table", boards), 5)
    h = activation(linear("board_1", h), 11)
    h = activation(linear("board_2", h) + (h << 11), 11)
    joined, squares = linear("join", h), linear("square_scores", h)
    z = activation((bag("move_table", moves) << 6) + joined[rows], 11)
    z = activation(linear("move_1", z) + (z << 11), 11)
    logits = linear("score", z)[:, 0] + squares[rows, moves[:, 0]]
    logits += squares[rows, moves[:, 1]]
    return logits, linear("end", h)[:, 0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint")
    parser.add_argument("out")
    parser.add_argument("--name", required=True)
    parser.add_argument(
        "--validation",
        default="40,960 positions of valid.pgn (2023-07 to 2023-12), the first network alone",
        help="what the log's validation was measured on",
    )
    parser.add_argument("--seed", type=int, default=1, help="of the training, for the manifest")
    parser.add_argument("--beside", nargs="*", default=[], help="checkpoints whose logits are averaged with its own")
    parser.add_argument("--recipe", default="", help="how the checkpoint was trained, for the manifest")
    options = parser.parse_args()
    state = torch.load(options.checkpoint, weights_only=True)
    others = [torch.load(path, weights_only=True) for path in options.beside]
    weights, sizes = ensemble([(each["net"], each["sizes"]) for each in [state, *others]], shares_of(1 + len(others)))
    net = Network(*sizes)
    net.load_state_dict(weights)
    weights = {name: value.detach() for name, value in net.state_dict().items()}
    # The padding row is a row of zeros in training.
    weights["board_table"][schema.board.padding] = 0
    graph, outputs = build(weights)

    boards, moves, rows = check_input()
    logits, ends = reference(graph.integer, boards, moves, rows)
    digest = blake3.blake3(np.concatenate([logits, ends]).astype("<i4").tobytes()).hexdigest()
    net.quantised = True
    net.eval()  # no dropout
    with torch.no_grad():
        floating = net(torch.from_numpy(boards), torch.from_numpy(moves), torch.from_numpy(rows))
    worst = max(
        np.abs(f.numpy() * 65536 - i).max() for f, i in zip(floating, (logits, ends))
    )
    print(f"integers and training differ by at most {worst / 65536:.5f} nat")

    shapes = {"boards": ["B", BOARD_SLOTS], "moves": ["R", MOVE_SLOTS], "rows": ["R"], "squares": ["R", 2]}
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, s) for n, s in shapes.items()]
    outputs = [
        helper.make_tensor_value_info(n, TensorProto.FLOAT, s)
        for n, s in zip(outputs, (["R"], ["B"]))
    ]
    onnx_graph = helper.make_graph(graph.nodes, "plyzip", inputs, outputs, graph.initializers)
    model = helper.make_model(onnx_graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    properties = {
        schema.model.properties.name: options.name,
        schema.model.properties.features_version: str(schema.features_version),
        schema.model.properties.check: digest,
    }
    helper.set_model_props(model, properties)
    onnx.checker.check_model(model)
    data = model.SerializeToString(deterministic=True)
    with open(options.out, "wb") as file:
        file.write(data)
    write_manifest(options, state, others, sizes, data, digest)


def write_manifest(options, state, others, sizes, data, digest):
    """What the weights are and what made them, beside the graph."""
    log = os.path.join(os.path.dirname(options.checkpoint), "log.jsonl")
    records = []
    if os.path.exists(log):  # a network that was taken out of a model has none
        with open(log) as file:
            records = [json.loads(line) for line in file]
    records = [record for record in records if record["step"] == state["step"]]
    board, context, move = sizes
    manifest = {
        "name": options.name,
        "file": os.path.basename(options.out),
        "bytes": len(data),
        "blake3": blake3.blake3(data).hexdigest(),
        "check": digest,
        "features_version": schema.features_version,
        "architecture": {
            "description": "board bag -> clipped ReLU layers; each move: bag + projected board -> "
            "residual layer -> logit, plus from- and to-square logits of the board; end logit",
            "board_features": BOARD_FEATURES,
            "move_features": MOVE_FEATURES,
            "board_widths": [board, context, context],
            "move_widths": [move, move],
            "arithmetic": "exact f32: activations 0..127, weights and tables int8 x 2^-s",
        },
        "data": "train.pgn: 421,842 master games up to 2023-06, 35,040,644 plies",
        "recipe": options.recipe,
        "seed": options.seed,
        "steps": state["step"],
        "beside_networks_of_steps": [other["step"] for other in others],
        "positions_seen": state["step"] * 2048,
    }
    if records:
        last = records[-1]
        manifest["validation"] = {
            "data": options.validation,
            "quantised": last["quantised"],
            "bits_per_move": last["move"],
            "bits_per_ply_for_the_end": last["end"],
            "bits_by_ply_0_10_20_40_80": last["by_ply"],
        }
    with open(os.path.splitext(options.out)[0] + ".json", "w") as file:
        json.dump(manifest, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main()
