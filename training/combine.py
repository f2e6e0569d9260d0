"""Makes one network of several that were trained apart.

    python3 training/combine.py average out/checkpoint.pt 0.5:a/checkpoint.pt 0.5:b/checkpoint.pt \
        --valid valid.packed
    python3 training/combine.py beside out/checkpoint.pt 0.5:a/checkpoint.pt 0.5:b/checkpoint.pt \
        --valid valid.packed

`average` takes the weighted mean of all weights, which makes sense for networks that
continue one another. `beside` makes a network as wide as all together, whose logits are the weighted sums
of theirs. A record of its validation goes to `log.jsonl` beside the checkpoint, where `export.py` looks
for it.
"""

import argparse
import json
import os

import torch

from network import Network
from train import Batches, validate


def average(states, shares):
    names = states[0]["net"]
    mean = {n: sum(share * s["net"][n] for share, s in zip(shares, states)) for n in names}
    return states[0]["sizes"], mean


def beside(states, shares):
    nets = [state["net"] for state in states]
    all_of = lambda name: [net[name] for net in nets]
    shared = lambda name: [share * net[name] for share, net in zip(shares, nets)]
    weights = {}
    for name in ("board_table", "move_table", "squares", "end", "score"):
        outputs = name in ("squares", "end", "score")
        weights[name] = torch.cat(shared(name) if outputs else all_of(name), dim=1)
    for name in ("board_1", "board_2", "join", "move_1"):
        weights[name] = torch.block_diag(*all_of(name))
    for name in ("board_bias", "board_1_bias", "board_2_bias", "move_bias", "move_1_bias"):
        weights[name] = torch.cat(all_of(name))
    for name in ("squares_bias", "end_bias"):
        weights[name] = sum(shared(name))
    return [sum(sizes) for sizes in zip(*(state["sizes"] for state in states))], weights


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("how", choices=("average", "beside"))
    parser.add_argument("out")
    parser.add_argument("checkpoints", nargs="+", help="SHARE:FILE")
    parser.add_argument("--valid", required=True)
    parser.add_argument("--tool", default="target/release/examples/training_data")
    parser.add_argument("--valid-batches", type=int, default=20)
    options = parser.parse_args()
    shares, files = zip(*(checkpoint.split(":", 1) for checkpoint in options.checkpoints))
    states = [torch.load(file, weights_only=True) for file in files]
    combine = {"average": average, "beside": beside}[options.how]
    sizes, weights = combine(states, [float(share) for share in shares])
    net = Network(*sizes)
    net.load_state_dict(weights)
    net.quantised = True
    step = max(state["step"] for state in states)
    batches = Batches(options.tool, "batches", options.valid, 0, 2048)
    record = {"step": step, "quantised": True}
    record |= validate(net, [batches.next() for _ in range(options.valid_batches)])
    batches.close()
    print(json.dumps(record))
    os.makedirs(os.path.dirname(options.out) or ".", exist_ok=True)
    torch.save({"net": net.state_dict(), "step": step, "sizes": sizes}, options.out)
    with open(os.path.join(os.path.dirname(options.out), "log.jsonl"), "w") as file:
        file.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
