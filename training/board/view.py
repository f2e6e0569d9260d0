"""What the board network sees: a batch from the side of the player to move, as indices and conditions.

For Black the board is flipped top to bottom and colours change places, so that the network knows "own" and "enemy"
only. The codec must compute the same numbers; the layout is `VIEW_VERSION`.
"""

from typing import NamedTuple

import torch

from board.corpus import HISTORY, MISSING

VIEW_VERSION = 1

PIECES = 13  # empty, own pawn to king, enemy pawn to king
NOW = PIECES * 16  # piece * 16 + min(3, own attackers) + 4 * min(3, enemy attackers)
PAST = PIECES + 1  # a piece of an earlier position, or that there was none yet
SQUARES = 64

# Ranges of the conditions, in their order: (name, size).
RANGES = [
    ("own_elo", 18),
    ("enemy_elo", 18),
    ("result", 4),
    ("year", 20),
    ("pace", 10),
    ("ply", 40),
    ("halfmoves", 16),
    ("repeated", 3),
    ("castling", 4),
    ("en_passant", 8),
    ("check", 1),
    ("white", 1),
    ("choice", 16),
]
CONDITIONS = sum(size for _, size in RANGES)
FIRST = {name: sum(size for _, size in RANGES[:place]) for place, (name, _) in enumerate(RANGES)}
# First years of the buckets, finer near the present; years after the training games belong to the last.
ERAS = [1900, 1930, 1950, 1970, 1980, 1985, 1990, 1995, 2000, 2004, 2008, 2011, 2013, 2015, 2017, 2019, 2021, 2022]
MIRROR_FROM = 30  # plies before have a left and a right, which the opening made


class View(NamedTuple):
    """What the network is given. B positions, L places for legal moves."""

    now: torch.Tensor  # (B, 64) i16: 0 to NOW - 1
    past: torch.Tensor  # (B, 7, 64) u8: 0 to PAST - 1, the latest first
    conditions: torch.Tensor  # (B, CONDITIONS) f32: 0 or 1
    pair: torch.Tensor  # (B, L) i64: from * 64 + to of each legal move
    promotion: torch.Tensor  # (B, L) i64: 0 none, 1 knight, 2 bishop, 3 rook, 4 queen
    legal: torch.Tensor  # (B, L) bool


def hide(batch, generator, share):
    """Hides what tags tell in a share of the games each: ratings, result, year, pace."""
    hidden = torch.rand(4, len(batch.ply), generator=generator, device=batch.ply.device) < share
    return batch._replace(
        elo=batch.elo.masked_fill(hidden[0, :, None], 0),
        result=batch.result.masked_fill(hidden[1], 0),
        year=batch.year.masked_fill(hidden[2], 0),
        pace=batch.pace.masked_fill(hidden[3], 0),
    )


def _elo(elo):
    return torch.where(elo == 0, 0, ((elo.clamp(min=1200) - 1200) // 100).clamp(max=16) + 1)


def _coarse(value, exact, step, last):
    """`value` itself below `exact`, then one bucket for every `step`, at most `last`."""
    return torch.where(value < exact, value, (exact + (value - exact) // step).clamp(max=last))


def result_for_mover(batch):
    """(B,) i64: 0 unknown, 1 lost, 2 drawn, 3 won by the side to move."""
    result, black = batch.result.long(), batch.black
    white_view = torch.tensor([0, 3, 1, 2], device=result.device)[result]
    black_view = torch.tensor([0, 1, 3, 2], device=result.device)[result]
    return torch.where(black, black_view, white_view)


def conditions(batch):
    """(B, CONDITIONS) f32, from all that is known besides the squares."""
    black = batch.black.long()
    device = black.device
    one = torch.ones_like(black, dtype=torch.float32)
    own = batch.elo.gather(1, black[:, None])[:, 0].long()
    enemy = batch.elo.gather(1, 1 - black[:, None])[:, 0].long()
    year = batch.year.long()
    era = 1 + torch.bucketize(year, torch.tensor(ERAS, device=device), right=True)
    castling = batch.castling.long()
    castling = torch.where(batch.black, (castling >> 2) | ((castling & 3) << 2), castling)
    en_passant = batch.en_passant.long()
    entries = [
        (FIRST["own_elo"] + _elo(own), one),
        (FIRST["enemy_elo"] + _elo(enemy), one),
        (FIRST["result"] + result_for_mover(batch), one),
        (FIRST["year"] + torch.where(year == 0, 0, era), one),
        (FIRST["pace"] + batch.pace.long(), one),
        (FIRST["ply"] + _coarse(batch.ply, 20, 8, 39), one),
        (FIRST["halfmoves"] + _coarse(batch.halfmoves.long(), 8, 12, 15), one),
        (FIRST["repeated"] + batch.repeated[:, 0].long(), one),
        (FIRST["en_passant"] + (en_passant - 1).clamp(min=0), (en_passant > 0).float()),
        (FIRST["check"] + torch.zeros_like(black), batch.check.float()),
        (FIRST["white"] + torch.zeros_like(black), 1 - black.float()),
        (FIRST["choice"] + _coarse(batch.choice, 8, 6, 15), one),
    ]
    for bit in range(4):
        entries.append((torch.full_like(black, FIRST["castling"] + bit), ((castling >> bit) & 1).float()))
    index = torch.stack([index for index, _ in entries], 1)
    value = torch.stack([value for _, value in entries], 1)
    return torch.zeros(len(black), CONDITIONS, device=device).scatter_add_(1, index, value)


def view(batch, mirrored=None):
    """The batch as its mover sees it; files are mirrored where `mirrored` (B,) bool says so."""
    black = batch.black
    device = black.device
    codes = torch.arange(16, dtype=torch.uint8, device=device)
    swapped = torch.where((codes >= 1) & (codes <= 12), (codes + 5) % 12 + 1, codes)
    table = torch.stack([codes, swapped])
    pieces = table[black.long()[:, None, None], batch.pieces.long()]
    attackers = batch.attackers
    attackers = torch.where(black[:, None], (attackers >> 2) | ((attackers & 3) << 2), attackers)
    # The square that is seen at each place: a flip for Black, another for the mirror.
    change = black.long() * 56
    if mirrored is not None:
        change = change ^ (mirrored.long() * 7)
    square = torch.arange(SQUARES, device=device) ^ change[:, None]
    pieces = pieces.gather(2, square[:, None].expand(-1, HISTORY, -1))
    attackers = attackers.gather(1, square)
    moves = batch.moves.long()
    origin, target = (moves & 63) ^ change[:, None], ((moves >> 6) & 63) ^ change[:, None]
    known = conditions(batch)
    if mirrored is not None:
        files = known[:, FIRST["en_passant"] : FIRST["en_passant"] + 8]
        known[:, FIRST["en_passant"] : FIRST["en_passant"] + 8] = torch.where(mirrored[:, None], files.flip(1), files)
    return View(
        now=pieces[:, 0].to(torch.int16) * 16 + attackers.to(torch.int16),
        past=pieces[:, 1:],
        conditions=known,
        pair=origin * 64 + target,
        promotion=(moves >> 12) & 7,
        legal=batch.legal,
    )


def left_is_right(castling, ply):
    """(B,) bool: no castling rights, and no opening, so that a position's mirror image is as good."""
    return (castling == 0) & (ply >= MIRROR_FROM)


def choose_mirrored(batch, generator):
    """Every other position in which left and right are alike."""
    chosen = torch.rand(len(batch.ply), generator=generator, device=batch.ply.device) < 0.5
    return chosen & left_is_right(batch.castling, batch.ply)


assert MISSING == PAST - 1
