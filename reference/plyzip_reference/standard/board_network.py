"""The board network, and how its logits join those of the network of features (docs/format/board.md)."""

import math
from bisect import bisect_right

import numpy as np

from ..bitboards import attacks, squares
from ..errors import Damaged
from ..fixed import nats_to_bits, softmax
from .board_features import rating_bucket, steps, year_bucket
from .onnx_file import OnnxFile

F32 = np.float32
SQUARES, BACK, NOTHING = 64, 7, 64
MISSING = 13
DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
GROUPS = (18, 18, 4, 20, 10, 40, 16, 3, 4, 8, 1, 1, 16)
FIRST = [sum(GROUPS[:group]) for group in range(len(GROUPS) + 1)]
STREAM_MOST, OUTPUT_MOST, LOGIT_MOST = 2**21, 2**28, 2**24


def _pieces(position, own):
    """The piece on each square as the player to move sees it."""
    flip = 56 * own
    found = [0] * SQUARES
    for square in squares(position.occupied):
        found[square ^ flip] = position.roles[square] + 6 * (position.color_at(square) != own)
    return found


def _attackers(position, own):
    """By square how many own and how many enemy pieces attack it, each at most 3, the enemy's times 4."""
    counts = [[0] * SQUARES, [0] * SQUARES]
    for square in squares(position.occupied):
        color = position.color_at(square)
        of_side = counts[color != own]
        for attacked in squares(attacks(position.roles[square], color, square, position.occupied)):
            of_side[attacked ^ 56 * own] += 1
    return [min(mine, 3) + 4 * min(theirs, 3) for mine, theirs in zip(*counts)]


def _step(square, way):
    file, rank = (square & 7) + way[0], (square >> 3) + way[1]
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else None


def _heard(pieces):
    """By square what it hears: the nearest piece in each direction, then what is a knight's leap away."""
    found = []
    for square in range(SQUARES):
        heard = []
        for way in DIRECTIONS:
            last, at = NOTHING, _step(square, way)
            while at is not None:
                last = at
                at = None if pieces[at] else _step(at, way)
            heard.append(last)
        leaps = (_step(square, leap) for leap in LEAPS)
        found.append(heard + [NOTHING if leap is None else leap for leap in leaps])
    return np.array(found)


def _conditions(history, context, legal):
    position = history.position
    own = position.turn
    held = [
        (0, rating_bucket(context.elo[own])),
        (1, rating_bucket(context.elo[1 - own])),
        (2, context.result_for(own)),
        (3, year_bucket(context.year)),
        (4, 2 * context.pace + context.online),
        (5, steps(history.ply(), 20, 8, 39)),
        (6, steps(position.halfmoves, 8, 12, 15)),
        (7, min(2, history.occurrences(history.key()))),
        (12, steps(len(legal), 8, 6, 15)),
    ]
    rights = [position.rooks[color][side] is not None for color in (own, 1 - own) for side in (0, 1)]
    held += [(8, bit) for bit, has in enumerate(rights) if has]
    if (square := position.legal_en_passant()) is not None:
        held.append((9, square & 7))
    if position.is_check():
        held.append((10, 0))
    if own == 0:
        held.append((11, 0))
    return [FIRST[group] + place for group, place in held]


def _halved(width):
    return -math.ceil(math.log2(width) / 2)


def _rounded(value, least, most):
    return np.rint(np.clip(value, F32(least), F32(most))).astype(np.int64)


def _scaled(sums, exponent, least, most):
    return _rounded(sums.astype(F32) * np.ldexp(F32(1), exponent), least, most)


def _fine(sums, exponent):
    scaled = np.ldexp(np.asarray(sums, np.float64), np.asarray(exponent) + 16)
    return np.rint(np.clip(scaled, -OUTPUT_MOST, OUTPUT_MOST)).astype(np.int64)


