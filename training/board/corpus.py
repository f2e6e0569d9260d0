"""Expanded games, as `plyzip-training expand` writes them, and batches of their positions.

The files are flat little-endian arrays (`training/tools/src/expand` describes them); they are loaded whole onto the
device, so that a batch is a gather and nothing waits for the processor. On a CPU they stay mapped files.
"""

import json
import os
from typing import NamedTuple

import numpy as np
import torch

# Behind this folder, whose modules come first where the one above has the same names.
from schema import schema

VERSION = schema.arrays.version
HISTORY = 8  # positions of a batch's history, the present one among them
MISSING = 13  # piece code on all squares of a position before the game's first
ENDED = schema.arrays.ended  # place of the played move: the game ended here
NOTHING = schema.arrays.nothing  # place of the played move: there is nothing to learn here
RECENT_GAMES = 150_000  # come twice in a pass
HELD_GAMES = 4000  # the last games of the training file choose between models and are never learned from

GAME = np.dtype(
    [
        ("start", "<u4"),
        ("plies", "<u2"),
        ("elo", "<u2", 2),
        ("year", "<u2"),
        ("result", "u1"),
        ("pace", "u1"),
        ("reserved", "<u2"),
    ]
)


class Batch(NamedTuple):
    """B positions with at most L legal moves each, as they stand in the files: squares are a1 = 0 to h8 = 63."""

    pieces: torch.Tensor  # (B, 8, 64) u8: 0 empty, 1-6 white pawn to king, 7-12 black, 13 missing; the present first
    attackers: torch.Tensor  # (B, 64) u8: min(3, white attackers) + 4 * min(3, black attackers)
    repeated: torch.Tensor  # (B, 8) u8: earlier occurrences of each position, at most 2
    black: torch.Tensor  # (B,) bool: Black is to move
    check: torch.Tensor  # (B,) bool
    castling: torch.Tensor  # (B,) u8: bits white king's side, white queen's, black king's, black queen's
    en_passant: torch.Tensor  # (B,) u8: 1 + file of a legal capture, else 0
    halfmoves: torch.Tensor  # (B,) u8
    ply: torch.Tensor  # (B,) i64
    choice: torch.Tensor  # (B,) i64: number of legal moves
    moves: torch.Tensor  # (B, L) i16: from | to << 6 | promotion << 12 (none, knight, bishop, rook, queen)
    legal: torch.Tensor  # (B, L) bool: which of them are moves and no padding
    played: torch.Tensor  # (B,) i64: place of the played move, 0 where the game ended
    ended: torch.Tensor  # (B,) bool: the game ended here
    elo: torch.Tensor  # (B, 2) i32: White's and Black's, 0 unknown
    result: torch.Tensor  # (B,) u8: 0 unknown, 1 White won, 2 Black won, 3 drawn
    year: torch.Tensor  # (B,) i32: 0 unknown
    pace: torch.Tensor  # (B,) u8: 2 * pace + online


