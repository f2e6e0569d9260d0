"""Items, lengths of texts, texts (docs/format/text.md)."""

import lzma

from .coder import Decoder
from .errors import Damaged
from .fields import Fields
from .games import Game, Text
from .mixing import ContextMixer, hash32
from .models import BitModel, NumberModel

RAW, LZMA, MIXED = range(3)
# Longer texts are never coded by method 2.
MOST_MIXED = 4 << 20
# Length of the shortest match that is followed.
SHORTEST_MATCH = 5


def decode_items(data, games):
    """The items of a block, all of them empty."""
    decoder = Decoder(data)
    count = NumberModel().code(decoder)
    if count > 2 * games + 1:
        raise Damaged("more items than there can be")
    model = BitModel()
    items = [Text() if model.code(decoder) else Game() for _ in range(count)]
    if sum(isinstance(item, Game) for item in items) != games:
        raise Damaged("other games than announced")
    return items


def decode_texts(lengths, data, count):
    """So many texts."""
    everything = b""
    if data:
        fields = Fields(data)
        length = fields.varint()
        everything = decompress(fields.rest(), length)
    decoder = Decoder(lengths)
    model = NumberModel()
    rest = Fields(everything)
    texts = [rest.bytes(model.code(decoder)) for _ in range(count)]
    if not rest.ended():
        raise Damaged("text that is too long")
    return texts


def decompress(data, length):
    """The bytes of a text of known length, compressed by one of three methods."""
    method, packed = data[0] if data else RAW, data[1:]
    if method == RAW and len(packed) == length:
        return packed
    if method == LZMA:
        return decode_lzma(packed, length)
    if method == MIXED and length <= MOST_MIXED:
        return decode_mixed(Decoder(packed), length)
    raise Damaged("text in no known form")


def decode_lzma(packed, length):
    dictionary = min(max(length, 1 << 12), 1 << 26)
    # What a file would have in front: lc 4, lp 0, pb 0, the dictionary, the length.
    head = bytes([4]) + dictionary.to_bytes(4, "little") + length.to_bytes(8, "little")
    try:
        text = lzma.LZMADecompressor(format=lzma.FORMAT_ALONE).decompress(head + packed, length)
    except lzma.LZMAError as error:
        raise Damaged("text that is no valid LZMA") from error
    if len(text) != length:
        raise Damaged("text that is too short")
    return text


def decode_mixed(coder, length):
    """Text predicted by what followed the same bytes before."""
    slot_bits = min(max(length.bit_length() + 4, 10), 22)
    mixing = ContextMixer(slot_bits, 9, 1, 4 << 8)
    mask = (1 << slot_bits - 4) - 1
    places = {}
    done = bytearray()
    word = last_word = followed = matched = 0

    def past(n):
        """The last n bytes: as they are up to three, hashed beyond."""
        result = n
        for byte in done[max(len(done) - n, 0) :]:
            result = result << 8 | byte if n <= 3 else hash32(result, byte)
        return result

    for _ in range(length):
        order1 = past(1)
        advice = 1 << 16 | done[followed] << 8 | min(matched, 40) if matched else 0
        contexts = [
            0,
            order1,
            past(2),
            past(3),
            past(4),
            past(6),
            hash32(word, order1),
            hash32(word, last_word),
            hash32(advice, 0 if matched > 16 else order1),
        ]
        trust = 0 if matched == 0 else 1 if matched <= 15 else 2 if matched <= 31 else 3
        byte = mixing.byte(coder, contexts, 0, trust)
        done.append(byte)
        if bytes([byte]).isalpha() or byte >= 128:
            word = hash32(word, byte | 32 if byte < 128 else byte)
        elif word:
            word, last_word = 0, word
        if matched and done[followed] == byte:
            followed, matched = followed + 1, matched + 1
        else:
            matched = 0
        if len(done) >= SHORTEST_MATCH:
            recent = 0
            for byte in done[-SHORTEST_MATCH:]:
                recent = hash32(recent, byte)
            index = recent & mask
            if matched == 0 and index in places:
                followed = places[index]
                while matched < min(32, followed) and done[followed - 1 - matched] == done[-1 - matched]:
                    matched += 1
            places[index] = len(done)
    return bytes(done)
