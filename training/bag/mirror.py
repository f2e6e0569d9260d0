"""Positions seen in a mirror, file a for file h.

Without castling rights the rules do not tell left from right, and players hardly do: the mirror
image of a position, with that of the move played, is another lesson. Features are mirrored
by their indices, whose ranges `schema.json` has (`codec/src/features/index.rs` says what they are).
"""

import torch

from schema import schema

FIRST_PLY = 30  # before, left and right are what the opening made them


def squares(size, tail=1):
    """Squares (of pawns 48, which begin with a whole rank too), each with `tail` features."""
    places = torch.arange(size).view(-1, tail)
    return places[torch.arange(size // tail) ^ 7].reshape(-1)


def pieces(size):
    """Pieces on their squares, attacked and defended or not; of the enemy king, the last 128, only the latter."""
    return torch.cat([squares(size - 128, 4), squares(128, 2) + size - 128])


def displacements(size):
    """Displacements by up to 7 files and ranks for each of some pieces, and what is left."""
    pieces, rest = divmod(size, 15 * 15)
    places = torch.arange(pieces * 225).view(pieces, 15, 15).flip(2).reshape(-1)
    return torch.cat([places, pieces * 225 + torch.arange(rest)])


def pairs(size):
    """Squares of departure x squares of arrival."""
    return torch.arange(size).view(64, 64)[torch.arange(64) ^ 7][:, torch.arange(64) ^ 7].reshape(-1)


# The ranges of features that have a left and a right; the others stay as they are.
BOARD_RULES = {
    "PIECE": pieces,
    "EN_PASSANT": lambda size: torch.arange(size).flip(0),
    "LAST": squares,
    "EARLIER": squares,
    "PASSED": squares,
}
MOVE_RULES = {
    "FROM": squares,
    "TO": squares,
    "FROM_TO": pairs,
    "ENEMY_KING": displacements,
    "OWN_KING": displacements,
    "LAST_ARRIVAL": displacements,
    "PLAN": displacements,
    "OWN_RUNNER": displacements,
    "ENEMY_RUNNER": displacements,
}


def mirrored(features, rules):
    """For each feature the one that it is in the mirror (features,) i32."""
    assert {name for name, _, _ in features.ranges} >= set(rules)
    result = torch.cat([rules.get(name, torch.arange)(size) + first for name, first, size in features.ranges])
    everything = torch.arange(features.features)
    assert torch.equal(result[result], everything), "what is mirrored twice is what it was"
    return result.to(torch.int32)


BOARD = mirrored(schema.board, BOARD_RULES)
MOVE = mirrored(schema.moves, MOVE_RULES)
# The first board feature of castling rights, and their number.
_, CASTLING, RIGHTS = next(entry for entry in schema.board.ranges if entry[0] == "CASTLING")


def mirror(batch, generator):
    """Mirrors every other position of a batch without castling rights and after the opening, as `generator` chooses."""
    boards, moves, rows, played, where, ply = batch
    rights = ((boards >= CASTLING) & (boards < CASTLING + RIGHTS)).any(1)
    chosen = (torch.rand(len(boards), generator=generator) < 0.5) & ~rights & (ply >= FIRST_PLY)
    boards = torch.where(chosen[:, None], BOARD[boards.long()], boards)
    moves = torch.where(chosen.index_select(0, rows)[:, None], MOVE[moves.long()], moves)
    return boards, moves, rows, played, where, ply
