"""The situations in which a phrase of the layout is chosen (docs/format/layout.md)."""

# Kinds of atoms; START and END are the ends of a game.
TAG, WHITE_NUMBER, BLACK_NUMBER, MOVE, SUFFIX, DOLLAR, COMMENT, LINE_COMMENT, ESCAPE, OPEN, CLOSE, OUTCOME, TEXT = (
    range(13)
)
START, END = 13, 14
KINDS = 15
# The kind of atom that a token becomes, as far as its kind alone tells, in the order of the kinds of tokens.
OF_TOKEN = (MOVE, SUFFIX, COMMENT, LINE_COMMENT, ESCAPE, OPEN, CLOSE, OUTCOME, TEXT)

NEWLINE = KINDS * KINDS
REFLOW = NEWLINE + 1
TAGS = REFLOW + 1
NAGS = TAGS + 2
SANS = NAGS + 7
NUMBERS = SANS + 128
CONTEXTS = NUMBERS + 2 * KINDS * KINDS


def gap(before, behind):
    """What stands between two kinds of atoms."""
    return before * KINDS + behind


def tag(is_first):
    """The form of the first tag pair, or of another."""
    return TAGS + is_first


def nag(number):
    """The spelling of a NAG."""
    return NAGS + (number if number <= 6 else 0)


def san(category):
    """The spelling of a move."""
    return SANS + category


def number(black, before, behind):
    """The move number, or its absence, between two kinds of atoms."""
    return NUMBERS + (black * KINDS + before) * KINDS + behind
