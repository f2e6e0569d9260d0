"""The mixer beside a network (docs/format/standard.md)."""

from ..fixed import ONE, nats_to_bits, softmax
from ..move_mixer import Source, error

MAX_WEIGHT, MAX_SCALE, MAX_LOGIT = 32 << 20, 4 << 20, 64 * ONE


def _scaled(number, weight):
    return number * weight >> 20


def _gradient(logits, probabilities, played):
    return sum(error(probabilities, m, played) * logit >> 16 for m, logit in enumerate(logits))


def _grow(weights, place, step, limit):
    weights[place] = min(max(weights.get(place, 0) + step, -limit), limit)


def scales_are_sound(numbers):
    """Whether these are the scales of a model's file, in units of 2^-12."""
    return len(numbers) == 164 and all(abs(number) <= 4 << 12 for number in numbers)


class Mixer:
    def __init__(self, search_weights, scales=None):
        self.features, self.replies = {}, [{}, {}]
        self.search = {feature: weight << 10 for feature, weight in enumerate(search_weights or ())}
        begin = ((100 if search_weights is None else 90) << 20) // 100
        self.policy = {(stage, confidence): begin for stage in range(4) for confidence in range(8)}
        self.reranker = {stage: 1 << 20 for stage in range(4)}
        self.sources = [Source(4, 8, 100), Source(1, 2, 40), Source(4, 4, 50), Source(1, 1, 50)]
        if scales is not None:
            taken = (int(number) << 8 for number in scales)
            self.reranker = {stage: next(taken) for stage in range(4)}
            self.policy = {place: next(taken) for place in self.policy}
            for source in self.sources:
                source.scales = [[next(taken) for _ in range(8)] for _ in range(4)]

    def predict(self, ply, logits, features, search, reranker, last, counts):
        """The probability of each legal move.

        `search` are the search features of each move or None, `reranker` its logits, `last` the reply classes of the
        last two moves, `counts` for each source its moves with their counts and the count of the others.
        """
        self.stage = sum(ply >= start for start in (12, 24, 60))
        self.logits, self.of_moves, self.of_search, self.of_reranker = logits, features, search, reranker
        bits = [nats_to_bits(logit) for logit in logits]
        self.confidence = (max(softmax(bits)) >> 28) % 8
        self.last = last
        policy, reranker_scale = self.policy[self.stage, self.confidence], self.reranker[self.stage]
        mixed = []
        for m, of_move in enumerate(features):
            learned = sum(self.features.get(feature, 0) for feature in of_move)
            for replies, before in zip(self.replies, last):
                learned += replies.get((before, of_move[1]), 0)
            if search is not None:
                learned += sum(self.search[feature] for feature in search[m])
            logit = (learned >> 4) + _scaled(bits[m], policy)
            if reranker:
                logit += _scaled(reranker[m], reranker_scale)
            mixed.append(min(max(logit, -MAX_LOGIT), MAX_LOGIT))
        self.prior = self.probabilities = softmax(mixed)
        self.said = []
        for source, (moves, rest) in zip(self.sources, counts):
            if moves:
                scales, of_count = source.scales[self.stage], source.class_of(moves, rest)
                ratios = source.log_ratios(moves, rest, self.probabilities)
                self.said.append((scales, of_count, ratios))
                mixed = [logit + _scaled(ratio, scales[of_count]) for logit, ratio in zip(mixed, ratios)]
                self.probabilities = softmax(mixed)
        return self.probabilities

    def update(self, played):
        limited = lambda scale: min(max(scale, -MAX_SCALE), MAX_SCALE)
        for scales, of_count, ratios in self.said:
            gradient = _gradient(ratios, self.probabilities, played)
            scales[of_count] = limited(scales[of_count] + (gradient >> 17))
        _grow(self.policy, (self.stage, self.confidence), _gradient(self.logits, self.prior, played) >> 20, MAX_SCALE)
        steps = [error(self.prior, m, played) + (1 << 20) >> 21 for m in range(len(self.prior))]
        if self.of_search is not None:
            gradient = _gradient(self.of_reranker or (), self.prior, played)
            _grow(self.reranker, self.stage, gradient >> 20, MAX_SCALE)
            for step, features in zip(steps, self.of_search):
                for feature in features:
                    _grow(self.search, feature, step, MAX_WEIGHT)
        for step, features in zip(steps, self.of_moves):
            if step:
                for replies, before in zip(self.replies, self.last):
                    _grow(replies, (before, features[1]), 4 * step, MAX_WEIGHT)
                for feature in features:
                    _grow(self.features, feature, step, MAX_WEIGHT)
