"""Damaged copies of a file, the same ones for the same seed."""

from __future__ import annotations

import random
from collections.abc import Callable

Damage = Callable[[bytearray, random.Random], bytearray]


def flip_bits(data: bytearray, rng: random.Random) -> bytearray:
    for _ in range(rng.choice((1, 4, 32, 256))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data


def truncate(data: bytearray, rng: random.Random) -> bytearray:
    return data[: rng.randrange(len(data))]


def lose_front(data: bytearray, rng: random.Random) -> bytearray:
    return data[rng.randrange(len(data)) :]


def duplicate(data: bytearray, rng: random.Random) -> bytearray:
    start, end = _range(data, rng)
    return data[:end] + data[start:end] * rng.choice((1, 2, 50)) + data[end:]


def swap(data: bytearray, rng: random.Random) -> bytearray:
    first, second = sorted(_range(data, rng)), sorted(_range(data, rng))
    (a, b), (c, d) = sorted((first, second))
    c = max(b, c)
    d = max(c, d)
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def overwrite(data: bytearray, rng: random.Random) -> bytearray:
    start, end = _range(data, rng)
    data[start:end] = rng.choice((b"\x00", b"\xff", b"<", b"(", b"\n")) * (end - start)
    return data


def insert_noise(data: bytearray, rng: random.Random) -> bytearray:
    at = rng.randrange(len(data))
    return data[:at] + bytearray(rng.randbytes(rng.choice((1, 16, 1024)))) + data[at:]


DAMAGES: tuple[Damage, ...] = (
    flip_bits, truncate, lose_front, duplicate, swap, overwrite, insert_noise,
)  # fmt: skip


def mutant(data: bytes, seed: int) -> bytes:
    """A damaged copy; one or two kinds of damage."""
    rng = random.Random(seed)
    found = bytearray(data)
    for damage in rng.sample(DAMAGES, rng.choice((1, 1, 2))):
        if found:
            found = damage(found, rng)
    return bytes(found)


def _range(data: bytearray, rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(len(data))
    return start, min(len(data), start + rng.choice((1, 8, 64, 512, 4096)))
