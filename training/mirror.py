"""Positions seen in a mirror, file a for file h.

Without castling rights the rules do not tell left from right, and players hardly do: the mirror
image of a position, with that of the move played, is another lesson. Features are mirrored
by their indices (`src/features/index.rs`).
"""

import torch

from network import BOARD_FEATURES, MOVE_FEATURES

CASTLING = 2816, 2820  # the board features of castling rights
FIRST_PLY = 30  # before, left and right are what the opening made them


def squares(groups, tail=1):
    """`groups` x 64 squares (or 48 of pawns, which begin with a whole rank too) x `tail`."""
    places = torch.arange(groups * tail).view(groups, tail)
    mirrored = torch.arange(groups) ^ 7
    return places[mirrored].reshape(-1)


def displacements(groups, rest):
    places = torch.arange(groups * 225).view(groups, 15, 15).flip(2).reshape(-1)
    return torch.cat([places, groups * 225 + torch.arange(rest)])


def pairs():
    return torch.arange(4096).view(64, 64)[torch.arange(64) ^ 7][:, torch.arange(64) ^ 7].reshape(-1)


def joined(parts, total):
    """Ranges after each other; a number stands for a range that has no left and right."""
    result, start = [], 0
    for part in parts:
        part = torch.arange(part) if isinstance(part, int) else part
        result.append(part + start)
        start += len(part)
    result = torch.cat(result)
    assert start == total and (result[result] == torch.arange(total)).all()
    return result.to(torch.int32)


BOARD = joined(
    [
        squares(2 * 48 + 9 * 64, 4), squares(64, 2), 4, torch.arange(8).flip(0), squares(6 * 64),
        6, 18, 18, 40, 4, 16, 3, 1, 1, 21, 21, 21, 16, squares(4 * 64), 21, squares(2 * 48), 20, 10, 1,
    ],
    BOARD_FEATURES,
)
MOVE = joined(
    [
        squares(384), squares(384), pairs(), 70, 42, 126, 5 * 256,
        displacements(6, 0), displacements(6, 0), displacements(6, 1), 231, 242, 528, 144, 336,
        256, 384, 1152, displacements(4, 1), displacements(4, 1), displacements(4, 1), 248, 875,
    ],
    MOVE_FEATURES,
)


def mirror(batch, generator):
    """Mirrors every other position of a batch that has no castling rights and is no opening, as `generator` chooses."""
    boards, moves, rows, played, where, ply = batch
    rights = ((boards >= CASTLING[0]) & (boards < CASTLING[1])).any(1)
    chosen = (torch.rand(len(boards), generator=generator) < 0.5) & ~rights & (ply >= FIRST_PLY)
    boards = torch.where(chosen[:, None], BOARD[boards.long()], boards)
    moves = torch.where(chosen.index_select(0, rows)[:, None], MOVE[moves.long()], moves)
    return boards, moves, rows, played, where, ply
