"""The state that the library shows: indexed, stale and why, failed and why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from chunkscope.core.profile import Profile
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.workspace import Standing, Workspace, load_paths
from support.hashing import HashingEmbedder

PROFILE = replace(Profile.preset("auto-256"), embedder="hashing")


def _loaded(files: Path, sandbox: Sandbox) -> dict[str, str]:
    found = load_paths([files], sandbox)
    every = (each for loaded in found for document in loaded.documents
             for each in document.with_children())  # fmt: skip
    return {document.id: document.content_hash for document in every}


def _standings(workspace: Workspace, documents: dict[str, str], profile: Profile) -> set[Standing]:
    return {stand.standing for stand in workspace.stands(documents, profile).values()}


def test_before_and_after_indexing(workspace: Workspace, files: Path, sandbox: Sandbox) -> None:
    documents = _loaded(files, sandbox)
    assert _standings(workspace, documents, PROFILE) == {Standing.NOT_INDEXED}
    workspace.index([files], PROFILE)
    stands = workspace.stands(documents, PROFILE)
    assert {stand.standing for stand in stands.values()} == {Standing.INDEXED}
    assert all(stand.chunks for stand in stands.values())


def test_stale_says_what_changed(
    workspace: Workspace, files: Path, sandbox: Sandbox, embedder: HashingEmbedder
) -> None:
    documents = _loaded(files, sandbox)
    workspace.index([files], PROFILE)
    edited = dict.fromkeys(documents, "0" * 64)
    assert _standings(workspace, edited, PROFILE) == {Standing.TEXT_CHANGED}
    smaller = PROFILE.with_values({"max_size": 100})
    assert _standings(workspace, documents, smaller) == {Standing.PROFILE_CHANGED}
    embedder.version = "hashing-2"
    assert _standings(workspace, documents, PROFILE) == {Standing.MODEL_CHANGED}
    assert all(standing.is_stale for standing in _standings(workspace, documents, PROFILE))


def test_a_failure_is_told(workspace: Workspace, files: Path, sandbox: Sandbox) -> None:
    bad = files / "bad.pdf"
    bad.write_bytes(b"%PDF-1.7 nothing else")
    workspace.index([files], PROFILE)
    stand = workspace.stands({str(bad): ""}, PROFILE)[str(bad)]
    assert stand.standing is Standing.FAILED
    assert stand.reason
