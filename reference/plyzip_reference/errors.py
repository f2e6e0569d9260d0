"""What can be wrong with an archive."""


class ArchiveError(Exception):
    """An archive that cannot be decoded."""


class Damaged(ArchiveError):
    """Bytes that no encoder writes."""


class Unsupported(ArchiveError):
    """Something that the format knows and this decoder does not, or a reserved value."""
