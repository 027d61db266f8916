"""A chunking: columns of offsets, from which a Chunk is made when somebody asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np

from chunkscope.core.blocks import KINDS, BlockKind
from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.context import fitting_prefix, header_of
from chunkscope.core.chunking.ids import id_forms, text_hash
from chunkscope.core.chunking.models import ReadingModel
from chunkscope.core.chunking.places import boundaries_at
from chunkscope.core.chunking.strategies.base import Cut, Strategy
from chunkscope.core.model import Document, Span
from chunkscope.core.text.codepoints import Mask, Offsets, locate
from chunkscope.core.text.tokenizers import tokenizer
from chunkscope.core.text.units import Unit


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk with all that is known about it.

    `size` is counted in `unit` by itself; `model_tokens` is what the embedding model gets: the text
    with what is put before it and the special tokens.
    """

    id: str
    document_id: str
    index: int
    start: int
    end: int
    overlap: int
    text: str
    unit: str
    size: int
    model_tokens: int
    boundary: str
    heading_chain: tuple[str, ...]
    page: int | None
    last_page: int | None
    lines: tuple[int, int]
    symbol: str
    table_header: str
    prefix: str
    oversize: bool
    truncated_by_model: bool
    content_hash: str
    strategy: str
    parameters: tuple[tuple[str, object], ...]

    @property
    def fresh(self) -> Span:
        """The part that does not repeat the chunk before."""
        return Span(self.start + self.overlap, self.end)

    @property
    def embedded_text(self) -> str:
        """Exactly what the embedding model gets."""
        return self.prefix + self.text


