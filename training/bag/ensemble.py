"""Several networks as one, whose logits are a weighted mean of theirs.

The layers stand side by side: tables and biases one after the other, matrices as blocks of a larger one, and
the last weights, which add up to logits, each times the share of its network. So an ensemble is
a network like any other, as wide as all of them together.
"""

import torch

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
