"""Writes the teacher of `fetch_teacher.py` as ONNX in Leela's format, for `plyzip compare --policy`.

    PYTHONPATH=training python3 -m board.export_teacher teacher-f32.npz t1.onnx
    PYTHONPATH=training python3 -m board.export_teacher teacher-f32.npz t1.onnx --corpus DIR --games 20

With a corpus, a folder of `plyzip-training expand`, it prints what PyTorch makes of the same moves: bits a move, and
the share of moves that are the network's first choice. The file has planes (16, 112, 8, 8) as its input and the logits
of the 1,858 moves (16, 1858), in the order that lc0 gives them. It is not ours and stays outside of the repository.
"""

import argparse
import math

import torch

from board import teacher
from board.corpus import Corpus

BATCH = 16  # as `plyzip compare --policy` asks


def places():
    """The places (1858,) among the teacher's logits of the moves in lc0's order."""
    reached = teacher.square_map().flatten() > 0
    plain = torch.nonzero(reached)[:, 0]
    file = torch.arange(8)
    near = (file[:, None] - file).abs() <= 1
    promotions = torch.nonzero(near.flatten())[:, 0] * 3
    return torch.cat([plain, teacher.PROMOTIONS + (promotions[:, None] + torch.arange(3)).flatten()])


class Leela(torch.nn.Module):
    """The teacher with Leela's input and output."""

    def __init__(self, model):
        super().__init__()
        self.model, self.places = model, places()

    def forward(self, planes):
        logits, wdl = self.model.network(planes.flatten(2).transpose(1, 2))
        return logits[:, self.places], wdl


@torch.no_grad()
def figures(model, corpus, games):
    """Bits a move and the share of favourites among the moves of the first games."""
    index = corpus.lessons(0, games)
    bits = hits = plies = 0
    for some in index.split(BATCH):
        given = corpus.batch(some, 218)
        names = ("pieces", "repeated", "black", "castling", "halfmoves", "moves", "legal")
        logits = model(*(getattr(given, name) for name in names))[0]
        moves = ~given.ended
        logits, played = logits[moves], given.played[moves]
        own = logits.gather(1, played[:, None])[:, 0]
        bits += (logits.logsumexp(1) - own).sum().item() / math.log(2)
        hits += (own >= logits.amax(1)).sum().item()
        plies += len(own)
    return {"bits_per_move": bits / plies, "hits": hits / plies, "plies": plies}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("teacher", help="a file of fetch_teacher.py, with 32 bits")
    parser.add_argument("out")
    parser.add_argument("--corpus")
    parser.add_argument("--games", type=int, default=20)
    options = parser.parse_args()
    model = teacher.load(options.teacher)
    if options.corpus:
        corpus = Corpus(options.corpus)
        print(figures(model, corpus, min(options.games, corpus.games)))
    planes = torch.zeros(BATCH, teacher.PLANES, 8, 8)
    names = dict(input_names=["/input/planes"], output_names=["/output/policy", "/output/wdl"])
    torch.onnx.export(Leela(model).eval(), planes, options.out, **names, opset_version=17, dynamo=False)


if __name__ == "__main__":
    main()
