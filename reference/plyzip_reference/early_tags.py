"""The tags that do not wait for the moves (docs/format/tags.md)."""

from . import number_forms as forms
from . import ratings, rounds, warm
from .candidates import Candidates
from .coder import Decoder, Silent
from .errors import Damaged
from .games import OUTCOMES
from .interner import NO_ID, Interner
from .known_games import primer
from .mixing import ContextMixer, hash32
from .models import BitModel
from .new_players import NewPlayers
from .players import BLACK, WHITE, Players
from .roster import Roster
from .spelling import Spelling
from .tag_kinds import ELO, EVENT, NUMBER, OF_PLAYER, PLAYER, RATING_DIFF, ROUND, SITE, Kind
from .tag_kinds import RESULT as RESULT_KIND
from .tag_values import IDENTIFIER, RESULT, address, echo, note_number, plain, spell

# The columns whose frequent words are known; players have no name of their own.
COLUMNS_WITH_WORDS = ("", "Site", "Event")


def decode(data, new_players, games, repeats):
    """Fills in the tags of games, which repeat others so; values that wait for the moves stay empty."""
    coder = Decoder(data)
    tagger = Tagger(len(games))
    tagger.new_players = NewPlayers(new_players, len(games))
    for game, repeat in zip(games, repeats):
        source = games[repeat.of].tags if repeat else None
        if repeat and repeat.has_tags:
            game.tags = [list(tag) for tag in source]
        else:
            game.tags = tagger.game(coder, source=source)
    if tagger.new_players.left:
        raise Damaged("more names than players")


class Known:
    """What is known of the game at hand."""

    def __init__(self):
        # The event as a value's number or a hash, and the first number of the round.
        self.event, self.round = 0, 0
        self.players, self.elos, self.diffs = [None, None], [None, None], [None, None]
        self.result = None
        # The last date and the last time, by form.
        self.last = {forms.Date: None, forms.Time: None}
        # The random identifier at the end of the site.
        self.identifier = None
        # The value coded before this one, of whatever column.
        self.before = 0

    def player(self, side):
        player = self.players[side]
        return NO_ID if player is None else player


