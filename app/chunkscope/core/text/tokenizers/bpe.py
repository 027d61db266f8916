"""tiktoken's encodings, with offsets from a table of the vocabulary instead of decoding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.text.codepoints import Mask, Offsets, unicode_blanks, within
from chunkscope.core.text.layout import Layout
from chunkscope.core.text.tokenizers.base import SafeTable, TokenTable
from chunkscope.core.text.tokenizers.ranks import encoding

if TYPE_CHECKING:
    import tiktoken

# Longer runs without a place to cut make tiktoken slow, or panic (a million blanks).
MAX_PIECE = 100_000
_SLASH = 0x2F
_IDEOGRAPHS = ((0x4E00, 0x9FFF), (0x3041, 0x3096), (0x30A1, 0x30FA), (0xAC00, 0xD7A3))
_CJK_STOPS = ((0x3001, 0x3002), (0xFF01, 0xFF01), (0xFF0C, 0xFF0C), (0xFF1A, 0xFF1B))


class BpeTokenizer:
    """cl100k_base or o200k_base."""

    specials = 0

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def _encoding(self) -> tiktoken.Encoding:
        return encoding(self.name)

    def count_each(self, texts: Sequence[str]) -> list[int]:
        encode = self._encoding.encode_ordinary
        return [
            len(encode(text))
            if len(text) <= MAX_PIECE
            else len(self._encode(text, safe_positions(Layout(text))))
            for text in texts
        ]

    def tabulate(self, layout: Layout) -> TokenTable:
        tokens = self._encode(layout.text, safe_positions(layout))
        lengths, inner = _vocabulary(self.name)
        starts = np.zeros(len(tokens) + 1, np.int64)
        np.cumsum(lengths.take(tokens), out=starts[1:])
        is_inner = inner.take(tokens)
        starts[:-1] -= is_inner
        return TokenTable(starts, np.append(~is_inner, True))

    def tabulate_safe(self, layout: Layout, tokens: Callable[[], TokenTable]) -> SafeTable:
        positions = np.concatenate(([0], safe_positions(layout), [len(layout.text)]))
        return SafeTable(positions, np.searchsorted(tokens().starts, positions))

    def _encode(self, text: str, safe: Offsets) -> NDArray[np.uint32]:
        encode = self._encoding.encode_to_numpy
        pieces = [
            encode(text[start:end], disallowed_special=()) for start, end in _pieces(text, safe)
        ]
        return np.concatenate(pieces) if pieces else np.zeros(0, np.uint32)


def safe_positions(layout: Layout) -> Offsets:
    """Where both patterns of tiktoken cut whatever stands around, and see nothing beyond.

    A blank after something visible begins a new piece, unless it is a line end; whatever is
    visible after a line end does (but o200k draws slashes to the line before); and no run of
    letters goes on into a full stop of Chinese or Japanese.
    """
    codes = layout.codes
    if len(codes) < 2:
        return np.zeros(0, np.int64)
    is_blank = unicode_blanks(codes)
    is_line_end = within(codes, (0x0A, 0x0A), (0x0D, 0x0D))
    odd = within(codes, (0x1C, 0x1F))
    before, after = slice(None, -1), slice(1, None)
    safe: Mask = ~is_blank[before] & is_blank[after] & ~is_line_end[after]
    safe |= is_line_end[before] & ~is_blank[after] & (codes[after] != _SLASH)
    safe &= ~odd[before] & ~odd[after]
    if codes.dtype != np.uint8:
        safe |= within(codes[before], *_IDEOGRAPHS) & within(codes[after], *_CJK_STOPS)
    return np.flatnonzero(safe) + 1


def _pieces(text: str, safe: Offsets) -> Iterator[tuple[int, int]]:
    """Consecutive spans of at most MAX_PIECE characters, cut at safe positions where possible."""
    cuts = [0]
    while len(text) - cuts[-1] > MAX_PIECE:
        last = int(np.searchsorted(safe, cuts[-1] + MAX_PIECE, side="right")) - 1
        at = int(safe[last]) if last >= 0 else 0
        cuts.append(at if at > cuts[-1] else cuts[-1] + MAX_PIECE)
    return pairwise([*cuts, len(text)]) if text else iter(())


@cache
def _vocabulary(name: str) -> tuple[NDArray[np.int64], Mask]:
    """For each token: how many characters begin in it, and whether it begins inside one."""
    known = encoding(name)
    # The ids of ordinary tokens are 0, 1, 2 … without gaps.
    values = known.decode_tokens_bytes(range(len(known.token_byte_values())))
    sizes = np.array([len(value) for value in values])
    joined = np.frombuffer(b"".join(values), np.uint8)
    begins = (joined & 0xC0) != 0x80
    ends = np.cumsum(sizes)
    total = np.concatenate(([0], np.cumsum(begins)))
    return total[ends] - total[ends - sizes], ~begins[ends - sizes]
