"""What a block is made of: games and texts (docs/format/structure.md)."""

from dataclasses import dataclass, field

# Kinds of tokens.
MOVE, NAG, COMMENT, LINE_COMMENT, ESCAPE, OPEN, CLOSE, OUTCOME, TEXT = range(9)
# Spellings of outcomes, and of the usual results.
OUTCOMES = (b"1-0", b"0-1", b"1/2-1/2", b"*")
COMMENTS = (COMMENT, LINE_COMMENT, ESCAPE)


@dataclass
class Text:
    """Bytes that belong to no game."""

    bytes: bytes = b""


@dataclass
class Game:
    """A game: its tags, its lines and what stands between the moves."""

    # Pairs of name and value, in order.
    tags: list = field(default_factory=list)
    # Line 0 is the game as played; variations follow in the order in which they open.
    lines: list = field(default_factory=list)
    # Pairs of kind and value: the number of a NAG or an outcome, the bytes of comments and texts, else None.
    tokens: list = field(default_factory=list)

    def tag(self, name):
        """The value of the first tag with this name, or None."""
        name = name.encode()
        for other, value in self.tags:
            if other == name:
                return value
        return None
