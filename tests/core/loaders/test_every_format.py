"""Promises that hold for every format: over the samples, and over real odd documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunkscope import paths
from chunkscope.core.loaders.every import formats
from chunkscope.core.loaders.files import load_file, load_paths
from chunkscope.core.sandbox import Sandbox
from support.invariants import check_blocks

SAMPLES = sorted(path.name for path in paths.sample_docs().iterdir())
EXACT = {"text/plain", "text/markdown", "text/csv", "application/json", "text/x-python"}


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_load_completely_and_alike_each_time(name: str, sandbox: Sandbox) -> None:
    path = paths.sample_docs() / name
    first, again = (load_file(path, sandbox) for _ in range(2))
    assert first.error is None
    assert first == again
    for document in first.documents:
        for inner in document.with_children():
            check_blocks(inner.text, inner.blocks)
            assert inner.state == "complete", inner.missing
            assert len(inner.blocks) > 0
        if document.media_type in EXACT:
            raw = path.read_bytes().decode("utf-8").removeprefix("\ufeff")
            assert document.text == raw.replace("\r\n", "\n").replace("\r", "\n")


def test_samples_cover_the_formats_people_have(sandbox: Sandbox) -> None:
    kinds = {
        document.media_type
        for result in load_paths([paths.sample_docs()], sandbox)
        for document in result.documents
    }
    assert kinds >= {
        "text/plain",
        "text/markdown",
        "text/html",
        "application/pdf",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "message/rfc822",
        "text/x-chat",
        "text/x-python",
        "text/csv",
        "application/json",
    }
    assert len(formats) >= 14


def test_every_shared_document_gives_text_or_a_sentence(
    shared_data: Path, sandbox: Sandbox
) -> None:
    folder = shared_data / "documents"
    failures = {}
    loaded = 0
    for result in load_paths([folder], sandbox):
        for document in result.documents:
            for inner in document.with_children():
                check_blocks(inner.text, inner.blocks)
                loaded += 1
        if result.error:
            failures[Path(result.source).name] = result.error.reason
    assert loaded > 250
    for name, reason in failures.items():
        assert "could not be parsed" not in reason, (name, reason)  # an exception, not a sentence
        assert "crashed" not in reason, (name, reason)
        assert "stopped" not in reason, (name, reason)
