"""One damaged file through load, chunk and index: what must hold whatever the damage is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.engine import chunk_analysed
from chunkscope.core.loaders.files import Loaded, load_file
from chunkscope.core.model import Document
from chunkscope.core.profile import Profile
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.workspace import Workspace
from support.chunk_invariants import check_chunking
from support.hashing import NAME
from support.invariants import check_blocks
from support.mutants import mutant

# The embedder of workspaces in tests.
INDEXED = replace(Profile.preset("auto-256"), embedder=NAME)


@dataclass(slots=True)
class Tally:
    """How the cases ended; a crash raises instead."""

    complete: int = 0
    partial: int = 0
    refused: int = 0
    sentences: set[str] = field(default_factory=set)


def try_mutant(original: Path, seed: int, folder: Path, sandbox: Sandbox, tally: Tally) -> Loaded:
    """Load and chunk a damaged copy, which stays: promises that are kept, or a sentence."""
    path = folder / f"{seed}-{original.name}"
    path.write_bytes(mutant(original.read_bytes(), seed))
    loaded = load_file(path, sandbox)
    _count(loaded, tally)
    for document in loaded.documents:
        for each in document.with_children():
            _check(each)
    return loaded


def _count(loaded: Loaded, tally: Tally) -> None:
    assert loaded.documents or loaded.error, "neither a document nor a reason"
    if loaded.error:
        _check_sentence(loaded.error.reason)
        tally.refused += 1
        tally.sentences.add(loaded.error.reason)
    elif any(each.missing for each in loaded.documents):
        tally.partial += 1
    else:
        tally.complete += 1


def _check_sentence(reason: str) -> None:
    assert reason, "a sentence is owed"
    assert "Traceback" not in reason, reason


def _check(document: Document) -> None:
    check_blocks(document.text, document.blocks)
    profile = Profile.preset("auto-256")
    analysis = Analysis(document, segmenter="unicode")
    chunking = chunk_analysed(analysis, profile.strategy, profile.parameters, profile.model)
    check_chunking(chunking)


@dataclass(slots=True)
class Shelf:
    """A workspace that damaged documents go into; the oldest leave it again."""

    workspace: Workspace
    most: int = 400
    indexed: int = 0
    chunks: int = 0
    removed: int = 0
    _kept: list[str] = field(default_factory=list)

    def put(self, batch: list[Loaded]) -> None:
        """Index what could be loaded as it is, and what could not by its path."""
        given = [document for loaded in batch for document in loaded.documents]
        refused = [loaded.source for loaded in batch if not loaded.documents]
        report = self.workspace.index([*given, *refused], INDEXED)
        assert not report.stopped, report.stopped
        assert {each.source for each in report.failures} <= set(refused), report.failures
        for failure in report.failures:
            _check_sentence(failure.reason)
        stored = {row.id for row in self.workspace.documents()}
        ids = [each.id for document in given for each in document.with_children()]
        assert stored.issuperset(ids), "a document was lost"
        self.indexed += report.added + report.changed
        self.chunks += report.chunks
        self._kept += [loaded.source for loaded in batch if loaded.documents]
        self._make_room()

    def _make_room(self) -> None:
        old, self._kept = self._kept[: -self.most], self._kept[-self.most :]
        if old:
            self.removed += self.workspace.remove(old)

    def check(self) -> None:
        """What damaged documents have left behind is a sound workspace that can be searched."""
        report = self.workspace.check()
        assert report.is_sound, report.told[:3]
        for query in ("the tide clock", 'NEAR("', "�", "'; --"):
            self.workspace.search(query, INDEXED.name)
