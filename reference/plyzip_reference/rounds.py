"""Rounds, as numbers with dots between them (docs/format/tags.md)."""

from . import number_forms as forms
from .errors import Damaged
from .integers import clamped
from .mixing import hash32
from .tag_values import FIELD, FIELDS, plain


def code(tagger, coder, column, known, told):
    """A round: its number as a value."""
    event = known.event
    same_event = int(event == tagger.last_event)
    last = tagger.rounds.get(event, [])
    numbers = forms.dotted(told) or []
    contexts = [hash32(len(last), same_event), event, hash32(column, 0)]
    fields = len(last) + tagger.numbers.number(coder, contexts, FIELDS, 0, len(numbers) - len(last))
    if fields == 0:
        tagger.rounds[event] = []
        return plain(tagger, coder, column, [event, known.before, 0], 0, None, told)
    if not 1 <= fields <= forms.MOST_FIELDS:
        raise Damaged("a round of too many numbers")
    # Once all have played, the next round begins.
    free = tagger.players.free(event, last[0] if last else 0)
    done = []
    path = same_event
    for field in range(fields):
        before = last[field] if field < len(last) else 0
        place = hash32(field, fields)
        contexts = [
            hash32(place, hash32(path, int(len(last) > field))),
            hash32(hash32(place, event), path),
            hash32(place, hash32(before, path)),
            hash32(place, hash32(event, 1)),
            hash32(hash32(place, event), hash32(before, path)),
            hash32(place, hash32(path, free)),
        ]
        # A later field starts anew when an earlier one moves on.
        base = 0 if path > 1 else before
        number = numbers[field] if numbers else 0
        number = base + tagger.numbers.number(coder, contexts, FIELD, field, number - base)
        if not 0 <= number < forms.LARGEST:
            raise Damaged("a round out of range")
        path = abs(clamped(number - before, -2, 3)) << 1 | path & 1
        done.append(number)
    known.round = done[0]
    tagger.rounds[event] = done
    return tagger.values.intern(forms.spell_dotted(done))
