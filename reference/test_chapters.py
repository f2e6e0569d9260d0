"""Tables in the chapters on columns and layout, compared with what the decoder has."""

import re
from pathlib import Path

from plyzip_reference import files, layout, layout_contexts, mixing, tag_kinds, templates, time_model, warm

CHAPTERS = Path(__file__).resolve().parents[1] / "docs/format"


def chapter(name):
    return (CHAPTERS / name).read_text()


def test_events_of_the_known_games():
    [events] = re.findall(r"(?:    [0-9a-f]{2,}\n)+", chapter("layout.md"))
    assert bytes.fromhex("".join(events.split())) == files.project_file(layout.EVENTS)


def test_contexts_of_the_layout():
    text = chapter("layout.md")
    for name, first in [
        ("line break", layout_contexts.NEWLINE),
        ("reflow", layout_contexts.REFLOW),
        ("tag", layout_contexts.TAGS),
        ("NAG", layout_contexts.NAGS),
        ("move", layout_contexts.SANS),
        ("number", layout_contexts.NUMBERS),
    ]:
        assert re.search(rf"^\| {name} \| {first}\b", text, re.M), name
    assert f"There are {layout_contexts.CONTEXTS} contexts" in text


def test_usual_templates():
    table = chapter("comments.md").split("| place | usual template |", 1)[1].split("\n\n", 1)[0]
    cells = re.findall(r"\| (\d+) \| `([^`]*)` ", table)
    spelled = {int(place): template.encode().decode("unicode_escape").encode("latin-1") for place, template in cells}
    assert spelled == dict(enumerate(templates.USUAL_TEMPLATES))


def test_sets_of_the_time_model():
    rows = re.findall(r"^\| ([0-3]) \| (\d+) \| (\d+) \|", chapter("comments.md").split("### Event\n")[1], re.M)
    assert [(int(bins), int(selectors)) for _, bins, selectors in rows] == list(time_model.SET_SIZES)


def test_confidence_and_events_of_codes():
    confidence, events = (
        re.search(rf"^\| {name} \|([ 0-9|]*)$", chapter("mixing.md"), re.M)[1] for name in ("confidence", "events")
    )
    assert [int(cell) for cell in confidence.split("|")[:-1]] == mixing.CONFIDENCE[:16]
    assert [int(cell) for cell in events.split("|")[:-1]] == warm.COUNTS


def test_kinds_of_tags():
    rows = re.findall(r"^\| (\d*) ?\| [a-z, ]* \| (`[^|]*) \|$", chapter("tags.md"), re.M)
    for rank, names in rows:
        for name in re.findall(r"`(\w+)`", names):
            kind = tag_kinds.Kind.of(name.encode())
            assert kind.is_late() if rank == "" else kind.rank() == int(rank)
    assert len(rows) == 8


def test_sections_of_the_tables():
    text = chapter("mixing.md").split("## Warm tables", 1)[1]
    named = set(re.findall(r"`((?:tags|late)\.[a-z.]+|words:\w*|ratings)`", text)) - {"tags.md", "late-tags.md"}
    assert named == set(warm.shipped().sections) | {"ratings"}
