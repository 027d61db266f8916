"""One damaged file through load and chunk: what must hold whatever the damage is."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.engine import chunk_analysed
from chunkscope.core.loaders.files import Loaded, load_file
from chunkscope.core.model import Document
from chunkscope.core.profile import Profile
from chunkscope.core.sandbox import Sandbox
from support.chunk_invariants import check_chunking
from support.invariants import check_blocks
from support.mutants import mutant


@dataclass(slots=True)
class Tally:
    """How the cases ended; a crash raises instead."""

    complete: int = 0
    partial: int = 0
    refused: int = 0
    sentences: set[str] = field(default_factory=set)


def try_mutant(original: Path, seed: int, folder: Path, sandbox: Sandbox, tally: Tally) -> None:
    """Load and chunk a damaged copy: documents that keep every promise, or a sentence."""
    path = folder / f"{seed}-{original.name}"
    path.write_bytes(mutant(original.read_bytes(), seed))
    try:
        loaded = load_file(path, sandbox)
        _count(loaded, tally)
        for document in loaded.documents:
            for each in document.with_children():
                _check(each)
    finally:
        path.unlink()


def _count(loaded: Loaded, tally: Tally) -> None:
    assert loaded.documents or loaded.error, "neither a document nor a reason"
    if loaded.error:
        reason = loaded.error.reason
        assert reason, "a sentence is owed"
        assert "Traceback" not in reason, reason
        tally.refused += 1
        tally.sentences.add(reason)
    elif any(each.missing for each in loaded.documents):
        tally.partial += 1
    else:
        tally.complete += 1


def _check(document: Document) -> None:
    check_blocks(document.text, document.blocks)
    profile = Profile.preset("auto-256")
    analysis = Analysis(document, segmenter="unicode")
    chunking = chunk_analysed(analysis, profile.strategy, profile.parameters, profile.model)
    check_chunking(chunking)
