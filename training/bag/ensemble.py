"""Several networks as one, whose logits are a weighted mean of theirs.

The layers stand side by side: tables and biases one after the other, matrices as blocks of a larger one, and
the last weights, which add up to logits, each times the share of its network. So an ensemble is
a network like any other, as wide as all of them together.
"""

import torch

from bag.network import Network

BESIDE = "board_table", "board_bias", "board_1_bias", "board_2_bias", "move_table", "move_bias", "move_1_bias"
BLOCKS = "board_1", "board_2", "join", "move_1"
LAST = "squares", "end", "score"
OFFSETS = "squares_bias", "end_bias"


def ensemble(networks, shares):
    """The weights and the sizes of the network that computes the sum of `shares` times the logits of
    `networks`, each a pair of weights and sizes. Shares that are powers of two leave rounded weights as they are."""
    weights = [network for network, _ in networks]
    parts = lambda name: [network[name] for network in weights]
    shared = lambda name: [share * part for share, part in zip(shares, parts(name))]
    merged = {name: torch.cat(parts(name), -1) for name in BESIDE}
    merged |= {name: torch.block_diag(*parts(name)) for name in BLOCKS}
    merged |= {name: torch.cat(shared(name), 1) for name in LAST}
    merged |= {name: sum(shared(name)) for name in OFFSETS}
    return merged, [sum(sizes) for sizes in zip(*(sizes for _, sizes in networks))]


def shares_of(count):
    """The shares of `count` networks in the mean: a half for the first, equal parts of the other half for the rest."""
    return [0.5] + [0.5 / (count - 1)] * (count - 1) if count > 1 else [1]


def apart(network, count):
    """The networks of an ensemble of `count` networks of one shape, each a `Network`. Offsets were added up, and each
    network gets their sum: so the ensemble of what this returns is `network`, or a `ValueError` is raised."""
    weights, sizes = network.state_dict(), [size // count for size in network.sizes]
    networks = []
    for part, share in enumerate(shares_of(count)):
        own = Network(*sizes)
        state = {}
        for name, value in own.state_dict().items():
            rows, columns = (slice(part * size, (part + 1) * size) for size in (value.shape[0], value.shape[-1]))
            if name in BESIDE:
                state[name] = weights[name][..., columns]
            elif name in BLOCKS:
                state[name] = weights[name][rows, columns]
            elif name in LAST:
                state[name] = weights[name][:, columns] / share
            else:
                state[name] = weights[name]
        own.load_state_dict(state)
        networks.append(own)
    again, _ = ensemble([(own.state_dict(), own.sizes) for own in networks], shares_of(count))
    if not all(torch.equal(again[name], value) for name, value in weights.items()):
        raise ValueError(f"this is no ensemble of {count} networks of one shape")
    return networks
