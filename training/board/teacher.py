"""The teacher: a Leela Chess Zero network in PyTorch.

Its policy gives soft targets for the network that this repository trains. Supported is one
architecture, that of Leela's t1-256x10-distilled: classical 112 input planes, an embedding with a map of
squares, encoders with smolgen (an attention bias computed from the whole board), attention
policy, and probabilities of a win, draw and loss. `fetch_teacher.py` makes the file that `load` reads.

Everything is from the perspective of the side to move ("us"): ranks are mirrored
for Black (square ^ 56) and colours are exchanged.

Inputs, for B positions (see `planes` and `policy_places`):

    pieces     u8   (B, 8, 64)  the position and the 7 before it, index 0 is now; a1 = 0 .. h8 = 63;
                                0 empty, 1..6 white P N B R Q K, 7..12 black, 13 before the game's start
    repeated   u8   (B, 8)      earlier occurrences of each of these positions: 0, 1 or 2
    black      bool (B,)        Black is to move
    castling   u8   (B,)        bits 0..3: white short, white long, black short, black long
    halfmoves  u8   (B,)        halfmove clock
    moves      i16  (B, L)      legal moves, from | to << 6 | promotion << 12 (0 none, 1 N, 2 B, 3 R, 4 Q), padded;
                                castling is the king's move of two squares
    legal      bool (B, L)      False in the padding
"""

import json

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from board.corpus import HISTORY

PIECE_PLANES, PLANES = 12, 112  # HISTORY positions of 12 + 1 planes, and 8 more
GROUP = 64  # inputs that share a scale in the 8-bit file
SMOLGEN_EPSILON, ENCODER_EPSILON = 1e-3, 1e-6
PROMOTIONS = 64 * 64  # index of the first promotion among the policy's logits
POLICY = PROMOTIONS + 8 * 8 * 3
FORMAT = 1


def square_map():
    """Of each square (64, 64): 1 for squares that a queen or knight reaches on an empty board, -1 for itself."""
    rank, file = torch.arange(64) // 8, torch.arange(64) % 8
    ranks, files = (rank[:, None] - rank).abs(), (file[:, None] - file).abs()
    queen = (ranks == 0) | (files == 0) | (ranks == files)
    reached = queen | (ranks * files == 2)
    return reached.float() - 2 * torch.eye(64)


def planes(pieces, repeated, black, castling, halfmoves, dtype=torch.float32):
    """Leela's INPUT_CLASSICAL_112_PLANE as (B, 64, 112): the planes of a square lie together.

    Planes 13 i to 13 i + 12 tell of position i: our P N B R Q K, theirs, and whether it is a
    repetition. 104 to 107 tell whether we may castle long and short, and they; 108 is 1 for Black; 109 is
    the halfmove clock itself (Leela's networks of this format do not scale it); 110 is 0 and 111 is 1.

    Positions before the game's start have zeros only. That is what lc0 does after `position startpos
    moves ..`: its default of HistoryFill, fen_only, repeats the first position unless that is the initial one.
    """
    batch = pieces.shape[0]
    flipped = pieces.reshape(batch, HISTORY, 8, 8).flip(2).reshape(batch, HISTORY, 64)
    theirs = black[:, None, None]
    squares = torch.where(theirs, flipped, pieces)
    codes = torch.arange(1, PIECE_PLANES + 1, device=pieces.device, dtype=torch.uint8)
    ours = torch.where(theirs, codes.roll(6), codes)  # (B, 1, 12): the codes that the 12 planes stand for
    men = squares[..., None] == ours[:, :, None, :]  # (B, 8, 64, 12)
    again = (repeated > 0)[:, :, None, None].expand(-1, -1, 64, -1)
    history = torch.cat([men, again], dim=3).to(dtype).transpose(1, 2).reshape(batch, 64, HISTORY * 13)
    swap = black.to(torch.uint8) * 2
    own, enemy = castling >> swap, castling >> (2 - swap)  # bit 0 is short, bit 1 long
    rights = [own >> 1 & 1, own & 1, enemy >> 1 & 1, enemy & 1]
    one = torch.ones_like(halfmoves)
    state = torch.stack([*rights, black.to(torch.uint8), halfmoves, one - one, one], dim=1)
    return torch.cat([history, state.to(dtype)[:, None, :].expand(-1, 64, -1)], dim=2)


