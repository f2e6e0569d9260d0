"""Gives a bag network a second head, which learns what the teacher would play, and tells what both heads are worth.

    PYTHONPATH=training python3 -m bag.taught models/standard.onnx --packed train.packed --labels labels \\
        --out taught.pt --check-packed valid.packed --check-labels labels-valid

For `--frozen` of the time only the head learns; then the network learns with it, from what people play and what the
teacher would play in the same positions. The head is checked on other games, which nothing has learned from: bits a
move of what people played by the first head, by the teacher itself, by each mixed with the first (log-linear, by
phase, fitted on one half of the positions and measured on the other), and how far the head is from the teacher.
"""

import argparse
import json
import math
import time

import torch

from bag.import_network import network_of
from bag.mirror import mirror
from bag.network import Network, Taught
from bag.train import Batches, log_sums
from schema import schema

PHASES = torch.tensor([10, 20, 40, 80])


def log_shares(logits, rows, count):
    return logits - log_sums(logits, rows, count)[rows]


def losses(net, head, batch, frozen):
    """Mean cross-entropies, in nats: with the move played, with the teacher's policy."""
    boards, moves, rows, played, where, _, shares = batch
    with torch.set_grad_enabled(not frozen and torch.is_grad_enabled()):
        h, z = net.vectors(boards, moves, rows)
    index, count = rows.long(), len(boards)
    taught = log_shares(head(net, h, z, moves, rows), index, count)
    taught_loss = -(shares * taught).sum() / count
    if frozen:
        return taught_loss.new_zeros(()), taught_loss
    own = log_shares(net.scores(h, z, moves, rows, net.score, net.squares, net.squares_bias), index, count)
    return -(own[where] * played).sum() / played.sum(), taught_loss


@torch.no_grad()
def collect(net, head, batches):
    """For every move of all batches: logarithms of its probability by the first head, the second, the teacher."""
    net.eval()
    columns, offset = [[] for _ in range(6)], 0
    for boards, moves, rows, played, where, ply, shares in batches:
        h, z = net.vectors(boards, moves, rows)
        index, count = rows.long(), len(boards)
        own = log_shares(net.scores(h, z, moves, rows, net.score, net.squares, net.squares_bias), index, count)
        taught = log_shares(head(net, h, z, moves, rows), index, count)
        teacher = torch.log(shares.clamp_min(0.5 / schema.labels.unit))  # what rounds to nothing has half a unit
        # Positions in which the game ended have no move to be predicted.
        kept = played[index]
        number = played.long().cumsum(0) - 1
        at = torch.zeros(len(rows), dtype=torch.bool)
        at[where[played]] = True
        for column, values in zip(columns, (own, taught, teacher, number[index] + offset, at)):
            column.append(values[kept])
        columns[5].append(torch.bucketize(ply[played].long(), PHASES, right=True))
        offset += int(played.sum())
    net.train()
    return [torch.cat(column) for column in columns]


def mixed(sources, index, at, phase):
    """Bits a move of sources mixed by phase; each position is measured with weights fitted on the other half."""
    count, total, half = len(phase), 0.0, torch.arange(len(phase)) // 512 % 2
    for group in range(len(PHASES) + 1):
        for side in (0, 1):
            fit, measure = ((phase == group) & (half == which) for which in (side, 1 - side))
            weights = torch.full((len(sources),), 1.0 / len(sources), requires_grad=True)

            def loss(chosen):
                moves = chosen[index]
                rows = (chosen.long().cumsum(0) - 1)[index[moves]]
                logits = sum(weight * source[moves] for weight, source in zip(weights, sources))
                return (log_sums(logits, rows, int(chosen.sum())) - logits[at[moves]]).sum()

            optimizer = torch.optim.LBFGS([weights], max_iter=15)

            def closure():
                optimizer.zero_grad()
                value = loss(fit) / max(1, int(fit.sum()))
                value.backward()
                return value

            if fit.any() and measure.any():
                optimizer.step(closure)
                with torch.no_grad():
                    total += loss(measure).item()
    return round(total / count / math.log(2), 4)