class Chunking(Sequence[Chunk]):
    """All chunks of one document under one strategy."""

    def __init__(
        self,
        analysis: Analysis,
        strategy_name: str,
        strategy: Strategy,
        cut: Cut,
        model: ReadingModel,
        id_form: str = "hash",
    ) -> None:
        self.analysis = analysis
        self.strategy_name = strategy_name
        self.strategy = strategy
        self.model = model
        self._id_form = id_forms[id_form]
        self._cut = cut
        self.starts, self.ends = cut.packed.starts, cut.packed.ends
        before = np.concatenate(([0], self.ends))[:-1]
        self.overlaps = np.maximum(before - self.starts, 0)
        self.overlaps[:1] = 0

    @property
    def document(self) -> Document:
        return self.analysis.document

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> Chunk: ...
    @overload
    def __getitem__(self, index: slice) -> list[Chunk]: ...
    def __getitem__(self, index: int | slice) -> Chunk | list[Chunk]:
        if isinstance(index, slice):
            return [self._chunk(at) for at in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self._chunk(index % len(self))

    def __iter__(self) -> Iterator[Chunk]:
        return (self._chunk(at) for at in range(len(self)))

    def span(self, index: int) -> Span:
        return Span(int(self.starts[index]), int(self.ends[index]))

    def text(self, index: int) -> str:
        return self.analysis.text[self.starts[index] : self.ends[index]]

    @cached_property
    def fresh_starts(self) -> Offsets:
        return self.starts + self.overlaps

    @cached_property
    def sizes(self) -> Offsets:
        """In the strategy's unit, each chunk counted by itself."""
        return self.strategy.ruler(self.analysis).sizes(self._cut.packed.raw)

    @property
    def max_size(self) -> int:
        return int(getattr(self.strategy, "max_size", 0))

    @cached_property
    def oversize(self) -> Mask:
        allowed = max(self.max_size, self._single_piece_max if len(self) == 1 else 0)
        return self.sizes > allowed

    @property
    def _single_piece_max(self) -> int:
        return int(getattr(self.strategy, "single_piece_max", 0))

    @cached_property
    def boundaries(self) -> list[str]:
        """What kind of place each fresh part begins at."""
        places = self.analysis.layout.trim_starts(self.fresh_starts)
        return boundaries_at(self.analysis, places, self.strategy.boundaries)

    @cached_property
    def _heading_numbers(self) -> Offsets:
        """By number: the document's heading chain over each fresh part, or the heading by rule."""
        places = self.analysis.layout.trim_starts(self.fresh_starts)
        if self._cut.sections is None:
            return self.analysis.chains_at(places)
        return locate(self._cut.sections[0], places, "right") - 1

    def heading_chain(self, index: int) -> tuple[str, ...]:
        """The headings in force where the fresh part begins, the nearest last."""
        number = int(self._heading_numbers[index])
        if self._cut.sections is None:
            return self.analysis.chains[number]
        return tuple(self._cut.sections[1][number].split(" > ")) if number >= 0 else ()

    @cached_property
    def _headers(self) -> tuple[Offsets, Offsets]:
        if not self._cut.shows_table_header:
            none = np.zeros(len(self), np.int64)
            return none, none
        return header_of(self.analysis, self.analysis.layout.trim_starts(self.fresh_starts))

    def table_header(self, index: int) -> str:
        """The header of the table that this chunk continues, unless it would fill half of it."""
        start, end = int(self._headers[0][index]), int(self._headers[1][index])
        ruler = self.strategy.ruler(self.analysis)
        if start == end or not self.max_size:
            return ""
        length = int(ruler.raw(np.array([start]), np.array([end]))[0])
        return self.analysis.text[start:end] if length < ruler.limit(self.max_size) // 2 else ""

    @cached_property
    def _prefixes(self) -> dict[tuple[tuple[str, ...], str], tuple[str, int]]:
        return {}

    def prefix(self, index: int) -> str:
        """What is put before the text when it is embedded."""
        return self._prefix(index)[0]

    def _prefix(self, index: int) -> tuple[str, int]:
        """The prefix and its tokens in the model."""
        chain = self.heading_chain(index) if self.strategy.prepend_headings else ()
        header = self.table_header(index)
        key = chain, header
        if key not in self._prefixes:
            counter = tokenizer(self.model.tokenizer)
            text = fitting_prefix(chain, *self._prefix_budget())
            text += header + "\n" if header else ""
            self._prefixes[key] = text, counter.count_each([text])[0] if text else 0
        return self._prefixes[key]

    def _prefix_budget(self) -> tuple[str, int]:
        """The tokenizer and the raw limit that decide how much of a heading chain is used."""
        if self.strategy.unit == Unit.TOKENS and self.max_size:
            limit = self.strategy.ruler(self.analysis).limit(self.max_size)
            return self.strategy.tokenizer, limit
        return self.model.tokenizer, self.model.max_tokens

    @cached_property
    def model_tokens(self) -> Offsets:
        """What the embedding model gets, in its own tokens."""
        ruler = self.analysis.ruler(Unit.TOKENS, self.model.tokenizer)
        is_own = ruler is self.strategy.ruler(self.analysis)
        found = self.sizes if is_own else ruler.sizes(ruler.raw(self.starts, self.ends))
        if self.strategy.prepend_headings or self._cut.shows_table_header:
            found = found + self._prefix_tokens()
        return found

    def _prefix_tokens(self) -> Offsets:
        """The tokens of each chunk's prefix: asked once for all chunks in the same place."""
        places = self._heading_numbers * (len(self.analysis.text) + 1) + self._headers[0]
        _, first, number = np.unique(places, return_index=True, return_inverse=True)
        tokens: Offsets = np.array([self._prefix(at)[1] for at in first.tolist()], np.int64)
        return tokens[number] if len(tokens) else tokens

    @cached_property
    def truncated(self) -> Mask:
        """More than the model reads."""
        return self.model_tokens > self.model.max_tokens

    @cached_property
    def pages(self) -> tuple[Offsets, Offsets]:
        """The pages that each chunk begins and ends on; zeros where there are none."""
        blocks = self.document.blocks
        pages = blocks.where(BlockKind.PAGE)
        if not len(pages):
            none = np.zeros(len(self), np.int64)
            return none, none
        edges, numbers = blocks.start[pages], blocks.page[pages].astype(np.int64)
        first = locate(edges, self.starts, "right") - 1
        last = locate(edges, self.ends - 1, "right") - 1
        return numbers[np.maximum(first, 0)], numbers[np.maximum(last, 0)]

    @cached_property
    def left_out(self) -> list[tuple[Span, str]]:
        """Blocks that are in no chunk on purpose, and why."""
        blocks = self.document.blocks
        starts, ends = self._cut.left_out
        at = locate(blocks.start, starts)
        return [
            (Span(start, end), f"{KINDS[blocks.kind[number]].value} is left out by `skip`")
            for start, end, number in zip(starts.tolist(), ends.tolist(), at.tolist(), strict=True)
        ]

    @cached_property
    def _symbols(self) -> tuple[Offsets, Offsets, list[str]]:
        blocks = self.document.blocks
        found = np.flatnonzero(blocks.are(BlockKind.CODE) & (blocks.name > 0))
        names = [blocks.names[number] for number in blocks.name[found].tolist()]
        return blocks.start[found], blocks.end[found], names

    def symbol(self, index: int) -> str:
        """The innermost symbol that holds all of the fresh part, else the first one in it."""
        starts, ends, names = self._symbols
        first, last = int(self.fresh_starts[index]), int(self.ends[index])
        around = np.flatnonzero((starts <= first) & (ends >= last))
        if len(around):
            return names[int(around[-1])]
        inside = np.flatnonzero((starts >= first) & (starts < last))
        return names[int(inside[0])] if len(inside) else ""

    @cached_property
    def _parameters(self) -> tuple[tuple[str, object], ...]:
        return self.strategy.values()

    def _chunk(self, index: int) -> Chunk:
        text = self.text(index)
        start, end = self.span(index)
        content_hash = text_hash(text)
        return Chunk(
            id=self._id_form(self.document.id, index, content_hash),
            document_id=self.document.id,
            index=index,
            start=start,
            end=end,
            overlap=int(self.overlaps[index]),
            text=text,
            unit=str(self.strategy.unit),
            size=int(self.sizes[index]),
            model_tokens=int(self.model_tokens[index]),
            boundary=self.boundaries[index],
            heading_chain=self.heading_chain(index),
            page=int(self.pages[0][index]) or None,
            last_page=int(self.pages[1][index]) or None,
            lines=(self.document.line_of(start), self.document.line_of(end - 1)),
            symbol=self.symbol(index),
            table_header=self.table_header(index),
            prefix=self.prefix(index),
            oversize=bool(self.oversize[index]),
            truncated_by_model=bool(self.truncated[index]),
            content_hash=content_hash,
            strategy=self.strategy_name,
            parameters=self._parameters,
        )
