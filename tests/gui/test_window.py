"""The window as a person uses it: drop, look, turn the knobs, step, undo, compare."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from chunkscope import paths
from chunkscope.core.chunking.strategies import strategies
from chunkscope.core.profile import Profile
from chunkscope.core.sandbox import Sandbox
from chunkscope.gui.actions import chunks, profiles, view
from chunkscope.gui.forms import NumberField
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.models.library import LibraryModel
from chunkscope.gui.panels.presets_table import PresetsDialog
from chunkscope.gui.settings import Settings
from chunkscope.gui.state import Entry, Status

HANDBOOK = paths.sample_docs() / "handbook.md"
STORY = paths.sample_docs() / "story.txt"


def drop(window: MainWindow, data: QMimeData) -> None:
    event = QDropEvent(
        QPointF(400, 300),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)


def drop_files(window: MainWindow, *files: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    drop(window, data)


def shown(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the current document is cut by the current profile."""
    qtbot.waitUntil(
        lambda: (
            window.state.preview is not None
            and window.state.preview.profile == window.state.profile
            and window.state.preview.key == window.state.current
            and not window.tasks.is_busy
        ),
        timeout=30_000,
    )


@pytest.fixture
def story(window: MainWindow, qtbot: QtBot) -> MainWindow:
    drop_files(window, STORY)
    shown(window, qtbot)
    return window


def field(window: MainWindow, name: str) -> NumberField:
    found = window.parameters._fields[name]
    assert isinstance(found, NumberField)
    return found


def test_an_empty_window_offers_the_samples(window: MainWindow, qtbot: QtBot) -> None:
    assert window.pages.currentWidget() is window.welcome
    button = next(
        b for b in window.welcome.children() if getattr(b, "text", str)().startswith("Open the")
    )
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)  # type: ignore[arg-type]
    shown(window, qtbot)
    ready = [entry for entry in window.state.entries if entry.status is Status.READY]
    assert len(ready) >= len(list(paths.sample_docs().iterdir()))
    assert window.pages.currentWidget() is window.preview


def test_dropped_files_are_shown_and_cut(window: MainWindow, qtbot: QtBot) -> None:
    drop_files(window, HANDBOOK, STORY)
    shown(window, qtbot)
    assert window.library.model.rowCount() == 2
    assert window.state.preview is not None
    assert len(window.state.preview.bands) > 5
    assert "chunks" in window.status.summary.text()


def test_dropped_text_is_a_document(window: MainWindow, qtbot: QtBot) -> None:
    data = QMimeData()
    data.setText("Just a sentence. And another.")
    drop(window, data)
    shown(window, qtbot)
    assert window.state.document is not None
    assert window.state.document.text == "Just a sentence. And another."


