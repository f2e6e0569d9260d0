"""A model's file with another effort (docs/format/standard.md)."""

import re

from .onnx_file import fields

METADATA = 14
WITH_BOARD = b" board"


def with_effort(data, name):
    """The file of the model `name`, made from the file `data`; None if the name says no effort or nothing searches."""
    effort = re.fullmatch(r".+@(0|[1-9]\d*x[1-9]\d*(x(0|[1-9]\d*))?)", name, re.DOTALL)
    if effort is None:
        return None
    effort = "" if effort[1] == "0" else effort[1].replace("x", " ")
    out, searches = [], False
    for number, value, raw in fields(memoryview(data)):
        parts = dict(pair[:2] for pair in fields(value)) if number == METADATA else {}
        key, value = (bytes(parts.get(part, b"")) for part in (1, 2))
        if key == b"plyzip.name":
            out.append(_property(key, name))
        elif key == b"plyzip.search":
            searches = True
            if effort:
                out.append(_property(key, effort))
        elif key == b"plyzip.features" and not effort and value.endswith(WITH_BOARD):
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
