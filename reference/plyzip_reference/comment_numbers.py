"""Clocks and evaluations in the course of a game (docs/format/comments.md)."""

from .forms import MATE as MATE_FORM
from .integers import clamped, divided, saturated
from .mixing import MASK32, ContextMixer, hash32
from .time_features import describe, ln
from .time_model import TimeModel, bin_bits, first_second

# No clock shows more seconds.
LONGEST = 1 << 40
MOST_INCREMENT = 60
# Moves of a side after which its gains tell of the increment.
TELLING = 8
FIRST_CLOCK, GAIN, FRACTION, REPEATED, EVAL, MATE = range(6)
# The odds that the first digits of a second within its bin are 1.
LATER = (28_200, 30_100, 31_500)


def rough(number, fine):
    """The size of a number: its sign, its binary length and its foremost digits."""
    size = abs(number)
    length = size.bit_length()
    return (length << 8 | size >> max(length - fine - 1, 0)) << 1 | (number < 0)


def sixteenths(time, unit):
    """A time in units of 1/unit second in sixteenths of a second."""
    return divided(clamped(time, -LONGEST, LONGEST) * 16, unit)


def note(play, took, unit):
    """Takes note of what the last move took."""
    first = play.spent is None
    play.spent = (took, unit)
    if first:
        control = play.control
        typical = ln(16 * (control.start + 40 * control.increment) // 60)
        play.sides[play.side()].take(sixteenths(took, unit), typical)


class Numbers:
    """Codes times and evaluations."""

    def __init__(self, slot_bits):
        self.times = TimeModel()
        self.mixing = ContextMixer(slot_bits, 12, 6, 256)
        # The largest gain of a move in the last game whose time control no tag told, in seconds.
        self.increment = 0

    def clock(self, coder, play, unit, on_clock):
        """A time in units of 1/unit second: what the mover's clock shows, or what the last move took."""
        control, side = play.control, play.sides[play.side()]
        if not on_clock:
            took = self.repeated(coder, play.spent, unit) if play.spent else self.time_used(coder, play, unit, LONGEST)
            note(play, took, unit)
            return took
        before = side.clock
        if before is None:
            return self.first_clock(coder, play, unit)
        expected = saturated(before + control.increment * unit)
        if play.spent:
            took = self.repeated(coder, play.spent, unit)
        else:
            took = self.time_used(coder, play, unit, clamped(divided(expected, unit), 0, LONGEST))
        note(play, took, unit)
        time = side.clock = saturated(expected - took)
        if not control.known:
            gained = clamped(divided(saturated(time - before), unit), 0, MOST_INCREMENT)
            control.increment = max(control.increment, gained)
            control.gained = max(control.gained, gained)
            if side.count > TELLING:
                self.increment = control.gained
        return time

    def first_clock(self, coder, play, unit):
        """What a side's clock shows first."""
        place, ply = play.side(), min(play.ply(), 4)
        control = play.control
        other = play.sides[1 - place].clock
        expected = control.start * unit if other is None else other
        contexts = [
            hash32(hash32(control.start, control.increment), ply),
            hash32(unit, ply),
            hash32(int(other is not None), 1),
        ]
        time = saturated(expected - self.mixing.number(coder, contexts, FIRST_CLOCK, place))
        play.sides[place].clock = time
        if not control.known and other is None:
            control.start = clamped(divided(time, unit), 0, LONGEST)
            control.increment = self.increment
        return time

    def time_used(self, coder, play, unit, most):
        """What the last move took, which is at most `most` seconds."""
        control, side = play.control, play.sides[play.side()]
        left = 16 * control.start if side.clock is None else sixteenths(side.clock, unit)
        total = 16 * (control.start + 40 * control.increment)
        features, selectors = describe(play, left, 16 * control.increment, total)
        _, usual, _ = side.means(ln(total // 60))
        time_bin = self.times.code(coder, features, selectors, usual, most)
        last = side.took[0]
        if time_bin == 0:
            # Clocks that gain more than the increment are of some other world.
            contexts = [int(control.known), hash32(2, int(last is not None and last < 0))]
            if self.mixing.code(coder, contexts, GAIN, 0):
                return saturated(-self.mixing.number(coder, contexts[:1], GAIN, 1))
        second = 0
        bits = bin_bits(time_bin)
        for place in range(bits):
            p_later = LATER[place] if place < len(LATER) else 1 << 15
            second = second << 1 | coder.bit(p_later)
        took = (first_second(time_bin) + second) * unit
        if unit > 1:
            last = 99 if last is None else clamped(divided(last * unit, 16), -1, unit)
            contexts = [
                hash32(unit, min(time_bin, 4)),
                hash32(unit, hash32(min(time_bin, 1), last)),
                hash32((usual & MASK32) >> 7, hash32(min(time_bin, 2), unit)),
            ]
            took = saturated(took + self.mixing.number(coder, contexts, FRACTION, time_bin))
        return took

    def repeated(self, coder, spent, unit):
        """A time that was told in another way before."""
        time, spent_unit = spent
        expected = divided(clamped(time, -LONGEST, LONGEST) * unit, spent_unit)
        delta = self.mixing.number(coder, [hash32(unit, spent_unit)], REPEATED, 0)
        return saturated(expected + delta)

    def eval(self, coder, play, form):
        """An evaluation: hundredths of a pawn or moves to mate."""
        side = play.ply() & 1
        last, mate, deltas = play.eval, play.mate, play.deltas
        is_mate = form == MATE_FORM
        (cost, _), (reply_cost, _), _ = play.surprisals()
        cost //= 12
        contexts = [
            hash32(hash32(int(mate), rough(last, 1)), side),
            hash32(hash32(side, play.annotation), rough(last, 0)),
            hash32(rough(deltas[0], 2), side),
            hash32(hash32(rough(deltas[0], 1), rough(deltas[1], 1)), side),
            hash32(play.move_kind(), hash32(side, rough(deltas[0], 1))),
            hash32(clamped(last, -3000, 3000), side),
            hash32(min(play.ply(), 16), side),
            side,
            hash32(cost, hash32(side, rough(last, 0))),
            hash32(hash32(cost, reply_cost // 16), hash32(side, rough(deltas[0], 0))),
            hash32(play.course, 0),
            hash32(rough(saturated(deltas[0] + deltas[1]), 1), rough(deltas[0], 0)),
        ]
        same_kind = int(mate == is_mate)
        contexts = [hash32(context, same_kind) for context in contexts]
        detail = (side * 2 + same_kind) * 16 + (rough(last, 0) >> 9) % 16
        delta = self.mixing.number(coder, contexts, MATE if is_mate else EVAL, detail)
        value = saturated((last if same_kind else 0) + delta)
        play.note_eval(value, is_mate, delta)
        return value