class Tagger:
    """Everything that is learned of the early tags."""

    def __init__(self, games):
        tables = warm.shipped()

        def bits(name, least, most):
            return tables.slot_bits(name, games, least, most)

        self.names, self.values = Interner(), Interner()
        self.roster = Roster(bits("tags.roster", 14, 14))
        self.candidates = Candidates(bits("tags.candidates", 12, 18))
        self.players = Players(bits("tags.players", 12, 18))
        self.numbers = ContextMixer(bits("tags.numbers", 12, 17), 6, 8, 256)
        self.spelling = Spelling(bits("tags.spelling", 15, 20))
        self.dictionaries = {}
        for column in COLUMNS_WITH_WORDS:
            words = tables.dictionary(column)
            if words:
                self.dictionaries[self.names.intern(column.encode())] = words
        # By the frequent players' numbers: what is known of their ratings.
        self.ratings = tables.sections.get("ratings", b"")
        # The last number in a column, and the last round of an event.
        self.last_numbers, self.rounds = {}, {}
        self.last_event = NO_ID
        # Whoever knows the names of players who have not played before.
        self.new_players = None
        # Whether a game that repeats another has the names of its tags; and, by column, whether it has its value.
        self.same_names, self.same_values = BitModel(), {}
        tables.warm("tags.roster", self.roster.mixing)
        tables.warm("tags.candidates", self.candidates.mixing)
        tables.warm("tags.players", self.players.mixing)
        tables.warm("tags.numbers", self.numbers)
        tables.warm("tags.spelling", self.spelling.mixing)
        for game in primer():
            self.game(Silent(), game.tags)

    def game(self, coder, told=(), source=None):
        """The tags of a game; of one that repeats another, `source` are the tags of that one."""
        names = [self.names.intern(name) for name, _ in told]
        if source is not None:
            others = [self.names.intern(name) for name, _ in source]
            if self.same_names.code(coder):
                names = self.roster.code(Silent(), self.names, self.spelling, others)
            else:
                source = None
        if source is None:
            names = self.roster.code(coder, self.names, self.spelling, names)
        tags = [[self.names.value(name), b""] for name in names]
        kinds = [Kind.of(name) for name, _ in tags]
        order = [place for place in range(len(tags)) if not kinds[place].is_late()]
        known = Known()
        for place in sorted(order, key=lambda place: kinds[place].rank()):
            kind, name = kinds[place], tags[place][0]
            column = self.names.intern(kind.column(name))
            if source is not None and self.same_values.setdefault(column, BitModel()).code(coder):
                new_players, self.new_players = self.new_players, None
                number = self.value(Silent(), kind, column, known, source[place][1])
                self.new_players = new_players
            else:
                number = self.value(coder, kind, column, known, told[place][1] if told else b"")
            known.before = number
            tags[place][1] = self.values.value(number)
        if None not in known.players:
            self.players.learn(known.event, known.round, known.players, self.result_place(known.result))
        self.last_event = known.event
        return tags

    def value(self, coder, kind, column, known, told):
        """A value: its number."""
        if kind.kind == EVENT:
            known.event = address(self, coder, column, [0], 0, told)[0]
            return known.event
        if kind.kind == NUMBER:
            return self.date_or_time(coder, kind.form, column, known, told)
        if kind.kind == ROUND:
            return rounds.code(self, coder, column, known, told)
        if kind.kind == PLAYER:
            return self.player(coder, kind.side, known, told)
        if kind.kind == ELO:
            return ratings.elo(self, coder, kind.side, column, known, told)
        if kind.kind == RESULT_KIND:
            known.result = self.result(coder, column, known, told)
            return known.result
        if kind.kind == RATING_DIFF:
            return ratings.rating_diff(self, coder, kind.side, column, known, told)
        if kind.kind == OF_PLAYER:
            return plain(self, coder, column, [known.player(kind.side), 0], known.before, None, told)
        return self.site_or_other(coder, kind.kind == SITE, column, known, told)

    def date_or_time(self, coder, form, column, known, told):
        keys = [known.event, known.before, 0]
        number = echo(self, coder, column, known.last[form], told)
        if number is None:
            number = plain(self, coder, column, keys, known.before, form, told)
        else:
            self.candidates.learn(column, keys, number)
            note_number(self, column, form, number)
        known.last[form] = number
        return number

    def player(self, coder, side, known, told):
        white = known.players[WHITE] if side == BLACK else None
        number = self.players.code(coder, side, known.event, known.round, white, self.values.find(told))
        if number is None:
            number = self.values.intern(self.new_players.next() if self.new_players else told)
        known.players[side] = number
        return number

    def result_place(self, number):
        """The place of a value among the usual results, or None."""
        value = None if number is None else self.values.value(number)
        return OUTCOMES.index(value) if value in OUTCOMES else None

    def result(self, coder, column, known, told):
        white, black = known.elos
        ahead = 1000 if white is None or black is None else min(max(white - black, -600), 600)
        level = (white or 0) // 200
        bases = [
            hash32(ratings.divided(ahead, 25), 0),
            hash32(ratings.divided(ahead, 80), level),
            known.player(WHITE),
            hash32(known.player(BLACK), 1),
            known.event,
            hash32(ratings.divided(ahead, 200), 2),
        ]
        for rank, result in enumerate(OUTCOMES):
            contexts = [hash32(base, rank) for base in bases]
            if self.numbers.code(coder, contexts, RESULT, rank, told == result):
                return self.values.intern(result)
        return spell(self, coder, column, 0, told)

    def site_or_other(self, coder, is_site, column, known, told):
        number = echo(self, coder, column, known.identifier, told)
        if number is not None:
            return number
        hint = NO_ID if known.result is None else known.result
        number, head = address(self, coder, column, [known.event, known.before, 0], hint, told)
        if is_site:
            known.event = hash32(known.event, head)
            if number != head:
                known.identifier = self.values.intern(self.values.value(number)[-IDENTIFIER:])
        return number
