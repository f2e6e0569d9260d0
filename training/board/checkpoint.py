"""What a run leaves behind: its whole state for this machine, and a small file that travels.

The small file holds the averaged weights in bf16 with all that is needed to rebuild the network or to go on from it.
"""

import os

import torch

from board.network import BoardNetwork, Config
from board.view import VIEW_VERSION


def write(path, record):
    torch.save(record, path + ".new")
    os.replace(path + ".new", path)


def portable(net, average, progress):
    """A record of the averaged weights; buffers (units of the sites) stay f32."""
    parameters = dict(net.named_parameters())
    weights = {
        name: average[name].to(torch.bfloat16) if name in parameters else value
        for name, value in net.state_dict().items()
    }
    weights = {name: value.cpu().clone() for name, value in weights.items()}
    return {"view": VIEW_VERSION, "network": net.record(), "weights": weights, "progress": progress}


def load(path, device="cpu"):
    """The network of a portable file, in f32, and its record."""
    record = torch.load(path, weights_only=True, map_location="cpu")
    if record["view"] != VIEW_VERSION:
        raise ValueError(f"{path} sees version {record['view']} of the view, not {VIEW_VERSION}")
    sizes = dict(record["network"])
    quantised = sizes.pop("quantised")
    net = BoardNetwork(Config(**sizes))
    net.load_state_dict({name: value.float() for name, value in record["weights"].items()})
    net.quantised = quantised
    return net.to(device), record
