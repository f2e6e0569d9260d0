"""What the names of players cost in a month of games on a server, simulated (docs/experiments/065-names-of-a-month.md).

    python3 training/month_of_names.py [--hours 24] [--handles games.pgn --out FOLDER]

Players and games are made up: how often people play follows a power law, they play some games in a row, and against
others of their rating. `--handles` learns from the names of a PGN how handles are spelt, and writes a block of 20,000
such games, `named.pgn`, and the same without names, `nameless.pgn`: the difference of their archives is what names cost
today.
"""

import argparse
import re
from pathlib import Path

import numpy as np

GAMES_PER_HOUR = 125_000  # 90 million a month
PLAYERS = 1_200_000
SESSION = 6  # games in a row, on average
BETWEEN = 0.2  # hours from one to the next, on average
SHAPE = 1.4  # of the power law
RATINGS = (1550, 350)  # mean and standard deviation
WAITING = 512  # players who are paired by their ratings at a time
BLOCK = 20_000
ORDER = 1  # of the Markov chain of letters: blocks of 135 games then cost what those of real handles do


def players(rng):
    """How many places of games each player takes in an hour, and their ratings."""
    rate = rng.pareto(SHAPE, PLAYERS) + 0.05
    rate = np.minimum(rate, np.quantile(rate, 1 - 1e-6))
    return rate * 2 * GAMES_PER_HOUR / rate.sum(), np.clip(rng.normal(*RATINGS, PLAYERS), 600, 3000)


def places(rng, rate, rating, hours):
    """The players of all games in the order of time: White, Black, White, Black."""
    sessions = rng.poisson(rate * hours / SESSION)
    who = np.repeat(np.arange(PLAYERS), sessions)
    begin = rng.random(len(who)) * hours
    games = rng.geometric(1 / SESSION, len(who))
    player = np.repeat(who, games)
    first = np.repeat(np.cumsum(games) - games, games)
    passed = np.cumsum(rng.exponential(BETWEEN / 2, len(player)) + BETWEEN / 2)
    time = np.repeat(begin, games) + passed - passed[first]
    order = np.argsort(time, kind="stable")
    seats = player[order[time[order] < hours]]
    seats = seats[: len(seats) // WAITING * WAITING].reshape(-1, WAITING)
    # Neighbours by rating play each other, in any order.
    near = np.argsort(rating[seats] + rng.normal(0, 40, seats.shape), axis=1)
    pairs = np.take_along_axis(seats, near, axis=1).reshape(-1, WAITING // 2, 2)
    mixed = np.argsort(rng.random(pairs.shape[:2]), axis=1)
    return np.take_along_axis(pairs, mixed[:, :, None], axis=1).reshape(-1)


def entropy(counts):
    share = counts[counts > 0] / counts.sum()
    return -(share * np.log2(share)).sum()


def by_last_seen(names, late, by_rate):
    """Bits of a name by how long ago it was seen: a bucket of distances, and one of those last seen there."""
    index = np.argsort(names, kind="stable")
    same = names[index][1:] == names[index][:-1]
    previous = np.full(len(names), -1)
    previous[index[1:][same]] = index[:-1][same]
    following = np.full(len(names), len(names))
    following[index[:-1][same]] = index[1:][same]
    seen = previous >= 0
    distance = np.maximum(np.arange(len(names)) - previous, 1)
    bucket = np.where(seen, np.floor(2 * np.log2(distance)), -1).astype(int)
    most = bucket.max() + 1
    edges = np.round(2 ** (np.arange(most + 1) / 2)).astype(np.int64)
    alive = np.zeros(most)
    moments = np.linspace(late, len(names) - 1, 12).astype(np.int64)
    for moment in moments:
        age = moment - np.arange(moment)
        alive += np.histogram(age[following[:moment] >= moment], bins=edges)[0] / len(moments)
    counts = np.bincount(bucket[late:] + 1, minlength=most + 1)
    new = by_rate[late:][~seen[late:]].mean() if counts[0] else 0
    inside = (counts[1:] * np.log2(np.maximum(alive, 1))).sum() + counts[0] * new
    return entropy(counts) + inside / counts.sum()


def told_by_rating(first, second, rng):
    """Bits that the rating of the first player tells of the second."""
    bins = np.arange(0, 3000, 10)
    found = np.histogram(np.abs(first - second), bins=bins)[0] / len(first)
    chance = np.histogram(np.abs(first - rng.permutation(second)), bins=bins)[0] / len(first)
    both = (found > 0) & (chance > 0)
    return (found[both] * np.log2(found[both] / chance[both])).sum()


def spelling(handles, rng):
    """Makes up handles like these."""
    chain = {}
    for handle in handles:
        padded = "^" * ORDER + handle + "\n"
        for place in range(ORDER, len(padded)):
            chain.setdefault(padded[place - ORDER : place], []).append(padded[place])

    def one():
        handle = "^" * ORDER
        while len(handle) < 20 + ORDER:
            following = chain[handle[-ORDER:]]
            letter = following[rng.integers(len(following))]
            if letter == "\n":
                break
            handle += letter
        return handle[ORDER:]

    return one


def write_block(block, rating, handles, folder, rng):
    one, known, taken = spelling(handles, rng), {}, set()
    for player in block:
        while player not in known:
            handle = one()
            if len(handle) >= 3 and handle not in taken:
                taken.add(handle)
                known[player] = handle
    elo = np.clip(rating + rng.normal(0, 5, PLAYERS), 600, 3200).astype(int)
    for name, named in (("named.pgn", True), ("nameless.pgn", False)):
        with open(folder / name, "w") as out:
            for white, black in block.reshape(-1, 2):
                w, b = (known[white], known[black]) if named else ("A", "B")
                out.write(
                    f'[Event "Rated Blitz game"]\n[White "{w}"]\n[Black "{b}"]\n[Result "*"]\n'
                    f'[WhiteElo "{elo[white]}"]\n[BlackElo "{elo[black]}"]\n\n*\n\n'
                )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--handles", type=Path, metavar="PGN")
    parser.add_argument("--out", type=Path, default=Path("."))
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    rate, rating = players(rng)
    names = places(rng, rate, rating, arguments.hours)
    late = len(names) // 4 * 2  # the first half is for getting to know each other
    by_rate = -np.log2(rate / rate.sum())[names]
    print(f"{len(names) // 2:,} games of {arguments.hours} hours, {len(np.unique(names)):,} players")
    block = names[late : late + 2 * BLOCK]
    print(f"of a block of {BLOCK:,} games: {len(np.unique(block)):,} players")
    print(f"by how often somebody plays: {by_rate[late:].mean():.2f} bits a name")
    print(f"by how long ago somebody played: {by_last_seen(names, late, by_rate):.2f} bits a name")
    told = told_by_rating(rating[names[late::2]], rating[names[late + 1 :: 2]], rng)
    print(f"the first player's rating tells {told:.2f} bits of the second")
    if arguments.handles:
        tags = re.findall(r'^\[(?:White|Black) "([^", ]+)"\]', arguments.handles.read_text("latin-1"), re.M)
        write_block(block, rating, sorted(set(tags)), arguments.out, rng)


if __name__ == "__main__":
    main()
