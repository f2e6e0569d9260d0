"""Prediction with a network: the end of a game, and its next move (docs/format/standard.md)."""

from ..fixed import frequencies
from ..game_end import GameEnd
from ..logistic import MAX_STRETCH
from ..position_counts import PositionCounts
from ..surprisal import surprisal
from .analysis import LineAnalysis
from .board_features import board_features
from .mixer import Mixer
from .move_features import move_features
from .tactics import Tactics

INITIAL_WEIGHTS = (10_000, 10_000, 46_000)


class NetworkGameEnd(GameEnd):
    """A logistic mix of what two contexts and the network say."""

    def __init__(self):
        super().__init__()
        self.weights = [list(INITIAL_WEIGHTS) for _ in range(4)]

    def code_with(self, coder, history, context, network):
        return self._code(coder, history, context, [min(max(network >> 8, -MAX_STRETCH), MAX_STRETCH)])


def _reply_class(history, n):
    last = history.last(n)
    if last is None:
        return 384
    return 64 * (last.role - 1) + (last.arrival() ^ 56 * history.position.turn)


class Evidence:
    """What is known of a ply before it is coded."""

    def __init__(self, model, history, context, line):
        tactics = Tactics(history.position)
        self.features = move_features(history, tactics)
        board = board_features(history, context, tactics)
        reads_vectors = model.reranker is not None and model.reranker.vector > 0
        self.logits, self.end, vectors = model.network.scores(board, self.features, reads_vectors)
        if model.board_policy is not None:
            self.logits, self.end = model.board_policy.mix(history, context, self.logits, self.end)
        self.search, self.reranker = None, ()
        if line is not None:
            analysis = line.examine(history, context, self.logits, self.features, vectors)
            if analysis is not None:
                self.search = analysis.search_features()
                if model.reranker is not None:
                    self.reranker, end = model.reranker.rerank(analysis)
                    self.end += end


class NetworkPredictor:
    """All that is learned while the moves of a page are coded."""

    def __init__(self, model):
        self.model = model
        self.mixer = Mixer(model.search_weights, model.mixer_scales)
        self.game_end = NetworkGameEnd()
        self.counts, self.counts_of_players = PositionCounts(), PositionCounts()

    def line(self):
        """What the analyses of a line share."""
        return None if self.model.effort is None else LineAnalysis(self.model.nnue, self.model.effort)

    def code_end(self, coder, history, context, evidence):
        return self.game_end.code_with(coder, history, context, evidence.end)

    def code_move(self, coder, history, evidence, spelling, repertoire):
        legal = history.position.legal_moves()
        if len(legal) == 1:
            return 0, (0, 0)
        model, key = self.model, history.key()
        nothing = [], 0
        counts = [
            next((found for book in model.books if (found := book.find(key))[0]), nothing),
            (self.counts.moves(key), 0),
            model.repertoires.find(key ^ repertoire) if model.repertoires and repertoire else nothing,
            (self.counts_of_players.moves(key ^ spelling), 0),
        ]
        counts = [([(index, n) for index, n in moves if index < len(legal)], rest) for moves, rest in counts]
        last = [_reply_class(history, 0), _reply_class(history, 1)]
        probabilities = self.mixer.predict(
            history.ply(), evidence.logits, evidence.features, evidence.search, evidence.reranker, last, counts
        )
        cumulative = frequencies(probabilities)
        played = coder.symbol(cumulative)
        self.mixer.update(played)
        self.counts.add(key, played)
        self.counts_of_players.add(key ^ spelling, played)
        return played, surprisal(cumulative, played)
