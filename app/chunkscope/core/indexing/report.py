"""What an indexing run did, and what it could not do."""

from __future__ import annotations

from dataclasses import dataclass, field

from chunkscope.core.store.model import Waiting


@dataclass(frozen=True, slots=True)
class Failure:
    """A source that could not be indexed; it waits in the outbox."""

    source: str
    document_id: str
    reason: str


@dataclass(slots=True)
class IndexReport:
    """Counts are of documents unless they say otherwise."""

    profile_id: str
    profile_name: str
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    whole: int = 0
    chunks: int = 0
    truncated: int = 0
    """Chunks of which the model does not read all."""
    embedded_texts: int = 0
    failures: list[Failure] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)
    """Failed before, and not yet due again."""
    gone: list[str] = field(default_factory=list)
    """Files under the given folders that are still indexed but no longer there."""
    notes: list[str] = field(default_factory=list)
    stopped: str = ""
    """Why the run ended early, where it did."""

    @property
    def is_clean(self) -> bool:
        return not (self.failures or self.waiting or self.stopped)
