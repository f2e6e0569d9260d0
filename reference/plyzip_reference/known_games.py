"""The games in the layouts of the common sources, which models see before all others (docs/format/structure.md)."""

import re
from functools import lru_cache

from .files import project_file
from .games import COMMENT, MOVE, OUTCOME, OUTCOMES, Game
from .lines import Line

LAYOUTS = "codec/src/streams/warm/layouts.pgn"
PRIMER = "codec/src/streams/warm/primer.pgn"
TAG = re.compile(rb'\[(\w+) "(.*)"\]\n')
TOKEN = re.compile(rb"\s*(?:\d+\.+\s*)?(\{[^}]*\}|[^\s{]+)")


class Word:
    """A move that is only known by its canonical spelling."""

    def __init__(self, text):
        self.text = text

    def category(self):
        text = self.text
        pawn, castling = text[:1].islower(), text[:1] == b"O"
        plain = len(text.rstrip(b"+#").replace(b"x", b"")) == 3 - pawn
        return (
            (b"x" in text)
            | (text[-1:] in (b"+", b"#")) << 1
            | (text[-1:] == b"#") << 2
            | (b"=" in text) << 3
            | castling << 4
            | pawn << 5
            | (not castling and not plain) << 6
        )

    def write(self, form):
        if form:
            raise ValueError("known games are spelled canonically")
        return self.text


@lru_cache(maxsize=None)
def layouts():
    """The games, whose moves are words."""
    return _games(project_file(LAYOUTS))


@lru_cache(maxsize=None)
def primer():
    """Games of which only the tags matter."""
    return _games(project_file(PRIMER))


def _games(text):
    games, at = [], 0
    while at < len(text):
        game = Game(lines=[Line(None, [])])
        while match := TAG.match(text, at):
            game.tags.append([match[1], match[2]])
            at = match.end()
        while not game.tokens or game.tokens[-1][0] != OUTCOME:
            match = TOKEN.match(text, at)
            at, word = match.end(), match[1]
            if word[:1] == b"{":
                game.tokens.append((COMMENT, word[1:-1]))
            elif word in OUTCOMES:
                game.tokens.append((OUTCOME, OUTCOMES.index(word)))
            else:
                game.lines[0].moves.append(Word(word))
                game.tokens.append((MOVE, None))
        games.append(game)
        at += len(text[at:]) - len(text[at:].lstrip())
    return games
