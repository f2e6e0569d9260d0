"""Repair from recovery records, which the program has written or this decoder."""

import random
from pathlib import Path

import pytest
from plyzip_reference import archive, recovery
from plyzip_reference.errors import ArchiveError, Damaged

PROTECTED = Path(__file__).resolve().parents[1] / "tests/data/protected.plz"


def sound():
    return PROTECTED.read_bytes()


def test_records_are_passed_over():
    assert archive.decode(sound())


def test_the_carrier_is_the_one_that_the_program_wrote():
    data = sound()
    (record,) = recovery.records(data)
    protected = data[: record.length]
    assert recovery.blake3.digest(protected) == record.hash
    assert data == protected + recovery.carrier(record, protected)


@pytest.mark.parametrize("seed", range(6))
def test_damage_is_made_good(seed):
    numbers = random.Random(seed)
    data = sound()
    (record,) = recovery.records(data)
    damaged = bytearray(data)
    most = min(record.depth * record.parity // (record.depth + 1), record.parity - 1)
    burst = (most - 1) * record.column_bytes + 1
    begin = numbers.randrange(record.length - burst)
    for place in range(begin, begin + burst):
        damaged[place] ^= numbers.randrange(1, 256)
    with pytest.raises(ArchiveError):
        archive.decode(bytes(damaged))
    assert recovery.repair(bytes(damaged)) == data


def test_scattered_damage_is_made_good():
    numbers = random.Random(7)
    data = sound()
    (record,) = recovery.records(data)
    damaged = bytearray(data)
    for _ in range(record.parity // 2):
        damaged[numbers.randrange(record.length)] ^= numbers.randrange(1, 256)
    assert recovery.repair(bytes(damaged)) == data


def test_too_much_damage_is_told():
    data = bytearray(sound())
    (record,) = recovery.records(bytes(data))
    for place in range(100, 100 + 2 * record.parity_bytes):
        data[place % record.length] ^= 0x5A
    with pytest.raises(Damaged):
        recovery.repair(bytes(data))