def _normalised(stream):
    width = stream.shape[1]
    total = (stream**2).sum(1, keepdims=True) + ((width << 20) + 3125) // 6250
    root = (math.isqrt(width << 42) + 1) // 2
    factor = (np.float64(root) * 2.0**-16 / np.sqrt(total.astype(np.float64))).astype(F32)
    return _rounded(stream.astype(F32) * factor, -63, 63)


class BoardNetwork:
    """A network, from the bytes of its file."""

    def __init__(self, data):
        file = OnnxFile(data)
        if (file.metadata.get("plyzip.board"), file.metadata.get("plyzip.view")) != ("2", "1"):
            raise Damaged("no board network of a known version")
        self.tensors = file.tensors
        self.layers = 0
        while f"block_{self.layers}_qkv" in self.tensors:
            self.layers += 1

    def outputs(self, history, context):
        """Logits of the legal moves that people play and that the teacher plays, and that of the end."""
        position = history.position
        own = position.turn
        legal = position.legal_moves()
        pieces = _pieces(position, own)
        stream = self._tokens(history, own, pieces, _conditions(history, context, legal))
        heard = _heard(pieces)
        for layer in range(self.layers):
            stream = self._block(f"block_{layer}_", stream, heard)
        normal = _normalised(stream)
        pairs = []
        for move in legal:
            departure, arrival = move.departure ^ 56 * own, move.arrival() ^ 56 * own
            pairs.append((departure, arrival, move.promotion - 2 if move.promotion else None))
        played, taught = (self._moves(head, normal, pairs) for head in ("played_", "taught_"))
        sums, units = self._sums("pool", normal)
        site = self._exponents("pooled_unit")
        pooled = _scaled(np.maximum(sums, 0).sum(0), units - 4 - 6 - site, 0, 127)
        sums, units = self._sums("end_matrix", pooled)
        return played, taught, int(_fine(sums, units + site)[0])

    def _table(self, name):
        return self.tensors[name].astype(np.int64)

    def _exponents(self, name):
        return np.frexp(self.tensors[name].ravel())[1].astype(np.int64) - 1

    def _sums(self, name, value):
        """Sums of a matrix with its bias, and the exponents of its units."""
        sums = value @ self._table(name) + self._table(name + "_bias")
        return sums, self._exponents(name + "_unit")

    def _tokens(self, history, own, pieces, conditions):
        now = [piece * 16 + count for piece, count in zip(pieces, _attackers(history.position, own))]
        stream = self._table("now_table")[now] + self._table("square_table")
        for back in range(BACK):
            earlier = history.earlier_position(back)
            past = [MISSING] * SQUARES if earlier is None else _pieces(earlier, own)
            stream = stream + self._table("past_table")[[14 * back + piece for piece in past]]
        return stream + self._table("condition_table")[conditions].sum(0)

    def _block(self, name, stream, heard):
        normal = _normalised(stream)
        stream = np.clip(stream + self._mixed(name, normal, heard), -STREAM_MOST, STREAM_MOST)
        sums, units = self._sums(name + "rise", _normalised(stream))
        root, site = np.maximum(sums, 0).astype(F32), self._exponents(name + "hidden_unit")
        hidden = _rounded(root * root * np.ldexp(F32(1), 2 * (units - 4) - site), 0, 127)
        sums, units = self._sums(name + "fall", hidden)
        fallen = _scaled(sums, units + site + 12, -STREAM_MOST, STREAM_MOST)
        return np.clip(stream + fallen, -STREAM_MOST, STREAM_MOST)

    def _mixed(self, name, normal, heard):
        """What attention and rays add to the stream."""
        width = normal.shape[1]
        sites = {part: self._exponents(f"{name}{part}_unit") for part in ("query", "key", "value", "out")}
        heads = len(sites["query"])
        depth = width // 2 // heads
        sums, units = self._sums(name + "qkv", normal)
        parts, units = sums.reshape(SQUARES, 3, heads, depth), units.reshape(3, heads, depth) - 4
        table, relation = self._table("exponential"), self._table(name + "relation")
        groups = []
        for head in range(heads):
            query_unit, key_unit, value_unit, out_unit = (int(site[head]) for site in sites.values())
            query = _scaled(parts[:, 0, head], units[0, head] + _halved(depth) - query_unit, -63, 63)
            key = _scaled(parts[:, 1, head], units[1, head] - key_unit, -127, 127)
            value = _scaled(parts[:, 2, head], units[2, head] - value_unit, -127, 127)
            scores = _scaled(query @ key.T, query_unit + key_unit + 8, -(2**14) + 1, 2**14 - 1) + relation[head]
            below = scores.max(1, keepdims=True) - scores
            shares = table[np.minimum(below, len(table) - 1)]
            factor = np.ldexp(F32(1), value_unit - out_unit) / shares.sum(1, keepdims=True).astype(F32)
            groups.append((out_unit, _rounded((shares @ value).astype(F32) * factor, -63, 63)))
        sums, units = self._sums(name + "ray_matrix", normal)
        ray_units, ray = self._exponents(name + "ray_unit"), width // 16
        for way, unit in enumerate(ray_units):
            here = slice(way * ray, (way + 1) * ray)
            said = _scaled(sums[:, here], units[here] - 4 - unit, -63, 63)
            said = np.concatenate([said, np.zeros((1, ray), np.int64)])
            groups.append((int(unit), said[heard[:, way]]))
        least = min(unit for unit, _ in groups)
        inputs = np.concatenate([value << unit - least for unit, value in groups], 1)
        sums, units = self._sums(name + "out_matrix", inputs)
        return _scaled(sums, units + least + 12, -STREAM_MOST, STREAM_MOST)

    def _moves(self, head, normal, pairs):
        sums, units = self._sums(head + "origin", normal)
        origin_unit, target_unit = (int(self._exponents(f"{head}{part}_site_unit")[0]) for part in ("origin", "target"))
        origins = _scaled(sums, units - 4 + _halved(len(units)) - origin_unit, -63, 63)
        sums, units = self._sums(head + "target", normal)
        targets = _scaled(sums, units - 4 - target_unit, -127, 127)
        sums, units = self._sums(head + "promotion_matrix", normal)
        promotions = _fine(sums, units - 4)
        pair = self._table(head + "pair")
        logits = []
        for departure, arrival, promotion in pairs:
            logit = int(_fine(origins[departure] @ targets[arrival], origin_unit + target_unit))
            logit += int(pair[64 * departure + arrival])
            logits.append(logit + (0 if promotion is None else int(promotions[arrival, promotion])))
        return logits


