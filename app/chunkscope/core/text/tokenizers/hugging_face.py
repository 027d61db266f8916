"""Any tokenizer.json, by Hugging Face's own library; WordPiece counts words only once."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.text.codepoints import (
    Offsets,
    code_blocks,
    locate_one,
    offset_type,
    unicode_blanks,
    within,
)
from chunkscope.core.text.layout import Layout
from chunkscope.core.text.tokenizers.base import ListedPlaces, SafePlaces, TokenTable

if TYPE_CHECKING:
    import tokenizers

_PIECE = 20_000
_BATCH = 64
_BLOCK = 50_000
# BERT deletes control characters instead of cutting at them, blank or not.
_DELETED_BLANKS = ((0x0B, 0x0C), (0x1C, 0x1F), (0x85, 0x85))
_IDEOGRAPHS = (0x4E00, 0x9FFF)
_CJK_PUNCTUATION = (0x3001, 0x3002)


class PieceTokenizer:
    """The tokenizer of a model, given by its tokenizer.json."""

    def __init__(self, path: Path, name: str = "") -> None:
        self.path = path
        self.name = name or str(path)

    @cached_property
    def _declared(self) -> dict[str, Any]:
        try:
            declared = json.loads(self.path.read_text("utf-8"))
        except OSError as problem:
            raise ChunkscopeError(
                f"the tokenizer {self.path} cannot be read: {problem.strerror}"
            ) from None
        except ValueError:
            declared = None
        if not isinstance(declared, dict) or "model" not in declared:
            raise ChunkscopeError(f"{self.path} is not a tokenizer.json of Hugging Face")
        return declared

    @cached_property
    def _tokenizer(self) -> tokenizers.Tokenizer:
        # Its threads and a fork do not go together; it then warns on stderr.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
        from tokenizers import Tokenizer

        declared = {**self._declared, "truncation": None, "padding": None}
        # Special tokens in a text are text: they may not be recognised there.
        declared["added_tokens"] = [
            token for token in declared.get("added_tokens", []) if not token.get("special")
        ]
        try:
            return Tokenizer.from_str(json.dumps(declared))
        except Exception as problem:  # noqa: BLE001 - the library raises bare Exception
            raise ChunkscopeError(f"{self.path} is not a usable tokenizer: {problem}") from None

    @cached_property
    def specials(self) -> int:
        return int(self._tokenizer.num_special_tokens_to_add(False))

    @property
    def _is_bert(self) -> bool:
        """Whether words are cut at white space before anything else, whatever stands around."""
        kinds = [
            (self._declared.get(part) or {}).get("type") for part in ("normalizer", "pre_tokenizer")
        ]
        return kinds == ["BertNormalizer", "BertPreTokenizer"]

    def count_each(self, texts: Sequence[str]) -> list[int]:
        encode = self._tokenizer.encode_batch_fast
        return [len(found.ids) for found in encode(list(texts), add_special_tokens=False)]

    @cached_property
    def frame(self) -> tuple[list[int], list[int]]:
        """The special tokens that the model wants before and after every text."""
        # Told apart by a text between them, whatever its own tokens are.
        plain = self._tokenizer.encode("a", add_special_tokens=False).ids
        framed = self._tokenizer.encode("a").ids
        for at in range(len(framed) - len(plain) + 1):
            if framed[at : at + len(plain)] == plain:
                return framed[:at], framed[at + len(plain) :]
        return [], []

    def encode_each(
        self, texts: Sequence[str], with_spans: bool = False
    ) -> Iterator[tuple[list[int], Offsets]]:
        """The tokens of each text without special ones, and their code points where asked for."""
        for first in range(0, len(texts), _BATCH):
            batch = list(texts[first : first + _BATCH])
            if with_spans:
                for found in self._tokenizer.encode_batch(batch, add_special_tokens=False):
                    yield found.ids, np.array(found.offsets, np.int64).reshape(-1, 2)
            else:
                none = np.zeros((0, 2), np.int64)
                for found in self._tokenizer.encode_batch_fast(batch, add_special_tokens=False):
                    yield found.ids, none

    def tabulate(self, layout: Layout) -> TokenTable:
        starts: list[int] = []
        spans = list(self._spans(layout))
        for first in range(0, len(spans), _BATCH):
            batch = spans[first : first + _BATCH]
            texts = [layout.text[start:end] for start, end in batch]
            found = self._tokenizer.encode_batch(texts, add_special_tokens=False)
            for (base, _), encoded in zip(batch, found, strict=True):
                starts += [base + start for start, _ in encoded.offsets]
        table = np.maximum.accumulate(np.array([*starts, len(layout.text)], np.int64))
        return TokenTable(table, np.concatenate(([True], table[1:] > table[:-1])))

    def tabulate_safe(self, layout: Layout, tokens: Callable[[], TokenTable]) -> SafePlaces | None:
        if not self._is_bert:
            return None
        positions = _safe_positions(layout)
        counts = np.zeros(len(positions), positions.dtype)
        known: dict[str, int] = {}
        # In blocks: one call over millions of words would keep all other threads waiting.
        for first in range(0, len(positions) - 1, _BLOCK):
            edges = positions[first : first + _BLOCK + 1].tolist()
            pieces = [layout.text[start:end] for start, end in pairwise(edges)]
            new = [piece for piece in dict.fromkeys(pieces) if piece not in known]
            known.update(zip(new, self.count_each(new), strict=True))
            counts[first + 1 : first + len(edges)] = [known[piece] for piece in pieces]
        return ListedPlaces(positions, np.cumsum(counts, out=counts))

    def _spans(self, layout: Layout) -> Iterator[tuple[int, int]]:
        """Pieces of a bearable length, cut before words."""
        starts = layout.word_starts
        cuts = [0]
        while len(layout.text) - cuts[-1] > _PIECE:
            last = locate_one(starts, cuts[-1] + _PIECE, "right") - 1
            at = int(starts[last]) if last >= 0 else 0
            cuts.append(at if at > cuts[-1] else cuts[-1] + _PIECE)
        return pairwise([*cuts, len(layout.text)]) if layout.text else iter(())


def _safe_positions(layout: Layout) -> Offsets:
    """The places between words, and between ideographs, each of which is a word of its own."""
    found: list[Offsets] = [np.zeros(1, offset_type(len(layout.text)))]
    last = 0
    for first, codes in code_blocks(layout.text):
        kinds = _kinds().take(np.append(np.uint32(last), codes), mode="clip")
        blank = kinds & _BLANK
        safe = blank[:-1] != blank[1:]
        safe |= (kinds[:-1] & _BEFORE & (kinds[1:] >> 1)) != 0
        if not first:
            safe[0] = False
        found.append((np.flatnonzero(safe) + first).astype(found[0].dtype))
        last = int(codes[-1])
    found.append(np.array([len(layout.text)], found[0].dtype))
    return np.concatenate(found)


_BLANK, _BEFORE, _AFTER = 1, 2, 4


@cache
def _kinds() -> NDArray[np.uint8]:
    codes = np.arange(0x10000, dtype=np.uint16)
    blank = unicode_blanks(codes) & ~within(codes, *_DELETED_BLANKS)
    ideograph = within(codes, _IDEOGRAPHS)
    table = np.zeros(len(codes) + 1, np.uint8)
    table[:-1] += blank * np.uint8(_BLANK) + ideograph * np.uint8(_BEFORE)
    table[:-1] += (ideograph | within(codes, _CJK_PUNCTUATION)) * np.uint8(_AFTER)
    return table
