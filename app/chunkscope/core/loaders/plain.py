"""Plain text: the file as it is, paragraphs between blank lines."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.blocks import BlockKind, Blocks
from chunkscope.core.loaders.base import Draft, Source, register
from chunkscope.core.sandbox.watch import Watch

_BREAK = re.compile(r"\n(?:[^\S\n]*\n)+")
_LARGE_BYTES = 4 << 20
_PIECE = 1 << 20
_NEWLINE = 10

Offsets = NDArray[np.int64]


class LargeDraft(Draft):
    """A draft of so large a text that a string of it is made only for those who ask."""

    __slots__ = ()

    @property
    def text(self) -> str:
        return str(self.utf8 or b"", "utf-8")

    @text.setter
    def text(self, _: str) -> None:
        """The text is what `utf8` says."""


@register("text", "plain text", ".txt", ".text", ".log", ".rst", ".org", ".tex")
def load_plain(source: Source, watch: Watch) -> Iterable[Draft]:
    if len(source.data) >= _LARGE_BYTES and not source.options.encoding:
        utf8 = _canonical_utf8(source.data)
        blocks = utf8_paragraphs(utf8, watch)
        if blocks is not None:
            return [LargeDraft("", blocks, "text/plain", utf8=utf8)]
    text, warnings = source.text()
    watch.progress(1, 2, "paragraphs")
    return [Draft(text, paragraphs(text), "text/plain", warnings=warnings)]


def paragraphs(text: str) -> Blocks:
    """One block for each run of text between blank lines, white space around it left out."""
    breaks = (match.span() for match in _BREAK.finditer(text))
    edges = np.fromiter(chain((0,), chain.from_iterable(breaks), (len(text),)), np.int64)
    starts, ends = edges[::2].copy(), edges[1::2].copy()
    if len(text):
        # Breaks end after a newline, so only the outermost pieces can touch blank lines.
        ends[-1] = max(len(text.rstrip()), starts[-1])
        starts[0] = min(len(text) - len(text.lstrip()), ends[0])
    filled = ends > starts
    return Blocks.of_spans(BlockKind.PARAGRAPH, starts[filled], ends[filled])


def _canonical_utf8(data: bytes) -> bytes:
    """The canonical form of a text in UTF-8, as `Source.text` would make it."""
    data = data.removeprefix(codecs.BOM_UTF8)
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def utf8_paragraphs(data: bytes, watch: Watch) -> Blocks | None:
    """What `paragraphs` finds, without a string of the whole; None if it is no canonical UTF-8."""
    if b"\0" in data or data.startswith(codecs.BOM_UTF8):
        return None
    finder = _BreakFinder()
    try:
        for piece in _pieces(data):
            finder.add(piece)
            watch.progress(finder.length, len(data), "paragraphs")
    except UnicodeDecodeError:
        return None
    return finder.finish()


def _pieces(data: bytes) -> Iterator[bytes]:
    """Whole lines of about a megabyte."""
    start = 0
    while start < len(data):
        end = data.rfind(b"\n", start, start + _PIECE) + 1 or data.find(b"\n", start + _PIECE) + 1
        yield data[start : end or len(data)]
        start = end or len(data)


class _BreakFinder:
    """Finds the breaks between paragraphs in a text that comes in pieces of whole lines."""

    def __init__(self) -> None:
        self.length = 0
        self._leading = 0  # white space before the first word
        self._filled = 0  # up to the last word
        self._starts: list[Offsets] = []
        self._ends: list[Offsets] = []
        self._is_after_blank = False

    def add(self, piece: bytes) -> None:
        text = piece.decode("utf-8")
        codes: NDArray[np.uint8 | np.uint32] = (
            np.frombuffer(piece, np.uint8)
            if len(piece) == len(text)
            else np.frombuffer(text.encode("utf-32-le"), "<u4")
        )
        line_ends: Offsets = np.flatnonzero(codes == _NEWLINE)
        line_starts = np.concatenate(([0], line_ends + 1))[: len(line_ends)]
        is_blank = _blank_lines(text, codes, line_starts, line_ends)
        if not self.length:
            is_blank[:1] = False  # a break needs a line before it
        self._add_runs(line_starts, line_ends, is_blank)
        if kept := len(text.rstrip()):
            if not self._filled:
                self._leading = self.length + len(text) - len(text.lstrip())
            self._filled = self.length + kept
        self.length += len(text)

    def _add_runs(
        self, line_starts: Offsets, line_ends: Offsets, is_blank: NDArray[np.bool_]
    ) -> None:
        """Note each run of blank lines: from the newline before it to the end of its last one."""
        edges = np.diff(is_blank, prepend=False, append=False)
        first, after = np.flatnonzero(edges)[::2], np.flatnonzero(edges)[1::2]
        starts, ends = line_starts[first] - 1 + self.length, line_ends[after - 1] + 1 + self.length
        if self._is_after_blank and len(first) and first[0] == 0:  # the run goes on
            starts, self._ends[-1] = starts[1:], self._ends[-1][:-1]
        self._starts.append(starts)
        self._ends.append(ends)
        self._is_after_blank = bool(len(is_blank) and is_blank[-1])

    def finish(self) -> Blocks:
        starts = np.concatenate(([0], *self._ends))
        ends = np.concatenate((*self._starts, [self.length]))
        ends[-1] = max(self._filled, starts[-1])
        starts[0] = min(self._leading if self._filled else self.length, ends[0])
        filled = ends > starts
        return Blocks.of_spans(BlockKind.PARAGRAPH, starts[filled], ends[filled])


def _blank_lines(
    text: str, codes: NDArray[np.uint8 | np.uint32], starts: Offsets, ends: Offsets
) -> NDArray[np.bool_]:
    """Which of these lines hold white space only."""
    is_blank: NDArray[np.bool_] = starts == ends
    is_open = _is_space(codes[starts]) & _is_space(codes[ends - 1]) & ~is_blank
    for at in np.flatnonzero(is_open).tolist():
        is_blank[at] = text[starts[at] : ends[at]].isspace()
    return is_blank


def _is_space(codes: NDArray[np.uint8 | np.uint32]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = _SPACES[np.minimum(codes.astype(np.uint32), len(_SPACES) - 1)]
    return found


# No white space stands behind U+3000; the last entry is for all the rest.
_SPACES = np.array([chr(code).isspace() for code in range(0x3002)])
