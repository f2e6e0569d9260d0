"""The position that a game starts from (docs/format/chess.md)."""

from . import fen
from .position import initial

STANDARD = (b"standard", b"chess", b"from position", b"normal")
CHESS960 = (b"chess960", b"chess 960", b"fischerandom", b"fischerrandom")


def start_of(game):
    """The position before the first move as the tags have it, or None if they name none that can be played."""
    variant = game.tag("Variant")
    # bytes.lower changes ASCII letters alone.
    variant = STANDARD[0] if variant is None else bytes(variant).lower()
    if variant not in STANDARD + CHESS960:
        return None
    chess960 = variant in CHESS960
    text = game.tag("FEN")
    if text is None:
        return None if chess960 else initial()
    try:
        return fen.read(bytes(text), chess960)
    except fen.NoPosition:
        return None
