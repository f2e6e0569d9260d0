"""Models with a network (docs/format/standard.md)."""
