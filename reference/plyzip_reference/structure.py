"""Which tokens stand between the moves (docs/format/structure.md)."""

from .coder import Decoder, Silent
from .errors import Damaged
from .games import CLOSE, COMMENTS, MOVE, NAG, OPEN, OUTCOME, OUTCOMES, TEXT
from .known_games import layouts
from .lines import Line
from .mixing import ContextMixer, hash32
from .models import BitModel, SymbolModel
from .top_symbols import TopSymbols

# What no token is: the end of a game that just stops, and what stands before the first token.
END, START = 9, 10
MAX_DEPTH = 200
MAX_LINES = 1 << 16
# Kinds of binary events.
RIGHT, KIND = 0, 1
# How often each known layout is seen before the first game.
PRIMED_TIMES = 3


def decode(data, games, limit):
    """Fills in the tokens and the variations of games; returns for each how many moves its variations have."""
    coder = Decoder(data)
    models = Models()
    models.prime()
    left = limit
    lengths = []
    for game in games:
        progress = models.code_game(coder, game)
        left -= len(progress.tokens) + progress.stopped
        if left < 0:
            raise Damaged("more tokens than bytes")
        game.tokens = progress.tokens
        game.lines[1:] = [Line(branch, []) for branch in progress.branches]
        lengths.append(progress.lengths)
    return lengths


def source(game):
    """1 for a game that was played on a server, as far as the tags tell."""
    return int(game.tag("UTCTime") is not None)


def first_guess(place, last):
    """The kind of token to be expected in a context that has not occurred."""
    if place == 0:
        return END if last == START else OUTCOME
    return MOVE


class Progress:
    """A game's tokens as far as they are known."""

    def __init__(self, moves):
        # Moves of line 0 that are still to come.
        self.remaining = moves
        # The lines that are open, the innermost last: index and moves so far.
        self.open = [[0, 0]]
        # The last eight kinds of tokens, four bits each, the latest lowest.
        self.history = START * 0x1111_1111
        # Wrong guesses.
        self.surprisals = 0
        self.done = False
        # Whether the game just stopped.
        self.stopped = False
        self.tokens, self.branches, self.lengths = [], [], []

    def place(self):
        if len(self.open) == 1:
            return int(self.remaining > 0)
        return 2 + min(self.open[-1][1], 2)

    def contexts(self):
        place, depth, played = self.place(), len(self.open), self.open[-1][1]
        past = [self.history & (1 << 4 * tokens) - 1 for tokens in range(4)]
        return [
            hash32(place, past[1]),
            hash32(place | 1 << 8, past[2]),
            hash32(place | 2 << 8, past[3]),
            hash32(place | 5 << 8 | past[1] << 12, min(played, 8) << 4 | min(depth, 15)),
            hash32(place | 6 << 8 | past[2] << 12, (played % 2) << 4 | min(depth, 3)),
            hash32(place | 7 << 8 | past[2] << 12, min(self.surprisals, 20)),
        ]

    def take(self, kind, value):
        depth = len(self.open) - 1
        line, played = self.open[-1]
        if kind == MOVE:
            fits = depth > 0 or self.remaining > 0
        elif kind == OPEN:
            fits = played > 0 and depth < MAX_DEPTH and len(self.branches) + 1 < MAX_LINES
        elif kind == CLOSE:
            fits = depth > 0
        else:
            fits = kind not in (OUTCOME, TEXT, END) or self.remaining == 0
        if not fits:
            raise Damaged("a token that cannot stand where it does")
        if kind == MOVE:
            self.open[-1][1] += 1
            if depth == 0:
                self.remaining -= 1
            else:
                self.lengths[line - 1] += 1
        elif kind == OPEN:
            self.branches.append((line, played - 1))
            self.lengths.append(0)
            self.open.append([len(self.branches), 0])
        elif kind == CLOSE:
            self.open.pop()
        self.done = kind in (OUTCOME, TEXT, END)
        if kind == END:
            self.stopped = True
            return
        self.tokens.append((kind, value))
        self.history = (self.history << 4 | kind) & 0xFFFF_FFFF


