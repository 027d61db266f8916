"""Where a text may be cut so that the tokens on both sides stay what they are.

Both encodings of tiktoken first cut a text by a pattern and then join bytes inside each piece. A
place is a *cut* if both patterns cut there whatever stands around. And inside a run of letters any
end of a token is *fair*: neighbours that were not joined are not joined with less around them (a
sequence of tokens is what the encoding gives if each pair of neighbours in it is), and what is left
of the run is still one piece for the pattern.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.text.codepoints import FIRST_PLANE, Mask, categories, unicode_blanks, within

# What a character is as the one before a place, and as the one after it, six bits further on: both
# together are a cut if they share a bit.
_BEFORE_BLANK, _BEFORE_LINE, _BEFORE_STOP, _IN_LOWER, _IN_CASELESS = (1 << bit for bit in range(5))
_AFTER = 6
_IN_RUN = _IN_LOWER | _IN_CASELESS
# Letters in general: a run of caseless ones that begins after a cased one may end elsewhere.
_CASED, _CASELESS = 1 << 12, 1 << 13

_SLASH, _APOSTROPHE = 0x2F, 0x27
_IDEOGRAPHS = ((0x4E00, 0x9FFF), (0x3041, 0x3096), (0x30A1, 0x30FA), (0xAC00, 0xD7A3))
_CJK_STOPS = ((0x3001, 0x3002), (0xFF01, 0xFF01), (0xFF0C, 0xFF0C), (0xFF1A, 0xFF1B))
# Letters of old standing, which every version of Unicode knows alike: Latin, Greek, Cyrillic,
# Hebrew, Arabic, the scripts of India, Thai and Lao.
_OLD_LETTERS = (
    (0x61, 0x7A), (0xDF, 0xF6), (0xF8, 0xFF), (0x100, 0x17F), (0x3AC, 0x3CE), (0x430, 0x45F),
    (0x5D0, 0x5EA), (0x620, 0x64A), (0x900, 0xEFF),
)  # fmt: skip


@dataclass(slots=True)
class Seams:
    """What is known of the places before each character of a piece."""

    cuts: Mask
    fair: Mask

    def last_cut(self) -> int:
        """The last place that is a cut, 0 if there is none."""
        # From behind, a little at a time: in most texts it is near.
        for last in range(len(self.cuts), 0, -_NEAR):
            first = max(last - _NEAR, 1)
            found = np.flatnonzero(self.cuts[first:last])
            if len(found):
                return first + int(found[-1])
        return 0

    def forget_until_first_cut(self) -> None:
        """The run at the beginning was torn from its other half: its tokens may be others."""
        found = np.flatnonzero(self.cuts)
        self.fair[: found[0] if len(found) else None] = False
        self.cuts[0] = False

    def forget_from_last_cut(self) -> None:
        self.fair[self.last_cut() + 1 :] = False


_NEAR = 1 << 10


def find_seams(piece: str, before: str) -> Seams:
    """`before` is the character before the piece, empty at the beginning of a text."""
    codes = np.array([(before or "\n") + piece]).view(np.uint32)
    kinds = _table().take(codes, mode="clip")
    shared = kinds[:-1] & (kinds[1:] >> _AFTER)
    cuts = (shared & (_BEFORE_BLANK | _BEFORE_LINE | _BEFORE_STOP)) != 0
    fair = (shared & 0x3F) != 0
    after_cased = (kinds[:-1] & _CASED != 0) & (kinds[1:] & _CASELESS != 0)
    if after_cased.any():
        fair &= cuts | ~_rest_of_run(kinds[1:] & _CASELESS != 0, after_cased)
    # Of 'll, 're and 've half is not a piece.
    fair[1:] &= cuts[1:] | (codes[:-2] != _APOSTROPHE)
    return Seams(cuts, fair)


def _rest_of_run(is_member: Mask, begins: Mask) -> Mask:
    """The members of the runs that begin at the given places."""
    opens = is_member.copy()
    opens[1:] &= ~is_member[:-1]
    opens |= begins
    number = np.cumsum(opens)
    chosen = np.concatenate(([False], begins[opens]))
    return is_member & chosen[number]


@cache
def _table() -> NDArray[np.uint16]:
    """The bits of each code point; what lies beyond the first plane is visible, and no more."""
    codes = np.arange(FIRST_PLANE, dtype=np.uint16)
    blank = unicode_blanks(codes)
    line_end = np.isin(codes, (0x0A, 0x0D))
    odd = within(codes, (0x1C, 0x1F))  # blank for some, visible for others
    visible = ~blank & ~odd
    stop = within(codes, *_CJK_STOPS)
    lower, letter, mark, cased, caseless = _letters(codes)
    table = np.zeros(FIRST_PLANE + 1, np.uint16)
    for mask, bit in (
        # A blank after something visible begins a new piece, unless it is a line end.
        (visible, _BEFORE_BLANK),
        (blank & ~line_end, _BEFORE_BLANK << _AFTER),
        # What is visible after a line end does, but o200k draws slashes to the line before.
        (line_end, _BEFORE_LINE),
        (visible & (codes != _SLASH), _BEFORE_LINE << _AFTER),
        # No run of letters goes on into a full stop of Chinese or Japanese.
        (within(codes, *_IDEOGRAPHS), _BEFORE_STOP),
        (stop, _BEFORE_STOP << _AFTER),
        (lower, _IN_LOWER | _IN_LOWER << _AFTER),
        (letter | mark, _IN_CASELESS),
        (letter, _IN_CASELESS << _AFTER),
        (cased, _CASED),
        (caseless, _CASELESS),
    ):
        table[:-1][mask] |= bit
    table[-1] = _BEFORE_BLANK | _BEFORE_LINE << _AFTER | _CASED
    return table


def _letters(codes: NDArray[np.uint16]) -> tuple[Mask, Mask, Mask, Mask, Mask]:
    """Lower-case letters, caseless ones, marks of theirs; and all that is cased, or caseless."""
    kinds = categories()
    old = within(codes, *_OLD_LETTERS, *_IDEOGRAPHS)
    lower = old & (kinds == "Ll")
    letter = old & (kinds == "Lo")
    mark = old & np.isin(kinds, ("Mn", "Mc"))
    cased = np.isin(kinds, ("Ll", "Lu", "Lt"))
    caseless = np.isin(kinds, ("Lo", "Lm", "Mn", "Mc", "Me"))
    return lower, letter, mark, cased, caseless
