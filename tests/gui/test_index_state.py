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


def test_the_workspace_asked_for_last_is_the_one_that_is_open(
    loaded: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """Several are asked for before any is there; what waited for an older one is dropped."""
    index, called = loaded.state.index, []
    index.open(tmp_path / "a", then=lambda: called.append("a"))
    index.open(tmp_path / "b", then=lambda: called.append("b"))
    index.open(None, then=lambda: called.append("b again"))
    qtbot.waitUntil(lambda: index.workspace is not None, timeout=TIMEOUT)
    assert (index.folder, index.workspace.folder) == (tmp_path / "b", tmp_path / "b")
    assert called == ["b", "b again"]
    with Workspace.open(tmp_path / "a") as left:
        assert not left.why_read_only


def test_a_folder_that_cannot_be_opened_is_not_silently_another_one(
    loaded: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    index = loaded.state.index
    index.open(tmp_path / "a")
    (tmp_path / "file").write_text("no folder")
    index.open(tmp_path / "file" / "b")
    qtbot.waitUntil(lambda: bool(index.problem), timeout=TIMEOUT)
    index.index_all()
    _wait_for_end(loaded, qtbot)
    assert index.workspace is None
    assert str(tmp_path / "file") in index.problem
    with Workspace.open(tmp_path / "a") as left:
        assert left.documents() == []


def test_switching_the_workspace_stops_a_paused_run(
    loaded: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    index = loaded.state.index
    first = index.folder
    index.index_all()
    qtbot.waitUntil(lambda: index.run is not None, timeout=TIMEOUT)
    index.pause()
    index.index_all()  # waits for its turn
    index.open(tmp_path / "other")
    _wait_for_end(loaded, qtbot)
    assert index.workspace is not None
    assert (index.workspace.folder, index.workspace.documents()) == (tmp_path / "other", [])
    with Workspace.open(first) as left:
        assert not left.why_read_only
        assert left.check().is_sound


def test_stopping_also_stops_runs_that_wait(loaded: MainWindow, qtbot: QtBot) -> None:
    index, said = loaded.state.index, []
    index.told.connect(said.append)
    for _ in range(3):
        index.index_all()
    index.cancel()
    _wait_for_end(loaded, qtbot)
    assert index.workspace is not None
    assert index.workspace.documents() == []
    assert len(said) <= 1


@pytest.mark.parametrize("is_open", [False, True])
def test_closing_at_any_moment_leaves_nothing_open(
    loaded: MainWindow, qtbot: QtBot, is_open: bool
) -> None:
    """Also while the workspace is being opened: its lock would outlive the window."""
    index = loaded.state.index
    index.index_all()
    if is_open:
        qtbot.waitUntil(lambda: index.run is not None, timeout=TIMEOUT)
        index.pause()
    loaded.close()
    with Workspace.open(index.folder) as workspace:
        assert not workspace.why_read_only
        assert workspace.check().is_sound


def test_a_file_opened_twice_is_indexed_once_as_it_is_now(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path, index = tmp_path / "note.txt", window.state.index
    for count, text in enumerate(("The first text.", "The second text."), start=1):
        path.write_text(text)
        window.state.open_paths([str(path)])
        qtbot.waitUntil(
            lambda count=count: (
                sum(entry.document is not None for entry in window.state.entries) == count
            ),
            timeout=TIMEOUT,
        )
    index.index_all()
    qtbot.waitUntil(lambda: index.report is not None, timeout=TIMEOUT)
    assert index.report is not None
    assert (index.report.added, index.report.changed) == (1, 0)
    assert index.workspace is not None
    assert index.workspace.document(str(path)).text == "The second text."