def policy_places(pieces, black, moves):
    """Of legal moves (B, L) their places (B, L) among the policy's POLICY logits.

    A logit stands at from * 64 + to; promotions other than to a knight stand at
    PROMOTIONS + file of from * 24 + file of to * 3 + (0 Q, 1 R, 2 B). Castling is
    the king's capture of its own rook for Leela, that is e1g1 is e1h1 and e1c1 is e1a1.
    """
    moves = moves.long()
    flip = black.long()[:, None] * 56
    origin, target, promotion = (moves & 63) ^ flip, (moves >> 6 & 63) ^ flip, moves >> 12 & 7
    king = torch.where(black, 12, 6)[:, None]
    moved = pieces[:, 0].gather(1, moves & 63)
    across = (moved == king) & ((target - origin).abs() == 2)
    target = torch.where(across, torch.where(target > origin, origin + 3, origin - 4), target)
    plain = origin * 64 + target
    promoted = PROMOTIONS + (origin & 7) * 24 + (target & 7) * 3 + (4 - promotion)
    return torch.where(promotion > 1, promoted, plain)


class Smolgen(nn.Module):
    """An attention bias for each head from the whole board, (B, 64, width) to (B, heads, generated).

    The last step, from `generated` to 64 x 64, has weights common to all encoders: `Teacher.smolgen`.
    """

    def __init__(self, width, heads, compressed, hidden, generated):
        super().__init__()
        self.shape = (heads, generated)
        self.compress = nn.Linear(width, compressed, bias=False)
        self.dense1 = nn.Linear(64 * compressed, hidden)
        self.norm1 = nn.LayerNorm(hidden, eps=SMOLGEN_EPSILON)
        self.dense2 = nn.Linear(hidden, heads * generated)
        self.norm2 = nn.LayerNorm(heads * generated, eps=SMOLGEN_EPSILON)

    def forward(self, x):
        x = self.compress(x).flatten(1)
        x = self.norm1(F.silu(self.dense1(x)))
        x = self.norm2(F.silu(self.dense2(x)))
        return x.view(-1, *self.shape)


class Encoder(nn.Module):
    """Attention and feed-forward layers, each added to its input in proportion `alpha` and normalised after."""

    def __init__(self, width, heads, feedforward, alpha, **smolgen):
        super().__init__()
        self.heads, self.alpha = heads, alpha
        self.smolgen = Smolgen(width, heads, **smolgen)
        self.joined = nn.Linear(width, 3 * width)  # queries, keys and values
        self.output = nn.Linear(width, width)
        self.norm1 = nn.LayerNorm(width, eps=ENCODER_EPSILON)
        self.expand = nn.Linear(width, feedforward)
        self.contract = nn.Linear(feedforward, width)
        self.norm2 = nn.LayerNorm(width, eps=ENCODER_EPSILON)

    def forward(self, x, generator):
        batch, squares, width = x.shape
        bias = generator(self.smolgen(x)).view(batch, self.heads, squares, squares)
        joined = self.joined(x).view(batch, squares, 3, self.heads, width // self.heads)
        query, key, value = joined.permute(2, 0, 3, 1, 4).unbind(0)
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=bias)
        mixed = self.output(mixed.transpose(1, 2).reshape(batch, squares, width))
        x = self.norm1(x + self.alpha * mixed)
        hidden = self.contract(F.relu(self.expand(x)).square())
        return self.norm2(x + self.alpha * hidden)


