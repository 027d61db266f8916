"""Builds the text that a reader sees, and its blocks, piece by piece."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from chunkscope.core.blocks import BlockKind, Blocks, BlockWriter
from chunkscope.core.errors import LoadError
from chunkscope.core.text.canonical import broken_warning, fold_newlines, replace_broken

PARAGRAPH_BREAK = "\n\n"
LINE_BREAK = "\n"


class TextBuilder:
    """Appends separated blocks; a container spans all that is added while it is open."""

    def __init__(self, allowed_characters: int = 256_000_000) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._allowed = allowed_characters
        self._blocks = BlockWriter()
        self._broken = 0

    @property
    def length(self) -> int:
        """Where the next piece would end the text so far."""
        return self._length

    def add(
        self,
        kind: BlockKind | None,
        text: str,
        *,
        level: int | None = None,
        page: int | None = None,
        name: str = "",
        separator: str = PARAGRAPH_BREAK,
    ) -> tuple[int, int]:
        """Append one block of text (of no kind: text only) and return its span.

        Blank text adds nothing. A heading's title is its text unless `name` says otherwise.
        """
        text, broken = replace_broken(fold_newlines(text))
        self._broken += broken
        if not text.strip():
            return self._length, self._length
        if self._length:
            self._append(separator)
        start = self._length
        self._append(text)
        if kind is BlockKind.HEADING and not name:
            name = " ".join(text.split())
        if kind is not None:
            self._blocks.add(kind, start, self._length, level=level, page=page, name=name)
        return start, self._length

    def mark(
        self,
        kind: BlockKind,
        start: int,
        end: int,
        *,
        level: int | None = None,
        page: int | None = None,
        name: str = "",
    ) -> None:
        """Note a block over text that is there already."""
        self._blocks.add(kind, start, end, level=level, page=page, name=name)

    @contextmanager
    def container(
        self,
        kind: BlockKind,
        *,
        level: int | None = None,
        page: int | None = None,
        name: str = "",
    ) -> Iterator[None]:
        """A block around everything added inside; none when nothing is."""
        pieces, before = len(self._pieces), self._length
        yield
        if self._length == before:
            return
        # The separator before the first piece belongs to nobody.
        start = before + (len(self._pieces[pieces]) if before else 0)
        self._blocks.add(kind, start, self._length, level=level, page=page, name=name)

    def embed(self, text: str, blocks: Blocks, separator: str = PARAGRAPH_BREAK) -> None:
        """Append a finished text with its blocks."""
        start, end = self.add(None, text, separator=separator)
        if end > start:
            for block in blocks:
                self._blocks.add(
                    block.kind,
                    start + block.start,
                    start + block.end,
                    level=block.level,
                    page=block.page,
                    name=block.name,
                )

    def finish(self) -> tuple[str, Blocks, list[str]]:
        """The text, its blocks, and warnings about characters that were replaced."""
        warnings = [broken_warning(self._broken)] if self._broken else []
        return "".join(self._pieces), self._blocks.finish(), warnings

    def _append(self, piece: str) -> None:
        self._pieces.append(piece)
        self._length += len(piece)
        if self._length > self._allowed:
            raise LoadError(
                "", f"unfolds into more than {self._allowed:,} characters (the limit can be raised)"
            )
