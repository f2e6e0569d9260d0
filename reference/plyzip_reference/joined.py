"""Several streams in one run of bytes (docs/format.md)."""

from .errors import Damaged, Unsupported
from .fields import Fields


def split(data, count):
    """The streams of a run of bytes."""
    fields = Fields(data)
    mask = fields.byte()
    if mask >> count:
        raise Unsupported("streams of a payload")
    present = [stream for stream in range(count) if mask >> stream & 1]
    lengths = [fields.varint() for _ in present[1:]]
    streams = [b""] * count
    for stream, length in zip(present, lengths):
        streams[stream] = fields.bytes(length)
    if present:
        streams[present[-1]] = fields.rest()
    elif not fields.ended():
        raise Damaged("bytes of no stream")
    if not all(streams[stream] for stream in present):
        raise Damaged("a stream that is there has no bytes")
    return streams
