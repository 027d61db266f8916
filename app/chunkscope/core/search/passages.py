"""What a search reads to show its hits: chunks, what stands around them, texts; each once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chunkscope.core.search.model import Stitched
from chunkscope.core.search.options import SearchOptions
from chunkscope.core.search.rerank import Snippet
from chunkscope.core.search.stitch import Placed, same_section, stitch
from chunkscope.core.search.texts import Texts
from chunkscope.core.store import chunks
from chunkscope.core.store.model import ChunkPlace, StoredChunk

if TYPE_CHECKING:
    import apsw


class Passages:
    """The chunks of one search, read many at a time."""

    def __init__(self, connection: apsw.Connection, options: SearchOptions, texts: Texts) -> None:
        self._connection = connection
        self._options = options
        self._kept_texts = texts
        self._chunks: dict[int, StoredChunk] = {}
        self._around: dict[int, list[ChunkPlace]] = {}
        self._texts: dict[int, str] = {}
        self._stitched: dict[int, Stitched] = {}

    def read(self, keys: Sequence[int]) -> list[StoredChunk]:
        """Chunks by their keys, in this order."""
        new = [key for key in keys if key not in self._chunks]
        if new:
            self._chunks.update((each.key, each) for each in chunks.rows(self._connection, new))
            if self._options.neighbours:
                around = chunks.places_around(self._connection, new, self._options.neighbours)
                self._around.update(around)
        return [self._chunks[key] for key in keys]

    def text(self, chunk: StoredChunk) -> str:
        return self._document_text(chunk)[chunk.start : chunk.end]

    def stitched(self, chunk: StoredChunk) -> Stitched:
        """A chunk that was read with its neighbours, as the options ask for."""
        if chunk.key not in self._stitched:
            options = self._options
            around: Sequence[Placed] = self._around.get(chunk.key, [])
            chosen = same_section(chunk, around) if options.within_section else around
            text = self._document_text(chunk)
            found = stitch(text, chunk, chosen, with_markers=options.boundary_markers)
            self._stitched[chunk.key] = found
        return self._stitched[chunk.key]

    def snippet(self, chunk: StoredChunk) -> Snippet:
        """A stitched chunk as a reranker reads it."""
        stitched, text = self.stitched(chunk), self._document_text(chunk)
        parts = tuple(text[part.start : part.end] for part in stitched.parts)
        tokens = chunk.model_tokens * len(stitched.text) // max(chunk.end - chunk.start, 1)
        return Snippet(chunk.prefix + stitched.text, parts, tokens)

    def _document_text(self, chunk: StoredChunk) -> str:
        if chunk.document not in self._texts:
            self._texts[chunk.document] = self._kept_texts.get(self._connection, chunk)
        return self._texts[chunk.document]
