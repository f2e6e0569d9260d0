"""The search at its root (docs/format/search.md)."""

from .search import INFINITE, Searcher


def search_root(nnue, state, history, likely, nodes, width, scout_margin):
    """For each finished depth the value of each legal move, and which moves are full."""
    legal = history.position.legal_moves()
    searcher = Searcher(nnue, state, history, nodes)
    searched = likely[: min(len(legal) if scout_margin is not None else width, nodes)]
    full = set(searched[:width])
    after = {}
    for place in searched:
        after[place] = history.position.copy()
        after[place].play(legal[place])
    expected = {place: -INFINITE for place in searched}
    depths = []

    def value_of(place, depth, alpha, beta):
        return -searcher.negamax(after[place], depth, -beta, -alpha, 1)

    for depth in range(1, 24):
        if depth > 1 and (searcher.nodes > nodes // 9 * 2 or len(searched) < 2):
            break
        searcher.limit = nodes
        searcher.trusts_earlier = depth >= 2
        best, values = -INFINITE, [-INFINITE] * len(legal)
        for number, place in enumerate(searched):
            alpha = max(best - 150, -INFINITE)
            e = expected[place]
            if place not in full and depth >= 3:
                bound = best - scout_margin - 1
                value = value_of(place, depth - 4, bound, bound + 1)
                if not searcher.stopped and value > bound:
                    value = value_of(place, depth - 1, bound, bound + 1)
                if searcher.stopped:
                    break
                if value <= bound:
                    values[place] = value
                    continue
                full.add(place)
                e = value
            if depth == 1:
                left = max(0, nodes // 2 - searcher.nodes)
                searcher.limit = searcher.nodes + max(1, left // (len(searched) - number))
            if depth < 3:
                value = value_of(place, depth - 1, alpha, INFINITE)
                if searcher.stopped and depth == 1:
                    searcher.stopped = False
                    value = -searcher.static_eval(after[place])[1]
            else:
                low = max(e - 30, alpha)
                high = max(e + 30, low + 1)
                value = value_of(place, depth - 1, low, high)
                if not searcher.stopped:
                    if value >= high:
                        value = value_of(place, depth - 1, high - 1, INFINITE)
                    elif value <= low and low > alpha:
                        value = value_of(place, depth - 1, alpha, low + 1)
            if searcher.stopped:
                break
            values[place] = value
            if place in full:
                best = max(best, value)
        if searcher.stopped:
            break
        for place in searched:
            expected[place] = values[place]
        searched = sorted(searched, key=lambda place: (place not in full, -expected[place]))
        depths.append(values)
    return depths, full