class Models:
    """Everything that is learned of tokens."""

    def __init__(self):
        # By source.
        self.as_expected = [BitModel(1023), BitModel(1023)]
        # By source, place and the last three kinds: what follows.
        self.kinds = {}
        # By the value of the tag Result: the outcome.
        self.outcomes = [TopSymbols(min(result, 3)) for result in range(5)]
        self.outcome_models = [SymbolModel(2) for _ in range(5)]
        self.nag = TopSymbols(1)
        # NAGs behind other tokens, and behind NAGs.
        self.nag_models = [SymbolModel(8), SymbolModel(8)]
        self.mixing = ContextMixer(16, 6, 2, 16)

    def prime(self):
        """Sees games in the layouts of the common sources."""
        for game in layouts():
            tokens = [(kind, value if kind in (NAG, OUTCOME) else 0) for kind, value in game.tokens]
            for _ in range(PRIMED_TIMES):
                self.code_game(Silent(), game, tokens)

    def code_game(self, coder, game, told=None):
        """The tokens of a game, of which the tags and line 0 are known."""
        moves = len(game.lines[0].moves)
        of_source = source(game)
        result = game.tag("Result")
        result = OUTCOMES.index(result) if result in OUTCOMES else 4
        expected = self.as_expected[of_source].code(
            coder, told is not None and self.expects(told, moves, of_source, result)
        )
        progress = Progress(moves)
        while not progress.done:
            context = (of_source, progress.place(), progress.history & 0xFFF)
            guess = self.guess(context, result)
            if expected:
                kind, value = guess
            else:
                kind, value = self.code_token(coder, guess[0], progress, result, told)
            progress.surprisals += kind != guess[0]
            if context not in self.kinds:
                self.kinds[context] = TopSymbols(guess[0])
            self.kinds[context].saw(kind)
            if kind == OUTCOME:
                self.outcomes[result].saw(value)
            elif kind == NAG:
                self.nag.saw(value)
            progress.take(kind, b"" if kind in COMMENTS or kind == TEXT else value)
        return progress

    def guess(self, context, result):
        """The token to be expected in a context."""
        known = self.kinds.get(context)
        kind = known.guess() if known else first_guess(context[1], context[2] & 15)
        if kind == OUTCOME:
            return kind, self.outcomes[result].guess()
        return kind, self.nag.guess() if kind == NAG else 0

    def expects(self, tokens, moves, of_source, result):
        """Whether every guess is right for a game that is told."""
        progress = Progress(moves)
        for kind, value in tokens:
            if self.guess((of_source, progress.place(), progress.history & 0xFFF), result) != (kind, value):
                return False
            progress.take(kind, value)
        return True

    def code_token(self, coder, guess, progress, result, told):
        told_kind, told_value = told[len(progress.tokens)] if told else (0, 0)
        kind = self.code_kind(coder, guess, progress, told_kind)
        value = 0
        if kind == OUTCOME:
            value = self.outcome_models[result].code(coder, told_value)
        elif kind == NAG:
            behind_nag = progress.history & 15 == NAG
            value = self.nag_models[behind_nag].code(coder, told_value)
        elif kind > END:
            raise Damaged("an unknown kind of token")
        return kind, value

    def code_kind(self, coder, guess, progress, told):
        contexts = progress.contexts()
        of_guess = [hash32(context, guess) for context in contexts]
        if self.mixing.code(coder, of_guess, RIGHT, guess, told == guess):
            return guess
        node = 1
        for shift in (3, 2, 1, 0):
            at_node = [hash32(context, 16 + node) for context in contexts]
            node = node << 1 | self.mixing.code(coder, at_node, KIND, node, bool(told >> shift & 1))
        return node - 16
