"""Searching from the window as a person does it, with the real model and a workspace on disk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextDocument
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from chunkscope import paths
from chunkscope.core import params
from chunkscope.core.profile import Profile
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.search.options import Mode, SearchOptions
from chunkscope.core.workspace import Workspace
from chunkscope.gui.actions import index as index_actions
from chunkscope.gui.actions import search as search_actions
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.panels.search.copies import COPIES
from chunkscope.gui.panels.search.options_form import GROUPS
from chunkscope.gui.panels.search.results import ROW_ROLE
from chunkscope.gui.panels.search.snippets import Kind, snippet_of
from chunkscope.gui.passage_marks import PASSAGE, TERMS
from chunkscope.gui.settings import Settings
from chunkscope.gui.state import Status

TIMEOUT = 60_000
HOSTILE = "<img src='file:///etc/passwd'> <b>bold</b> &amp; walruses are told to sing at noon."
EMOJI = "🦭👩‍👩‍👧 " * 40 + "The lighthouse keeper polishes the brass lantern before supper.\n\n"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents of which some are awkward to show."""
    folder = tmp_path_factory.mktemp("shelf")
    (folder / "hostile.txt").write_text(HOSTILE + "\n\n" + "Quiet water. " * 30, "utf-8")
    (folder / "emoji.txt").write_text(EMOJI + "Then the ferry leaves. " * 40, "utf-8")
    for name in ("report.pdf", "handbook.md"):
        shutil.copy(paths.sample_docs() / name, folder)
    return folder


@pytest.fixture(scope="module")
def indexed(shelf: Path, tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox) -> Path:
    """A workspace in which they are indexed under two profiles, made once."""
    folder = tmp_path_factory.mktemp("indexed") / "workspace"
    with Workspace.open(folder, sandbox=sandbox) as workspace:
        small = Profile.preset("auto-256").with_values({"max_size": 96})
        for profile in (small, Profile.preset("auto-256")):
            assert not workspace.index([shelf], profile).failures
    return folder


@pytest.fixture
def searching(
    indexed: Path, tmp_path: Path, qtbot: QtBot, sandbox: Sandbox, settings: Settings
) -> Iterator[MainWindow]:
    """A window over a copy of that workspace, with an empty library."""
    shutil.copytree(indexed, tmp_path / "workspace")
    window = MainWindow(sandbox, settings)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    qtbot.waitUntil(lambda: len(window.state.index.profiles) == 2, timeout=TIMEOUT)
    yield window
    window.close()


def ask(window: MainWindow, qtbot: QtBot, query: str) -> None:
    """Type a question and press Enter."""
    search_actions.focus_box(window)
    window.search.box.clear()
    qtbot.keyClicks(window.search.box, query)
    qtbot.keyClick(window.search.box, Qt.Key.Key_Return)
    settle(window, qtbot)


