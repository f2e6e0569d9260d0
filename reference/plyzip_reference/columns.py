"""Columns: what all games of a block are coded by together (docs/format.md)."""

from . import early_tags, layout, repeats, text
from .errors import Damaged
from .games import Game, Text
from .joined import split

STREAMS = 7


class Columns:
    """The items of a block, with all that does not wait for the moves, and what the layouts of its pages begin with."""

    def __init__(self, data, games, original_bytes):
        kinds, tags, new_players, lengths, texts, prior, repeated = split(data, STREAMS)
        self.items = text.decode_items(kinds, games)
        known = [item for item in self.items if isinstance(item, Game)]
        if known:
            self.repeats = repeats.decode(repeated, len(known))
            early_tags.decode(tags, new_players, known, self.repeats)
            for game, repeat in zip(known, self.repeats):
                if repeat and repeats.start(game) != repeats.start(known[repeat.of]):
                    raise Damaged("a game that repeats one with another start")
        elif tags or new_players or repeated:
            raise Damaged("tags of no game")
        places = [item for item in self.items if isinstance(item, Text)]
        for item, found in zip(places, text.decode_texts(lengths, texts, len(places))):
            item.bytes = found
        self.prior, self.original_bytes = prior, original_bytes

    def games(self):
        return [item for item in self.items if isinstance(item, Game)]

    def layout(self):
        """The state that the layouts of the pages begin with."""
        return layout.decode_prior(self.prior, self.original_bytes)

    def repeated(self):
        """For each game that repeats another, by its identity: what it repeats, and that game."""
        games = self.games()
        return {id(game): (repeat, games[repeat.of]) for game, repeat in zip(games, self.repeats) if repeat}

    def pages(self, page_games):
        """The items of each page: a page begins with its first game, the first one with the first item."""
        pages, count = [[]], 0
        for item in self.items:
            if isinstance(item, Game):
                if count and count % page_games == 0:
                    pages.append([])
                count += 1
            pages[-1].append(item)
        return pages
