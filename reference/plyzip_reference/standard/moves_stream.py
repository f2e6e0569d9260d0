"""The stream of moves of models with a network (docs/format/standard.md)."""

from ..moves_stream import MovesStream
from ..player import player_key
from .players import repertoire_key
from .predictor import Evidence, NetworkPredictor


class NetworkMovesStream(MovesStream):
    """Decodes the moves of a page."""

    def __init__(self, data, model):
        super().__init__(data)
        self.predictor = _Predictor(model)

    def main_lines(self, games, limit):
        for game in games:
            for side in ("White", "Black"):
                name = bytes(game.tag(side) or b"")
                self.predictor.repertoires[player_key(name)] = repertoire_key(name)
        return super().main_lines(games, limit)


class _Predictor:
    """What the stream of moves asks of a predictor, with the evidence on each ply found when it is first asked for."""

    def __init__(self, model):
        self.model = model
        self.predictor = NetworkPredictor(model)
        # By the key of a player's name: the key of his repertoire, or None.
        self.repertoires = {}

    def _evidence(self, history, context):
        if not hasattr(history, "line"):
            history.line, history.evidence = self.predictor.line(), None
        if history.evidence is None or history.evidence[0] != history.ply():
            history.evidence = history.ply(), Evidence(self.model, history, context, history.line)
        return history.evidence[1]

    def code_end(self, coder, history, context):
        if not history.position.legal_moves():
            return True
        return self.predictor.code_end(coder, history, context, self._evidence(history, context))

    def code_move(self, coder, history, context, player):
        evidence = self._evidence(history, context)
        return self.predictor.code_move(coder, history, evidence, player, self.repertoires.get(player))
