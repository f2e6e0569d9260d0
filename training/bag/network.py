"""The move-scoring network, trained in floating point as it will run in integers.

A position is a bag of board features, a move a bag of move features (see
`codec/src/features/index.rs` for their indices). The board's vector joins each move's, two
small layers turn the sum into a logit, and two linear maps of the
board's vector add what speaks for the squares of departure and arrival. One
more output is the logit of "the game ends here".

A second head, `Taught`, says from the same vectors what a teacher would play (`taught.py`).

Activations are multiples of 1/32 from 0 to 127/32; weights of matrices and tables have 8 bits
and a power-of-two scale for each row. All of it is imitated here with straight-through rounding, so that the
exported graph computes the same numbers with exact arithmetic.
"""

import math

import torch
import torch.nn.functional as F

from bag.kernels import Bag, Clip
from schema import schema

BOARD_SLOTS, MOVE_SLOTS = schema.board.slots, schema.moves.slots
BOARD_FEATURES, MOVE_FEATURES = schema.board.features, schema.moves.features
# The (role, from) and (role, to) move features: their first indices, and how many there are of each.
(_, FROM, SQUARES), (_, TO, _) = schema.moves.ranges[:2]
ACTIVATION_UNIT, ACTIVATION_MAX = 1 / 32, 127
MAX_SHIFT = 11  # finest unit of a matrix is 2^-11
TABLE_SHIFT = 10  # and of a table 2^-10
DROPOUT = 0.15  # of the board's units


def through(value, rounded):
    """`rounded` in the forward pass, the gradient of `value` in the backward pass."""
    return value + (rounded - value).detach()


def weight_shift(weight, *added):
    """For each row s with row * 2^s in int8, as fine as it goes; but no finer than lets sums of
    its outputs and those of the weights `added` to them stay below 2^24 units of the
    finest row, for inputs up to 127."""
    largest = weight.detach().abs().amax(dim=1, keepdim=True).clamp_min(1e-6)
    bound = max(w.detach().abs().sum(dim=1).amax().item() for w in (weight, *added))
    finest = math.floor(math.log2(2.0**22 / (bound * ACTIVATION_MAX)))
    return torch.floor(torch.log2(127 / largest)).clamp(0, min(MAX_SHIFT, finest))


def table_shift(table):
    """For each row s with row * 2^s in int8, as fine as it goes."""
    largest = table.detach().abs().amax(dim=1, keepdim=True).clamp_min(1e-6)
    return torch.floor(torch.log2(127 / largest)).clamp(0, TABLE_SHIFT)


class Network(torch.nn.Module):
    def __init__(self, board=512, context=256, move=64):
        super().__init__()
        self.sizes = (board, context, move)
        self.quantised = False
        parameter = lambda *size, std: torch.nn.Parameter(torch.randn(*size) * std)
        zeros = lambda size: torch.nn.Parameter(torch.zeros(size))
        self.board_table = parameter(BOARD_FEATURES, board, std=0.06)
        self.board_bias = zeros(board)
        self.board_1 = parameter(context, board, std=(1.5 / board) ** 0.5)
        self.board_1_bias = zeros(context)
        self.board_2 = parameter(context, context, std=0.5 * (1.5 / context) ** 0.5)
        self.board_2_bias = zeros(context)
        self.join = parameter(move, context, std=(1 / context) ** 0.5)
        self.squares = parameter(2 * SQUARES, context, std=0.2 * (1 / context) ** 0.5)
        self.squares_bias = zeros(2 * SQUARES)
        self.end = parameter(1, context, std=0.2 * (1 / context) ** 0.5)
        self.end_bias = zeros(1)
        self.move_table = parameter(MOVE_FEATURES, move, std=0.06)
        self.move_bias = zeros(move)
        self.move_1 = parameter(move, move, std=0.5 * (1.5 / move) ** 0.5)
        self.move_1_bias = zeros(move)
        self.score = parameter(1, move, std=(1 / move) ** 0.5)

    def weight(self, weight, *added):
        if not self.quantised:
            return weight
        scale = torch.exp2(weight_shift(weight, *added))
        return through(weight, torch.round(weight * scale) / scale)

    def activation(self, value):
        clipped = Clip.apply(value, ACTIVATION_MAX * ACTIVATION_UNIT)
        if not self.quantised:
            return clipped
        return through(clipped, torch.round(clipped / ACTIVATION_UNIT) * ACTIVATION_UNIT)

    def table(self, table):
        if not self.quantised:
            return table
        scale = torch.exp2(table_shift(table))
        return through(table, torch.round(table * scale) / scale)

    def vectors(self, boards, moves, rows):
        """boards (B, BOARD_SLOTS) and moves (R, MOVE_SLOTS) of indices, rows (R,): the position of each move.
        Returns the vectors of positions (B, context) and of moves (R, move)."""
        linear = lambda x, w, b=None, *added: F.linear(x, self.weight(w, *added), b)
        bag = Bag.apply(self.table(self.board_table), boards)
        h = self.activation(bag + self.board_bias)
        if self.training:
            h = F.dropout(h, DROPOUT)
        h = self.activation(linear(h, self.board_1, self.board_1_bias))
        h = self.activation(linear(h, self.board_2, self.board_2_bias) + h)
        joined = linear(h, self.join)
        bag = Bag.apply(self.table(self.move_table), moves)
        z = self.activation(bag + self.move_bias + joined.index_select(0, rows))
        return h, self.activation(linear(z, self.move_1, self.move_1_bias) + z)

    def scores(self, h, z, moves, rows, score, squares, squares_bias):
        """Logits (R,) of moves: a move's own score, and what speaks for its squares."""
        flat = F.linear(h, self.weight(squares, score), squares_bias).reshape(-1)
        base = rows * (2 * SQUARES)
        return (
            F.linear(z, self.weight(score, squares))[:, 0]
            + flat.index_select(0, base + moves[:, 0] - FROM)
            + flat.index_select(0, base + moves[:, 1] - TO + SQUARES)
        )

    def forward(self, boards, moves, rows):
        """See `vectors` for the indices. Returns logits (R,) and end logits (B,), in nats."""
        h, z = self.vectors(boards, moves, rows)
        end = F.linear(h, self.weight(self.end), self.end_bias)[:, 0]
        return self.scores(h, z, moves, rows, self.score, self.squares, self.squares_bias), end


class Taught(torch.nn.Module):
    """The second head of a network."""

    def __init__(self, net):
        super().__init__()
        _, context, move = net.sizes
        self.move_1 = torch.nn.Parameter(torch.randn(move, move) * 0.5 * (1.5 / move) ** 0.5)
        self.move_1_bias = torch.nn.Parameter(torch.zeros(move))
        self.score = torch.nn.Parameter(net.score.detach().clone())
        self.squares = torch.nn.Parameter(net.squares.detach().clone())
        self.squares_bias = torch.nn.Parameter(net.squares_bias.detach().clone())

    def forward(self, net, h, z, moves, rows):
        """Logits (R,) from the vectors of `net`, in nats."""
        z = net.activation(F.linear(z, net.weight(self.move_1), self.move_1_bias) + z)
        return net.scores(h, z, moves, rows, self.score, self.squares, self.squares_bias)
