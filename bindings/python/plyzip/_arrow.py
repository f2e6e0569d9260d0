"""What goes to pyarrow. The extension module calls these functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow

if TYPE_CHECKING:
    from plyzip import TagStream


def table(stream: TagStream) -> pyarrow.Table:
    """A table of all that a stream gives."""
    return pyarrow.RecordBatchReader.from_stream(stream).read_all()
