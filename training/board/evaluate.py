"""Bits a ply of a board network on positions it has not learned from, by ply; and of its two heads mixed.

    PYTHONPATH=training python3 -m board.evaluate --corpus valid.x --network run/portable.pt

The mixture is log-linear, with one weight for each head and phase, fitted on one half of the games and measured on the
other, and the other way round.
"""

import argparse
import json
import math

import numpy as np
import torch

from board import checkpoint
from board.corpus import Corpus
from board.view import view

GROUPS = [10, 20, 40, 80]  # plies at which the next group begins
MOST_MOVES = 224  # no position of a game has more than 218
BATCH = 1024


@torch.no_grad()
def predictions(net, corpus, index, hidden=None):
    """Yields batches with the network's outputs for the positions `index`; `hidden` may hide conditions."""
    for begin in range(0, len(index), BATCH):
        batch = corpus.batch(index[begin : begin + BATCH], MOST_MOVES)
        yield batch, net(view(hidden(batch) if hidden else batch))


def evaluate(net, corpus, index, hidden=None):
    """Bits a ply: of the moves played with the head for them, by group of plies, of the ends, of the value."""
    sums = np.zeros((len(GROUPS) + 1, 2))
    end_bits = taught_bits = 0.0
    for batch, (played, taught, end, _value) in predictions(net, corpus, index, hidden):
        moves = ~batch.ended & batch.legal.any(dim=1)
        bits = lambda logits: (
            (torch.logsumexp(logits, 1) - logits.gather(1, batch.played[:, None])[:, 0])[moves].double().cpu().numpy()
            / math.log(2)
        )
        group = np.digitize(batch.ply[moves].cpu().numpy(), GROUPS)
        played_bits = bits(played)
        np.add.at(sums[:, 0], group, played_bits)
        np.add.at(sums[:, 1], group, 1)
        taught_bits += bits(taught).sum()
        end_bits += torch.nn.functional.binary_cross_entropy_with_logits(
            end, batch.ended.float(), reduction="sum"
        ).item() / math.log(2)
    plies = max(1, sums[:, 1].sum())
    return {
        "move": round(sums[:, 0].sum() / plies, 4),
        "end": round(end_bits / plies, 4),
        "by_ply": [round(bits / max(1, count), 3) for bits, count in sums],
        "played_by_teacher_head": round(taught_bits / plies, 4),
        "positions": len(index),
    }


def mixture(net, corpus, index):
    """Bits of the moves with both heads mixed by phase, cross-validated by halves of the games."""
    columns = []
    for number, (batch, (played, taught, _, _)) in enumerate(predictions(net, corpus, index)):
        odd = corpus.game[index[number * BATCH : (number + 1) * BATCH]] % 2 == 1
        moves = ~batch.ended & batch.legal.any(dim=1)
        group = torch.bucketize(batch.ply, torch.tensor(GROUPS, device=batch.ply.device), right=True)
        columns.append(
            (
                torch.log_softmax(played, 1)[moves],
                torch.log_softmax(taught, 1)[moves],
                batch.played[moves],
                group[moves],
                odd[moves],
            )
        )
    odd = torch.cat([column[4] for column in columns])
    played, taught, place, group = (torch.cat([column[i] for column in columns]) for i in range(4))
    bits = torch.zeros(len(GROUPS) + 1, 2)
    for side in (False, True):
        fit, measure = odd == side, odd != side
        for phase in range(len(GROUPS) + 1):
            here = group == phase
            weights = fitted(played[fit & here], taught[fit & here], place[fit & here])
            p, t, at = (x[measure & here] for x in (played, taught, place))
            logits = weights[0] * p + weights[1] * t
            lost = torch.logsumexp(logits, 1) - logits.gather(1, at[:, None])[:, 0]
            bits[phase] += torch.tensor([lost.sum().item() / math.log(2), len(at)])
    return {
        "move": round((bits[:, 0].sum() / bits[:, 1].sum()).item(), 4),
        "by_ply": [round((b / max(1, n)).item(), 3) for b, n in bits],
    }


@torch.enable_grad()
def fitted(played, taught, place):
    """The two weights with which the mixture's cross-entropy is least."""
    weights = torch.tensor([0.9, 0.1], device=played.device, requires_grad=True)
    if not len(place):
        return weights.detach()
    played, taught = played.float(), taught.float()
    optimizer = torch.optim.LBFGS([weights], max_iter=20)

    def closure():
        optimizer.zero_grad()
        logits = weights[0] * played + weights[1] * taught
        loss = torch.nn.functional.cross_entropy(logits, place)
        loss.backward()
        return loss

    optimizer.step(closure)
    return weights.detach()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--network", required=True, help="portable file of a run")
    parser.add_argument("--first-game", type=int, default=0)
    parser.add_argument("--end-game", type=int)
    parser.add_argument("--last-games", type=int, help="in place of the two numbers above")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--precision", choices=["bf16", "f32"], default="f32")
    options = parser.parse_args()
    corpus = Corpus(options.corpus, options.device)
    net = checkpoint.load(options.network, options.device)[0].eval()
    if options.last_games:
        options.first_game, options.end_game = max(0, corpus.games - options.last_games), None
    index = corpus.lessons(options.first_game, options.end_game)
    with torch.autocast(corpus.device.type, torch.bfloat16, enabled=options.precision == "bf16"):
        unknown = lambda batch: batch._replace(
            elo=batch.elo * 0, result=batch.result * 0, year=batch.year * 0, pace=batch.pace * 0
        )
        found = {
            "network": vars(net.config),
            "rounded": net.quantised,
            "alone": evaluate(net, corpus, index),
            "nothing_known_of_the_game": evaluate(net, corpus, index, unknown),
            "heads_mixed": mixture(net, corpus, index),
        }
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
