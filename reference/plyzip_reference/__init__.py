"""A second decoder of plyzip's archives, written from docs/format.md and its chapters.

It is plain and slow on purpose: it shows that the documents are complete, and finds out when the program and the
documents part ways.
"""
