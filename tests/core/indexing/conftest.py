"""Workspaces with the small embedder, over folders of text files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chunkscope.core.sandbox import Sandbox
from chunkscope.core.workspace import Workspace
from support.hashing import HashingEmbedder


@pytest.fixture
def embedder() -> HashingEmbedder:
    return HashingEmbedder()


@pytest.fixture
def workspace(tmp_path: Path, embedder: HashingEmbedder, sandbox: Sandbox) -> Iterator[Workspace]:
    with Workspace.open(
        tmp_path / "workspace", embedders=lambda _: embedder, sandbox=sandbox
    ) as opened:
        yield opened


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a story, a list, a note and a mail with an attachment."""
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "story.md").write_text(
        "# The Lamp\n\n" + "The keeper lit the lamp at dusk and slept. " * 40
        + "\n\n## Morning\n\n" + "Gulls came with the boats and the fish. " * 40,
        "utf-8",
    )  # fmt: skip
    (folder / "list.txt").write_text("\n\n".join(f"Item {n} is sold." for n in range(80)), "utf-8")
    (folder / "note.txt").write_text("Ring the bell. Then wait.", "utf-8")
    (folder / "mail.eml").write_text(
        "From: a@example.org\nTo: b@example.org\nSubject: Plan\nMIME-Version: 1.0\n"
        'Content-Type: multipart/mixed; boundary="x"\n\n--x\nContent-Type: text/plain\n\n'
        "The plan is attached, please read it with care.\n--x\nContent-Type: text/plain\n"
        'Content-Disposition: attachment; filename="plan.txt"\n\n'
        "First the roof is mended. Then the windows are painted green.\n--x--\n",
        "utf-8",
    )  # fmt: skip
    return folder
