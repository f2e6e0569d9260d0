"""The worked example of the format (docs/format/example.md), compared with what this decoder computes."""

import re
from math import log2
from pathlib import Path

import pytest
from plyzip_reference import archive, container, moves_stream
from plyzip_reference.coder import Decoder
from plyzip_reference.joined import split
from plyzip_reference.page import STREAMS

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = (ROOT / "docs/format/example.md").read_text()


def cells(heading):
    section = re.split(r"\n#+ ", EXAMPLE.split(f"# {heading}\n", 1)[1])[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return rows[2:]


@pytest.fixture
def example():
    lines = re.findall(r"^[0-9a-f]{8}: (.*)$", EXAMPLE, re.MULTILINE)
    return bytes.fromhex("".join(lines))


def test_the_bytes_are_the_first_game_of_the_samples(example):
    original = archive.decode(example)
    assert (ROOT / "samples/famous.pgn").read_bytes().startswith(original)
    assert len(example) == 209 and len(original) == 362


def test_fields_stand_where_the_table_says(example):
    rows = cells("The container")
    places = [int(row[0], 16) for row in rows] + [len(example)]
    for row, place, end in zip(rows, places, places[1:]):
        begin, _, tail = row[1].partition(" ... ")
        begin, tail = bytes.fromhex(begin), bytes.fromhex(tail)
        assert example[place:end].startswith(begin) and example[place:end].endswith(tail)
        assert tail or len(begin) == end - place


def test_the_events_of_the_moves(example, monkeypatch):
    events = []

    class Recorder(Decoder):
        def bit(self, p_true, told=None):
            found = super().bit(p_true, told)
            events.append(("end", "yes" if found else "no", p_true if found else 65536 - p_true, 16))
            return found

        def symbol(self, cumulative, told=None):
            found = super().symbol(cumulative, told)
            count = len(cumulative) - 1
            events.append((count, str(found), cumulative[found + 1] - cumulative[found], 24))
            return found

    monkeypatch.setattr(moves_stream, "Decoder", Recorder)
    archive.decode(example)
    rows = cells("The moves")
    assert len(rows) == len(events)
    total = 0
    for (name, count, symbol, frequency, of, bits), event in zip(rows, events):
        assert (name if name == "end" else int(count)) == event[0]
        assert (symbol, int(frequency.replace(",", "")), of) == (event[1], event[2], f"2^{event[3]}")
        cost = event[3] - log2(event[2])
        assert abs(cost - float(bits)) <= 0.00501
        total += cost
    assert f"The sum is {total:.1f} bits" in EXAMPLE

    (member,) = container.read_members(example)
    moves = split(member.blocks[0].pages[0].payload, STREAMS)[0]
    assert f"The stream is {moves[:4].hex()} {moves[4:].hex()}".lower() in EXAMPLE.lower()
