"""The probability that a game ends in a position (docs/format/none.md)."""

from functools import cache

from .exchange import VALUES
from .files import project_file
from .logistic import MAX_STRETCH, squash, stretch
from .models import BitModel

COUNT_LIMIT = 1000
BY_PLY = 4 * 24 * 2 * 3 * 3
BY_MATERIAL = 4 * 15 * 10 * 2
INITIAL_WEIGHT = 40_000
MAX_WEIGHT = 1 << 18
RATE_SHIFT = 17


@cache
def _known():
    """For each context: how many events were seen, and the probability then."""
    numbers = _varints(project_file("codec/tables/game_end.bin"))
    known = []
    for _ in range(BY_PLY + BY_MATERIAL):
        events = next(numbers)
        known.append((events, next(numbers) if events else 0))
    if next(numbers, None) is not None:
        raise ValueError("more contexts of game ends than there are")
    return known


def _varints(data):
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def _model(events, p_true):
    return BitModel.having_seen(COUNT_LIMIT, events, p_true) if events else BitModel(COUNT_LIMIT)


def _material(position, color):
    """Material of a side in pawns, kings not counted."""
    side = position.by_color[color]
    return sum((side & position.by_role[role]).bit_count() * VALUES[role] for role in range(1, 6)) // 100


class GameEnd:
    """A logistic mix of what two contexts say, which learns."""

    def __init__(self):
        models = [_model(*known) for known in _known()]
        self.by_ply, self.by_material = models[:BY_PLY], models[BY_PLY:]
        # By the announced result as the side to move sees it.
        self.weights = [[INITIAL_WEIGHT, INITIAL_WEIGHT] for _ in range(4)]

    def code(self, coder, history, context):
        """Whether the line ends here, which it does where no move is legal."""
        if not history.position.legal_moves():
            return True
        return self._code(coder, history, context, [])

    def _code(self, coder, history, context, further):
        """Codes the end with the log odds of the contexts and `further` ones; weights and contexts learn."""
        result = context.result_for(history.position.turn)
        models = self._models(history, result)
        log_odds = [stretch(min(max(model.p_true >> 6, 1), 65535)) for model in models] + further
        weights = self.weights[result]
        mixed = sum(weight * odds >> 16 for weight, odds in zip(weights, log_odds))
        p_true = squash(min(max(mixed, -MAX_STRETCH), MAX_STRETCH))
        ended = coder.bit(p_true)
        for model in models:
            model.update(ended)
        error = (ended << 16) - p_true
        for expert, odds in enumerate(log_odds):
            weight = weights[expert] + (error * odds >> RATE_SHIFT)
            weights[expert] = min(max(weight, -MAX_WEIGHT), MAX_WEIGHT)
        return ended

    def _models(self, history, result):
        position = history.position
        check = int(position.is_check())
        plies = min(history.ply() // 8, 23)
        repeated = min(history.occurrences(history.key()), 2)
        halfmoves = 0 if position.halfmoves < 40 else 1 if position.halfmoves < 99 else 2
        own, enemy = (_material(position, color) for color in (position.turn, 1 - position.turn))
        balance = (min(max(own - enemy, -14), 14) + 14) // 2
        total = min((own + enemy) // 8, 9)
        return (
            self.by_ply[(((result * 24 + plies) * 2 + check) * 3 + repeated) * 3 + halfmoves],
            self.by_material[((result * 15 + balance) * 10 + total) * 2 + check],
        )
