"""The container and what stands beside the moves: tags' forms, layout, structure, comments."""

from zlib import crc32

import pytest
from plyzip_reference import (
    archive,
    blake3,
    coder,
    comment_numbers,
    files,
    forms,
    known_games,
    layout,
    number_forms,
    templates,
    time_model,
    wrap,
)
from plyzip_reference.errors import Damaged, Unsupported
from plyzip_reference.games import MOVE, OUTCOME
from plyzip_reference.interner import Interner
from plyzip_reference.structure import Models
from plyzip_reference.top_symbols import TopSymbols


def section(data):
    return data + crc32(data).to_bytes(4, "little")


def stored(*originals):
    """An archive of texts as they are, by hand."""
    blocks = [
        section(bytes([3, len(text), len(text)]) + crc32(text).to_bytes(4, "little") + text) for text in originals
    ]
    index = b"".join(bytes([len(block), len(text), 0]) for block, text in zip(blocks, originals))
    end = section(bytes([4, len(blocks), 0]) + index + blake3.digest(b"".join(originals)))
    return b"\xc1PLZ\3\1\0" + b"".join(blocks) + end + len(end).to_bytes(4, "little")


def test_archives_by_hand():
    assert len(stored()) == 34
    assert archive.decode(stored()) == b""
    assert archive.decode(stored(b"One text", b", another")) == b"One text, another"
    assert archive.decode(stored(b"a") + stored(b"b") + stored()) == b"ab"


def test_other_archives_are_refused():
    data = stored(b"One text", b", another")
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        with pytest.raises((Damaged, Unsupported)):
            archive.decode(bytes(changed))
        with pytest.raises(Damaged):
            archive.decode(data[:place])


def test_hashes_of_many_chunks():
    data = bytes(number % 251 for number in range(5000))
    assert blake3.digest(data).hex() == "ee78d92070de3df1c57c37002abf0a6b"
    assert blake3.digest(b"").hex() == "af1349b9f5f9a1a6a0404dea36dcc949"


def test_known_games_are_written_as_they_stand():
    everything = files.project_file(known_games.LAYOUTS)
    state = layout.Layout()
    events = coder.Recorded(files.project_file(layout.EVENTS))
    place = 0
    for game in known_games.layouts():
        for _ in range(layout.PRIMED_TIMES):
            text = state.game(events, game, words=True)
            assert everything[place : place + len(text)] == text
        place += len(text)
    assert place == len(everything)
    assert -(-events.at // 8) == len(events.data)


def test_structure_of_known_games():
    games = known_games.layouts()
    assert [game.tokens[-1][0] for game in games] == [OUTCOME] * 8
    assert [sum(kind == MOVE for kind, _ in game.tokens) for game in games] == [20] * 8
    models = Models()
    models.prime()
    # Of the games of servers, with clocks and without in turn, 6 of 15 go as expected, of the others all.
    assert [round(model.p_true / 2**22, 1) for model in models.as_expected] == [1.0, 0.4]


def test_a_habit_survives_exceptions_and_yields_to_a_new_one():
    top = TopSymbols(7)
    for symbol in [1] * 100 + [2, 3]:
        top.saw(symbol)
    assert top.guess() == 1
    for _ in range(32):
        top.saw(2)
    assert top.guess() == 2


def test_values_keep_their_numbers():
    values = Interner()
    numbers = [values.intern(value) for value in (b"", b"a", b"b", b"a")]
    assert numbers[1] == numbers[3] and len(set(numbers)) == 3
    assert values.value(numbers[2]) == b"b" and values.find(b"c") is None


@pytest.mark.parametrize(
    "form, good, bad",
    [
        (number_forms.Integer, [b"0", b"2742", b"999999999"], [b"", b"02", b"-1", b"1000000000"]),
        (number_forms.Signed, [b"+0", b"-17", b"+5"], [b"5", b"-0", b"+", b"+05"]),
        (number_forms.Date, [b"2023.07.01", b"0000.01.31"], [b"2023.7.1", b"2023.??.??", b"2023.13.01"]),
        (number_forms.Time, [b"00:00:00", b"23:59:59"], [b"24:00:00", b"1:00:00", b"00:60:00"]),
    ],
)
def test_only_canonical_numbers_are_read(form, good, bad):
    assert all(form.spell(number_forms.read(form, value)) == value for value in good)
    assert all(number_forms.read(form, value) is None for value in bad)


def test_rounds():
    assert number_forms.dotted(b"10.3") == [10, 3]
    assert number_forms.dotted(b"10.03") is number_forms.dotted(b"1.2.3.4") is number_forms.dotted(b"-") is None


def test_clocks_and_evaluations_are_spelled():
    assert forms.spell_clock(forms.clock_form(ord("8")), 309) == b"0:05:09"
    assert forms.spell_clock(forms.clock_form(ord(";")), 600) == b"0:01:00"
    assert forms.spell_clock(forms.clock_form(ord(";")), 599) == b"0:00:59.9"
    assert forms.spell_clock(forms.clock_form(ord("@")), 36_000) == b"10:00:00"
    assert forms.clock_form(ord("0")) is None
    for form, value, spelled in [(b"b", -390, "-3.9"), (b"f", 10, "0.10"), (b"m", -2, "#-2"), (b"b", -5, "-0.05")]:
        assert forms.spell_eval(form[0], value) == spelled.encode()


def test_elements_of_templates():
    found = templates.elements(b"[%clk \x018] \x01\x03\x02m")
    assert [mark for mark, _ in found if mark] == [templates.CLOCK, templates.PROSE, templates.EVAL]
    assert (None, 1) in found
    assert found[6] == (templates.CLOCK, ((1, 0, 0), True))


def test_bins_of_times():
    assert [time_model.first_second(time_bin) for time_bin in range(14)] == [*range(9), 12, 16, 24, 32, 48]
    assert [time_model.bin_bits(time_bin) for time_bin in (0, 7, 8, 9, 10)] == [0, 0, 2, 2, 3]
    assert len(files.project_file("codec/tables/clocks.bin")) == 3826
    assert comment_numbers.rough(-5, 1) == (3 << 8 | 2) << 1 | 1


def test_lines_break_by_the_rule():
    rule = wrap.Wrap(width=10)
    text = b"{one two three}"
    assert rule.reflow(text, 0, b"\n", lambda: 0) == b"{one two\nthree}"
    assert rule.reflow(text, 0, b"\n", lambda: 9) == b"{one two\nthree}"
    assert rule.reflow(b"{one two}", 0, b"\n", lambda: 1) is None
    assert rule.reflow(b"{one two}", 0, b"\n", lambda: 2) == b"{one\ntwo}"
    assert wrap.Wrap(width=20).reflow(text, 0, b"\n", lambda: 0) is None
    assert [spot[:2] for spot in wrap.spots(b"{a  b\r\nc \n d")] == [(5, 7)]