class BoardPolicy:
    """A board network, the weights with which its logits join those of the network of features, and where they do."""

    def __init__(self, network, numbers):
        if numbers is None or len(numbers) not in (20, 24) or any(abs(weight) > 4 << 12 for weight in numbers[:20]):
            raise Damaged("weights of a board network that are too many, too few or too large")
        if any(not 0 <= bound <= 8 for bound in numbers[20:]):
            raise Damaged("bounds of a board network that are not from 0 to 8")
        self.network = network
        self.weights = [numbers[5 * stage : 5 * stage + 5] for stage in range(4)]
        self.bounds = [int(bound) << 28 for bound in numbers[20:]]

    def mix(self, history, context, logits, end):
        """The logits of moves and the log-odds of the end, mixed with what the board network says."""
        stage = bisect_right((12, 24, 60), history.ply())
        if self.bounds and max(softmax([nats_to_bits(logit) for logit in logits])) >= self.bounds[stage]:
            return logits, end
        played, taught, board_end = self.network.outputs(history, context)
        of_features, of_played, of_taught, of_end, of_board_end = self.weights[stage]
        limited = lambda total: min(max(total >> 12, -LOGIT_MOST), LOGIT_MOST)
        spoken = zip(logits, played, taught)
        mixed = [limited(a * of_features + b * of_played + c * of_taught) for a, b, c in spoken]
        return mixed, limited(end * of_end + board_end * of_board_end)