def check(net, head, batches):
    own, taught, teacher, index, at, phase = collect(net, head, batches)
    alone = -own[at].mean().item() / math.log(2)
    divergence = (teacher.exp() * (teacher - taught)).sum().item() / len(phase) / math.log(2)
    untaught = (teacher.exp() * (teacher - own)).sum().item() / len(phase) / math.log(2)
    return {
        "positions": len(phase),
        "first_head": round(alone, 4),
        "first_and_second": mixed([own, taught], index, at, phase),
        "first_and_teacher": mixed([own, teacher], index, at, phase),
        "all_three": mixed([own, taught, teacher], index, at, phase),
        "teacher_from_second_bits": round(divergence, 4),
        "teacher_from_first_bits": round(untaught, 4),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", help="a model's ONNX file, or what this program wrote, to go on from it")
    parser.add_argument("--packed", required=True)
    parser.add_argument("--labels", required=True)
    parser.add_argument("--check-packed", required=True)
    parser.add_argument("--check-labels", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--tool", default="target/release/plyzip-training")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--steps", type=int, help="end after this number of steps instead")
    parser.add_argument("--frozen", type=float, default=0.3, help="share of the way on which only the head learns")
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--rate", type=float, default=1e-3, help="of the head; the network's is a third of it")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--check-positions", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    if options.network.endswith(".onnx"):
        net = network_of(options.network)
        head = Taught(net)
    else:
        state = torch.load(options.network, weights_only=True)
        net = Network(*state["sizes"])
        net.load_state_dict(state["net"])
        head = Taught(net)
        head.load_state_dict(state["taught"])
    source = Batches(options.tool, options.check_packed, 0, 1024, labels=options.check_labels)
    checks = [source.next() for _ in range(options.check_positions // 1024)]
    source.close()
    print(json.dumps({"seconds": 0} | check(net, head, checks)), flush=True)
    source = Batches(options.tool, options.packed, options.seed, options.batch, labels=options.labels)
    optimizer = torch.optim.AdamW(
        [{"params": head.parameters(), "share": 1.0}, {"params": net.parameters(), "share": 1 / 3}],
        lr=options.rate,
        betas=(0.9, 0.99),
        weight_decay=0.02,
        fused=True,
    )
    mirrors = torch.Generator().manual_seed(options.seed)
    begun, step, averages, reported = time.monotonic(), 0, None, 0.0

    def way():
        """The share of the way that is done."""
        return step / options.steps if options.steps else (time.monotonic() - begun) / options.seconds

    while (gone := way()) < 1:
        frozen = gone < options.frozen
        for group in optimizer.param_groups:
            group["lr"] = options.rate * group["share"] * min(1, (step + 1) / 100) * (1 - gone)
        *batch, shares = source.next()
        played, taught = losses(net, head, (*mirror(batch, mirrors), shares), frozen)
        optimizer.zero_grad()
        (played + taught).backward()
        if not frozen:
            net.board_table.grad[schema.board.padding] = 0  # the padding stays nothing
        optimizer.step()
        step += 1
        now = torch.tensor([played.item(), taught.item()]) / math.log(2)
        averages = now if averages is None else averages.lerp(now, 0.02)
        if gone > reported + 1 / 8:
            reported = gone
            record = {"seconds": round(time.monotonic() - begun), "step": step, "frozen": frozen}
            record |= {"train": [round(value, 4) for value in averages.tolist()]} | check(net, head, checks)
            print(json.dumps(record), flush=True)
    print(json.dumps({"seconds": round(time.monotonic() - begun), "step": step} | check(net, head, checks)), flush=True)
    torch.save({"net": net.state_dict(), "sizes": list(net.sizes), "taught": head.state_dict()}, options.out)


if __name__ == "__main__":
    main()
