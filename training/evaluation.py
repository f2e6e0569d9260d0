"""Fits the weights of `codec/src/features/evaluation/terms.rs` to the results of games (logistic regression).

    plyzip-training evaluation-terms train.packed 30 terms.bin
    python3 training/evaluation.py terms.bin codec/tables/evaluation.bin

The weights are centipawns: 100 are 1/SCALE of the log-odds of winning (a draw is half a win).
With the same seed and file it computes the same weights.
"""

import sys

import numpy as np
import torch

from schema import schema

TERMS = schema.evaluation.terms
SCALE = 180.0  # centipawns to the unit of log-odds
PASSES, BATCH, RATE = 6, 16384, 4.0


def read(path):
    data = np.fromfile(path, np.uint8)
    results, phases, starts, counts = [], [], [], []
    at = 0
    while at < len(data):
        results.append(data[at] / 2)
        phases.append(data[at + 1] / 24)
        counts.append(int(data[at + 2]))
        starts.append(at + 3)
        at += 3 + 2 * int(data[at + 2])
    width = max(counts)
    terms = np.zeros((len(counts), width), np.int16)
    for row, (start, count) in enumerate(zip(starts, counts)):
        terms[row, :count] = data[start : start + 2 * count].view("<i2")
    return torch.from_numpy(terms), torch.tensor(results), torch.tensor(phases)


def main():
    torch.manual_seed(1)
    torch.set_num_threads(1)
    terms, results, phases = read(sys.argv[1])
    if len(terms) < BATCH:
        raise SystemExit(f"{len(terms)} positions are less than a batch of {BATCH}")
    results, phases = results.float(), phases.float()
    # middle game and endgame; the first row stands for no term
    weights = torch.zeros(TERMS + 1, 2)
    for role, value in enumerate((100, 320, 330, 500, 950)):
        weights[1 + 64 * role : 65 + 64 * role] = value
    weights = torch.nn.Parameter(weights)
    optimizer = torch.optim.Adam([weights], lr=RATE)
    steps = PASSES * (len(terms) // BATCH)
    step = 0
    for _ in range(PASSES):
        order = torch.randperm(len(terms))
        for batch in order.split(BATCH)[: len(terms) // BATCH]:
            index = terms[batch].int()
            value = torch.nn.functional.embedding_bag(
                index.abs(), weights, mode="sum", padding_idx=0, per_sample_weights=index.sign().float()
            )
            phase = phases[batch]
            score = value[:, 0] * phase + value[:, 1] * (1 - phase)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(score / SCALE, results[batch])
            # A little decay towards the start keeps rare terms sane.
            optimizer.param_groups[0]["lr"] = RATE * (1 - step / steps)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
        print(f"{loss.item():.4f}", flush=True)
    rounded = weights.detach()[1:].round().clamp(-20000, 20000).numpy().astype("<i2")
    rounded.tofile(sys.argv[2])
    for name, row in zip("PNBRQ", rounded[: 64 * 5].reshape(5, 64, 2).mean(1)):
        print(name, row.round())


if __name__ == "__main__":
    main()
