"""Who is reading: a store must not be closed under the hands of another thread."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

log = logging.getLogger(__name__)

# Longer than any read that can be cancelled; a reader that was left lying about must not hang us.
_PATIENCE_SECONDS = 20.0


class Use:
    """Counts the threads that are inside; the one that ends it waits for the others."""

    def __init__(self) -> None:
        self._inside: Counter[int] = Counter()
        self._changed = threading.Condition()
        self.is_over = False

    @contextmanager
    def here(self) -> Iterator[None]:
        me = threading.get_ident()
        with self._changed:
            self._inside[me] += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside[me] -= 1
                self._changed.notify_all()

    def end(self, patience: float = _PATIENCE_SECONDS) -> None:
        """Nobody may begin any more; those inside come to their end."""
        self.is_over = True
        with self._changed:
            if not self._changed.wait_for(self._is_left, patience):
                log.warning("a workspace was closed while something still read it")

    def _is_left(self) -> bool:
        me = threading.get_ident()
        return not any(count for thread, count in self._inside.items() if thread != me)
