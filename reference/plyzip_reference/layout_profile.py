"""One style of layout: the favourite phrase of every context, and where lines break (docs/format/layout.md)."""

from . import layout_contexts as contexts
from .top_symbols import TopSymbols
from .wrap import Wrap


class Profile:
    """The favourites of all contexts, and a rule for line breaks."""

    def __init__(self, favourites, wrap):
        self.favourites = favourites
        self.wrap = wrap

    @classmethod
    def standard(cls, phrases):
        """The export format of the PGN standard."""
        favourites = [b" "] * contexts.CONTEXTS
        gap = contexts.gap
        for kind in range(contexts.KINDS):
            favourites[gap(contexts.START, kind)] = b""
            favourites[gap(contexts.TAG, kind)] = b"\n\n"
            favourites[gap(kind, contexts.END)] = b"\n\n"
            favourites[gap(contexts.LINE_COMMENT, kind)] = b"\n"
            favourites[gap(contexts.ESCAPE, kind)] = b"\n"
            favourites[gap(contexts.OPEN, kind)] = b""
            favourites[gap(kind, contexts.CLOSE)] = b""
            favourites[gap(kind, contexts.SUFFIX)] = b""
            favourites[gap(kind, contexts.ESCAPE)] = b"\n"
        favourites[gap(contexts.TAG, contexts.TAG)] = b"\n"
        favourites[contexts.NEWLINE] = b"\n"
        for is_first in (1, 0):
            favourites[contexts.tag(is_first)] = b'[N "V"]'
        for number in range(7):
            favourites[contexts.nag(number)] = b"$"
        for category in range(128):
            favourites[contexts.san(category)] = b"=\0\0"
        for before in range(contexts.KINDS):
            for behind in range(contexts.KINDS):
                is_move = behind == contexts.MOVE
                favourites[contexts.number(0, before, behind)] = b"=." if is_move else b""
                apart = is_move and before != contexts.MOVE
                favourites[contexts.number(1, before, behind)] = b"=..." if apart else b""
        # New phrases in the order in which they come up.
        for phrase in (b'[N "V"]', b"$", b"=\0\0", b"=.", b"=..."):
            phrases.index(phrase)
        return cls([TopSymbols(phrases.index(phrase)) for phrase in favourites], Wrap())

    def copy(self):
        return Profile([favourite.copy() for favourite in self.favourites], self.wrap)

    def guess(self, context):
        """The index of the phrase to be expected."""
        return self.favourites[context].guess()
