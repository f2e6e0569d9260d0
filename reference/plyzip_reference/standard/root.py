"""The search at its root (docs/format/search.md)."""

from ..material import is_insufficient_material
from ..position_key import position_key
from .search import INFINITE, Searcher

# Packed reply, kind, effort, state.
NO_REPLY = None, 0, 0, 0


def reply_of(state, keys, move, after):
    """What the table knows of the position `after` a move, when the search has ended."""
    key = position_key(after)
    occurred = keys.count(key)
    if occurred:
        of_game = min(occurred, 2)
    elif is_insufficient_material(after) or after.halfmoves >= 100:
        of_game = 3
    else:
        of_game = 4 * after.is_check()
    found, _, reply, depth, bound, _ = state.table[state.slot(key)]
    if found != key:
        return None, 0, 0, of_game
    effort = 1 + 3 * min(max(depth, 0), 7) + bound
    role = 0 if reply is None else after.roles[reply[0]]
    if not role:
        return None, 0, effort, of_game
    captures = after.by_color[1 - after.turn] >> reply[1] & 1
    captures = 0 if not captures else 1 if reply[1] == move.arrival() else 2
    return reply, 1 + 3 * (role - 1) + captures, effort, of_game


def search_root(nnue, state, history, likely, nodes, width, scout_margin):
    """For each finished depth the value of each legal move, which moves are full, and the reply to each move."""
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
    keys = history.keys[-min(history.position.halfmoves, 100) - 1 :]
    replies = [NO_REPLY] * len(legal)
    for place, position in after.items():
        replies[place] = reply_of(state, keys, legal[place], position)
    return depths, full, replies
