"""Values that are like others of their column: known ones, numbers, texts (docs/format/tags.md)."""

from . import number_forms as forms
from .errors import Damaged
from .mixing import hash32

# Kinds of binary events of `Tagger.numbers`.
IS_NUMBER, DELTA, FIELDS, FIELD, RESULT, DIFF, SPLIT, ECHO = range(8)
BASE62 = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
DIGITS = [(digit << 24) // 62 for digit in range(63)]
# The length of Lichess's and others' random identifiers.
IDENTIFIER = 8


def plain(tagger, coder, column, keys, hint, form, told):
    """A value like others of its column: its number."""
    values = tagger.values
    number = tagger.candidates.code(coder, column, keys, hint, values.find(told))
    if number is None and form:
        base = tagger.last_numbers.get(column, 0)
        contexts = [hash32(column, 0), hash32(column, keys[0])]
        number = near(tagger, coder, column, form, base, contexts, told)
    if number is None:
        number = spell(tagger, coder, column, keys[0], told)
    if form:
        note_number(tagger, column, form, number)
    tagger.candidates.learn(column, keys, number)
    return number


def note_number(tagger, column, form, number):
    """Takes note of what a value is as a number."""
    found = forms.read(form, tagger.values.value(number))
    if found is not None:
        tagger.last_numbers[column] = found


def address(tagger, coder, column, keys, hint, told):
    """A value that may end in a random identifier, as the addresses of games do: its number and that of what stands
    before the identifier, or else of all."""
    head, tail = told[:-IDENTIFIER], told[-IDENTIFIER:]
    split = head.endswith(b"/") and all(byte in BASE62 for byte in tail)
    # Tournaments have many games, so the whole may have been seen before.
    whole = hash32(column, 2)
    number = tagger.candidates.code(coder, whole, keys, hint, tagger.values.find(told))
    if number is not None:
        tagger.candidates.learn(whole, keys, number)
        return number, number
    contexts = [hash32(column, 0), keys[0]]
    if not tagger.numbers.code(coder, contexts, SPLIT, column, split):
        number = plain(tagger, coder, column, keys, hint, None, told)
        tagger.candidates.learn(whole, keys, number)
        return number, number
    head = plain(tagger, coder, column, keys, hint, None, head)
    value = bytearray(tagger.values.value(head))
    for place in range(IDENTIFIER):
        digit = BASE62.index(tail[place]) if place < len(tail) else 0
        value.append(BASE62[coder.symbol(DIGITS, digit)])
    number = tagger.values.intern(bytes(value))
    tagger.candidates.learn(whole, keys, number)
    return number, head


def echo(tagger, coder, column, other, told):
    """Whether a value is what another tag of the game says already: that one's number, or None."""
    if other is None:
        return None
    same = tagger.values.value(other) == told
    return other if tagger.numbers.code(coder, [hash32(column, 3)], ECHO, column, same) else None


def spell(tagger, coder, column, key, told):
    """A value letter by letter."""
    words = tagger.dictionaries.get(column)
    return tagger.values.intern(tagger.spelling.code(coder, column, key, words=words, told=told))


def near(tagger, coder, column, form, base, contexts, told):
    """A value as a number, by its distance from `base`; None if it is no number."""
    number = forms.read(form, told)
    if not tagger.numbers.code(coder, [hash32(column, 1)], IS_NUMBER, column, number is not None):
        return None
    delta = tagger.numbers.number(coder, contexts, DELTA, column, (number or 0) - base)
    value = form.spell(base + delta)
    if value is None:
        raise Damaged("a number out of range in a tag")
    return tagger.values.intern(value)
