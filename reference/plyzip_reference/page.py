"""A page: games of a block that decode alone once the block's columns are known (docs/format.md)."""

from . import comments, late_tags, layout, structure, text
from .errors import Damaged
from .games import TEXT, Game
from .joined import split
from .lines import Line
from .moves_stream import MovesStream
from .standard.moves_stream import NetworkMovesStream

STREAMS = 7


def decode(payload, items, repeated, prior, original_bytes, model=None):
    """The bytes of a page; `items` are its items as the columns have them, `model` predicts its moves, if any.

    By the identity of a game, `repeated` has what it repeats, and the game that has it, which is decoded already if it
    is one of another page.
    """
    moves, kinds, in_comments, late, gaps, lengths, texts = split(payload, STREAMS)
    games = [item for item in items if isinstance(item, Game)]
    stream = MovesStream(moves) if model is None else NetworkMovesStream(moves, model)
    # A move takes at least two letters.
    most = original_bytes // 2
    predicted = [game for game in games if id(game) not in repeated]
    surprisals = dict(zip(map(id, predicted), stream.main_lines(predicted, most)))
    for game in games:
        if id(game) in repeated:
            _, source = repeated[id(game)]
            line = list(source.lines[0].moves)
            game.lines = [Line(None, line)]
            # Nothing was predicted.
            surprisals[id(game)] = [(0, 0)] * len(line)
            most -= len(line)
    if most < 0:
        raise Damaged("more moves than announced")
    own = [game for game in games if id(game) not in repeated or not repeated[id(game)][0].has_tokens]
    line_lengths = structure.decode(kinds, own, original_bytes)
    stream.variations(own, line_lengths)
    comments.decode(in_comments, own, [surprisals[id(game)] for game in own])
    places = [(game, place) for game in own for place, (kind, _) in enumerate(game.tokens) if kind == TEXT]
    for (game, place), found in zip(places, text.decode_texts(lengths, texts, len(places))):
        game.tokens[place] = (TEXT, found)
    left = original_bytes
    for game in games:
        repeat, source = repeated.get(id(game), (None, None))
        if repeat and repeat.has_tokens:
            left -= sum(1 + (len(value) if isinstance(value, bytes) else 0) for _, value in source.tokens)
            if left < 0:
                raise Damaged("more text is repeated than announced")
            game.lines = [Line(line.branch, list(line.moves)) for line in source.lines]
            game.tokens = list(source.tokens)
    late_tags.decode(late, games, original_bytes)
    return layout.decode(gaps, items, original_bytes, prior)
