"""The texts of the documents that were shown last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from chunkscope.core.store import documents
from chunkscope.core.store.model import StoredChunk

if TYPE_CHECKING:
    import apsw

_MOST_CHARACTERS = 50_000_000


class Texts:
    """Keeps texts as long as they are the same in the database, and not too many of them."""

    def __init__(self, most: int = _MOST_CHARACTERS) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[int, bytes], str] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, connection: apsw.Connection, chunk: StoredChunk) -> str:
        """The canonical text of the document of a chunk."""
        key = (chunk.document, documents.text_hash(connection, chunk.document))
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        text = documents.text(connection, chunk.document)
        with self._lock:
            self._kept[key] = text
            while len(self._kept) > 1 and sum(map(len, self._kept.values())) > self._most:
                self._kept.popitem(last=False)
        return text
