"""Whole archives: from their bytes to the original (docs/format.md)."""

from . import page
from .columns import Columns
from .container import check_crc, read_members
from .errors import Unsupported
from .standard.model import network_model

# Nodes that a model searches in a position, beyond which a game takes minutes here.
MOST_NODES = 1000


def decode(data, any_effort=False):
    """The originals of all members of an archive, one after the other; with `any_effort` even if that takes hours."""
    originals = []
    for member in read_members(data):
        original = b""
        for number, block in enumerate(member.blocks):
            model = None
            if member.model and number >= member.model_position and block.games and block.stored is None:
                model = network_model(member.model)
                nodes = model.effort.nodes if model.effort else 0
                if nodes > MOST_NODES and not any_effort:
                    raise Unsupported(f"the model {member.model.name}: it searches {nodes:,} nodes a position")
            original += decode_block(block, model)
        member.check(original)
        originals.append(original)
    return b"".join(originals)


def decode_block(block, model=None):
    """The original of a block; `model` predicts its moves, if it has one."""
    if block.stored is not None:
        check_crc(block.stored, block.original_crc)
        return block.stored
    columns = Columns(block.columns, block.games, block.original_bytes)
    if not block.pages:
        original = b"".join(item.bytes for item in columns.items)
        check_crc(original, block.original_crc)
        return original
    prior, repeated = columns.layout(), columns.repeated()
    original = b""
    for of_page, items in zip(block.pages, columns.pages(block.page_games)):
        part = page.decode(of_page.payload, items, repeated, prior, of_page.original_bytes, model)
        check_crc(part, of_page.original_crc)
        original += part
    return original


def tags(data):
    """The tags of all games, without the pages and so without the values that wait for the moves."""
    for member in read_members(data):
        for block in member.blocks:
            if block.stored is None and block.games:
                for game in Columns(block.columns, block.games, block.original_bytes).games():
                    yield game.tags
