"""Everything between the tokens, and unusual spellings (docs/format/layout.md)."""

from copy import deepcopy
from functools import lru_cache

from . import layout_atoms, phrases
from . import layout_contexts as contexts
from .coder import Decoder, Recorded
from .errors import Damaged
from .files import project_file
from .games import Text
from .known_games import layouts
from .layout_profile import Profile
from .models import BitModel, NumberModel, SymbolModel
from .phrases import Phrases
from .top_symbols import NOTHING, TopSymbols
from .wrap import Flow, WrapModels, advance, is_blank

# What an encoder chooses for the known games, event by event.
EVENTS = "codec/src/streams/warm/layouts.events"
PROFILE_BITS = 4
MOST_PROFILES = 1 << PROFILE_BITS
# Contexts for the choice of a profile: what the names of the tags hash to.
TAG_SETS = 64
# How often each known layout is seen before the first game.
PRIMED_TIMES = 3


def decode(data, items, length, prior):
    """The bytes of complete items, `length` in all; the layout begins with `prior`, which stays as it is."""
    coder = Decoder(data)
    layout = deepcopy(prior)
    layout.limit = length + 1
    out = bytearray()
    for item in items:
        if isinstance(item, Text):
            out += item.bytes
        else:
            out += layout.game(coder, item)
        if len(out) > length:
            raise Damaged("more text than there should be")
    if len(out) < length:
        raise Damaged("less text than there should be")
    return bytes(out)


@lru_cache(maxsize=None)
def usual():
    """The state before the first game: what is known of the common sources."""
    layout = Layout()
    coder = Recorded(project_file(EVENTS))
    for game in layouts():
        for _ in range(PRIMED_TIMES):
            layout.game(coder, game, words=True)
    return layout


def decode_prior(data, length):
    """The state that the pages of a block of `length` bytes begin with."""
    if not data:
        return usual()
    coder = Decoder(data)
    layout = deepcopy(usual())
    layout.limit = length + 1
    numbers = NumberModel()

    def number(limit):
        found = numbers.code(coder)
        if found >= limit:
            raise Damaged("a layout that cannot be")
        return found

    known = len(layout.profiles)
    further = number(MOST_PROFILES - known + 1)
    for index in range(known + further):
        if index >= known:
            layout.profiles.append(layout.profiles[number(index)].copy())
        profile = layout.profiles[index]
        place = 0
        for _ in range(number(contexts.CONTEXTS + 1)):
            context = place + number(contexts.CONTEXTS - place)
            phrase = layout.phrases.code(coder, phrases.GAP, layout.limit)
            profile.favourites[context] = TopSymbols(phrase, habit=True)
            place = min(context + 1, contexts.CONTEXTS - 1)
        profile.wrap = layout.wrap_models.code(coder, profile.wrap)
    differs = BitModel()
    for tag_set in range(TAG_SETS):
        if differs.code(coder):
            layout.choices.saw(tag_set, number(len(layout.profiles)))
    return layout


def tag_set_of(game):
    """A hash of the names of a game's tags."""
    result = 0
    for byte in b"".join(name + b"\n" for name, _ in game.tags):
        result = (result ^ byte) * 0x0100_0193 & 0xFFFF_FFFF
    return (result >> 16) % TAG_SETS


class Choices:
    """Which profile a game has."""

    def __init__(self):
        self.is_usual = BitModel(1023)
        self.other = SymbolModel(PROFILE_BITS)
        self.habits = [TopSymbols(NOTHING) for _ in range(TAG_SETS)]
        self.last = 0

    def usual(self, tag_set):
        guess = self.habits[tag_set].guess()
        return self.last if guess == NOTHING else guess

    def code(self, coder, tag_set):
        return self.usual(tag_set) if self.is_usual.code(coder) else self.other.code(coder)

    def saw(self, tag_set, profile):
        self.habits[tag_set].saw(profile)
        self.last = profile


class Layout:
    """What is learned of layouts."""

    def __init__(self):
        # No phrase has more bytes.
        self.limit = 1 << 32
        self.phrases = Phrases()
        self.profiles = [Profile.standard(self.phrases)]
        # By context: how often its favourite is wrong, and how often what a rule says instead.
        self.misses = [[BitModel(1023), BitModel(1023)] for _ in range(contexts.CONTEXTS)]
        self.choices = Choices()
        self.as_expected = BitModel(1023)
        self.fork = BitModel()
        self.wrap_models = WrapModels()

    def game(self, coder, game, words=False):
        """The bytes of a game."""
        profile, expected = self.open(coder, tag_set_of(game))
        if not expected:
            profile.wrap = self.wrap_models.code(coder, profile.wrap)
        visitor = Visitor(self, profile, None if expected else coder)
        atoms = layout_atoms.write(visitor, game, words)
        return write_gaps(visitor, atoms)

    def open(self, coder, tag_set):
        """The profile of a game, and whether all is as expected."""
        number = self.choices.code(coder, tag_set)
        if number >= len(self.profiles):
            raise Damaged("a layout profile that does not exist")
        expected = self.as_expected.code(coder)
        if not expected and self.fork.code(coder):
            if len(self.profiles) == MOST_PROFILES:
                raise Damaged("too many layout profiles")
            self.profiles.append(self.profiles[number].copy())
            number = len(self.profiles) - 1
        self.choices.saw(tag_set, number)
        return self.profiles[number], expected


class Visitor:
    """Whoever chooses phrases for a game: by guesses alone if there is no coder."""

    def __init__(self, layout, profile, coder):
        self.layout, self.profile, self.coder = layout, profile, coder

    def favourite(self, topic, context):
        """A phrase of which the context's favourite is the guess."""
        return self.pick(topic, context, self.profile.guess(context), False)

    def guessed(self, context):
        """The phrase to be expected in a context."""
        return self.layout.phrases.phrases[self.profile.guess(context)]

    def pick(self, topic, context, guess, ruled):
        layout, phrase = self.layout, guess
        wrong = False
        if self.coder:
            wrong = layout.misses[context][ruled].code(self.coder)
            if wrong:
                phrase = layout.phrases.code(self.coder, topic, layout.limit)
        if wrong or not ruled:
            self.profile.favourites[context].saw(phrase)
        return layout.phrases.phrases[phrase]


def write_gaps(visitor, atoms):
    """The bytes of a game: its atoms and what stands between them."""
    profile = visitor.profile
    wrap = profile.wrap
    flow = Flow(wrap, atoms, lambda behind: visitor.guessed(contexts.gap(*flow.kinds(behind))))
    out = bytearray()
    column = 0
    for behind in range(len(atoms) + 1):
        kinds = flow.kinds(behind)
        context = contexts.gap(*kinds)
        guess, ruled = profile.guess(context), False
        blank = visitor.guessed(context)
        if is_blank(blank) and wrap.allows(*kinds):
            if wrap.breaks(column, len(blank), lambda: flow.unit_length(behind)):
                guess, ruled = profile.guess(contexts.NEWLINE), True
        gap = visitor.pick(phrases.GAP, context, guess, ruled)
        out += gap
        column = advance(column, gap)
        if behind == len(atoms):
            return bytes(out)
        kind, text = atoms[behind]
        if kind == contexts.COMMENT and wrap.breaks_comments():
            newline = visitor.guessed(contexts.NEWLINE)
            flowed = wrap.reflow(text, column, newline, lambda: flow.glued_length(behind + 1))
            if flowed is not None and visitor.favourite(phrases.GAP, contexts.REFLOW):
                text = flowed
        out += text
        column = advance(column, text)