def settle(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(
        lambda: not window.tasks.is_busy and not window.state.search._typing.isActive(),
        timeout=TIMEOUT,
    )


def marked(window: MainWindow, layer: str) -> list[tuple[int, int]]:
    view = window.preview.view
    found = view._layers[layer].within(0, len(view.text()))
    return list(found)


def test_three_clicks_from_the_empty_window_to_a_stitched_result(
    window: MainWindow, qtbot: QtBot
) -> None:
    qtbot.mouseClick(window.welcome.samples, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(
        lambda: (
            bool(window.state.entries)
            and all(entry.status is Status.READY for entry in window.state.entries)
        ),
        timeout=TIMEOUT,
    )
    settle(window, qtbot)
    window.menus.actions["Index library"].trigger()
    qtbot.waitUntil(lambda: window.state.index.report is not None, timeout=TIMEOUT)
    settle(window, qtbot)
    suggested = next(each for each in window.search.hint.questions if each.isVisible())
    qtbot.mouseClick(suggested, Qt.MouseButton.LeftButton)
    settle(window, qtbot)
    hit = window.state.search.hit
    assert hit is not None
    assert len(hit.stitched.parts) > 1
    assert window.search.cards.isVisible()
    assert marked(window, PASSAGE) == [(hit.chunk.start, hit.chunk.end)]


@pytest.mark.parametrize(
    ("query", "word"),
    [("brass lantern keeper", "lantern"), ("walruses sing", "walruses"), ("battery", "battery")],
)
def test_a_result_is_marked_in_the_text(
    searching: MainWindow, qtbot: QtBot, query: str, word: str
) -> None:
    ask(searching, qtbot, query)
    hit, view = searching.state.search.hit, searching.preview.view
    assert hit is not None
    assert searching.state.document is not None
    assert searching.state.document.id == hit.chunk.document_id
    assert marked(searching, PASSAGE) == [(hit.chunk.start, hit.chunk.end)]
    words = [view.text()[start:end].lower() for start, end in marked(searching, TERMS)]
    assert word in words
    # What is painted there is that word, by hit test: also behind emoji.
    start = next(
        start for start, end in marked(searching, TERMS) if view.text()[start:end].lower() == word
    )
    view.go_to(start)
    place = view.rect_of(start).center()
    assert view.offset_at(QPoint(place.x(), place.y())) == start


def test_a_page_of_a_pdf_is_told_and_marked(searching: MainWindow, qtbot: QtBot) -> None:
    ask(searching, qtbot, "Brennick water level report")
    hits = searching.state.search.result.hits if searching.state.search.result else ()
    at = next(at for at, hit in enumerate(hits) if hit.chunk.page)
    index = searching.search.model.index(at, 0)
    searching.search.cards.scrollTo(index)
    place = searching.search.cards.visualRect(index).center()
    qtbot.mouseClick(searching.search.cards.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle(searching, qtbot)
    assert searching.state.search.hit is hits[at]
    assert marked(searching, PASSAGE) == [(hits[at].chunk.start, hits[at].chunk.end)]
    low, high = searching.preview.view.visible_range()
    assert low <= hits[at].chunk.start < high
    assert searching.search.model.index(at, 3).data() in (
        f"p. {hits[at].chunk.page}", f"pp. {hits[at].chunk.page}–{hits[at].chunk.last_page}"
    )  # fmt: skip


def test_words_are_searched_while_typing_and_meaning_at_enter(
    searching: MainWindow, qtbot: QtBot
) -> None:
    search = searching.state.search
    search_actions.focus_box(searching)
    qtbot.keyClicks(searching.search.box, "brass lantern keeper")
    qtbot.waitUntil(lambda: search.result is not None, timeout=TIMEOUT)
    assert search.result is not None
    assert search.result.options.mode is Mode.LEXICAL
    assert search.hit is None
    qtbot.keyClick(searching.search.box, Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: search.result is not None and search.result.options.mode is Mode.HYBRID,
        timeout=TIMEOUT,
    )
    assert search.hit is not None


def test_everything_by_keyboard(searching: MainWindow, qtbot: QtBot) -> None:
    searching.state.search.set_options(SearchOptions(similarity_floor=0.0, lexical_floor=0.0))
    ask(searching, qtbot, "ferry")
    ask(searching, qtbot, "water level")
    panel, search = searching.search, searching.state.search
    qtbot.keyClick(panel.box, Qt.Key.Key_Up)
    qtbot.keyClick(panel.box, Qt.Key.Key_Up)
    assert panel.box.text() == "ferry"
    qtbot.keyClick(panel.box, Qt.Key.Key_Down)
    assert panel.box.text() == "water level"
    qtbot.keyClick(panel.box, Qt.Key.Key_Down)
    qtbot.keyClick(panel.box, Qt.Key.Key_Down)
    assert panel.cards.hasFocus()
    qtbot.keyClick(panel.cards, Qt.Key.Key_Down)
    assert search.selected == 1
    qtbot.keyClick(panel.cards, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert panel.box.hasFocus()
    panel.enter_results()
    qtbot.keyClick(panel.cards, Qt.Key.Key_Return)
    assert searching.preview.view.hasFocus()
    searching.menus.actions["Next result"].trigger()
    assert search.selected == 2
    qtbot.keyClick(panel.box, Qt.Key.Key_Escape)
    assert searching.preview.view.hasFocus()


def test_text_of_documents_is_only_text(searching: MainWindow, qtbot: QtBot) -> None:
    ask(searching, qtbot, "walruses sing at noon")
    hit = searching.state.search.hit
    assert hit is not None
    assert "<img" in hit.text
    index = searching.search.model.index(0, 0)
    assert index.data(ROW_ROLE) is hit
    shown = QTextDocument()
    shown.setHtml(index.data(Qt.ItemDataRole.ToolTipRole))
    assert HOSTILE in shown.toPlainText()
    assert "<img" in snippet_of(hit, 500).text
    assert all(hit.stitched.text.strip() in made(hit) for _, made in COPIES[:2])
    quoted = [line.removeprefix("> ").removeprefix(">") for line in COPIES[2][1](hit).splitlines()]
    assert "\n".join(quoted).startswith(hit.stitched.text.strip()[:60])


def test_a_snippet_marks_words_and_seams(searching: MainWindow, qtbot: QtBot) -> None:
    ask(searching, qtbot, "brass lantern")
    hit = searching.state.search.hit
    assert hit is not None
    for room in (60, 200, 2000):
        snippet = snippet_of(hit, room)
        terms = [snippet.text[s:e] for s, e, kind in snippet.stretches if kind is Kind.TERM]
        assert {term.lower() for term in terms} >= {"lantern"}
        seams = len(hit.stitched.parts) - 1
        assert len(snippet.stitches) == min(seams, 2)
        assert "  " not in snippet.text


def test_table_groups_and_copies(searching: MainWindow, qtbot: QtBot) -> None:
    ask(searching, qtbot, "water")
    panel = searching.search
    panel.dense.click()
    assert panel.table.isVisible()
    qtbot.keyClick(panel.table, Qt.Key.Key_Down)
    assert searching.state.search.selected == 1
    panel.dense.click()
    panel.groups.click()
    settle(searching, qtbot)
    result = searching.state.search.result
    assert result is not None
    assert panel.model.rowCount() == len(result.hits) + len(result.by_document)
    assert searching.state.search.hit is not None
    menu = panel.menu_of(searching.state.search.hit)
    menu.actions()[0].trigger()
    assert QGuiApplication.clipboard().text() == searching.state.search.hit.stitched.text
    menu.deleteLater()
    assert panel.cards.dragEnabled()
    assert panel.table.dragEnabled()
    dragged = panel.model.mimeData([panel.cards.currentIndex()])
    assert dragged.text() == dict(COPIES)["Copy with citation"](searching.state.search.hit)


def test_options_are_all_in_the_form_and_take_effect(searching: MainWindow, qtbot: QtBot) -> None:
    assert {name for names in GROUPS.values() for name in names} == set(
        params.declared(SearchOptions)
    )
    ask(searching, qtbot, "water")
    popup = searching.search.popup
    popup._on_edited("k", 2, False)
    settle(searching, qtbot)
    assert searching.state.search.result is not None
    assert len(searching.state.search.result.hits) == 2
    popup._on_edited("pages", ("x",), False)
    assert "pages" in popup.problem.text()
    popup.reset.click()
    assert searching.state.search.options == SearchOptions()


def test_switching_profiles_and_being_behind(searching: MainWindow, qtbot: QtBot) -> None:
    ask(searching, qtbot, "brass lantern keeper")
    search, panel = searching.state.search, searching.search
    assert search.result is not None
    newest = search.result.profile
    panel.profile.setCurrentIndex(1)
    panel.profile.activated.emit(1)
    settle(searching, qtbot)
    assert search.result is not None
    assert search.result.profile != newest
    assert panel.banner.isVisible()  # searched is another profile than the preview shows
    panel.banner.button.click()
    settle(searching, qtbot)
    assert search.result.profile == newest
    assert not panel.banner.isVisible()
    searching.state.set_profile(searching.state.profile.with_values({"max_size": 128}), "smaller")
    qtbot.waitUntil(panel.banner.isVisible, timeout=TIMEOUT)
    assert panel.banner.button.text() == "Update index"
    panel.banner.button.click()
    qtbot.waitUntil(lambda: len(searching.state.index.profiles) == 3, timeout=TIMEOUT)
    settle(searching, qtbot)
    assert not panel.banner.isVisible()
    assert search.searched_profile is not None
    assert search.result.profile == search.searched_profile.id != newest


def test_nothing_fits_is_said_plainly(searching: MainWindow, qtbot: QtBot) -> None:
    searching.search.mode.setCurrentText("lexical")
    searching.search.mode.textActivated.emit("lexical")
    ask(searching, qtbot, "xylophone quixotry")
    assert searching.search.hint.isVisible()
    assert searching.search.hint.text.text()
    assert not searching.search.hint.button.isVisible()
    searching.search.mode.textActivated.emit("semantic")
    settle(searching, qtbot)
    assert "least" in searching.search.hint.text.text()
    searching.search.hint.button.click()  # what is nearest all the same
    settle(searching, qtbot)
    assert searching.state.search.result is not None
    assert searching.state.search.result.hits


def test_searching_while_indexing(searching: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    text = "\n\n".join(f"Paragraph {at} tells of the harbour and its cranes." for at in range(300))
    searching.state.open_text(text, "harbour")
    qtbot.waitUntil(lambda: searching.state.document is not None, timeout=TIMEOUT)
    index = searching.state.index
    index_actions.index_library(searching)
    qtbot.waitUntil(lambda: index.run is not None, timeout=TIMEOUT)
    searching.search.ask("brass lantern keeper")
    qtbot.waitUntil(lambda: searching.state.search.result is not None, timeout=TIMEOUT)
    assert searching.state.search.result is not None
    assert searching.state.search.result.hits
    qtbot.waitUntil(lambda: index.report is not None, timeout=TIMEOUT)
    settle(searching, qtbot)


def is_inner(part: QWidget) -> bool:
    """Whether a part belongs to one of Qt's own."""
    above = part.parentWidget()
    while above is not None:
        if isinstance(above, QLineEdit | QComboBox | QAbstractItemView):
            return True
        above = above.parentWidget()
    return part.objectName().startswith("qt_")


def test_all_parts_have_names(searching: MainWindow) -> None:
    for kind in (QAbstractButton, QComboBox, QLineEdit, QAbstractItemView):
        for part in searching.search.findChildren(kind):
            if not is_inner(part) and part.isEnabled() and not part.isHidden():
                text = part.text() if isinstance(part, QAbstractButton) else ""
                assert part.accessibleName() or text, part


def test_scores_fill_their_bars(searching: MainWindow, qtbot: QtBot) -> None:
    ask(searching, qtbot, "lantern keeper")
    from chunkscope.gui.panels.search.channels import Scales, channels_of

    result = searching.state.search.result
    assert result is not None
    shares = np.array(
        [[c.share for c in channels_of(hit, Scales.of(result))] for hit in result.hits]
    )
    assert shares.max() <= 1.0 + 1e-6
    assert shares[:, 2].max() == pytest.approx(1.0)
