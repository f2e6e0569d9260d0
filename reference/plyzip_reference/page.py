"""A page: games of a block that decode alone once the block's columns are known (docs/format.md)."""

from . import comments, late_tags, layout, structure, text
from .games import TEXT, Game
from .joined import split
from .moves_stream import MovesStream
from .standard.moves_stream import NetworkMovesStream

STREAMS = 7


def decode(payload, items, prior, original_bytes, model=None):
    """The bytes of a page; `items` are its items as the columns have them, `model` predicts its moves, if any."""
    moves, kinds, in_comments, late, gaps, lengths, texts = split(payload, STREAMS)
    games = [item for item in items if isinstance(item, Game)]
    stream = MovesStream(moves) if model is None else NetworkMovesStream(moves, model)
    # A move takes at least two letters.
    surprisals = stream.main_lines(games, original_bytes // 2)
    line_lengths = structure.decode(kinds, games, original_bytes)
    stream.variations(games, line_lengths)
    comments.decode(in_comments, games, surprisals)
    late_tags.decode(late, games, original_bytes)
    places = [(game, place) for game in games for place, (kind, _) in enumerate(game.tokens) if kind == TEXT]
    for (game, place), found in zip(places, text.decode_texts(lengths, texts, len(places))):
        game.tokens[place] = (TEXT, found)
    return layout.decode(gaps, items, original_bytes, prior)
