"""How clock times and evaluations are spelled (docs/format/comments.md)."""

BRIEF, FULL, MATE = b"bfm"


def clock_form(code):
    """The form of a time with this code: digits of hours, digits of the fraction, whether a fraction of 0 is left out.

    None if there is none."""
    bits = code - ord("0") & 255
    hours, digits, brief = bits >> 3, bits >> 1 & 3, bits & 1
    return (hours, digits, brief) if 1 <= hours <= 2 else None


def spell_clock(form, time):
    """A time of 1/10^digits seconds."""
    hours, digits, brief = form
    # Times below 0, which no encoder writes, are divided towards 0.
    sign, size = (-1, -time) if time < 0 else (1, time)
    seconds, fraction = sign * (size // 10**digits), sign * (size % 10**digits)
    size = abs(seconds)
    parts = [sign * part for part in (size // 3600, size // 60 % 60, size % 60)]
    text = f"{parts[0]:0{hours}}:{parts[1]:02}:{parts[2]:02}"
    if digits and not (brief and fraction == 0):
        text += f".{fraction:0{digits}}"
    return text.encode()


def spell_eval(form, value):
    """An evaluation in hundredths of a pawn, or moves to mate."""
    if form == MATE:
        return b"#%d" % value
    sign, (whole, hundredths) = b"-" if value < 0 else b"", divmod(abs(value), 100)
    if form == BRIEF and hundredths % 10 == 0:
        return b"%s%d.%d" % (sign, whole, hundredths // 10)
    return b"%s%d.%02d" % (sign, whole, hundredths)
