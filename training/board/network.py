"""The board network: a transformer over the 64 squares, trained as it will run in 8-bit integers.

    squares + history + conditions -> tokens (64, width) -> blocks -> heads: moves people play, moves the teacher
    plays, the game's end, the value

A block is attention between squares with a learned bias for each pair of squares, and beside it rays: each square hears
the first piece in every direction. Then come two layers with a squared ReLU. Both halves of a block read a normalised
copy of the residual stream and add to it. Normalisation has no weights of its own, since
the matrices after it hold them.

With `quantised` the forward pass imitates the integer arithmetic in which the codec will run it:

- weights of matrices have 8 bits and a power-of-two unit for each row (each output);
- what enters a matrix has 7 bits: signed with a fixed unit after a normalisation, unsigned after the squared ReLU;
- queries have 7 bits, keys and values 8, with a power-of-two unit for each head;
- a score's exponential is rounded to 0..127 of the largest one's; the weighted values are divided by the sum.

So every product is 7 by 8 bits and every sum fits into 32, on any processor. The residual stream stays finer than
what is read from it, and is not rounded here.
"""

import math
from dataclasses import asdict, dataclass, replace

import torch
import torch.nn.functional as F
from torch import nn

from board.view import CONDITIONS, NOW, PAST, SQUARES

NORM_UNIT = 1 / 16  # of a normalised activation
NORM_MOST = 63
EPSILON = 1e-5  # added to the mean square
RAYS = 16  # directions of a queen, leaps of a knight
SITE_MOST = {"signed7": 63, "signed8": 127, "unsigned7": 127}


@dataclass(frozen=True)
class Config:
    """Sizes of a network. `heads` divides `width`."""

    width: int
    layers: int
    heads: int
    hidden: int
    policy: int  # width of the vectors that departures and arrivals meet with
    pooled: int = 64  # units behind the game's end and the value
    mixing: str = "both"  # attention and rays; "attention", "rays" and "convolution" are for comparison
    dropout: float = 0.1

    def multiply_adds(self):
        """Of one position, heads included."""
        mixing = {
            "attention": 4 * self.width**2 + 2 * SQUARES * self.width,
            "rays": 2 * self.width**2,
            "both": 4 * self.width**2 + SQUARES * self.width,
            "convolution": 9 * self.width**2,
        }[self.mixing]
        block = mixing + 2 * self.width * self.hidden
        heads = 2 * 2 * self.policy * self.width + 2 * SQUARES * self.policy + self.pooled * self.width
        return SQUARES * (self.layers * block + heads)


SIZES = {
    "large": Config(width=256, layers=8, heads=4, hidden=768, policy=128, pooled=128),
    "small": Config(width=96, layers=5, heads=3, hidden=192, policy=48),
    "toy": Config(width=32, layers=2, heads=2, hidden=64, policy=16, pooled=32),
}


def halved(width):
    """About 1 / sqrt(width), as a power of two: products of vectors are multiplied by it."""
    return 2.0 ** -math.ceil(math.log2(width) / 2)


def through(value, rounded):
    """`rounded` in the forward pass, exactly; the gradient of `value` in the backward pass."""
    return rounded.detach() + (value - value.detach())


def rounded_within(value, unit, least, most):
    """`value` as a multiple of `unit` from `least` to `most`. What lies beyond has no gradient: a gradient that no
    longer changes anything would drive such values ever further away."""
    multiple = (value / unit).clamp(least, most)
    return through(multiple, torch.round(multiple)) * unit


def power_of_two(value):
    """The least power of two that is no smaller, but for a hundred-thousandth: so that a logarithm that is rounded
    otherwise on another device gives the same one for a value that is a power of two itself."""
    return torch.exp2(torch.ceil(torch.log2(value) - 1e-5))


def row_unit(weight):
    """(rows, 1): the power of two that makes a row's largest weight fill 8 bits."""
    largest = weight.detach().abs().amax(dim=1, keepdim=True).float().clamp_min(1e-8)
    return power_of_two(largest / 127)


