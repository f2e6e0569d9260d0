"""The analysis of positions by search, and its features (docs/format/analysis.md)."""

from bisect import bisect_right

from ..fixed import log2, nats_to_bits, softmax
from .evaluation import phase
from .move_picker import packed
from .root import search_root
from .search import INFINITE
from .search_state import SearchState

FINE = (1, 5, 10, 16, 22, 30, 38, 48, 60, 75, 95, 120, 150, 190, 240, 300)
LOSS = (1, 9, 18, 30, 45, 65, 95, 140, 200, 300)
COARSE = (1, 20, 50, 110)
GAP = (10, 30, 80, 200)
VALUE = (-400, -150, -40, 41, 151, 401)
EXPECTED = (10, 25, 60, 120)
SURPRISAL = (65_536, 147_456, 229_376, 327_680)
PLY = (16, 24, 32, 48, 64, 80, 110)
CERTAIN = 2_113_929_216
UNLIKELY = 294_912


class Effort:
    """Nodes, width and margin of scouting that a model asks for."""

    def __init__(self, text):
        numbers = [int(number) for number in text.split(" ")]
        self.nodes, self.width = numbers[:2]
        self.scout_margin = numbers[2] if len(numbers) > 2 else None


class Priors:
    """The network's prediction before the search."""

    def __init__(self, logits):
        bits = [nats_to_bits(logit) for logit in logits]
        self.prior = softmax(bits)
        least = (31 << 16) - log2(max(self.prior))
        self.surprisal = [max(bits) - own + least for own in bits]
        self.entropy = sum((p >> 15) * surprisal for p, surprisal in zip(self.prior, self.surprisal)) >> 16


class LineAnalysis:
    """The analyses of a line's positions."""

    def __init__(self, nnue, effort):
        self.nnue, self.effort = nnue, effort
        self.state = SearchState(effort.nodes)
        # Ply, best value, and departure, arrival, value and packed reply of full moves, of the last two searches.
        self.searches = []

    def examine(self, history, context, logits, features, vectors=None):
        """The analysis of the position on the board, or None where it is not searched. `vectors` are the network's last
        hidden layer for each legal move, if they are needed."""
        legal = history.position.legal_moves()
        if len(legal) < 2:
            return None
        priors = Priors(logits)
        quarters = (0, 1, 2, 4)[bisect_right((16, 20, 32), history.ply())]
        quarters = min(quarters, (1, 2, 4)[bisect_right((49_152, 81_920), priors.entropy)])
        if quarters == 0 or max(priors.prior) >= CERTAIN:
            return None
        nodes = max(1, self.effort.nodes * quarters // 4)
        likely = sorted(range(len(legal)), key=lambda place: -logits[place])
        least = logits[likely[0]] - UNLIKELY
        width = min(max(2, sum(logit >= least for logit in logits)), self.effort.width)
        margin = self.effort.scout_margin
        depths, full, replies = search_root(self.nnue, self.state, history, likely, nodes, width, margin)
        analysis = Analysis(history, context, logits, features, priors, depths, full)
        analysis.before = [self._before(history, n) for n in (0, 1)]
        analysis.replies, analysis.expected, analysis.vectors = replies, self._expected(history, legal), vectors
        moves = [(legal[m].departure, legal[m].arrival(), depths[-1][m], replies[m][0]) for m in analysis.full]
        self.searches = [(history.ply(), analysis.best(-1), moves), *self.searches[:1]]
        return analysis

    def _search_before(self, history, n):
        """Best value, and value and reply of the move that was played, of the search before that move; or None."""
        played = history.last(n)
        if played is None:
            return None
        for ply, best, moves in self.searches:
            if ply + n + 1 == history.ply():
                for departure, arrival, value, reply in moves:
                    if (departure, arrival) == (played.departure, played.arrival()):
                        return best, value, reply
                return best, best - 399, None
        return None

    def _before(self, history, n):
        found = self._search_before(history, n)
        return found and (found[0], found[0] - found[1])

    def _expected(self, history, legal):
        """For each move whether it was the expected reply: 0 if that is not known, 1 if not, 2 if so."""
        found = self._search_before(history, 0)
        if found is None or found[2] is None:
            return [0] * len(legal)
        return [1 + (packed(move) == found[2]) for move in legal]


class Analysis:
    def __init__(self, history, context, logits, features, priors, depths, full):
        position = history.position
        self.legal = position.legal_moves()
        self.logits, self.features, self.priors = logits, features, priors
        self.depths, self.full = depths, sorted(full)
        self.is_full = full
        self.ply, self.phase, self.check = history.ply(), phase(position), position.is_check()
        self.result, self.pace = context.result_for(position.turn), context.pace
        self.elo = [context.elo[position.turn], context.elo[1 - position.turn]]
        self.searched = [m for m, value in enumerate(depths[-1]) if value > -INFINITE]

    def best(self, depth):
        return max(self.depths[depth][m] for m in self.full)

    def search_features(self):
        """Ten features for each legal move."""
        d, last = len(self.depths) - 1, self.depths[-1]
        best = self.best(d)
        values = sorted((last[m] for m in self.full), reverse=True)
        gap = bisect_right(GAP, best - values[1] if len(values) > 1 else 0)
        priors = self.priors.prior
        losses = sum(priors[m] * min(best - last[m], 600) for m in self.full)
        expected = bisect_right(EXPECTED, losses // max(1, sum(priors[m] for m in self.full)))
        of_phase, of_ply = bisect_right((8, 18), self.phase), bisect_right(PLY, self.ply)
        found = []
        for m in range(len(self.legal)):
            fine, loss, rank, value = 17, 11, 5, 7
            if m in self.is_full:
                fine, loss = bisect_right(FINE, best - last[m]), bisect_right(LOSS, best - last[m])
                rank = min(5, sum(other > last[m] for other in values))
                value = bisect_right(VALUE, last[m])
            coarse = lambda n: bisect_right(COARSE, self.best(n) - self.depths[n][m])
            surprisal = bisect_right(SURPRISAL, self.priors.surprisal[m])
            found.append(
                [
                    fine,
                    18 + 5 * rank + gap,
                    48 + 5 * loss + expected,
                    108 + 5 * loss + coarse(max(0, d - 1)),
                    168 + 5 * loss + coarse((d + 1) // 2),
                    228 + 5 * loss + coarse(0),
                    288 + 3 * (5 * loss + surprisal) + of_phase,
                    468 + 8 * loss + of_ply,
                    564 + 4 * value + self.result,
                    596 + 5 * loss + self.pace,
                ]
            )
        return found
