"""Prediction without a network (docs/format/none.md): the end of a game, and its next move."""

from . import linear_policy, opening_book
from .fixed import frequencies
from .game_end import GameEnd
from .move_mixer import MoveMixer
from .plain_features import PlainFeatures
from .position_counts import PositionCounts
from .surprisal import surprisal


class Predictor:
    """All that is learned while the moves of a page are coded."""

    def __init__(self):
        self.book = opening_book.built_in()
        self.mixer = MoveMixer()
        self.game_end = GameEnd()
        self.counts = PositionCounts()
        self.counts_of_players = PositionCounts()

    def code_end(self, coder, history, context):
        """Whether the line ends in this position."""
        return self.game_end.code(coder, history, context)

    def code_move(self, coder, history, context, player):
        """The next move, by its index in the canonical order, and its surprisal. A forced move costs nothing."""
        legal = history.position.legal_moves()
        if len(legal) == 1:
            return 0, (0, 0)
        features = PlainFeatures(history).of_moves()
        policy = linear_policy.logits(history, context, features)
        key = history.key()
        own_key = key ^ player
        from_book, rest = self.book.find(key)
        counts = [(from_book, rest), (self.counts.moves(key), 0), (self.counts_of_players.moves(own_key), 0)]
        # Two positions may share a key.
        counts = [([(index, n) for index, n in moves if index < len(legal)], rest) for moves, rest in counts]
        cumulative = frequencies(self.mixer.predict(history.ply(), policy, features, counts))
        played = coder.symbol(cumulative)
        self.mixer.update(played)
        self.counts.add(key, played)
        self.counts_of_players.add(own_key, played)
        return played, surprisal(cumulative, played)