def rounded_rows(weight):
    """The weights as 8-bit multiples of their row's unit."""
    return rounded_within(weight, row_unit(weight), -127, 127)


class Site(nn.Module):
    """A place where activations are rounded: multiples of a power-of-two unit for each of `groups` of channels.

    The unit is chosen once, when rounding begins, from the largest values seen until then.
    """

    def __init__(self, groups, kind):
        super().__init__()
        self.kind = kind
        self.register_buffer("largest", torch.zeros(groups))
        self.register_buffer("unit", torch.ones(groups))

    @torch.no_grad()
    def observe(self, value):
        """Value (..., groups, channels): keeps what all but one in 10,000 values stay below."""
        rows = value.detach().float().abs().movedim(-2, 0).flatten(1)
        place = max(1, math.ceil(rows.shape[1] * 1e-4))
        self.largest.copy_(torch.maximum(self.largest, rows.topk(place, dim=1).values[:, -1]))

    def choose(self):
        """Fixes the units."""
        self.unit.copy_(power_of_two(self.largest.clamp_min(1e-6) / SITE_MOST[self.kind]))

    def forward(self, value):
        """Value (..., groups, channels), rounded."""
        most = SITE_MOST[self.kind]
        least = 0 if self.kind == "unsigned7" else -most
        return rounded_within(value, self.unit[:, None].to(value.dtype), least, most)


class Linear(nn.Module):
    """A matrix whose rows may be rounded to 8 bits."""

    def __init__(self, inputs, outputs, bias=True, gain=1.0):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) * gain / inputs**0.5)
        self.bias = nn.Parameter(torch.zeros(outputs)) if bias else None

    def forward(self, value, quantised):
        weight = rounded_rows(self.weight) if quantised else self.weight
        return F.linear(value, weight, self.bias)


def normalise(value, quantised):
    """Value (..., width) over its root mean square, in multiples of NORM_UNIT when rounded."""
    mean = value.float().square().mean(dim=-1, keepdim=True)
    normal = value * torch.rsqrt(mean + EPSILON).to(value.dtype)
    if not quantised:
        return normal
    return rounded_within(normal, NORM_UNIT, -NORM_MOST, NORM_MOST)


def relative_squares():
    """(64, 64) i64: the displacement from one square to another as one of 225."""
    square = torch.arange(SQUARES)
    file = (square & 7)[None] - (square & 7)[:, None] + 7
    rank = (square >> 3)[None] - (square >> 3)[:, None] + 7
    return rank * 15 + file


class Attention(nn.Module):
    """Learned heads, with a bias for each pair of squares; `inner` is the width of all heads together."""

    def __init__(self, config, inner):
        super().__init__()
        self.heads, self.inner = config.heads, inner
        self.qkv = Linear(config.width, 3 * inner)
        self.relative = nn.Parameter(torch.zeros(config.heads, 225))
        self.absolute = nn.Parameter(torch.zeros(config.heads, SQUARES, SQUARES))
        self.register_buffer("displacement", relative_squares(), persistent=False)
        self.query_site = Site(config.heads, "signed7")
        self.key_site = Site(config.heads, "signed8")
        self.value_site = Site(config.heads, "signed8")
        self.out_site = Site(config.heads, "signed7")

    def bias(self):
        """(heads, 64, 64), in nats: what a square's place says to another's."""
        return self.relative[:, self.displacement] + self.absolute

    def mixed(self, tokens, quantised, observing):
        """What is attended to (B, 64, inner), before an output matrix."""
        batch, squares, _ = tokens.shape
        depth = self.inner // self.heads
        split = self.qkv(tokens, quantised).view(batch, squares, 3, self.heads, depth)
        query, key, value = split.unbind(2)
        # Sites see (batch, square, head, channel); the products (batch, head, square, channel).
        query = query * halved(depth)
        if observing:
            self.query_site.observe(query), self.key_site.observe(key), self.value_site.observe(value)
        if quantised:
            query, key, value = self.query_site(query), self.key_site(key), self.value_site(value)
        query, key, value = (part.transpose(1, 2) for part in (query, key, value))
        bias = self.bias().to(query.dtype)
        if quantised:
            scores = (query @ key.transpose(2, 3) + bias).float()
            share = torch.exp(scores - scores.detach().amax(dim=-1, keepdim=True)) * 127
            share = through(share, torch.round(share)).to(value.dtype)
            mixed = (share @ value).float() / share.float().sum(dim=-1, keepdim=True)
            mixed = mixed.to(value.dtype)
        else:
            scores = query @ key.transpose(2, 3) + bias
            mixed = torch.softmax(scores.float(), dim=-1).to(value.dtype) @ value
        mixed = mixed.transpose(1, 2)
        if observing:
            self.out_site.observe(mixed)
        if quantised:
            mixed = self.out_site(mixed)
        return mixed.reshape(batch, squares, self.inner)


