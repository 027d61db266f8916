"""tiktoken's encodings, with offsets from a table of the vocabulary instead of decoding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.text.codepoints import Mask, Offsets, offset_type
from chunkscope.core.text.layout import Layout
from chunkscope.core.text.tokenizers.base import SafePlaces, TokenPlaces, TokenTable
from chunkscope.core.text.tokenizers.encoders import Tokens, encoder
from chunkscope.core.text.tokenizers.ranks import token_bytes
from chunkscope.core.text.tokenizers.seams import Seams, find_seams

# Longer runs without a place to cut make tiktoken slow, or panic (a million blanks).
MAX_PIECE = 100_000


@dataclass(frozen=True, slots=True)
class _Part:
    """The tokens of one piece: where they start, and what kinds of places these are."""

    starts: Offsets
    whole: Mask
    fair: Mask
    cuts: Mask


class BpeTokenizer:
    """cl100k_base or o200k_base."""

    specials = 0

    def __init__(self, name: str) -> None:
        self.name = name

    def count_each(self, texts: Sequence[str]) -> list[int]:
        encode = encoder(self.name).encode
        return [
            len(encode(text))
            if len(text) <= MAX_PIECE
            else sum(len(encode(piece)) for _, piece, _ in _pieces(text))
            for text in texts
        ]

    def tabulate(self, layout: Layout) -> TokenTable:
        encode = encoder(self.name).encode
        narrow = offset_type(len(layout.text))
        parts = [
            self._tabulate(first, encode(piece), seams, narrow)
            for first, piece, seams in _pieces(layout.text)
        ]
        always = np.ones(1, np.bool_)
        parts.append(_Part(np.array([len(layout.text)], narrow), always, always, always))
        starts = np.concatenate([part.starts for part in parts])
        whole = np.concatenate([part.whole for part in parts])
        fair = np.concatenate([part.fair for part in parts])
        cuts = np.concatenate([part.cuts for part in parts])
        fair[0] = cuts[0] = True
        edges = np.flatnonzero(cuts[1:] != cuts[:-1]).astype(narrow) + narrow(1)
        places = TokenPlaces(starts, fair, edges[::2].copy(), edges[1::2].copy())
        return TokenTable(starts, whole, places, fair)

    def _tabulate(
        self, first: int, tokens: Tokens, seams: Seams, narrow: type[np.signedinteger]
    ) -> _Part:
        lengths, inner = _vocabulary(self.name)
        is_inner = inner.take(tokens)
        starts = np.zeros(len(tokens) + 1, narrow)
        np.cumsum(lengths.take(tokens), out=starts[1:])
        starts = starts[:-1] - is_inner
        whole = ~is_inner
        fair, cuts = seams.fair[starts] & whole, seams.cuts[starts] & whole
        return _Part(starts + narrow(first), whole, fair, cuts)

    def tabulate_safe(self, layout: Layout, tokens: Callable[[], TokenTable]) -> SafePlaces | None:
        return tokens().safe


def _pieces(text: str) -> Iterator[tuple[int, str, Seams]]:
    """Pieces of at most MAX_PIECE characters, cut where any pattern cuts, if there is such a place.

    Each comes with where it begins and what is known of the places in it.
    """
    first = 0
    is_torn = False
    while first < len(text):
        piece = text[first : first + MAX_PIECE]
        seams = find_seams(piece, text[first - 1 : first])
        is_last = first + len(piece) == len(text)
        last = len(piece) if is_last else seams.last_cut()
        if is_torn:
            seams.forget_until_first_cut()
        is_torn = not is_last and not last
        if is_torn:
            last = len(piece)
            seams.forget_from_last_cut()
        yield first, piece[:last], seams
        first += last


@cache
def _vocabulary(name: str) -> tuple[NDArray[np.int16], Mask]:
    """For each token: how many characters begin in it, and whether it begins inside one."""
    values = token_bytes(name)
    sizes = np.array([len(value) for value in values])
    joined = np.frombuffer(b"".join(values), np.uint8)
    begins = (joined & 0xC0) != 0x80
    ends = np.cumsum(sizes)
    total = np.concatenate(([0], np.cumsum(begins)))
    return (total[ends] - total[ends - sizes]).astype(np.int16), ~begins[ends - sizes]
