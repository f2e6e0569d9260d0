"""The mixer, its warm tables and the models that stand on it."""

import pytest
from encoder import Encoder
from plyzip_reference import letter_codes, text, warm
from plyzip_reference.coder import Decoder
from plyzip_reference.dictionary import match_class, odds
from plyzip_reference.mixing import ContextMixer, hash32, hash_bytes
from plyzip_reference.spelling import Spelling

# By section: contexts, families, details.
SHAPES = {
    "tags.roster": (5, 2, 24),
    "tags.candidates": (6, 3, 256),
    "tags.players": (8, 4, 256),
    "tags.numbers": (6, 8, 256),
    "tags.players.new": (6, 2, 1280),
    "tags.spelling": (8, 2, 1280),
    "late.named": (7, 2, 256),
    "late.candidates": (6, 3, 256),
    "late.spelling": (8, 2, 1280),
}


def test_hashes():
    assert hash32(-1, 2) == hash32((1 << 32) - 1, 2)
    assert hash_bytes(b"ab") == hash32(hash32(2, ord("a")), ord("b"))


def test_numbers_come_back():
    numbers = [0, 1, -1, 5, 5, 5, -300, 70_000, 1 << 40, -(1 << 61), 5, 0]
    encoder, mixer = Encoder(), ContextMixer(10, 2, 1, 1)
    for number in numbers:
        mixer.number(encoder, [7, 8], 0, 0, number)
    decoder, mixer = Decoder(encoder.finish()), ContextMixer(10, 2, 1, 1)
    assert [mixer.number(decoder, [7, 8], 0, 0) for _ in numbers] == numbers


def test_what_contexts_tell_becomes_cheap():
    encoder, mixer = Encoder(), ContextMixer(10, 2, 1, 1)
    past = 0
    for number in range(1000):
        contexts = [hash32(0, 0), hash32(past & 3, 0)]
        past = past << 1 | mixer.code(encoder, contexts, 0, 0, number % 3 == 0)
    assert len(encoder.finish()) < 14


@pytest.mark.parametrize("name", SHAPES)
def test_sections_fit_their_mixers(name):
    tables = warm.shipped()
    bits = tables.slot_bits(name, 1, 12, 20)
    mixer = ContextMixer(bits, *SHAPES[name])
    tables.warm(name, mixer)
    assert 100 < len(mixer.slots) <= 1 << bits


def test_words_and_what_follows_them():
    words = warm.shipped().dictionary("")
    assert words.words == sorted(words.words) and len(words.words) > 1000
    index = words.find(b"Carlsen, Magnus")
    assert words.find(b"Carlsen, Magnu") is None
    matching = words.all()
    for byte in words.words[100]:
        following = dict(words.following(matching))
        assert sum(following.values()) == words.sums[matching[1]] - words.sums[matching[0]]
        assert byte in following
        matching = words.next(matching, byte)
    assert None in dict(words.following(matching))
    assert match_class(words.all()) == 3 and match_class((5, 5, 0)) == 0
    assert (odds(0, 0), odds(3, 0), odds(0, 1), odds(4, 4)) == (0, 1400, -1400, 0)
    assert index is None or words.words[index] == b"Carlsen, Magnus"


def test_every_letter_has_its_leaf():
    for tree in letter_codes.trees():
        assert len(tree.branches) == len(tree.places) == 96
        assert len(tree.ways) == 97
        assert sum(2 ** -len(way) for way in tree.ways.values()) == 1
        assert max(place for _, place in tree.places) < 8


def test_texts_by_mixed_contexts():
    # Two bytes, coded by the program's method 0 and method 1 (LZMA of a run).
    assert text.decompress(b"\0ab", 2) == b"ab"
    with pytest.raises(text.Damaged):
        text.decompress(b"\0ab", 3)
    with pytest.raises(text.Damaged):
        text.decompress(b"\3ab", 2)


def test_spelling_knows_when_to_end():
    spelled = Spelling(10).code(Decoder(b""), 1, 2)
    assert spelled == Spelling(10).code(Decoder(b"\0\0"), 1, 2)
