"""Comments: clocks, evaluations, text (docs/format/comments.md)."""

from .candidates import Candidates
from .coder import Decoder
from .comment_numbers import Numbers
from .errors import Damaged
from .fields import Fields
from .forms import spell_clock, spell_eval
from .games import COMMENTS
from .integers import clamped
from .interner import Interner
from .mixing import hash32
from .play import Play
from .spelling import Spelling
from .templates import CLOCK, EVAL, PROSE, USUAL_TEMPLATES, elements
from .text import decompress

# How likely a new template is one of the usual ones, in units of 2^-16.
USUAL_ODDS = 48 << 10
# The column of templates in the models of candidates and spelling.
COLUMN = 0
TEXT_END, ESCAPE = 0, 1


def decode(data, games, surprisals):
    """Fills in the comments of games, which have everything else."""
    fields = Fields(data)
    structure = fields.bytes(min(fields.varint(), len(data) - fields.at)) if data else b""
    prose = Fields(b"")
    if not fields.ended():
        length = fields.varint()
        prose = Fields(decompress(fields.rest(), length))
    elif data.endswith(b"\0"):
        raise Damaged("comments that end in needless zeros")
    coder = Decoder(structure)
    commenter = Commenter(sum(kind in COMMENTS for game in games for kind, _ in game.tokens))
    for game, of_game in zip(games, surprisals):
        play = Play(game, of_game)
        for place, (kind, value) in enumerate(game.tokens):
            if kind in COMMENTS:
                game.tokens[place] = (kind, commenter.comment(coder, play, prose))
            else:
                play.pass_token(kind, value)


def read_prose(prose):
    """The next text of all texts."""
    text = bytearray()
    while (byte := prose.byte()) != TEXT_END:
        text.append(prose.byte() - 1 & 255 if byte == ESCAPE else byte)
    return bytes(text)


class Commenter:
    """Everything that is learned of comments."""

    def __init__(self, comments):
        size = comments.bit_length() + 3
        self.templates = Interner()
        self.candidates = Candidates(clamped(size, 8, 14))
        self.spelling = Spelling(clamped(size, 10, 16))
        self.numbers = Numbers(clamped(size, 8, 20))

    def comment(self, coder, play, prose):
        """The bytes of a comment, whose texts are the next of `prose`."""
        text = bytearray()
        for mark, value in elements(self.template(coder, play)):
            if mark == CLOCK:
                form, on_clock = value
                text += spell_clock(form, self.numbers.clock(coder, play, 10 ** form[1], on_clock))
            elif mark == EVAL:
                text += spell_eval(value, self.numbers.eval(coder, play, value))
            elif mark == PROSE:
                text += read_prose(prose)
            else:
                text.append(value)
        return bytes(text)

    def template(self, coder, play):
        keys = [play.template_key(), play.last_template]
        hint = hash32(play.since_move(), play.last_template)
        number = self.candidates.code(coder, COLUMN, keys, hint)
        if number is None:
            number = self.templates.intern(self.new_template(coder, play))
        self.candidates.learn(COLUMN, keys, number)
        play.note_template(number)
        return self.templates.value(number)

    def new_template(self, coder, play):
        """A template that was not seen before."""
        if coder.bit(USUAL_ODDS):
            place = 0
            for _ in range(4):
                place = place << 1 | coder.bit(1 << 15)
            return USUAL_TEMPLATES[place]
        return self.spelling.code(coder, COLUMN, play.last_template)
