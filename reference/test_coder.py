"""The coder, its models and the fixed-point functions."""

import pytest
from encoder import Encoder
from plyzip_reference import fixed
from plyzip_reference.coder import Decoder
from plyzip_reference.errors import Damaged
from plyzip_reference.logistic import squash, stretch
from plyzip_reference.models import BitModel, NumberModel, SymbolModel

MASK32 = (1 << 32) - 1


def digest(numbers):
    result = 0
    for number in numbers:
        result = result * 16_777_619 & MASK32 ^ number & MASK32
    return result


def test_logistic_tables_are_those_of_the_document():
    assert digest(squash(odds) for odds in range(-3100, 3100)) == 3_447_649_103
    assert digest(stretch(p) for p in range(1, 65536)) == 3_126_788_778


def test_exponentials_and_logarithms():
    assert [fixed.exp2(x) for x in (0, 32768, 65536, 31 << 16)] == [1 << 31, 1_518_500_249, 1 << 30, 0]
    assert [fixed.log2(value) for value in (0, 1, 3, 1 << 40)] == [0, 0, 103_872, 40 << 16]


def test_tables_leave_nobody_out():
    for logits in ([0], [0, -1 << 29], [5 << 16] * 218, [-number << 16 for number in range(218)]):
        table = fixed.frequencies(fixed.softmax(logits))
        assert (table[0], table[-1], len(table)) == (0, 1 << 24, len(logits) + 1)
        assert all(low < high for low, high in zip(table, table[1:]))


def test_a_stream_that_the_program_wrote():
    # The example of the program's encoder: 2 bits of a table and 1 bit at even odds.
    decoder = Decoder(bytes([0b1010_0000]))
    assert decoder.symbol([0, 1 << 23, 3 << 22, 1 << 24]) == 1
    assert decoder.bit(1 << 15)


def test_a_stream_ends():
    for data in (b"", b"\xff" * 3, b"\x80" * 50):
        decoder = Decoder(data)
        with pytest.raises(Damaged):
            for _ in range(8 * len(data) + 8 * 32 + 65):
                decoder.bit(1 << 15)


def coded(make, values):
    """Values by way of a stream, and the bytes of that."""
    encoder, model = Encoder(), make()
    for value in values:
        model.code(encoder, value)
    data = encoder.finish()
    decoder, model = Decoder(data), make()
    return [model.code(decoder) for _ in values], data


def test_models_give_back_what_was_written():
    bits = [number % 7 == 0 for number in range(2000)]
    assert coded(BitModel, bits)[0] == bits
    symbols = [number * number % 61 for number in range(500)]
    assert coded(lambda: SymbolModel(6), symbols)[0] == symbols
    numbers = [number for shift in range(64) for number in (0, 1 << shift, (1 << shift) + 77, (1 << 64) - 1 >> shift)]
    assert coded(NumberModel, numbers)[0] == numbers


def test_what_is_always_the_same_takes_a_byte():
    assert len(coded(BitModel, [True] * 1000)[1]) == 1
