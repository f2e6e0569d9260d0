"""Trains a board network by the clock.

    PYTHONPATH=training python3 -m board.train --corpus train.x --run run --size large --to 0.8 --seconds 560 \\
        --teacher teacher.pt

A run's progress goes from 0 to 1. Each call takes it to `--to` in `--seconds`, whatever the machine's speed: the
learning rate, and from `--rounded-from` on the rounding to 8 bits, follow the progress and so the clock. A call goes on
where the last one ended: from RUN/state.pt on the same machine, or else from RUN/portable.pt, the small file that
each call leaves, with new momenta. A run that begins may take the weights of a finished network (`--start`), and have
more blocks.

Once values are rounded, the small file holds the weights that did best on the games held back, and not the last ones.

Lessons are the positions of all games but the last 4,000, which choose between networks. One head learns the move
played, another the teacher's policy, if there is one. With `--elder`, a finished network, the first head learns a
mixture of the move played and of the elder's opinion, and the elder's second head stands in for the teacher.

On a processor with tile registers or AVX-512 BF16 (`tiles.py`), `--tiles` takes steps some ten times as fast as
PyTorch's, without any of these; the value is not learned there, and there is no dropout. There the second head may
learn what to add to the logits of a finished network of features (`--offsets`), which half of the positions are taken
from then.
"""

import argparse
import contextlib
import json
import math
import os
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from board import checkpoint, label, teacher, tiles
from board.corpus import HELD_GAMES, RECENT_GAMES, Corpus, Sampler
from board.evaluate import evaluate
from board.muon import Muon
from board.network import SIZES, BoardNetwork, Config
from board.view import choose_mirrored, hide, left_is_right, result_for_mover, view

OBSERVED = 20  # batches that choose the units of rounding
OBSERVED_BY_PYTORCH = 128  # positions of each where PyTorch is slow
WARM_STEPS = 200
DECAY_FROM = 0.3
MOST_MOVES = 128  # in training; the few positions with more say nothing about moves
HIDDEN = 0.1  # share of games in which ratings, result, year or pace are hidden
VALUE_WEIGHT, END_WEIGHT = 0.1, 1.0


def soft_cross_entropy(logits, wanted, legal):
    """(B,) nats; wanted (B, L) sums to one. Padding has no part in it."""
    return -(wanted * torch.log_softmax(logits, dim=1).masked_fill(~legal, 0)).sum(dim=1)


class Objective(torch.nn.Module):
    """The losses of a batch, so that they are compiled together with the network."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, seen, played, ended, result, has_result, taught, taught_value, elder, trust):
        """Seen: a View. Played (B,) i64, ended (B,) bool, result (B,) i64 (won 0, drawn 1, lost 2) where has_result;
        taught (T, L) and taught_value (T, 3): the teacher's opinion of the first T positions, T may be 0;
        elder (B, L) or None. Returns sums of nats and their counts: played, end, taught, value."""
        logits, taught_logits, end, value = self.net(seen)
        moves = (seen.legal.any(dim=1) & ~ended).float()
        cross = F.cross_entropy(logits, played, reduction="none")
        if elder is not None:
            cross = (1 - trust) * cross + trust * soft_cross_entropy(logits, elder, seen.legal)
        end_cross = F.binary_cross_entropy_with_logits(end, ended.float(), reduction="none")
        count = len(taught)
        zero = torch.zeros((), device=logits.device)
        taught_cross = taught_total = zero
        value_cross = (F.cross_entropy(value, result, reduction="none") * has_result).sum()
        value_total = has_result.sum()
        if count:
            known = seen.legal[:count].any(dim=1).float()
            taught_cross = (soft_cross_entropy(taught_logits[:count], taught, seen.legal[:count]) * known).sum()
            taught_total = known.sum()
            value_cross = value_cross - (taught_value * torch.log_softmax(value[:count], dim=1)).sum()
            value_total = value_total + count
        return torch.stack(
            [
                torch.stack([(cross * moves).sum(), moves.sum()]),
                torch.stack([end_cross.sum(), zero + len(end)]),
                torch.stack([taught_cross, taught_total]),
                torch.stack([value_cross, value_total]),
            ]
        )


def rate(progress, step):
    """The learning rate's share of its largest value."""
    warm = min(1.0, (step + 1) / WARM_STEPS)
    if progress <= DECAY_FROM:
        return warm
    return warm * max(0.0, 1 - (progress - DECAY_FROM) / (1 - DECAY_FROM))


