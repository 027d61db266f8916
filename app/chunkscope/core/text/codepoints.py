"""A text as an array of code points, and the masks that are found in it at numpy's speed."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32]
Mask = NDArray[np.bool_]
Offsets = NDArray[np.int64]

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


def blanks(codes: Codes) -> Mask:
    """Where `str.isspace` holds."""
    return _look_up(codes, _python_blanks())


def unicode_blanks(codes: Codes) -> Mask:
    """Where the character has Unicode's property White_Space, as regular expressions see it."""
    return _look_up(codes, _unicode_blanks())


def merged(*parts: Offsets) -> Offsets:
    """All values once, sorted; far faster than `np.unique`, which hashes."""
    joined = np.concatenate(parts)
    if len(joined) < 2:
        return joined
    joined.sort(kind="stable")
    found: Offsets = joined[np.concatenate(([True], joined[1:] != joined[:-1]))]
    return found


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
