"""A model's file with another effort (docs/format/standard.md)."""

import re

from .onnx_file import fields

METADATA = 14
WITH_BOARD = b" board"
WITHOUT_BOARD = "-board"


def with_effort(data, name):
    """The file of the model `name`, made from the file `data`; None if the name says no effort or nothing searches."""
    said = re.fullmatch(rf".+@(0|([1-9]\d*x[1-9]\d*(x(0|[1-9]\d*))?)({WITHOUT_BOARD})?)", name, re.DOTALL)
    if said is None:
        return None
    search = said[2].replace("x", " ") if said[2] else None
    board = search and not said[5]
    out, searches = [], False
    for number, value, raw in fields(memoryview(data)):
        parts = dict(pair[:2] for pair in fields(value)) if number == METADATA else {}
        key, value = (bytes(parts.get(part, b"")) for part in (1, 2))
        if key == b"plyzip.name":
            out.append(_property(key, name))
        elif key == b"plyzip.search":
            searches = True
            if search:
                out.append(_property(key, search))
        elif key == b"plyzip.features" and not board and value.endswith(WITH_BOARD):
            out.append(_property(key, value.removesuffix(WITH_BOARD).decode()))
        else:
            out.append(raw)
    return b"".join(out) if searches else None


def _property(key, value):
    content = b"".join(_field(number, text) for number, text in ((1, key), (2, value.encode())))
    return _field(METADATA, content)


def _field(number, content):
    return bytes([number << 3 | 2]) + _varint(len(content)) + content


def _varint(number):
    out = []
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])