class LabelStore:
    """What the teacher said of some positions beforehand (`label.py`)."""

    def __init__(self, folder, corpus):
        shards = [label.read(path) for path in sorted(Path(folder).glob("*.labels"))]
        if not shards:
            raise SystemExit(f"{folder} holds no labels")
        joined = lambda name: torch.from_numpy(np.concatenate([getattr(shard, name) for shard in shards]))
        index = corpus.start.cpu()[joined("game").long()] + joined("ply").long()
        pairs = torch.from_numpy(np.concatenate([np.diff(shard.first) for shard in shards]))
        self.index, order = index.sort()
        self.pairs = pairs[order]
        self.first = (pairs.cumsum(0) - pairs)[order]
        self.place, self.share, self.value = joined("place"), joined("share"), joined("wdl")[order]
        for name in ("index", "pairs", "first", "place", "share", "value"):
            setattr(self, name, getattr(self, name).to(corpus.device))

    def opinion(self, index, most_moves):
        """Shares (B, most_moves) of the moves and chances (B, 3), each summing to one."""
        at = torch.searchsorted(self.index, index)
        rank = torch.arange(most_moves, device=index.device)
        here = rank < self.pairs[at][:, None]
        where = (self.first[at][:, None] + rank).clamp_(max=len(self.place) - 1)
        share = torch.where(here, self.share[where], 0).float()
        place = torch.where(here, self.place[where], 0).long()
        kept = share * (place < most_moves)
        shares = torch.zeros(len(index), most_moves, device=index.device)
        shares.scatter_add_(1, place.clamp(max=most_moves - 1), kept)
        value = self.value[at].float()
        return shares / shares.sum(1, keepdim=True).clamp_min(1), value / value.sum(1, keepdim=True)


