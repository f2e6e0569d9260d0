"""Files of the project that are part of the format."""

from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@lru_cache(maxsize=None)
def project_file(name):
    """The bytes of a file, by its path in the project."""
    return (ROOT / name).read_bytes()
