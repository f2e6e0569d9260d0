"""Numbers that the chapters of the format state, compared with what this decoder computes."""

import re
from pathlib import Path

import pytest
from plyzip_reference import game_end, layout, linear_policy, opening_book, plain_features
from plyzip_reference.files import project_file
from plyzip_reference.standard.onnx_file import OnnxFile

CHAPTERS = Path(__file__).resolve().parents[1] / "docs/format"


def rows(chapter, heading):
    """The cells of the tables between a heading and the next one, row by row."""
    text = (CHAPTERS / chapter).read_text()
    section = re.split(r"\n#+ ", text.split(f"# {heading}\n", 1)[1])[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]


def number(text):
    return int(text.replace(",", ""))


def test_properties_of_the_linear_policy():
    found = [number(row[0]) for row in rows("none.md", "Linear policy") if len(row) == 3 and row[0][:1].isdigit()]
    weights, properties = found[:2], found[2:]
    # The properties of the two last moves have one group in the decoder.
    first = list(linear_policy.FIRST.values())
    first.insert(2, first[1] + linear_policy.REPLY_CLASSES)
    assert properties == first
    pairs = linear_policy.PROPERTIES * linear_policy.ATTRIBUTES
    assert weights == [0, pairs]
    stages = len(linear_policy.STAGE_STARTS) + 1
    assert len(project_file("codec/tables/policy.bin")) == pairs + stages * plain_features.PLAIN_FEATURES


def test_slots_of_plain_features():
    cells = [row[:4] for row in rows("features.md", "Move features") if row[0].isdigit()]
    plain = [(int(slot), name.strip("`").lower(), int(first), int(size)) for slot, name, first, size in cells]
    sizes = zip(plain_features.SIZES, plain_features.STARTS)
    assert plain == [(slot, name, start, size) for slot, ((name, size), start) in enumerate(sizes)]


def test_sizes_of_tables():
    text = (CHAPTERS / "none.md").read_text()
    for size in (game_end.BY_PLY, game_end.BY_MATERIAL, opening_book.BUCKETS):
        assert f"{size:,}" in text


def test_events_of_known_games():
    section = (CHAPTERS / "layout.md").read_text().split("# Known games\n")[1]
    digits = "".join(re.findall(r"^    ([0-9a-f]+)$", section.split("\n# ")[0], re.M))
    assert bytes.fromhex(digits) == project_file(layout.EVENTS)


@pytest.mark.parametrize("column, name", [(1, "standard"), (2, "max")])
def test_what_models_hold(column, name):
    data = project_file(f"models/{name}.onnx")
    file = OnnxFile(data)
    text = (CHAPTERS / "standard.md").read_text()
    assert re.search(rf"`models/{name}\.onnx`, {len(data):,}\b", text)
    said = {row[0]: row[column] for row in rows("standard.md", "A model's file") if len(row) == 3}
    assert said["effort"] == f"`{file.metadata['plyzip.search']}`"
    reranker = file.numbers("plyzip.second_look")
    assert said["reranker"] == ("none" if reranker is None else f"{len(reranker):,} numbers")
    nnue = len(file.numbers("plyzip.values")), len(file.tensors["plyzip.values"])
    assert said["NNUE"].split(", ")[1] == "{:,} numbers in {:,} bytes".format(*nnue)
    repertoires = file.tensors.get("plyzip.repertoires")
    assert said["repertoires"] == ("none" if repertoires is None else f"{len(repertoires):,} bytes")
