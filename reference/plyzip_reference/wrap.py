"""Where lines break (docs/format/layout.md)."""

import re
from dataclasses import dataclass

from . import layout_contexts as contexts
from .models import BitModel, SymbolModel

# With this width lines never break, and no rule looks further ahead, neither in bytes nor in atoms.
NEVER = 256
LINE_END = re.compile(rb"[\r\n]")
# One space or one line break, and the word behind.
SPOT = re.compile(rb"(\r\n|[ \r\n])([^ \r\n]*)")


@dataclass(frozen=True)
class Wrap:
    """A rule by which a program breaks lines."""

    # Whether a line ends once it is longer than `width`, rather than before it would become longer.
    after: bool = False
    # What stays together: 0 nothing, 1 a number and its move, 2 a full move as well, 3 all up to the next move number.
    together: int = 0
    # Whether lines also break within comments.
    comments: bool = True
    width: int = 80

    def breaks_comments(self):
        return self.comments and self.width != NEVER

    def allows(self, before, behind):
        """Whether a line may break between these kinds of atom."""
        numbers = (contexts.WHITE_NUMBER, contexts.BLACK_NUMBER)
        if self.together == 0:
            return True
        if self.together == 1:
            return before not in numbers
        if self.together == 2:
            return before not in numbers and not before == behind == contexts.MOVE
        return behind in numbers and before not in numbers

    def breaks(self, column, gap, unit):
        """Whether a line that is `column` long breaks before `gap` spaces and a word as long as `unit()` says."""
        if self.width == NEVER:
            return False
        return (column if self.after else column + gap + unit()) > self.width

    def reflow(self, text, column, newline, tail):
        """Breaks the lines of a comment that starts in `column` and that as many bytes without a gap follow as `tail()`
        says; None if no line breaks."""
        flowed = bytearray()
        done, broken = 0, False
        for start, end, word in spots(text):
            if text[start:end] != b" ":
                continue
            column = advance(column, text[done:start])
            unit = lambda: word + tail() if end + word == len(text) else word
            breaks = self.breaks(column, 1, unit)
            separator = newline if breaks else b" "
            broken |= breaks
            flowed += text[done:start] + separator
            column = advance(column, separator)
            done = end
        return bytes(flowed + text[done:]) if broken else None


def spots(text):
    """Each single space or line break between two words: its beginning, its end, and the length of the word behind."""
    at = 0
    while match := SPOT.search(text, at):
        behind_word = match.start() > at
        word = len(match[2])
        at = match.end(1)
        if behind_word and word:
            yield match.start(), at, word


def advance(column, text):
    """The column after a text."""
    newline = max(text.rfind(b"\n"), text.rfind(b"\r"))
    return column + len(text) if newline < 0 else len(text) - newline - 1


class Flow:
    """The atoms of a game as a rule sees them: what stays together."""

    def __init__(self, wrap, atoms, usual):
        self.wrap = wrap
        # Pairs of kind and bytes.
        self.atoms = atoms
        # Says what stands before the atom with an index unless a line breaks there.
        self.usual = usual

    def kinds(self, behind):
        """The kinds of the atoms before and behind a gap."""
        before = self.atoms[behind - 1][0] if behind > 0 else contexts.START
        return before, self.atoms[behind][0] if behind < len(self.atoms) else contexts.END

    def unit_length(self, first):
        """Length of what stays together from the atom with this index on."""
        length = 0
        for index in range(first, min(len(self.atoms), first + NEVER)):
            kind, text = self.atoms[index]
            ends = re.compile(rb"[ \r\n]") if kind == contexts.COMMENT and self.wrap.comments else LINE_END
            match = ends.search(text)
            head = match.start() if match else len(text)
            length += head
            if head < len(text) or length > NEVER:
                break
            gap = self.glue(index + 1)
            if gap is None:
                break
            length += gap
        return length

    def glued_length(self, first):
        """Length of what stays together with what is before the atom with this index."""
        gap = self.glue(first)
        return gap + self.unit_length(first) if gap is not None and first < len(self.atoms) else 0

    def glue(self, behind):
        """Length of the gap before an atom, if no line may break there, else None."""
        gap = self.usual(behind)
        if not gap:
            return 0
        return len(gap) if is_blank(gap) and not self.wrap.allows(*self.kinds(behind)) else None


def is_blank(gap):
    """Whether lines may break here: spaces, and nothing else."""
    return bool(gap) and not gap.strip(b" ")


class WrapModels:
    """How a change of the rule is coded."""

    def __init__(self):
        self.changes = BitModel()
        self.flags = [BitModel(), BitModel()]
        self.together = SymbolModel(2)
        self.width = SymbolModel(8)

    def code(self, coder, old):
        """The rule for what was `old` before."""
        if not self.changes.code(coder):
            return old
        after = self.flags[0].code(coder)
        together = self.together.code(coder)
        comments = self.flags[1].code(coder)
        return Wrap(after, together, comments, 1 + self.width.code(coder))
