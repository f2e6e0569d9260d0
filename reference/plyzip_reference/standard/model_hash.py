"""BLAKE3 of large files, many chunks at a time: its first 16 bytes."""

import numpy as np

from ..blake3 import CHUNK_END, CHUNK_START, IV, PARENT, PERMUTATION, ROOT, ROUNDS, _chunk, digest

CHUNK_BYTES, BLOCK_BYTES = 1024, 64


def file_hash(data):
    """The first 16 bytes of BLAKE3, as `digest` gives them."""
    whole = (len(data) - 1) // CHUNK_BYTES
    if whole < 1:
        return digest(data)
    last = np.array(_chunk(data[whole * CHUNK_BYTES :], whole, 0), np.uint32)
    level = np.concatenate([_chunks(data, whole), last[:, None]], axis=1)
    while level.shape[1] > 1:
        pairs = level.shape[1] // 2
        words = [*level[:, : 2 * pairs : 2], *level[:, 1 : 2 * pairs : 2]]
        flags = PARENT | (ROOT if level.shape[1] == 2 else 0)
        parents = _compressed(_initial(pairs), words, np.zeros(pairs, np.uint32), BLOCK_BYTES, flags)
        # The odd one at the end goes up as it is.
        level = np.concatenate([parents, level[:, 2 * pairs :]], axis=1)
    return level[:4, 0].astype("<u4").tobytes()


def _initial(count):
    return np.repeat(np.array(IV, np.uint32)[:, None], count, axis=1)


def _chunks(data, count):
    """The chaining values of whole chunks, by place, then chunk."""
    words = np.frombuffer(data, "<u4", count * CHUNK_BYTES // 4).reshape(count, 16, 16).transpose(1, 2, 0)
    chaining, counters = _initial(count), np.arange(count, dtype=np.uint32)
    for block in range(16):
        flags = (CHUNK_START if block == 0 else 0) | (CHUNK_END if block == 15 else 0)
        chaining = _compressed(chaining, list(words[block]), counters, BLOCK_BYTES, flags)
    return chaining


def _rotated(words, by):
    return words >> np.uint32(by) | words << np.uint32(32 - by)


def _compressed(chaining, words, counters, length, flags):
    """The chaining values behind a block of each of many chunks."""
    fill = lambda value: np.full_like(counters, value)
    v = [*chaining, *map(fill, IV[:4]), counters, fill(0), fill(length), fill(flags)]
    for _ in range(7):
        for i, (a, b, c, d) in enumerate(ROUNDS):
            v[a] = v[a] + v[b] + words[2 * i]
            v[d] = _rotated(v[d] ^ v[a], 16)
            v[c] = v[c] + v[d]
            v[b] = _rotated(v[b] ^ v[c], 12)
            v[a] = v[a] + v[b] + words[2 * i + 1]
            v[d] = _rotated(v[d] ^ v[a], 8)
            v[c] = v[c] + v[d]
            v[b] = _rotated(v[b] ^ v[c], 7)
        words = [words[place] for place in PERMUTATION]
    return np.array([v[i] ^ v[i + 8] for i in range(8)])
