"""tiktoken's encodings, with offsets from a table of the vocabulary instead of decoding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.text.codepoints import Codes, Mask, Offsets, unicode_blanks, within
from chunkscope.core.text.layout import Layout
from chunkscope.core.text.tokenizers.base import SafeTable, TokenTable
from chunkscope.core.text.tokenizers.ranks import encoding

if TYPE_CHECKING:
    import tiktoken

# Longer runs without a place to cut make tiktoken slow, or panic (a million blanks).
MAX_PIECE = 100_000
_SLASH = 0x2F
_BLOCK = 1 << 20
_KINDS = 7
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
    if layout.safe_positions is None:
        layout.safe_positions = _find_safe(layout.codes)
    return layout.safe_positions


def _find_safe(codes: Codes) -> Offsets:
    """In blocks, which stay in the processor's cache: five times as fast for 100 MB."""
    table, pairs = _classes()
    found = []
    for first in range(0, max(len(codes) - 1, 0), _BLOCK):
        block = codes[first : first + _BLOCK + 1]
        kinds = (
            table[np.minimum(block, len(table) - 1)] if block.dtype.itemsize > 2 else table[block]
        )
        safe = pairs[kinds[:-1] * _KINDS + kinds[1:]]
        found.append(np.flatnonzero(safe) + (first + 1))
    return np.concatenate(found) if found else np.zeros(0, np.int64)


@cache
def _classes() -> tuple[NDArray[np.uint8], Mask]:
    """The kind of each code point, and after which kind which other begins a new piece.

    What lies beyond the first plane is visible, like all else that is not named here.
    """
    visible, blank, line_end, odd, slash, letter, stop = range(_KINDS)
    codes = np.arange(0x10000, dtype=np.uint16)
    table = np.full(0x10000, visible, np.uint8)
    table[unicode_blanks(codes)] = blank
    table[[0x0A, 0x0D]] = line_end
    table[0x1C:0x20] = odd  # blank for some, visible for others
    table[_SLASH] = slash
    table[within(codes, *_IDEOGRAPHS)] = letter
    table[within(codes, *_CJK_STOPS)] = stop
    pairs = np.zeros((_KINDS, _KINDS), np.bool_)
    pairs[[visible, slash, letter, stop], blank] = True
    pairs[line_end, [visible, letter, stop]] = True
    pairs[letter, stop] = True
    return table, pairs.reshape(-1)


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
