"""Takes a network out of a model's ONNX file, as a checkpoint of `train.py`, to train it further.

    PYTHONPATH=training python3 -m bag.import_network models/standard.onnx run/checkpoint.pt
    PYTHONPATH=training python3 -m bag.import_network models/max.onnx first.pt second.pt third.pt

The weights are the rounded ones, so that the checkpoint computes what the model does. There are no momenta in it.
With several outputs, as many as an ensemble has networks, each gets one of them (`ensemble.py`).
"""

import argparse

import onnx
import torch
from onnx import numpy_helper

from bag.ensemble import apart
from bag.network import Network

# Parameters and what they are called in the file (`export.py`); matrices stand turned there.
MATRICES = {
    "board_1": "board_1",
    "board_2": "board_2",
    "join": "join",
    "squares": "square_scores",
    "end": "end",
    "move_1": "move_1",
    "score": "score",
}
BIASES = {
    "board_1_bias": "board_1_bias",
    "board_2_bias": "board_2_bias",
    "squares_bias": "square_scores_bias",
    "end_bias": "end_bias",
    "move_1_bias": "move_1_bias",
}


def network_of(path):
    """The network of a model, or its ensemble. Activations are 32 to the nat in the file, biases with them."""
    values = {entry.name: entry for entry in onnx.load(path).graph.initializer}
    array = lambda name: torch.from_numpy(numpy_helper.to_array(values[name]).copy()).double()
    net = Network(*(array(name).numel() for name in ("board_table_bias", "board_1_bias", "move_table_bias")))
    state = {}
    for name in ("board_table", "move_table"):
        unit = array(name + "_units") * array(name + "_unit") / 32
        state[name] = array(name) * unit.reshape(-1, 1)
        state[name.replace("table", "bias")] = array(name + "_bias") / 32
    for name, stored in MATRICES.items():
        state[name] = (array(stored) * array(stored + "_unit")).T
    for name, stored in BIASES.items():
        state[name] = array(stored) / 32
    net.load_state_dict({name: value.float() for name, value in state.items()})
    return net


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("out", nargs="+")
    options = parser.parse_args()
    for net, out in zip(apart(network_of(options.model), len(options.out)), options.out):
        torch.save({"net": net.state_dict(), "sizes": list(net.sizes), "step": 0}, out)


if __name__ == "__main__":
    main()
