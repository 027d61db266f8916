"""Analyses that are kept: a second look at a document costs nothing."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection

from chunkscope.core.chunking.analysis import Analysis, Segment
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.model import Document
from chunkscope.core.text.sentences import sentence_starts

# In characters: the tables of a text take about thirty bytes for each.
_MOST = 64_000_000

Key = tuple[str, str, str]


class Analyses:
    """The last used analyses, by content, segmenter and language."""

    def __init__(self, segment: Segment = sentence_starts, most: int = _MOST) -> None:
        self._segment = segment
        self._most = most
        self._kept: OrderedDict[Key, Analysis] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, document: Document, segmenter: str, language: str, job: Job = NO_JOB) -> Analysis:
        # The same text may be another document, or have other blocks (a .md read as .txt).
        identity = f"{document.content_hash} {document.id} {document.media_type}"
        key = (identity, segmenter, language)
        with self._lock:
            found = self._kept.get(key)
            like = self._find_text(document.content_hash)
            if found is None:
                found = Analysis(
                    document, segmenter=segmenter, language=language, segment=self._segment,
                    job=job, like=like,
                )  # fmt: skip
            self._kept[key] = found
            self._kept.move_to_end(key)
            self._forget()
            return found

    def forget(self, document_ids: Collection[str]) -> None:
        """Let go of what is known of documents that nobody looks at any more."""
        with self._lock:
            for key, kept in list(self._kept.items()):
                if kept.document.id in document_ids:
                    del self._kept[key]

    def _find_text(self, content_hash: str) -> Analysis | None:
        return next(
            (
                kept
                for (digest, _, _), kept in self._kept.items()
                if digest.startswith(content_hash)
            ),
            None,
        )

    def _forget(self) -> None:
        while (
            len(self._kept) > 1 and sum(len(kept.text) for kept in self._kept.values()) > self._most
        ):
            self._kept.popitem(last=False)
