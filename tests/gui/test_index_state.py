"""Indexing from the window: states of documents, pausing, stopping, with the real model."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from chunkscope import paths
from chunkscope.core.workspace import Standing, Workspace
from chunkscope.gui.changes import IndexChange
from chunkscope.gui.main_window import MainWindow

TIMEOUT = 60_000


@pytest.fixture
def loaded(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """Three sample documents in the library."""
    chosen = ["story.txt", "handbook.md", "report.pdf"]
    window.state.open_paths([str(paths.sample_docs() / name) for name in chosen])
    qtbot.waitUntil(
        lambda: sum(entry.document is not None for entry in window.state.entries) == 3,
        timeout=TIMEOUT,
    )
    return window


def _wait_for_end(window: MainWindow, qtbot: QtBot) -> None:
    index = window.state.index
    qtbot.waitUntil(lambda: index.run is None and not window.tasks.is_busy, timeout=TIMEOUT)


def test_index_and_see_it(loaded: MainWindow, qtbot: QtBot) -> None:
    index = loaded.state.index
    seen: set[str] = set()
    ids = [entry.document.id for entry in loaded.state.entries if entry.document]
    index.changed.connect(lambda _: seen.update(index.status(each) for each in ids))
    index.index_all()
    qtbot.waitUntil(lambda: index.report is not None, timeout=TIMEOUT)
    _wait_for_end(loaded, qtbot)
    assert {index.stands[each].standing for each in ids} == {Standing.INDEXED}
    assert "queued" in seen
    assert any(status.startswith("embedding") for status in seen)
    assert not index.is_behind
    assert [stored.name for stored in index.profiles] == ["auto-256"]
    loaded.state.set_profile(loaded.state.profile.with_values({"max_size": 128}), "smaller")
    qtbot.waitUntil(lambda: index.is_behind, timeout=TIMEOUT)
    assert index.status(ids[0]) == Standing.PROFILE_CHANGED


def test_pause_and_stop_leave_a_sound_workspace(loaded: MainWindow, qtbot: QtBot) -> None:
    index = loaded.state.index

    def on_changed(change: IndexChange) -> None:
        if IndexChange.RUN in change and index.run and index.run.shares:
            index.pause()

    index.changed.connect(on_changed)
    index.index_all()
    qtbot.waitUntil(lambda: index.run is not None and index.run.is_paused, timeout=TIMEOUT)
    index.changed.disconnect(on_changed)
    index.cancel()
    _wait_for_end(loaded, qtbot)
    folder: Path = index.folder
    index.close()
    with Workspace.open(folder, create=False) as workspace:
        assert workspace.check().is_sound


def test_documents_are_indexed_as_they_come(window: MainWindow, qtbot: QtBot) -> None:
    index = window.state.index
    index.indexes_at_once = True
    window.state.open_text("The tide mill grinds at dusk. " * 20, "note")
    qtbot.waitUntil(lambda: index.report is not None, timeout=TIMEOUT)
    _wait_for_end(window, qtbot)
    assert [stand.standing for stand in index.stands.values()] == [Standing.INDEXED]
