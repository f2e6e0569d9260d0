"""What a decoder needs of an ONNX file: metadata, tensors, nodes (docs/format/network.md)."""

from dataclasses import dataclass

import numpy as np

from ..errors import Damaged

FLOAT, UINT8, INT8, INT16, INT32, INT64, DOUBLE = 1, 2, 3, 5, 6, 7, 11
TYPES = {FLOAT: "<f4", UINT8: "u1", INT8: "i1", INT16: "<i2", INT32: "<i4", INT64: "<i8", DOUBLE: "<f8"}


def _varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """Number, value and bytes of each field of a message of protocol buffers."""
    at = 0
    while at < len(data):
        begin = at
        tag, at = _varint(data, at)
        if tag & 7 == 0:
            value, at = _varint(data, at)
        elif tag & 7 == 2:
            length, at = _varint(data, at)
            value, at = data[at : at + length], at + length
        elif tag & 7 == 5:
            value, at = data[at : at + 4], at + 4
        else:
            raise Damaged("an unexpected field of an ONNX file")
        yield tag >> 3, value, data[begin:at]


def _fields(data):
    """Number and value of each field."""
    for number, value, _ in fields(data):
        yield number, value


@dataclass
class Node:
    """An operation of the graph."""

    operation: str
    inputs: list
    output: str


class OnnxFile:
    """Metadata, tensors by name, nodes in order."""

    def __init__(self, data):
        self.metadata, self.tensors, self.nodes = {}, {}, []
        for number, value in _fields(memoryview(data)):
            if number == 14:
                pair = {field: bytes(text).decode() for field, text in _fields(value)}
                self.metadata.setdefault(pair[1], pair[2])
            elif number == 7:
                self._read_graph(value)

    def _read_graph(self, data):
        for number, value in _fields(data):
            if number == 1:
                self._read_node(value)
            elif number == 5:
                self._read_tensor(value)

    def _read_node(self, data):
        inputs, output, operation = [], None, None
        for number, value in _fields(data):
            if number == 1:
                inputs.append(bytes(value).decode())
            elif number == 2:
                output = bytes(value).decode()
            elif number == 4:
                operation = bytes(value).decode()
        self.nodes.append(Node(operation, inputs, output))

    def _read_tensor(self, data):
        shape, kind, name, raw = [], None, None, b""
        for number, value in _fields(data):
            if number == 1:
                shape.append(value) if isinstance(value, int) else shape.extend(_packed(value))
            elif number == 2:
                kind = value
            elif number == 8:
                name = bytes(value).decode()
            elif number == 9:
                raw = value
        self.tensors.setdefault(name, np.frombuffer(raw, TYPES[kind]).reshape(shape))

    def numbers(self, name):
        """The numbers of a tensor that no node uses, or None: one byte each, or 0x80 and two."""
        if name not in self.tensors:
            return None
        data = self.tensors[name].tobytes()
        numbers, at = [], 0
        while at < len(data):
            if data[at] == 0x80:
                numbers.append(int.from_bytes(data[at + 1 : at + 3], "little", signed=True))
                at += 3
            else:
                numbers.append(data[at] - 256 if data[at] > 127 else data[at])
                at += 1
        return numbers


def _packed(data):
    at = 0
    while at < len(data):
        value, at = _varint(data, at)
        yield value
