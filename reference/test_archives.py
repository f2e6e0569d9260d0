"""The golden archives: each decodes to its original, as its hash tells; a file beside it may hold the original too."""

from pathlib import Path

import pytest
from plyzip_reference import archive, container
from plyzip_reference.errors import ArchiveError, Unsupported

GOLDEN = Path(__file__).resolve().parents[1] / "tests/archives"
ARCHIVES = sorted(GOLDEN.glob("*/*.plz"))


def needs_a_network(data):
    """Whether games of an archive were predicted by a network."""
    blocks = [
        block
        for member in container.read_members(data)
        if member.model
        for block in member.blocks[member.model_position :]
    ]
    return any(block.games and block.stored is None for block in blocks)


@pytest.mark.parametrize("path", ARCHIVES, ids=lambda path: path.name)
def test_golden_archives_decode(path):
    data = path.read_bytes()
    try:
        original = archive.decode(data)
    except Unsupported:
        # A large search would take hours. The container and the tags of all games can be checked all the same.
        assert needs_a_network(data)
        games = sum(block.games for member in container.read_members(data) for block in member.blocks)
        assert len(list(archive.tags(data))) <= games
        return
    beside = path.with_suffix(".pgn")
    if beside.exists():
        assert original == beside.read_bytes()


@pytest.mark.parametrize("path", ARCHIVES[:3], ids=lambda path: path.name)
def test_damaged_archives_are_refused(path):
    data = path.read_bytes()
    for place in range(0, len(data), max(len(data) // 20, 1)):
        damaged = bytearray(data)
        damaged[place] ^= 16
        with pytest.raises(ArchiveError):
            archive.decode(bytes(damaged))
        with pytest.raises(ArchiveError):
            archive.decode(data[:place])