class AttentionOnly(nn.Module):
    """Attention without rays, for comparison."""

    def __init__(self, config):
        super().__init__()
        self.attention = Attention(config, config.width)
        self.out = Linear(config.width, config.width, gain=0.5)

    def forward(self, tokens, quantised, observing, sight):
        return self.out(self.attention.mixed(tokens, quantised, observing), quantised)


class Rays(nn.Module):
    """Each square hears the first piece in eight directions and what stands a knight's move away.

    These are attention heads whose weights are known: one for the square that is heard and nothing for the others. The
    codec looks the values up; here they are products, whose gradients a GPU finds faster than those of look-ups.
    """

    def __init__(self, config):
        super().__init__()
        self.value = Linear(config.width, config.width)
        self.site = Site(RAYS, "signed7")

    def forward(self, tokens, quantised, observing, sight):
        """What is heard (B, 64, width), before an output matrix; sight (B, 16, 64, 64)."""
        batch, squares, width = tokens.shape
        value = self.value(tokens, quantised).view(batch, squares, RAYS, width // RAYS)
        if observing:
            self.site.observe(value)
        if quantised:
            value = self.site(value)
        heard = sight @ value.transpose(1, 2)
        return heard.transpose(1, 2).reshape(batch, squares, width)


class RaysOnly(nn.Module):
    """Rays without attention, for comparison."""

    def __init__(self, config):
        super().__init__()
        self.rays = Rays(config)
        self.out = Linear(config.width, config.width, gain=0.5)

    def forward(self, tokens, quantised, observing, sight):
        return self.out(self.rays(tokens, quantised, observing, sight), quantised)


class AttentionAndRays(nn.Module):
    """Half as many attention heads as width would allow, and rays; as many multiply-adds as attention alone."""

    def __init__(self, config):
        super().__init__()
        self.attention = Attention(config, config.width // 2)
        self.rays = Rays(config)
        self.out = Linear(config.width + config.width // 2, config.width, gain=0.5)

    def forward(self, tokens, quantised, observing, sight):
        attended = self.attention.mixed(tokens, quantised, observing)
        heard = self.rays(tokens, quantised, observing, sight)
        return self.out(torch.cat([attended, heard], dim=2), quantised)


class Convolution(nn.Module):
    """Each square hears its eight neighbours."""

    def __init__(self, config):
        super().__init__()
        self.convolution = Linear(9 * config.width, config.width, gain=0.5)

    def forward(self, tokens, quantised, observing, sight):
        batch, squares, width = tokens.shape
        board = tokens.transpose(1, 2).reshape(batch, width, 8, 8)
        near = F.unfold(board.float(), 3, padding=1).to(tokens.dtype).transpose(1, 2)
        return self.convolution(near, quantised)


MIXING = {
    "attention": AttentionOnly,
    "rays": RaysOnly,
    "both": AttentionAndRays,
    "convolution": Convolution,
}


def ray_squares():
    """(64, 8, 7) i64: the squares in each direction from nearest to farthest; (64, 8): a knight's. 64 is beyond."""
    rays, knights = torch.full((64, 8, 7), 64), torch.full((64, 8), 64)
    steps = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
    leaps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
    for square in range(64):
        file, rank = square & 7, square >> 3
        for way, (x, y) in enumerate(steps):
            for far in range(1, 8):
                if 0 <= file + far * x < 8 and 0 <= rank + far * y < 8:
                    rays[square, way, far - 1] = (rank + far * y) * 8 + file + far * x
        for way, (x, y) in enumerate(leaps):
            if 0 <= file + x < 8 and 0 <= rank + y < 8:
                knights[square, way] = (rank + y) * 8 + file + x
    return rays, knights


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.mixing = MIXING[config.mixing](config)
        self.rise = Linear(config.width, config.hidden)
        self.fall = Linear(config.hidden, config.width, gain=0.5)
        self.site = Site(1, "unsigned7")
        self.dropout = config.dropout

    def forward(self, tokens, quantised, observing, sight):
        drop = lambda value: F.dropout(value, self.dropout, self.training)
        tokens = tokens + drop(self.mixing(normalise(tokens, quantised), quantised, observing, sight))
        hidden = F.relu(self.rise(normalise(tokens, quantised), quantised)).square()
        if observing:
            self.site.observe(hidden[..., None, :])
        if quantised:
            hidden = self.site(hidden[..., None, :])[..., 0, :]
        return tokens + drop(self.fall(hidden, quantised))


class PolicyHead(nn.Module):
    """A logit for each move: how a departure's vector meets an arrival's, and what speaks for the pair of squares."""

    def __init__(self, config):
        super().__init__()
        self.origin = Linear(config.width, config.policy)
        self.target = Linear(config.width, config.policy)
        self.promotion = Linear(config.width, 4)
        self.pair = nn.Parameter(torch.zeros(SQUARES * SQUARES))
        self.scale = halved(config.policy)
        self.origin_site = Site(1, "signed7")
        self.target_site = Site(1, "signed8")

    def forward(self, normal, pair, promotion, quantised, observing):
        """Normal (B, 64, width), pair and promotion (B, L): logits (B, L) f32, in nats."""
        origin = self.origin(normal, quantised) * self.scale
        target = self.target(normal, quantised)
        if observing:
            self.origin_site.observe(origin[..., None, :]), self.target_site.observe(target[..., None, :])
        if quantised:
            origin = self.origin_site(origin[..., None, :])[..., 0, :]
            target = self.target_site(target[..., None, :])[..., 0, :]
        scores = (origin @ target.transpose(1, 2)).float().flatten(1) + self.pair
        logits = scores.gather(1, pair)
        kinds = F.pad(self.promotion(normal, quantised).float(), (1, 0))  # (B, 64, 5), none is 0
        return logits + kinds.flatten(1).gather(1, (pair & 63) * 5 + promotion)


class Heads(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.played = PolicyHead(config)
        self.taught = PolicyHead(config)
        self.pool = Linear(config.width, config.pooled)
        self.site = Site(1, "unsigned7")
        self.end = Linear(config.pooled, 1, gain=0.1)
        self.value = Linear(config.pooled, 3, gain=0.1)


class BoardNetwork(nn.Module):
    """See the module. Parameters are f32; run it under autocast to multiply in bf16."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.quantised = False
        self.observing = False
        parameter = lambda *size: nn.Parameter(torch.randn(*size) * 0.5)
        self.now = parameter(NOW, config.width)
        self.square = parameter(SQUARES, config.width)
        self.past = nn.Parameter(torch.randn(7 * PAST, config.width) * 0.1)
        self.condition = nn.Parameter(torch.randn(CONDITIONS, config.width) * 0.1)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.heads = Heads(config)
        rays, knights = ray_squares()
        self.register_buffer("ray_squares", rays, persistent=False)
        self.register_buffer("knight_squares", knights, persistent=False)

    def tokens(self, view):
        """(B, 64, width): sums of the rows that hold. As products with zeros and ones, whose gradients are products
        too: adding gradients up row by row is slow on a GPU."""
        kind = view.now.device.type
        dtype = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else self.now.dtype
        one_hot = lambda index, size: (index[..., None] == torch.arange(size, device=index.device)).to(dtype)
        now = one_hot(view.now, NOW)
        past = one_hot(view.past.transpose(1, 2), PAST).flatten(2)
        known = torch.cat([now, past], 2) @ torch.cat([self.now, self.past]).to(dtype)
        condition = view.conditions.to(dtype) @ self.condition.to(dtype)
        return known + self.square.to(dtype) + condition[:, None]

    def heard(self, view):
        """(B, 64, 16) i64: the square that each square hears in each direction, the nearest that is occupied or else
        the last one; then those a knight's leap away; 64 where there is none."""
        occupied = F.pad(view.now >= 16, (0, 1))  # beyond the board stands nothing
        on_ray = occupied[:, self.ray_squares]
        length = (self.ray_squares < 64).sum(2)
        first = torch.where(on_ray.any(3), on_ray.float().argmax(3), (length - 1).clamp(min=0))
        rays = self.ray_squares.expand(len(view.now), -1, -1, -1).gather(3, first[..., None])[..., 0]
        return torch.cat([rays, self.knight_squares.expand(len(view.now), -1, -1)], 2)

    def sight(self, view, dtype):
        """(B, 16, 64, 64): one where a square (third) hears another (last); for all blocks alike."""
        if self.config.mixing not in ("both", "rays"):
            return None
        heard = self.heard(view).transpose(1, 2)
        return (heard[..., None] == torch.arange(SQUARES, device=heard.device)).to(dtype)

    def forward(self, view):
        """Logits (B, L) f32 of the moves people play and of those the teacher plays, -1e9 where there is no move;
        the logit of the game's end (B,) f32; logits (B, 3) f32 of won, drawn, lost by the side to move."""
        tokens = self.tokens(view)
        sight = self.sight(view, tokens.dtype)
        for block in self.blocks:
            tokens = block(tokens, self.quantised, self.observing, sight)
        normal = normalise(tokens, self.quantised)
        heads, quantised, observing = self.heads, self.quantised, self.observing
        masked = lambda logits: logits.masked_fill(~view.legal, -1e9)
        played = masked(heads.played(normal, view.pair, view.promotion, quantised, observing))
        taught = masked(heads.taught(normal, view.pair, view.promotion, quantised, observing))
        pooled = F.relu(heads.pool(normal, quantised)).mean(dim=1)
        if observing:
            heads.site.observe(pooled[..., None, :])
        if quantised:
            pooled = heads.site(pooled[..., None, :])[..., 0, :]
        end = heads.end(pooled, quantised)[:, 0].float()
        return played, taught, end, heads.value(pooled, quantised).float()

    def begin_from(self, net):
        """Takes the weights of a network of the same sizes, or of fewer blocks: blocks behind them begin with matrices
        of zeros where they add to the stream, and so change nothing yet."""
        config = replace(net.config, layers=self.config.layers)
        if config != self.config or net.config.layers > self.config.layers:
            raise ValueError(f"it has other sizes: {net.config}")
        self.load_state_dict(net.state_dict(), strict=False)
        with torch.no_grad():
            for block in self.blocks[net.config.layers :]:
                for linear in (block.mixing.out, block.fall):
                    linear.weight.zero_()

    @torch.no_grad()
    def scale_stream(self, factor):
        """Multiplies the residual stream by a power of two. Every reader normalises it, so nothing else changes."""
        added = [part for block in self.blocks for part in (block.mixing.out, block.fall)]
        parts = [part for linear in added for part in (linear.weight, linear.bias)]
        for part in (self.now, self.square, self.past, self.condition, *parts):
            part.mul_(factor)

    @torch.no_grad()
    def largest_in_stream(self, view):
        """The largest number of the residual stream, whatever its sign, in some positions."""
        tokens = self.tokens(view)
        sight = self.sight(view, tokens.dtype)
        largest = tokens.abs().max().item()
        for block in self.blocks:
            tokens = block(tokens, self.quantised, self.observing, sight)
            largest = max(largest, tokens.abs().max().item())
        return largest

    def sites(self):
        return [module for module in self.modules() if isinstance(module, Site)]

    def record(self):
        """What rebuilds the network, besides its weights."""
        return asdict(self.config) | {"quantised": self.quantised}
