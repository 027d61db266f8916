"""The short form of tests/campaigns/memory.py: what is removed from the library is not kept."""

from __future__ import annotations

import gc
from pathlib import Path

from pytestqt.qtbot import QtBot

from chunkscope.core.model import Document
from chunkscope.gui.actions import documents
from chunkscope.gui.main_window import MainWindow


def test_removed_documents_are_let_go_of(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """Their text, their analysis, their chunks: none of it may be held by a cache or a panel."""
    state = window.state
    for number in range(3):
        path = tmp_path / f"text{number}.txt"
        path.write_text(f"Sentence {number} of many. " * 4_000)
        state.open_paths([str(path)])
    qtbot.waitUntil(
        lambda: sum(entry.document is not None for entry in state.entries) == 3, timeout=60_000
    )
    # A row that said "loading" may still stand there for a moment.
    for key in [entry.key for entry in state.entries if entry.document is not None]:
        state.show_document(key)
        qtbot.waitUntil(
            lambda: state.preview is not None and not window.tasks.is_busy, timeout=60_000
        )
    state.remove([entry.key for entry in state.entries])
    qtbot.waitUntil(lambda: not window.tasks.is_busy and not _held(tmp_path), timeout=10_000)


def test_a_clipboard_that_gives_nothing_is_said_to_hold_nothing(window: MainWindow) -> None:
    assert not documents.take(window, None)
    assert window.state.entries == []


def _held(folder: Path) -> list[Document]:
    gc.collect()
    return [
        each for each in gc.get_objects()
        if type(each) is Document and each.source.startswith(str(folder))
    ]  # fmt: skip
