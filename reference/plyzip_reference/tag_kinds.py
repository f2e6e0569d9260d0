"""What a tag's name says about its values (docs/format/tags.md)."""

from typing import NamedTuple

from . import number_forms as forms

# Kinds of tags; the values of late ones are coded when the moves are known.
(
    EVENT,
    SITE,
    NUMBER,
    ROUND,
    PLAYER,
    ELO,
    RESULT,
    OF_PLAYER,
    RATING_DIFF,
    OTHER,
    OPENING,
    PLY_COUNT,
    POSITION,
    TERMINATION,
) = range(14)
# Values of lower rank are coded first. In the order of the kinds.
RANKS = (0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 8, 9, 9, 9)
LATE = (OPENING, PLY_COUNT, POSITION, TERMINATION)
NAMED = {
    b"Event": EVENT,
    b"Site": SITE,
    b"Round": ROUND,
    b"Result": RESULT,
    b"ECO": OPENING,
    b"Opening": OPENING,
    b"Variation": OPENING,
    b"SubVariation": OPENING,
    b"PlyCount": PLY_COUNT,
    b"CurrentPosition": POSITION,
    b"Termination": TERMINATION,
}
OF_SIDE = {b"": PLAYER, b"Elo": ELO, b"RatingDiff": RATING_DIFF}


class Kind(NamedTuple):
    """The kind of a tag."""

    kind: int
    # Of what belongs to a player: his colour.
    side: int = 0
    # Of a number: how it is spelled.
    form: type | None = None

    @classmethod
    def of(cls, name):
        if name in NAMED:
            return cls(NAMED[name])
        for side, color in enumerate((b"White", b"Black")):
            if name.startswith(color):
                return cls(OF_SIDE.get(name[5:], OF_PLAYER), side)
        if name.endswith(b"Date"):
            return cls(NUMBER, form=forms.Date)
        if name.endswith(b"Time"):
            return cls(NUMBER, form=forms.Time)
        return cls(OTHER)

    def column(self, name):
        """The name without the side: both sides share what is learned of a player's values."""
        return name[5:] if self.kind in (PLAYER, ELO, RATING_DIFF, OF_PLAYER) else name

    def is_late(self):
        return self.kind in LATE

    def rank(self):
        return RANKS[self.kind]
