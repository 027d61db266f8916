"""The values that every part of the program speaks about."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.blocks import BlockKind, Blocks

# How loaders name what is inside a file: `box.mbox#message 4#attachment 1: list.txt`.
_PLACE_IN_FILE = re.compile(r"#(?:message \d+(?=#|$)|attachment \d+: )")


class Span(NamedTuple):
    """A half-open range of code points in a canonical text."""

    start: int
    end: int


class State(StrEnum):
    """How much of the source the document holds."""

    COMPLETE = "complete"
    PARTIAL = "partial"


def content_hash(utf8: bytes | bytearray) -> str:
    """SHA-256 of a canonical text, given as UTF-8."""
    return hashlib.sha256(utf8).hexdigest()


def document_id(source: str, text_hash: str) -> str:
    """From the source where there is one, so that a changed file stays the same document."""
    if not source:
        return f"doc_{text_hash[:16]}"
    digest = hashlib.sha256(source.encode("utf-8", "surrogateescape")).hexdigest()
    return f"doc_{digest[:16]}"


def file_of(source: str) -> str:
    """The file that a document is in: messages and attachments name it and their place in it."""
    return _PLACE_IN_FILE.split(source, maxsplit=1)[0]


@dataclass(frozen=True, slots=True)
class Document:
    """One loaded source. `missing` says what a partial document lacks, and why."""

    id: str
    title: str
    source: str
    media_type: str
    text: str
    blocks: Blocks
    content_hash: str
    metadata: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    children: tuple[Document, ...] = ()
    parent_id: str = ""
    _line_starts: list[NDArray[np.int64]] = field(default_factory=list, repr=False, compare=False)

    @property
    def state(self) -> State:
        return State.PARTIAL if self.missing else State.COMPLETE

    def with_children(self) -> Iterator[Document]:
        """This document and, after it, all that it contains (a mail's attachments)."""
        yield self
        for child in self.children:
            yield from child.with_children()

    def line_of(self, offset: int) -> int:
        """The line of the canonical text (from 1) that holds the character at `offset`."""
        if not self._line_starts:
            self._line_starts.append(_line_starts(self.text))
        return int(np.searchsorted(self._line_starts[0], offset, side="right"))

    def page_of(self, offset: int) -> int | None:
        """The page (from 1) that holds the character at `offset`, where there are pages."""
        pages = self.blocks.where(BlockKind.PAGE)
        found = bisect_right(self.blocks.start[pages].tolist(), offset) - 1
        return int(self.blocks.page[pages[max(found, 0)]]) if len(pages) else None


def _line_starts(text: str) -> NDArray[np.int64]:
    lengths = [len(line) + 1 for line in text.split("\n")]
    return np.concatenate(([0], np.cumsum(lengths[:-1], dtype=np.int64)))
