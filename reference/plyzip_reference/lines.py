"""A line of play (docs/format/structure.md)."""

from dataclasses import dataclass, field


@dataclass
class Line:
    """Moves in sequence."""

    # Where the line leaves another: the index of that one and how many of its moves come before; None for line 0.
    branch: tuple | None
    moves: list = field(default_factory=list)
