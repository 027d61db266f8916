"""A text as an array of code points, and the masks that are found in it at numpy's speed."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32]
Mask = NDArray[np.bool_]
# Tables as long as a text are in the narrowest type that holds its positions (`offset_type`).
Offsets = NDArray[np.signedinteger[Any]]
Side = Literal["left", "right"]

# So much of a text is looked at in one go: it stays in the processor's cache.
BLOCK = 1 << 17
# Below it sums of two positions are far from overflowing.
_NARROW = 1 << 30

FIRST_PLANE = 0x10000
_LAST_BLANK = 0x3000
# Blank for Python, but not for Unicode (nor for any tokenizer): the ASCII separators.
_SEPARATORS = (0x1C, 0x1D, 0x1E, 0x1F)


def code_points(text: str) -> Codes:
    """The code points in the narrowest type that holds them."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8)
    wide = text.encode("utf-16-le")
    if len(wide) == 2 * len(text):
        return np.frombuffer(wide, np.uint16)
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)


def code_blocks(text: str) -> Iterator[tuple[int, NDArray[np.uint32]]]:
    """The code points of a text, block by block, each with where it begins."""
    for first in range(0, len(text), BLOCK):
        # A copy of what Python holds, without encoding.
        yield first, np.array([text[first : first + BLOCK]]).view(np.uint32)


def offset_type(length: int) -> type[np.signedinteger[Any]]:
    """For the tables of a text of so many code points."""
    return np.int32 if length < _NARROW else np.int64


def locate(table: Offsets, keys: Offsets, side: Side = "left") -> NDArray[np.intp]:
    """`np.searchsorted`, which would first copy a table whose type is not that of the keys."""
    return np.searchsorted(table, keys.astype(table.dtype, copy=False), side)


def locate_one(table: Offsets, key: int, side: Side = "left") -> int:
    return int(np.searchsorted(table, table.dtype.type(key), side))


def plain(values: Offsets) -> memoryview:
    """The values one by one as integers: faster than numpy's own, and no list of all is made."""
    return memoryview(values)  # type: ignore[arg-type]  # numpy's arrays are buffers


def characters_at(text: str, character: str) -> Offsets:
    """Where a character stands in a text."""
    found = [
        (np.flatnonzero(codes == ord(character)) + first).astype(offset_type(len(text)))
        for first, codes in code_blocks(text)
    ]
    return np.concatenate(found) if found else np.zeros(0, np.int64)


def blanks(codes: Codes) -> Mask:
    """Where `str.isspace` holds."""
    return _look_up(codes, _python_blanks())


def unicode_blanks(codes: Codes) -> Mask:
    """Where the character has Unicode's property White_Space, as regular expressions see it."""
    return _look_up(codes, _unicode_blanks())


@cache
def categories() -> NDArray[np.str_]:
    """Unicode's general category of each code point of the first plane."""
    return np.array([unicodedata.category(chr(code)) for code in range(FIRST_PLANE)])


def merged(*parts: Offsets) -> Offsets:
    """All values once, sorted; far faster than `np.unique`, which hashes."""
    joined = np.concatenate(parts)
    if len(joined) < 2:
        return joined
    joined.sort(kind="stable")
    return joined[np.concatenate(([True], joined[1:] != joined[:-1]))]


def within(codes: Codes, *ranges: tuple[int, int]) -> Mask:
    """Where the code point lies in one of the ranges, both ends included."""
    found = np.zeros(len(codes), np.bool_)
    top = np.iinfo(codes.dtype).max
    for low, high in ranges:
        if low <= top:
            found |= (codes >= low) & (codes <= min(high, top))
    return found


def _look_up(codes: Codes, table: Mask) -> Mask:
    if codes.dtype == np.uint8:
        return table[codes]
    return np.take(table, np.minimum(codes, _LAST_BLANK + 1))


@cache
def _python_blanks() -> Mask:
    return np.array([chr(code).isspace() for code in range(_LAST_BLANK + 2)])


@cache
def _unicode_blanks() -> Mask:
    table = _python_blanks().copy()
    table[list(_SEPARATORS)] = False
    return table
