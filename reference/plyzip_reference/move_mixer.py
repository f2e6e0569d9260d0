"""The mixer: one distribution over the legal moves from all that is known of them (docs/format/none.md)."""

from .fixed import ONE, log2, nats_to_bits, softmax
from .plain_features import PLAIN_FEATURES, SLOTS

# Weights are in units of 2^-20.
WEIGHT_BITS = 20
MAX_WEIGHT = 32 << WEIGHT_BITS
MAX_SCALE = 4 << WEIGHT_BITS
MAX_LOGIT = 64 * ONE
# Rates of learning, as shifts.
FEATURE_RATE = 9
SCALE_RATE = 7
POLICY_RATE = SCALE_RATE + 3
# Plies at which the next stage of a game begins.
STAGE_STARTS = (12, 24, 60)
STAGES = len(STAGE_STARTS) + 1
# The policy's scale depends on its largest probability, by eighths.
CONFIDENCE_CLASSES = 8
# A source's scale depends on its total count, by octaves of games.
COUNT_CLASSES = 8
# The slots of move features whose weights are learned.
LEARNED = slice(SLOTS["exchange"], SLOTS["course"] + 1)


class Source:
    """A source of counts: its scales, and what it says of the present position."""

    def __init__(self, unit, prior, scale):
        # Counts are in units of one game over this.
        self.unit = unit
        # The weight of the prior against the counts, in their unit.
        self.prior = prior
        self.scales = [[(scale << WEIGHT_BITS) // 100] * COUNT_CLASSES for _ in range(STAGES)]

    def class_of(self, moves, rest):
        games = (sum(count for _, count in moves) + rest) // self.unit
        return min(max(games, 1).bit_length() - 1, COUNT_CLASSES - 1)

    def log_ratios(self, moves, rest, prior):
        """For each move the logarithm of posterior over prior probability, in units of 2^-16 bit."""
        listed = sum(prior[index] for index, _ in moves)
        unlisted = self._ratio(rest, max((1 << 31) - listed, 0)) if rest else 0
        ratios = [unlisted] * len(prior)
        for index, count in moves:
            ratios[index] = self._ratio(count, prior[index])
        return ratios

    def _ratio(self, count, probability):
        before = max(self.prior * probability, 1)
        return log2((count << 31) + before) - log2(before)


def error(probabilities, index, played):
    """How much a move's probability falls short, in units of 2^-31."""
    return ((index == played) << 31) - probabilities[index]


def _scale_gradient(logits, probabilities, played):
    return sum(error(probabilities, index, played) * logit >> 16 for index, logit in enumerate(logits))


def _adjusted(scale, gradient, rate):
    """A scale after a step."""
    return min(max(scale + (gradient >> 31 - WEIGHT_BITS + rate), -MAX_SCALE), MAX_SCALE)


class MoveMixer:
    """Weights that learn with each move."""

    def __init__(self):
        self.weights = [0] * PLAIN_FEATURES
        self.policy_scales = [[1 << WEIGHT_BITS] * CONFIDENCE_CLASSES for _ in range(STAGES)]
        # The opening book, the moves of all players in the page so far, those of this player.
        self.sources = [Source(4, 8, 100), Source(1, 2, 50), Source(1, 1, 30)]

    def predict(self, ply, policy, features, counts):
        """The probability of each legal move, in units of 2^-31.

        `policy` has the logits of the linear policy in units of 2^-16 nat, `features` the plain features of each move,
        and `counts` for each source a list of (index of a move, count) and the count of all other moves.
        """
        self.stage = sum(ply >= start for start in STAGE_STARTS)
        self.policy, self.features = policy, [of_move[LEARNED] for of_move in features]
        policy_bits = [nats_to_bits(logit) for logit in policy]
        self.confidence = (max(softmax(policy_bits)) >> 28) % CONFIDENCE_CLASSES
        scale = self.policy_scales[self.stage][self.confidence]
        logits = []
        for logit, of_move in zip(policy_bits, self.features):
            learned = sum(self.weights[feature] for feature in of_move)
            logit = (learned >> WEIGHT_BITS - 16) + (logit * scale >> WEIGHT_BITS)
            logits.append(min(max(logit, -MAX_LOGIT), MAX_LOGIT))
        self.prior = self.probabilities = softmax(logits)
        # Of each source that says something: its scales of this stage, its class, its log ratios.
        self.said = []
        for source, (moves, rest) in zip(self.sources, counts):
            if not moves:
                continue
            scales, class_ = source.scales[self.stage], source.class_of(moves, rest)
            ratios = source.log_ratios(moves, rest, self.probabilities)
            self.said.append((scales, class_, ratios))
            logits = [logit + (ratio * scales[class_] >> WEIGHT_BITS) for logit, ratio in zip(logits, ratios)]
            self.probabilities = softmax(logits)
        return self.probabilities

    def update(self, played):
        """Learns which move followed the last prediction."""
        for scales, class_, ratios in self.said:
            gradient = _scale_gradient(ratios, self.probabilities, played)
            scales[class_] = _adjusted(scales[class_], gradient, SCALE_RATE)
        gradient = _scale_gradient(self.policy, self.prior, played)
        scales = self.policy_scales[self.stage]
        scales[self.confidence] = _adjusted(scales[self.confidence], gradient, POLICY_RATE)
        shift = 31 - WEIGHT_BITS + FEATURE_RATE
        for index, of_move in enumerate(self.features):
            step = error(self.prior, index, played) + (1 << shift - 1) >> shift
            if step:
                for feature in of_move:
                    self.weights[feature] = min(max(self.weights[feature] + step, -MAX_WEIGHT), MAX_WEIGHT)