def test_a_bad_file_says_why_in_its_place(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    bad = tmp_path / "broken.docx"
    bad.write_bytes(b"PK\x03\x04nonsense")
    drop_files(window, bad, STORY)
    shown(window, qtbot)
    failed = [entry for entry in window.state.entries if entry.status is Status.FAILED]
    assert len(failed) == 1
    assert failed[0].error
    index = window.library.model.index(window.library.model.row_of(failed[0].key))
    assert failed[0].error in window.library.model.data(index, Qt.ItemDataRole.AccessibleTextRole)


def test_the_cut_follows_the_slider(story: MainWindow, qtbot: QtBot) -> None:
    assert story.state.preview is not None
    before = len(story.state.preview.bands)
    slider = field(story, "max_size").slider
    slider.setSliderDown(True)
    for step in range(slider.value(), slider.value() - 120, -10):
        slider.setValue(step)
    slider.setSliderDown(False)
    shown(story, qtbot)
    assert len(story.state.preview.bands) > before
    assert story.state.undo_stack.count() == 1, "a drag is one step"
    story.menus.actions["Undo"].trigger()
    shown(story, qtbot)
    assert len(story.state.preview.bands) == before
    assert field(story, "max_size").spin.value() == 256
    story.menus.actions["Redo"].trigger()
    shown(story, qtbot)
    assert len(story.state.preview.bands) > before


def test_what_cannot_be_is_not_set_and_says_why(story: MainWindow, qtbot: QtBot) -> None:
    field(story, "overlap").spin.setValue(9_999)
    assert "overlap must be under max_size (256)" in story.parameters._problem.text()
    assert field(story, "overlap").spin.value() == 0
    assert dict(story.state.profile.parameters.values())["overlap"] == 0


@pytest.mark.parametrize("name", list(strategies))
def test_every_strategy_has_its_form(story: MainWindow, qtbot: QtBot, name: str) -> None:
    story.parameters._strategies.setCurrentText(name)
    story.parameters._strategies.textActivated.emit(name)
    shown(story, qtbot)
    assert story.state.profile.strategy == name
    values = dict(story.state.profile.parameters.values())
    assert set(story.parameters._fields) == set(values)
    assert all(
        part.accessibleName()
        for part in story.parameters._fields["max_size"].findChildren(NumberField)
    )


def test_presets_and_the_changed_mark(story: MainWindow, qtbot: QtBot) -> None:
    story.parameters._presets.textActivated.emit("chunk-first")
    shown(story, qtbot)
    assert story.state.profile == Profile.preset("chunk-first")
    assert "•" in story.windowTitle()
    profiles.reset(story)
    assert "•" not in story.windowTitle()


def test_a_click_on_a_band_selects_its_chunk(story: MainWindow, qtbot: QtBot) -> None:
    shown_text = story.preview.view
    assert story.state.preview is not None
    second = int(story.state.preview.bands.starts[1])
    shown_text.go_to(second + 5)
    place = shown_text.rect_of(second + 5).center()
    qtbot.mouseClick(
        shown_text.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place.x(), place.y())
    )
    assert story.state.selected == 1
    assert story.inspector.chunk is not None
    assert story.inspector.chunk.index == 1
    assert story.inspector.text.toPlainText().startswith(story.inspector.chunk.text[:40])
    qtbot.mouseClick(story.inspector.buttons[0], Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == story.inspector.chunk.text


def test_keys_step_through_chunks(story: MainWindow, qtbot: QtBot) -> None:
    story.state.select_chunk(0)
    story.menus.actions["Next chunk"].trigger()
    story.menus.actions["Next chunk"].trigger()
    assert story.state.selected == 2
    story.menus.actions["Previous chunk"].trigger()
    assert story.state.selected == 1


def test_a_figure_pressed_while_the_library_is_emptied(story: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: any(each.chunks for each in story.statistics.figures))
    label = next(figure.label for figure in story.statistics.figures if figure.chunks)
    buttons = story.statistics.findChildren(QPushButton, "figure")
    button = next(each for each in buttons if each.accessibleName() == label)
    with qtbot.captureExceptions() as problems:
        story.state.remove([entry.key for entry in story.state.entries])
        button.click()
    assert problems == []


def test_figures_step_through_their_chunks(story: MainWindow, qtbot: QtBot) -> None:
    profiles.use(story, Profile.of("character", max_size=400, min_size=0))
    shown(story, qtbot)
    qtbot.waitUntil(lambda: not story.statistics.is_behind)
    row, figure = next(
        (row, figure)
        for row, figure in enumerate(story.statistics.figures)
        if figure.label == "cuts inside a sentence"
    )
    assert len(figure.chunks) > 2
    story.statistics._on_figure(row)
    assert story.state.selected == figure.chunks[0]
    story.statistics._on_figure(row)
    assert story.state.selected == figure.chunks[1]
    assert story.statistics.proof_button.text().startswith("✓")


def test_find_marks_all_hits(story: MainWindow, qtbot: QtBot) -> None:
    story.menus.actions["Find in text"].trigger()
    qtbot.keyClicks(story.preview.find_bar.box, "the")
    assert story.state.document is not None
    expected = story.state.document.text.lower().count("the")
    qtbot.waitUntil(lambda: len(story.preview.hits) == expected)
    first = story.preview._hit
    qtbot.keyClick(story.preview.find_bar.box, Qt.Key.Key_Return)
    assert story.preview._hit == (first + 1) % expected


def test_lanes_show_profiles_side_by_side(story: MainWindow, qtbot: QtBot) -> None:
    chunks.add_lane(story)
    profiles.use(story, Profile.preset("characters-1200"))
    chunks.add_lane(story)
    qtbot.waitUntil(lambda: all(lane.figures for lane in story.comparison.lanes), timeout=20_000)
    assert story.pages.currentWidget() is story.comparison
    first, second = story.comparison.lanes
    assert "moved" in second.figures["cuts"].text()
    assert list(first.figures) == list(second.figures), "side by side"
    assert int(story.comparison.differences.text().split()[0]) == len(second.changed_cuts) > 5
    first.view.scroll_by(2_000)
    assert abs(second.view.top_offset() - first.view.top_offset()) < 200, "they scroll together"
    story.comparison.step(1)
    cut = story.comparison._place
    assert cut in second.changed_cuts
    assert not second.view.rect_of(cut).isEmpty()
    story.comparison.chosen.emit(story.comparison.lanes[0].profile)
    assert story.state.profile == Profile.preset("auto-256")
    story.comparison.remove_lane(story.comparison.lanes[0])
    story.comparison.remove_lane(story.comparison.lanes[0])
    assert story.pages.currentWidget() is story.preview


def test_all_presets_fill_a_table(story: MainWindow, qtbot: QtBot) -> None:
    chunks.try_presets(story)
    dialog = next(child for child in story.children() if isinstance(child, PresetsDialog))
    qtbot.waitUntil(lambda: dialog.model.rowCount() == 8, timeout=30_000)
    dialog.table.selectRow(3)
    shown(story, qtbot)
    dialog.close()


def test_removing_documents(window: MainWindow, qtbot: QtBot) -> None:
    drop_files(window, HANDBOOK, STORY)
    shown(window, qtbot)
    window.state.remove([entry.key for entry in window.state.entries])
    assert window.pages.currentWidget() is window.welcome
    assert window.state.document is None


def test_themes_wrap_and_zoom_are_remembered(
    window: MainWindow, settings: Settings, sandbox: Sandbox, qtbot: QtBot
) -> None:
    window.menus.actions["Theme dark"].trigger()
    window.menus.actions["Wrap lines"].setChecked(False)
    view.zoom(window, 1)
    profiles.use(window, Profile.preset("chunk-first"))
    window.close()
    again = MainWindow(sandbox, settings)
    qtbot.addWidget(again)
    assert settings.theme() == "dark"
    assert not settings.wraps()
    assert again.preview.view.zoom() > 1.0
    assert again.state.profile == Profile.preset("chunk-first")
    again.close()


def test_closing_while_work_runs_asks_nothing(window: MainWindow, qtbot: QtBot) -> None:
    drop_files(window, *paths.sample_docs().iterdir())
    window.close()
    assert not window.isVisible()


def test_every_action_has_a_name_and_keys_are_listed_once(window: MainWindow) -> None:
    keys = [key for _, key in window.menus.shortcuts()]
    assert len(keys) == len(set(keys))
    assert len(keys) > 15


def test_the_library_model_holds_qt_rules(qtmodeltester: object, qtbot: QtBot) -> None:
    model = LibraryModel()
    model.set_rows([Entry(1, "a.txt", Status.LOADING), Entry(2, "b.txt", Status.FAILED, error="x")])
    qtmodeltester.check(model)  # type: ignore[attr-defined]
    model.set_rows([Entry(2, "b.txt", Status.FAILED, error="x")])
    assert model.row_of(2) == 0