class Corpus:
    """The expanded games of one folder, on one device."""

    def __init__(self, folder, device="cpu"):
        with open(os.path.join(folder, "meta.json")) as file:
            self.meta = json.load(file)
        if self.meta["version"] != VERSION:
            raise ValueError(f"{folder} has version {self.meta['version']} of the arrays, not {VERSION}")
        if self.meta["moves"] >= 2**31:
            raise ValueError(f"{folder} has {self.meta['moves']} legal moves, and 2^31 are too many to index")
        self.device = torch.device(device)
        positions = self.meta["positions"]

        def array(name, dtype, shape):
            values = np.memmap(os.path.join(folder, name), dtype, "c", shape=shape)
            return torch.from_numpy(values).to(self.device)

        self.squares = array("squares.bin", np.uint8, (positions, 64))
        self.state = array("state.bin", np.uint8, (positions, 4))
        # Signed types, since PyTorch indexes little else; the numbers stay below 2^31 and 2^15.
        self.first = array("first.bin", np.int32, (positions + 1,))
        self.moves = array("moves.bin", np.int16, (self.meta["moves"],))
        self.game = array("game.bin", np.int32, (positions,))
        games = np.fromfile(os.path.join(folder, "games.bin"), GAME)
        column = lambda name, dtype: torch.from_numpy(games[name].astype(dtype)).to(self.device)
        self.start = column("start", np.int64)
        self.plies = column("plies", np.int64)
        self.elo = column("elo", np.int32)
        self.year = column("year", np.int32)
        self.result = column("result", np.uint8)
        self.pace = column("pace", np.uint8)

    @property
    def games(self):
        return len(self.start)

    def lessons(self, first_game=0, end_game=None):
        """Indices (i64) of the positions in a range of games that have something to be learned."""
        end_game = self.games if end_game is None else end_game
        if first_game >= end_game:
            return torch.zeros(0, dtype=torch.int64, device=self.device)
        begin = int(self.start[first_game])
        end = int(self.start[end_game]) if end_game < self.games else len(self.game)
        return torch.nonzero(self.state[begin:end, 3] != NOTHING)[:, 0] + begin

    def batch(self, index, most_moves):
        """The positions `index` (B,) i64, each with its first `most_moves` legal moves.

        No position of a game has more than 218; with fewer, a played move beyond them is not among the logits, and
        the position says nothing about moves (`legal` has no move in it).
        """
        game = self.game[index].long()
        start = self.start[game]
        back = index[:, None] - torch.arange(HISTORY, device=self.device)
        missing = back < start[:, None]
        back = torch.where(missing, start[:, None], back)
        squares = self.squares[back]
        state = self.state[index]
        first = self.first[index].long()
        choice = self.first[index + 1].long() - first
        place = torch.arange(most_moves, device=self.device)
        played = state[:, 3].long()
        ended = played == ENDED
        legal = (place < choice[:, None]) & (ended | (played < most_moves))[:, None]
        where = (first[:, None] + place).clamp_(max=len(self.moves) - 1)
        return Batch(
            pieces=(squares & 15).masked_fill(missing[:, :, None], MISSING),
            attackers=squares[:, 0] >> 4,
            repeated=(self.state[back][:, :, 0] >> 6).masked_fill(missing, 0),
            black=(state[:, 0] & 16) != 0,
            check=(state[:, 0] & 32) != 0,
            castling=state[:, 0] & 15,
            en_passant=state[:, 1],
            halfmoves=state[:, 2],
            ply=index - start,
            choice=choice,
            moves=torch.where(legal, self.moves[where], 0),
            legal=legal,
            played=played.masked_fill(ended | (played >= most_moves), 0),
            ended=ended,
            elo=self.elo[game],
            result=self.result[game],
            year=self.year[game],
            pace=self.pace[game],
        )


class Sampler:
    """An endless, reproducible order of lessons: every one of them once a pass, those of the last games twice.

    `among`, sorted indices, leaves only those of them that are lessons.
    """

    def __init__(self, corpus, seed, recent_games=RECENT_GAMES, held_games=HELD_GAMES, among=None):
        end = max(0, corpus.games - held_games)
        everything = corpus.lessons(0, end)
        recent = corpus.lessons(max(0, end - recent_games), end) if end > recent_games else everything[:0]
        if among is not None:
            everything, recent = (some[torch.isin(some, among)] for some in (everything, recent))
        self.lessons = torch.cat([everything, recent])
        if not len(self.lessons):
            raise ValueError("there are no positions to learn from besides the games held back")
        self.seed = seed
        self.pass_number = -1
        self.order = None

    def indices(self, step, size):
        """The `step`-th batch of `size` positions."""
        a_pass = max(1, len(self.lessons) // size)
        number, place = divmod(step, a_pass)
        if number != self.pass_number:
            generator = torch.Generator(device=self.lessons.device).manual_seed(self.seed * 1_000_003 + number)
            self.order = torch.randperm(len(self.lessons), generator=generator, device=self.lessons.device)
            self.pass_number = number
        return self.lessons[self.order[place * size : (place + 1) * size]]