class Teacher(nn.Module):
    """Leela's network; see the head of this file for its input. The defaults are t1-256x10-distilled's."""

    def __init__(
        self,
        encoders=10,
        width=256,
        heads=8,
        feedforward=1024,
        compressed=32,
        generator_hidden=256,
        generated=256,
        policy=256,
        wdl_squares=32,
        wdl_hidden=128,
    ):
        super().__init__()
        self.register_buffer("square_map", square_map(), persistent=False)
        self.embedding = nn.Linear(PLANES + 64, width)
        self.gate_factor = nn.Parameter(torch.ones(64, width))
        self.gate_offset = nn.Parameter(torch.zeros(64, width))
        smolgen = dict(compressed=compressed, hidden=generator_hidden, generated=generated)
        alpha = (2 * encoders) ** -0.25
        self.encoders = nn.ModuleList(Encoder(width, heads, feedforward, alpha, **smolgen) for _ in range(encoders))
        self.smolgen = nn.Linear(generated, 64 * 64, bias=False)
        self.policy = nn.Linear(width, policy)
        self.policy_from = nn.Linear(policy, policy)
        self.policy_to = nn.Linear(policy, policy)
        self.promotion = nn.Linear(policy, 4, bias=False)  # Q, R, B, and what is added to each of them
        self.wdl_squares = nn.Linear(width, wdl_squares)
        self.wdl_hidden = nn.Linear(64 * wdl_squares, wdl_hidden)
        self.wdl = nn.Linear(wdl_hidden, 3)

    def network(self, x):
        """Of planes (B, 64, 112) the logits of all moves (B, POLICY) and of win, draw and loss (B, 3)."""
        batch = x.shape[0]
        x = torch.cat([x, self.square_map.to(x.dtype).expand(batch, -1, -1)], dim=2)
        x = F.mish(self.embedding(x)) * self.gate_factor + self.gate_offset
        for encoder in self.encoders:
            x = encoder(x, self.smolgen)
        head = F.mish(self.policy(x))
        departures, arrivals = self.policy_from(head), self.policy_to(head)
        plain = departures @ arrivals.transpose(1, 2) * departures.shape[2] ** -0.5  # (B, from, to)
        added = self.promotion(arrivals[:, 56:])  # (B, file of to, 4)
        added = added[..., :3] + added[..., 3:]
        promotions = plain[:, 48:56, 56:, None] + added[:, None]  # (B, file of from, file of to, piece)
        logits = torch.cat([plain.flatten(1), promotions.flatten(1)], dim=1)
        wdl = F.mish(self.wdl_hidden(F.mish(self.wdl_squares(x)).flatten(1)))
        return logits, self.wdl(wdl)

    def forward(self, pieces, repeated, black, castling, halfmoves, moves, legal):
        """Logits (B, L) of the legal moves in their order, -inf in the padding; and P(win, draw, loss) (B, 3).

        Both are f32. The policy at temperature 1 is the softmax of the logits.
        """
        x = planes(pieces, repeated, black, castling, halfmoves, self.embedding.weight.dtype)
        logits, wdl = self.network(x)
        logits = logits.gather(1, policy_places(pieces, black, moves)).float()
        return logits.masked_fill(~legal, -torch.inf), wdl.float().softmax(1)


def quantised(weight, group):
    """A matrix (out, in) as int8 (out, in) and scales f32 (out, groups), `group` inputs to a scale (0: whole rows).

    The last group of a row is smaller where `group` does not divide the row.
    """
    rows, columns = weight.shape
    group = group or columns
    groups = -(-columns // group)
    padded = np.zeros((rows, groups * group), np.float32)
    padded[:, :columns] = weight
    padded = padded.reshape(rows, groups, group)
    scale = (np.abs(padded).max(axis=2) / 127).clip(1e-12).astype(np.float32)
    values = np.rint(padded / scale[:, :, None]).astype(np.int8)
    return values.reshape(rows, -1)[:, :columns], scale


def restored(values, scale, group):
    """The f32 matrix that `quantised` was given, rounded."""
    columns = values.shape[1]
    return values.astype(np.float32) * scale.repeat(group or columns, axis=1)[:, :columns]


def save(path, sizes, weights, bits=16, group=GROUP):
    """Writes an .npz of a state dict of f32 arrays, `sizes` being the arguments of `Teacher`.

    With 32 or 16 bits all weights are f32 or f16. With 8 bits matrices of linear maps are int8 (`NAME:values`)
    with f32 scales (`NAME:scales`), everything else (biases, norms and gates) is f16. Nothing is compressed.
    """
    head = json.dumps(dict(format=FORMAT, sizes=sizes, group=group))
    arrays = {"head": np.frombuffer(head.encode(), np.uint8)}
    for name, weight in weights.items():
        if bits == 8 and weight.ndim == 2 and name.endswith(".weight"):
            values, scale = quantised(weight, group)
            arrays[name + ":values"], arrays[name + ":scales"] = values, scale
        else:
            arrays[name] = weight.astype(np.float32 if bits == 32 else np.float16)
    with open(path, "wb") as file:  # an open file, or numpy would add .npz to other names
        np.savez(file, **arrays)


def load(path, dtype=torch.float32, device="cpu"):
    """The teacher of a file that `save` wrote, in evaluation mode and without gradients."""
    with np.load(path) as file:
        head = json.loads(file["head"].tobytes())
        if head["format"] != FORMAT:
            raise ValueError(f"{path}: format {head['format']}, not {FORMAT}")
        weights = {}
        for name in file.files:
            base, _, part = name.partition(":")
            if part == "values":
                weights[base] = restored(file[name], file[base + ":scales"], head["group"])
            elif not part and name != "head":
                weights[name] = file[name].astype(np.float32)
    model = Teacher(**head["sizes"])
    model.load_state_dict({name: torch.from_numpy(weight) for name, weight in weights.items()})
    return model.to(device=device, dtype=dtype).eval().requires_grad_(False)
