"""Templates of comments: what stands between numbers and texts (docs/format/comments.md)."""

from .forms import BRIEF, FULL, MATE, clock_form

# Marks of a clock time, an evaluation, a text.
CLOCK, EVAL, PROSE = 1, 2, 3

USUAL_TEMPLATES = (
    b" [%clk \x018] ",
    b"[%clk \x018]",
    b" [%eval \x02b] [%clk \x018] ",
    b" [%eval \x02m] [%clk \x018] ",
    b"\x03",
    b"[%clk \x01;]",
    b"[%eval \x02b] [%clk \x018]",
    b"[%eval \x02m] [%clk \x018]",
    b"[%emt \x018]",
    b"[%emt \x01@]",
    b" [%eval \x02b] ",
    b" [%eval \x02m] ",
    b"[%eval \x02b]",
    b"[%clk \x01@]",
    b"\x03[%eval \x02b] [%clk \x018] ",
    b"\x03[%eval \x02m] [%clk \x018] ",
)


def elements(template):
    """The elements of a template: pairs of a mark, None for a byte that stands for itself, and what belongs to it.

    To a clock belong its form and whether it shows the time left."""
    found = []
    place = 0
    while place < len(template):
        byte = template[place]
        code = template[place + 1] if place + 1 < len(template) else 0
        element = (None, byte)
        if byte == CLOCK and clock_form(code):
            element = (CLOCK, (clock_form(code), template[:place].endswith(b"clk ")))
        elif byte == EVAL and code in (BRIEF, FULL, MATE):
            element = (EVAL, code)
        elif byte == PROSE:
            element = (PROSE, None)
        found.append(element)
        place += 2 if element[0] in (CLOCK, EVAL) else 1
    return found
