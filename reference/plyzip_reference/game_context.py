"""What a game's tags say that helps to predict its moves (docs/format/features.md)."""

UNKNOWN, LOST, DRAWN, WON = range(4)
SLOW, RAPID, BLITZ, BULLET, CORRESPONDENCE = range(5)
SERVERS = (b"chess.com", b"lichess", b"chess24")
# The first of these words that an event's name contains tells its pace.
PACES = (
    (b"bullet", BULLET),
    (b"blitz", BLITZ),
    (b"titled tue", BLITZ),
    (b"speed", BLITZ),
    (b"rapid", RAPID),
    (b"corr", CORRESPONDENCE),
    (b"email", CORRESPONDENCE),
    (b"iccf", CORRESPONDENCE),
)


class GameContext:
    """Ratings of White and Black and the year, 0 if unknown; the result as the tags announce it; the pace, and whether
    the game was played on a server. Without a network only ratings and result count."""

    def __init__(self, game):
        self.elo = [_number(game.tag(name)) for name in ("WhiteElo", "BlackElo")]
        result = game.tag("Result")
        self.result = None if result is None else bytes(result)
        date = game.tag("Date")
        date = bytes(game.tag("UTCDate") or b"") if date is None else bytes(date)
        self.year = _number(date[:4]) if len(date) >= 4 else 0
        # bytes.lower changes ASCII letters alone.
        event, site = (bytes(game.tag(name) or b"").lower() for name in ("Event", "Site"))
        self.online = any(server in text for text in (event, site) for server in SERVERS)
        self.pace = _pace_of_control(game.tag("TimeControl"))
        if self.pace is None:
            self.pace = next((pace for word, pace in PACES if word in event), SLOW)

    def result_for(self, color):
        """The result for a side."""
        if self.result == b"1/2-1/2":
            return DRAWN
        if self.result == (b"1-0", b"0-1")[color]:
            return WON
        if self.result == (b"0-1", b"1-0")[color]:
            return LOST
        return UNKNOWN


def _pace_of_control(control):
    """The pace by the seconds that 40 moves take, or None for a time control of another form."""
    base, plus, increment = bytes(control or b"").partition(b"+")
    numbers = [_parsed(base, 32), _parsed(increment if plus else b"0", 32)]
    if None in numbers:
        return None
    seconds = numbers[0] + 40 * numbers[1]
    return BULLET if seconds < 180 else BLITZ if seconds < 480 else RAPID if seconds < 1500 else SLOW


def _number(text):
    """A number of 16 bits, perhaps after a `+`; 0 if the text is none."""
    return _parsed(bytes(text or b""), 16) or 0


def _parsed(digits, bits):
    """A number of so many bits, perhaps after a `+`, or None."""
    digits = digits[1:] if digits[:1] == b"+" else digits
    significant = digits.lstrip(b"0")
    if not digits.isdigit() or len(significant) > 10:
        return None
    value = int(significant or b"0")
    return value if value < 1 << bits else None
