"""Exceptions, by who is to blame. What the system could not do is an OSError, and Ctrl-C is a KeyboardInterrupt."""

__all__ = [
    "DamagedError",
    "DefectError",
    "LimitError",
    "ModelError",
    "ModelMissingError",
    "PlyzipError",
    "UnsupportedError",
    "UsageError",
]


class PlyzipError(Exception):
    """All exceptions of plyzip's own."""


class DamagedError(PlyzipError):
    """The archive is not one, or is damaged."""


class UnsupportedError(PlyzipError):
    """The archive is sound, but of another version."""


class LimitError(PlyzipError):
    """The archive asks for more than the limits allow."""


class ModelMissingError(PlyzipError):
    """A model is not at hand: one that an archive needs, or one that was asked for by name."""


class ModelError(PlyzipError):
    """A model file is broken, unknown, or would not compute exactly."""


class UsageError(PlyzipError, ValueError):
    """The caller asked for something that makes no sense."""


class DefectError(PlyzipError):
    """A defect of plyzip: please report it."""