class Run:
    def __init__(self, options):
        self.options = options
        self.device = torch.device(options.device)
        torch.manual_seed(options.seed)
        torch.set_float32_matmul_precision("high")
        if options.tiles:
            # What is left to PyTorch is too little for two, and its threads would spin while others have work.
            torch.set_num_threads(1)
        elif options.threads:
            torch.set_num_threads(options.threads)
        os.makedirs(options.run, exist_ok=True)
        self.state_path = os.path.join(options.run, "state.pt")
        self.portable_path = os.path.join(options.run, "portable.pt")
        self.corpus = Corpus(options.corpus, self.device)
        self.labels = LabelStore(options.labels, self.corpus) if options.labels else None
        self.sampler = Sampler(
            self.corpus,
            options.seed,
            recent_games=options.recent_games,
            held_games=options.held_games,
            among=self.labels.index if self.labels else None,
        )
        self.net = BoardNetwork(options.config).to(self.device)
        matrices = [
            p for name, p in self.net.named_parameters() if p.ndim == 2 and name.endswith("weight") and min(p.shape) > 4
        ]
        chosen = {id(p) for p in matrices}
        others = [p for p in self.net.parameters() if id(p) not in chosen]
        self.optimizers = [
            Muon(matrices, lr=options.matrix_rate),
            torch.optim.AdamW(others, lr=options.rate, betas=(0.9, 0.99), weight_decay=0.0, fused=True),
        ]
        self.rates = [options.matrix_rate, options.rate]
        self.average = {name: p.detach().clone() for name, p in self.net.named_parameters()}
        self.progress, self.step, self.positions, self.trained = 0.0, 0, 0, 0.0
        self.warm_from = 0  # the step at which momenta were nothing
        self.best = None  # bits of the best rounded network, and its averaged weights
        if options.start:
            self.take(options.start, deepen=True)
        self.resume()
        self.teacher = self.elder = None
        if sum(map(bool, (options.teacher, options.elder, options.labels))) > 1:
            raise SystemExit("a teacher, its labels or an elder in its place: name one of them")
        if options.teacher:
            dtype = torch.float32 if options.precision == "f32" else torch.bfloat16
            self.teacher = teacher.load(options.teacher, dtype, self.device).eval().requires_grad_(False)
        if options.elder:
            self.elder = checkpoint.load(options.elder, self.device)[0].eval().requires_grad_(False)
        compiled = (lambda thing: torch.compile(thing, dynamic=False)) if options.compile else (lambda thing: thing)
        self.compiled = compiled
        self.tiles = None
        if options.tiles:
            if self.teacher or self.elder or self.labels:
                raise SystemExit("--tiles knows no teacher, labels or elder")
            self.tiles = tiles.Tiles(self.net, self.corpus, options.threads or os.cpu_count())
        self.offsets = None
        if options.offsets:
            if not (options.tiles and options.offset_games):
                raise SystemExit("--offsets needs --tiles and --offset-games")
            first_game, end_game = map(int, options.offset_games.split("-"))
            self.offsets = tiles.Offsets(options.offsets, self.corpus, first_game, end_game)
            among = torch.arange(self.offsets.begin, self.offsets.end)
            others = {"recent_games": 0, "held_games": options.held_games, "among": among}
            self.offset_sampler = Sampler(self.corpus, options.seed + 1, **others)
        self.see = compiled(view)  # as one kernel instead of a hundred small ones
        self.objective = compiled(Objective(self.net))
        if self.teacher is not None:
            self.ask_teacher = compiled(self.teacher)
        if self.elder is not None:
            self.ask_elder = compiled(self.elder)
        self.randomness = torch.Generator(device=self.device).manual_seed(options.seed + self.step)
        held = self.corpus.lessons(max(0, self.corpus.games - options.held_games))
        spread = torch.linspace(0, len(held) - 1, min(len(held), options.valid_positions), device=self.device)
        self.held = held[spread.long()]

    def autocast(self):
        if self.options.precision == "f32":
            return contextlib.nullcontext()
        return torch.autocast(self.device.type, torch.bfloat16)

    def record(self):
        return {"progress": self.progress, "step": self.step, "positions": self.positions, "trained": self.trained}

    def restore(self, record):
        self.progress, self.step = record["progress"], record["step"]
        self.positions, self.trained = record["positions"], record["trained"]

    def take(self, path, deepen=False):
        """The weights of a portable file, and its record; with `deepen` it may have fewer blocks."""
        net, record = checkpoint.load(path, self.device)
        if net.config != self.net.config and not deepen:
            raise SystemExit(f"{path} holds a network of other sizes: {net.config}")
        try:
            self.net.begin_from(net)
        except ValueError as error:
            raise SystemExit(f"cannot begin with {path}: {error}") from error
        self.average = {name: p.detach().clone() for name, p in self.net.named_parameters()}
        return net, record

    def resume(self):
        if os.path.exists(self.state_path):
            state = torch.load(self.state_path, weights_only=True, map_location=self.device)
            self.net.load_state_dict(state["net"])
            for optimizer, saved in zip(self.optimizers, state["optimizers"]):
                optimizer.load_state_dict(saved)
            self.average, self.net.quantised = state["average"], state["quantised"]
            self.best = state["best"]
            self.restore(state["progress"])
        elif os.path.exists(self.portable_path):
            net, record = self.take(self.portable_path)
            self.net.quantised = net.quantised
            self.restore(record["progress"])
            self.warm_from = self.step

    def save(self):
        state = {"net": self.net.state_dict(), "average": self.average, "quantised": self.net.quantised}
        state |= {"best": self.best}
        state |= {"optimizers": [optimizer.state_dict() for optimizer in self.optimizers], "progress": self.record()}
        checkpoint.write(self.state_path, state)
        best = self.average if self.best is None else self.best[1]
        checkpoint.write(self.portable_path, checkpoint.portable(self.net, best, self.record()))

    @contextlib.contextmanager
    def averaged(self):
        """The network with its averaged weights, not training."""
        own = {name: p.detach().clone() for name, p in self.net.named_parameters()}
        put = lambda values: [p.data.copy_(values[name]) for name, p in self.net.named_parameters()]
        put(self.average)
        self.net.eval()
        yield self.net
        self.net.train()
        put(own)

    def lesson(self, size=None):
        """One batch with all that its losses need."""
        options = self.options
        index = self.sampler.indices(self.step, options.batch)[:size]
        batch = self.corpus.batch(index, options.most_moves)
        shown = hide(batch, self.randomness, HIDDEN)
        seen = self.see(shown, choose_mirrored(batch, self.randomness))
        # The value is learned from the result where the network is not told it.
        result = (3 - result_for_mover(batch)).clamp(0, 2)
        has_result = ((batch.result > 0) & (shown.result == 0)).float()
        count = int(len(index) * options.taught_share) if self.teacher or self.labels else 0
        taught = torch.zeros(count, options.most_moves, device=self.device)
        taught_value = torch.zeros(count, 3, device=self.device)
        elder = None
        with torch.no_grad():
            if count and self.labels:
                taught, taught_value = self.labels.opinion(index[:count], options.most_moves)
            elif count:
                asked = (batch.pieces, batch.repeated, batch.black, batch.castling, batch.halfmoves, batch.moves)
                logits, taught_value = self.ask_teacher(*(part[:count] for part in (*asked, batch.legal)))
                taught = torch.softmax(logits.masked_fill(~batch.legal[:count], -1e9), dim=1)
            if self.elder is not None:
                with self.autocast():
                    moves, second, _, value = self.ask_elder(seen)
                elder, taught, taught_value = (torch.softmax(part, dim=1) for part in (moves, second, value))
        return seen, batch.played, batch.ended, result, has_result, taught, taught_value, elder, options.trust

    def learn_in_tiles(self):
        """Gradients of one batch by `tiles.py`. Returns the means that the objective has."""
        corpus, randomness = self.corpus, self.randomness
        size = self.options.batch
        if self.offsets is None:
            index = self.sampler.indices(self.step, size).contiguous()
        else:
            samplers = self.sampler, self.offset_sampler
            index = torch.cat([sampler.indices(self.step, size // 2) for sampler in samplers])
        chance = torch.rand(5, len(index), generator=randomness)
        ply = index - corpus.start[corpus.game[index].long()]
        alike = left_is_right(corpus.state[index, 0] & 15, ply)
        flags = ((chance[0] < 0.5) & alike).to(torch.uint8)
        for bit in range(1, 5):
            flags |= (chance[bit] < HIDDEN).to(torch.uint8) << bit
        played, end, added = self.tiles.step(index, flags, self.offsets).tolist()
        return torch.tensor([played, end, added, 0.0])

    def begin_rounding(self):
        """Chooses the units of activations on a few batches, then rounds from here on."""
        self.net.observing = True
        with torch.no_grad(), self.autocast():
            for _ in range(OBSERVED):
                self.net(self.lesson(OBSERVED_BY_PYTORCH if self.tiles else None)[0])
                self.step += 1
        self.net.observing = False
        for site in self.net.sites():
            site.choose()
        self.net.quantised = True

    def learn(self):
        share = rate(self.progress, self.step - self.warm_from)
        for optimizer, largest in zip(self.optimizers, self.rates):
            for group in optimizer.param_groups:
                group["lr"] = largest * share
        options = self.options
        if self.tiles is None:
            lesson = self.lesson()
            with self.autocast():
                sums = self.objective(*lesson)
            means = sums[:, 0] / sums[:, 1].clamp_min(1)
            loss = means[0] + END_WEIGHT * means[1] + options.taught_weight * means[2] + VALUE_WEIGHT * means[3]
            loss.backward()
        else:
            means = self.learn_in_tiles()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0, foreach=True)
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        decay = min(options.average_decay, (1 + self.step) / (10 + self.step))
        averages = [self.average[name] for name, _ in self.net.named_parameters()]
        torch._foreach_lerp_(averages, [p.detach() for p in self.net.parameters()], 1 - decay)
        self.step += 1
        self.positions += options.batch
        return means.detach()

    def report(self, means, began, log):
        with self.averaged() as net, self.autocast():
            found = evaluate(net, self.corpus, self.held)
        cost = float(found["move"] + found["end"])
        if self.net.quantised and (self.best is None or cost < self.best[0]):
            self.best = cost, {name: value.clone() for name, value in self.average.items()}
        bits = [round(value / math.log(2), 4) for value in means.tolist()]
        record = {"progress": round(self.progress, 4), "step": self.step, "positions": self.positions}
        record |= {"seconds": round(self.trained), "positions_per_second": round(self.positions_per_second)}
        record |= {"train": dict(zip(["played", "end", "taught", "value"], bits)), "rounded": self.net.quantised}
        record |= {"valid": found, "best": self.best and round(self.best[0], 4)}
        print(json.dumps(record), flush=True)
        log.write(json.dumps(record) + "\n")
        log.flush()

    def train(self):
        """Takes the progress to `--to` by the deadline. Returns whether the loss stayed finite."""
        options, called = self.options, time.monotonic()
        deadline = called + options.seconds
        log = open(os.path.join(options.run, "log.jsonl"), "a")
        first_progress, begun, reported, trained = self.progress, None, time.monotonic(), self.trained
        compiling = 0.0
        self.positions_per_second, counted, means = 0, (time.monotonic(), self.positions), None
        self.net.train()
        while self.progress < options.to:
            stopped = time.monotonic()
            rounding = not self.net.quantised and self.progress >= self.options.rounded_from
            if rounding:
                self.begin_rounding()
                self.objective = self.compiled(Objective(self.net))
            latest = self.learn()
            if begun is None or rounding:
                # This step compiled, which is no progress: the rest of the time is divided anew.
                latest.tolist()
                now = time.monotonic()
                print(
                    json.dumps({"first_step_seconds": round(now - (called if begun is None else stopped), 1)}),
                    flush=True,
                )
                compiling += 0 if begun is None else now - stopped
                begun = now if begun is None else begun
                counted = (now, self.positions)
            means = latest if means is None else means.lerp(latest, 0.05)
            if options.steps:
                gone = (self.step - options.first_step) / options.steps
                if time.monotonic() > deadline:
                    print("out of time before the last step", flush=True)
                    break
            else:
                learning = deadline - options.reserve - begun - compiling
                gone = (time.monotonic() - begun - compiling) / max(1e-6, learning)
            progress = first_progress + (options.to - first_progress) * gone
            self.progress = min(options.to, max(self.progress, progress))
            self.trained = trained + time.monotonic() - begun - compiling
            if self.step % 20 == 0:
                now = time.monotonic()  # after the queue of the GPU has been waited for
                if not math.isfinite(means.sum().item()):
                    print("the loss is not finite: stopped, the last checkpoint stands", flush=True)
                    return False
                if now - reported > options.report_seconds:
                    self.positions_per_second = (self.positions - counted[1]) / (now - counted[0])
                    self.report(means, begun, log)
                    self.save()
                    reported = time.monotonic()
                    counted = (reported, self.positions)
        if means is not None:
            self.positions_per_second = (self.positions - counted[1]) / max(1e-6, time.monotonic() - counted[0])
            self.report(means, begun, log)
        self.save()
        return True


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True, help="folder of expanded games")
    parser.add_argument("--run", required=True, help="folder of the run's state, checkpoint and log")
    parser.add_argument("--size", choices=SIZES, default="toy")
    parser.add_argument("--mixing", choices=["both", "attention", "rays", "convolution"], default="both")
    parser.add_argument("--sizes", type=json.loads, default={}, help='some in place of the size\'s own: {"width": 64}')
    parser.add_argument("--to", type=float, default=1.0, help="progress at the end of this call")
    parser.add_argument("--seconds", type=float, default=3600, help="of this call, loading and compiling included")
    parser.add_argument(
        "--reserve", type=float, default=12, help="of these seconds, for the last report and checkpoint"
    )
    parser.add_argument(
        "--steps", type=int, default=0, help="this many steps, where runs are compared; --seconds is the most"
    )
    parser.add_argument("--teacher", help="weights of the teacher")
    parser.add_argument("--labels", help="folder of what the teacher said beforehand; only these positions are lessons")
    parser.add_argument("--taught-share", type=float, default=1.0, help="of a batch that the teacher looks at")
    parser.add_argument("--taught-weight", type=float, default=0.5)
    parser.add_argument("--elder", help="portable file of a finished network to learn from as well")
    parser.add_argument("--start", help="portable file of a network whose weights the run begins with")
    parser.add_argument("--trust", type=float, default=0.5, help="the elder's share in what is learned")
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=2e-3, help="of AdamW")
    parser.add_argument("--matrix-rate", type=float, default=0.02, help="of Muon")
    parser.add_argument("--rounded-from", type=float, default=0.85, help="the progress at which rounding begins")
    parser.add_argument("--average-decay", type=float, default=0.999)
    parser.add_argument("--most-moves", type=int, default=MOST_MOVES)
    parser.add_argument("--held-games", type=int, default=HELD_GAMES)
    parser.add_argument("--recent-games", type=int, default=RECENT_GAMES, help="the latest, which come twice a pass")
    parser.add_argument("--valid-positions", type=int, default=16384)
    parser.add_argument("--report-seconds", type=float, default=30, help="between reports, and checkpoints with them")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--precision", choices=["bf16", "f32"], default="bf16")
    parser.add_argument("--tiles", action="store_true", help="steps in tile registers or AVX-512 BF16")
    parser.add_argument("--offsets", help="with --tiles: what `plyzip-training board-offsets` wrote")
    parser.add_argument("--offset-games", help="of which games: the first, -, the one behind the last")
    parser.add_argument("--compile", action=argparse.BooleanOptionalAction, default=torch.cuda.is_available())
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.config = Config(**vars(SIZES[options.size]) | {"mixing": options.mixing} | options.sizes)
    return options


def main():
    options = parse()
    run = Run(options)
    options.first_step = run.step
    size = sum(p.numel() for p in run.net.parameters())
    print(
        json.dumps(
            {
                "parameters": size,
                "multiply_adds": options.config.multiply_adds(),
                "lessons": len(run.sampler.lessons),
                "device": str(run.device),
                "from": run.progress,
                "to": options.to,
            }
        ),
        flush=True,
    )
    raise SystemExit(0 if run.train() else 3)


if __name__ == "__main__":
    main()
