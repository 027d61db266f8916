"""What stands behind a result: explanation, context, absence, relatives, two profiles, heat."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from chunkscope import paths
from chunkscope.core.profile import Profile
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.search.options import SearchOptions
from chunkscope.core.search.templates import templates
from chunkscope.core.store.model import StoredDocument
from chunkscope.core.workspace import Workspace
from chunkscope.gui.actions import search as search_actions
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.panels.search.context import ContextPanel
from chunkscope.gui.panels.search.context_text import REPEATED, shown
from chunkscope.gui.panels.search.explain import ExplainPanel
from chunkscope.gui.panels.search.related import RelatedPanel
from chunkscope.gui.panels.search.two_profiles import TwoProfilesPanel
from chunkscope.gui.panels.search.why_not import WhyNotPanel, remedy
from chunkscope.gui.passage_marks import HEAT
from chunkscope.gui.settings import Settings

TIMEOUT = 60_000
HOSTILE = "<img src='file:///etc/passwd'> <b>bold</b> & the walrus choir sings at noon."


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox) -> Path:
    """Two profiles over a handbook, its near copy and a document full of markup."""
    shelf, folder = tmp_path_factory.mktemp("shelf"), tmp_path_factory.mktemp("index") / "w"
    handbook = (paths.sample_docs() / "handbook.md").read_text("utf-8")
    (shelf / "handbook.md").write_text(handbook, "utf-8")
    (shelf / "copy.md").write_text(handbook.replace("rain", "Rain "), "utf-8")
    (shelf / "hostile.txt").write_text(HOSTILE + "\n\n" + "Quiet water. " * 30, "utf-8")
    with Workspace.open(folder, sandbox=sandbox) as workspace:
        small = Profile.preset("auto-256").with_values({"max_size": 96})
        for profile in (small, Profile.preset("auto-256")):
            assert not workspace.index([shelf], profile).failures
    return folder


@pytest.fixture
def searching(
    indexed: Path, tmp_path: Path, qtbot: QtBot, sandbox: Sandbox, settings: Settings
) -> Iterator[MainWindow]:
    shutil.copytree(indexed, tmp_path / "workspace")
    window = MainWindow(sandbox, settings)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    qtbot.waitUntil(lambda: len(window.state.index.profiles) == 2, timeout=TIMEOUT)
    yield window
    window.close()


def ask(window: MainWindow, qtbot: QtBot, query: str) -> None:
    search_actions.focus_box(window)
    window.search.ask(query)
    settle(window, qtbot)
    assert window.state.search.hit is not None


def settle(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.tasks.is_busy, timeout=TIMEOUT)


def test_every_candidate_is_explained(searching: MainWindow, qtbot: QtBot) -> None:
    ask(searching, qtbot, "nightly check of rain stations")
    panel, search = searching.panel(ExplainPanel), searching.state.search
    search_actions.show_dock(searching, "Explain")
    assert search.result is not None
    assert panel.model.rowCount() == len(search.result.waterfall.candidates)
    panel.only_dropped.setChecked(True)
    dropped = range(panel.model.rowCount())
    assert len(dropped) == len(search.result.waterfall.candidates) - len(search.result.hits)
    assert all(panel.model.index(at, 7).data() for at in dropped)  # each with its rule
    assert "fusion" in panel.waterfall.accessibleDescription()
    assert panel.story.text().startswith("Result 1: BM25")


def test_context_keeps_its_budget_in_every_template(searching: MainWindow, qtbot: QtBot) -> None:
    ask(searching, qtbot, "walrus choir at noon")
    panel, search = searching.panel(ContextPanel), searching.state.search
    search_actions.show_dock(searching, "Context")
    for name in templates:
        panel.template.setCurrentText(name)
        panel.template.textActivated.emit(name)
        for budget in (60, 400, 8000):
            panel.budget.setValue(budget)
            settle(searching, qtbot)
            assert search.context is not None
            assert (search.context.template, search.context.budget) == (name, budget)
            assert search.context.tokens <= budget
            assert panel.view.text() == search.context.text
        if name != "xml":
            assert HOSTILE in panel.view.text()  # as text, whatever it contains
    panel.copy.click()
    assert QGuiApplication.clipboard().text() == search.context.text


def test_each_character_of_the_context_has_its_origin(
    searching: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    ask(searching, qtbot, "rain total below the median of its neighbours")
    panel, search = searching.panel(ContextPanel), searching.state.search
    search_actions.show_dock(searching, "Context")
    assert search.context is not None
    assert search.result is not None
    exact = shown(search.context, search.result)
    assert exact.text == search.context.text
    assert [part.end for part in exact.parts[:-1]] == [part.start for part in exact.parts[1:]]
    notes = {panel.view.shown.part_at(at).note[:6] for at in range(0, len(exact.text), 7)}  # type: ignore[union-attr]
    assert {"Result", "Attrib"} <= notes
    panel.view.go_to(exact.spans("hit")[0][0])
    place = panel.view.rect_of(exact.spans("hit")[0][0]).center()
    assert panel.view.tool_tip_at(QPoint(place.x(), place.y())).startswith("Result")
    panel.save_to(tmp_path / "context.txt")
    assert (tmp_path / "context.txt").read_text("utf-8") == search.context.text


def test_removed_repeats_are_shown_on_demand(searching: MainWindow, qtbot: QtBot) -> None:
    searching.state.search.set_options(
        SearchOptions(neighbours=2, similarity_floor=0.0, lexical_floor=0.0)
    )
    ask(searching, qtbot, "rain total below the median of its neighbours")
    panel, search = searching.panel(ContextPanel), searching.state.search
    assert search.context is not None
    assert search.context.repeats
    assert not panel.view.shown.spans(REPEATED)
    panel.repeats.setChecked(True)
    struck = panel.view.shown.spans(REPEATED)
    assert struck
    assert all(panel.view.shown.text[start:end].strip() for start, end in struck)


def test_why_not_and_the_setting_that_brings_it_in(searching: MainWindow, qtbot: QtBot) -> None:
    searching.state.search.set_options(SearchOptions(k=1, neighbours=0))
    ask(searching, qtbot, "walrus choir at noon")
    panel, search = searching.panel(WhyNotPanel), searching.state.search
    search.show_span(next(d.id for d in _documents(searching) if d.title != "hostile.txt"), 0, 0)
    settle(searching, qtbot)
    view = searching.preview.view
    view.set_selection(1000, 1100)
    searching.menus.actions["Why is this not found?"].trigger()
    settle(searching, qtbot)
    assert search.why_not is not None
    assert search.why_not.chunks
    assert not search.why_not.is_shown
    assert panel.remedies
    texts = [label.text() for label in panel.widget().findChildren(QLabel)]
    assert any("What beat it" in text for text in texts)
    assert all(
        label.textFormat() is Qt.TextFormat.PlainText
        for label in panel.widget().findChildren(QLabel)
    )
    before = search.options
    panel.remedies[0].click()
    settle(searching, qtbot)
    assert search.options != before
    again = searching.state.index.workspace
    assert again is not None
    found = search.why_not
    hits = again.search(search.query, "", search.options).hits
    assert any(
        hit.chunk.document_id == found.document_id
        and hit.chunk.start < found.end
        and found.start < hit.chunk.end
        for hit in hits
    )


def _documents(window: MainWindow) -> list[StoredDocument]:
    workspace = window.state.index.workspace
    assert workspace is not None
    return workspace.documents()


@pytest.mark.parametrize(
    ("advice", "changed"),
    [
        ("k=17 would show it (now 10); the context up to it has 900 tokens.", {"k": 17}),
        ("Nothing at all; similarity_floor=0.12 would let it through.", {"similarity_floor": 0.12}),
        ("show_repeats=true would show it beside the passage.", {"show_repeats": True}),
        ("Lift the filter: only in a.txt.", {"documents": ()}),
    ],
)
def test_advice_becomes_a_button(advice: str, changed: dict[str, object]) -> None:
    options = SearchOptions(documents=("a.txt",))
    found = remedy(advice, options)
    assert found is not None
    assert found[1] == replace(options, **changed)  # type: ignore[arg-type]
    assert remedy("It has none of the query's words.", options) is None


def test_relatives_of_a_chunk_and_near_duplicates(searching: MainWindow, qtbot: QtBot) -> None:
    search_actions.show_dock(searching, "Related")
    ask(searching, qtbot, "rain total below the median of its neighbours")
    panel = searching.panel(RelatedPanel)
    qtbot.waitUntil(lambda: panel.chunks.count() > 0, timeout=TIMEOUT)
    settle(searching, qtbot)
    lines = [panel.documents.item(at).text() for at in range(panel.documents.count())]
    assert any("nearly the same" in line for line in lines)
    item = panel.chunks.item(0)
    panel.chunks.itemClicked.emit(item)
    settle(searching, qtbot)
    document_id, start, end = item.data(Qt.ItemDataRole.UserRole + 1)
    assert searching.state.document is not None
    assert searching.state.document.id == document_id
    low, high = searching.preview.view.visible_range()
    assert low <= start < high
    assert (start, end) in list(searching.preview.view._layers["revealed"].within(0, 1 << 30))


def test_two_profiles_answer_one_query(searching: MainWindow, qtbot: QtBot) -> None:
    search_actions.show_dock(searching, "Two profiles")
    ask(searching, qtbot, "rain total below the median of its neighbours")
    panel = searching.panel(TwoProfilesPanel)
    qtbot.waitUntil(lambda: panel.model.rowCount() > 0, timeout=TIMEOUT)
    assert panel.left.currentData() != panel.right.currentData()
    first = panel.model.line(0)
    assert first.left or first.right
    assert "found by both" in panel.summary.text()
    for at in range(panel.model.rowCount()):
        line, left, right = panel.model.line(at), panel.model.hit(at, 1), panel.model.hit(at, 4)
        assert (left is not None) == bool(line.left)
        assert (right is not None) == bool(line.right)
        if left and right:
            assert left.chunk.document_id == right.chunk.document_id
            assert left.chunk.start < right.chunk.end
            assert right.chunk.start < left.chunk.end


def test_heat_is_a_layer_that_can_be_switched(searching: MainWindow, qtbot: QtBot) -> None:
    ask(searching, qtbot, "walrus choir at noon")
    search, view = searching.state.search, searching.preview.view
    search_actions.toggle_heat(searching)
    settle(searching, qtbot)
    hottest = list(view._layers[HEAT[-1]].within(0, len(view.text())))
    words = {view.text()[start:end].strip(".,") for start, end in hottest}
    assert words & {"walrus", "choir", "noon"}
    assert searching.panel(ExplainPanel).heat.isChecked()
    search_actions.toggle_heat(searching)
    assert not set(view._layers) & set(HEAT)
    assert search.heat == ()
