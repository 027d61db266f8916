"""A tuning session as a person has it: label, sweep, read, apply; stop and go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QSortFilterProxyModel, Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from chunkscope import paths
from chunkscope.core.evaluation.live import Fate
from chunkscope.core.evaluation.query_set import Passage, QueryClass, QuerySet, Question
from chunkscope.core.profile import Profile
from chunkscope.gui.actions import documents, profiles, view
from chunkscope.gui.actions import tuning as actions
from chunkscope.gui.changes import TuningChange
from chunkscope.gui.label_state import sample_questions
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.panels.tuning.leaderboard_model import NAME
from chunkscope.gui.panels.tuning.page import TuningPage
from chunkscope.gui.panels.tuning.plot_data import Kind
from chunkscope.gui.panels.tuning.tables import ROW_ROLE

HANDBOOK = paths.sample_docs() / "handbook.md"
STORY = paths.sample_docs() / "story.txt"
ANSWER = "Nobody works on a mast alone."
GRID = {
    "strategy": ["sentence", "token-window"],
    "max_size": [64, 256],
    "mode": ["lexical", "hybrid"],
    "embedder": ["instant"],
}


def settle(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.tasks.is_busy, timeout=60_000)


@pytest.fixture
def library(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """Two samples, and vectors that stay in memory."""
    window.state.tuning.cache = None
    documents.open_paths(window, [str(HANDBOOK), str(STORY)])
    settle(window, qtbot)
    key = next(e.key for e in window.state.entries if e.source.endswith("handbook.md"))
    window.state.show_document(key)
    settle(window, qtbot)
    return window


@pytest.fixture
def asked(library: MainWindow, qtbot: QtBot) -> MainWindow:
    """With the sample questions and a small sweep."""
    library.state.tuning.labels.add_samples()
    library.state.tuning.set_table({"name": "small", "grid": GRID})
    settle(library, qtbot)
    return library


def select(window: MainWindow, text: str) -> None:
    assert window.state.document is not None
    start = window.state.document.text.index(text)
    window.preview.view.set_selection(start, start + len(text))


def swept(window: MainWindow, qtbot: QtBot) -> TuningPage:
    page = actions.show(window)
    window.state.tuning.start()
    qtbot.waitUntil(lambda: window.state.tuning.found is not None, timeout=60_000)
    settle(window, qtbot)
    return page


def test_a_whole_session(library: MainWindow, qtbot: QtBot) -> None:
    labels, tuning = library.state.tuning.labels, library.state.tuning
    select(library, f"{ANSWER} ")
    dialog = actions.label_selection(library)
    assert dialog is not None
    qtbot.keyClicks(dialog.text, "May one climb a mast without a colleague?")
    dialog.accept()
    (question,) = labels.queries
    assert question.kind is QueryClass.PARAPHRASE
    assert [each.text for each in question.expected] == [ANSWER]  # without the blanks around it
    assert question.expected[0].document == "handbook.md"
    labels.add_samples()
    tuning.set_table({"name": "small", "grid": GRID})
    settle(library, qtbot)
    assert tuning.plan is not None
    assert len(tuning.plan.configurations) == 8

    page = swept(library, qtbot)
    assert page.leaderboard.model.rowCount() == 8
    best = page.leaderboard.proxy.index(0, 0).data(ROW_ROLE)
    headline = page.leaderboard.model.headline
    assert best.mean(headline) == max(row.mean(headline) for row in tuning.rows)
    assert page.sentence.text()
    assert "winner" in page.sentence.text() or "wins" in page.sentence.text()
    before = library.state.profile
    page.leaderboard.apply.click()
    assert library.state.profile.parameters == best.configuration.profile.parameters
    library.state.undo_stack.undo()
    assert library.state.profile == before


def test_three_clicks_from_the_samples_to_a_result(window: MainWindow, qtbot: QtBot) -> None:
    window.state.tuning.cache = None
    window.state.tuning.set_table({"name": "small", "grid": {**GRID, "max_size": [128]}})
    actions.use_samples(window)  # opens the samples too
    settle(window, qtbot)
    page = actions.page_of(window)
    assert page.start.isEnabled(), window.state.tuning.why_not
    qtbot.mouseClick(page.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.state.tuning.found is not None, timeout=60_000)
    assert page.tabs.currentWidget() is page.results
    assert not [each for each in window.state.tuning.labels.findings if each.blocks]


def test_stopping_keeps_what_is_done_and_a_start_goes_on(asked: MainWindow, qtbot: QtBot) -> None:
    tuning = asked.state.tuning
    page = actions.show(asked)

    def stop(change: TuningChange) -> None:
        if TuningChange.ROWS in change and len(tuning.rows) >= 3 and tuning.running:
            tuning.cancel()

    tuning.changed.connect(stop)
    tuning.start()
    settle(asked, qtbot)
    tuning.changed.disconnect(stop)
    assert tuning.found is not None
    done = {row.configuration.key: row.seconds for row in tuning.rows}
    assert 3 <= len(done) < 8
    assert not tuning.found.run.is_complete
    assert "Resume" in page.start.text().replace("&", "")
    assert "Stopped before the end" in page.sentence.text()
    tuning.start()
    settle(asked, qtbot)
    assert tuning.found.run.is_complete
    assert len(tuning.rows) == 8
    # The rows that were done are the same ones, with the time that they took then.
    again = {row.configuration.key: row.seconds for row in tuning.rows}
    assert all(again[key] == seconds for key, seconds in done.items())


def test_live_measures_follow_the_slider(asked: MainWindow, qtbot: QtBot) -> None:
    labels = asked.state.tuning.labels
    profiles.use(asked, Profile.of("sentence", max_size=2000, overlap=0))
    settle(asked, qtbot)
    assert labels.live is not None
    assert labels.live.count(Fate.WHOLE) == len(labels.live.passages)
    figures = asked.statistics.live
    assert figures.isVisibleTo(asked.statistics)
    before = figures.values[0].text()
    slider = asked.parameters._fields["max_size"].slider  # type: ignore[attr-defined]
    slider.setSliderDown(True)
    for step in range(slider.value(), 300, -25):
        slider.setValue(step)
    slider.setSliderDown(False)
    settle(asked, qtbot)
    assert labels.live.count(Fate.SPLIT) > 0
    assert figures.values[0].text() != before
    layers = asked.preview.view._layers
    assert layers["gold split"].style != layers["gold whole"].style
    figures.switch.click()
    assert not [name for name in layers if name.startswith("gold")]


def test_labels_are_kept_and_come_back(library: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    labels = library.state.tuning.labels
    assert library.state.document is not None
    labels.label("Who climbs alone?", library.state.document, 10, 60)
    settle(library, qtbot)
    assert labels.file is not None
    (line,) = labels.file.read_text("utf-8").splitlines()
    assert json.loads(line)["question"] == "Who climbs alone?"
    kept, labels.folder = labels.folder, None
    labels.apply(QuerySet())
    assert kept is not None
    labels.open_folder(kept)
    settle(library, qtbot)
    assert [each.text for each in labels.queries] == ["Who climbs alone?"]


def test_the_docks_come_back_after_the_page(library: MainWindow, qtbot: QtBot) -> None:
    open_before = {name for name, dock in library.docks.items() if dock.isVisible()}
    page = actions.show(library)
    assert not any(dock.isVisible() for dock in library.docks.values())
    page.closed.emit()
    assert {name for name, dock in library.docks.items() if dock.isVisible()} == open_before
    actions.show(library)
    library.close()  # what is kept for the next start has the docks as well
    _, layout = library.settings.geometry()
    assert layout is not None
    library.restoreState(layout)
    library.show()
    assert {name for name, dock in library.docks.items() if dock.isVisible()} == open_before


def test_a_result_is_marked_right_and_wrong(library: MainWindow) -> None:
    labels, document = library.state.tuning.labels, library.state.document
    assert document is not None
    labels.mark("Who?", document, 100, 180, is_right=True)
    labels.mark("Who?", document, 400, 480, is_right=True)
    labels.mark_result("Who?", document.id, 700, 780, is_right=True)
    labels.mark_result("Who?", document.id, 700, 780, is_right=False)
    (question,) = labels.queries
    assert [(each.start, each.end) for each in question.expected] == [(100, 180), (400, 480)]
    labels.mark("Who?", document, 120, 130, is_right=False)
    (question,) = labels.queries
    assert [each.start for each in question.expected] == [400]
    labels.mark("Who?", document, 390, 420, is_right=False)
    (question,) = labels.queries
    assert question.kind is QueryClass.NEGATIVE
    library.state.undo_stack.undo()
    (question,) = labels.queries
    assert [each.start for each in question.expected] == [400]


def test_troubles_are_shown_and_repairs_accepted(library: MainWindow, qtbot: QtBot) -> None:
    page = actions.show(library)
    labels, document = library.state.tuning.labels, library.state.document
    assert document is not None
    start = document.text.index(ANSWER)
    moved = Passage("handbook.md", 5, 5 + len(ANSWER), ANSWER)
    gone = Passage("nowhere.md", 5, 60)
    labels.add([Question.new("Alone?", [moved]), Question.new("Gone?", [gone])], "Test")
    settle(library, qtbot)
    model = page.questions.model
    assert [model.index(row, 0).data() for row in range(2)] == ["✗", "✗"]
    assert page.questions.repair.isVisible()
    page.questions.repair.click()
    settle(library, qtbot)
    assert labels.queries.questions[0].expected[0].start == start
    assert model.index(0, 0).data() == "✓"
    assert "nowhere.md" in model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_questions_are_edited_and_deleted_undoably(asked: MainWindow, qtbot: QtBot) -> None:
    page = actions.show(asked)
    labels, questions = asked.state.tuning.labels, page.questions
    count = len(labels.queries)
    questions.table.selectRow(0)
    questions.delete.click()
    assert len(labels.queries) == count - 1
    asked.state.undo_stack.undo()
    assert len(labels.queries) == count
    before = labels.queries.questions[0]
    labels.replace(before, Question.new("In other words?", before.expected, before.kind))
    assert labels.queries.questions[0].text == "In other words?"
    assert labels.queries.questions[0].id == before.id
    questions.search.setText("other words")
    assert questions.proxy.rowCount() == 1


def test_drafts_are_ticked_and_reworded(library: MainWindow, qtbot: QtBot) -> None:
    from chunkscope.gui.panels.tuning.drafts_dialog import DraftsDialog

    actions.draft(library)
    qtbot.waitUntil(lambda: bool(library.findChildren(DraftsDialog)), timeout=30_000)
    (dialog,) = library.findChildren(DraftsDialog)
    assert dialog.tree.topLevelItemCount() > 5
    for at in range(2):
        item = dialog.tree.topLevelItem(at)
        assert item is not None
        item.setCheckState(0, Qt.CheckState.Checked)
    assert item is not None
    item.setText(0, "What did I really want to know?")
    dialog.accept()
    settle(library, qtbot)
    first, second = library.state.tuning.labels.queries
    assert first.tags == ("draft",)
    assert (second.text, second.tags) == ("What did I really want to know?", ())
    assert not library.state.tuning.labels.findings or not [
        each for each in library.state.tuning.labels.findings if each.blocks
    ]


def test_rows_are_filtered_and_columns_pinned(asked: MainWindow, qtbot: QtBot) -> None:
    page = swept(asked, qtbot)
    board = page.leaderboard
    board.words.setText("hybrid 256")
    assert board.proxy.rowCount() == 2
    assert all("hybrid" in board.proxy.index(at, NAME).data() for at in range(2))
    board.words.setText("")
    table = board.table
    assert not table.left.isColumnHidden(1)
    assert table.right.isColumnHidden(1)
    table.column_menu(3).actions()[0].trigger()
    assert not table.left.isColumnHidden(3)
    assert table.right.isColumnHidden(3)
    table.sort(0, Qt.SortOrder.AscendingOrder)
    names = [board.proxy.index(at, NAME).data() for at in range(8)]
    assert names == sorted(names)


def test_a_question_is_searched_under_the_profile_of_its_row(
    asked: MainWindow, qtbot: QtBot
) -> None:
    page = swept(asked, qtbot)
    row = asked.state.tuning.rows[0]
    page.details.table.setCurrentIndex(page.details.proxy.index(0, 0))
    asked_text = page.details.proxy.index(0, 0).data(ROW_ROLE).text
    page.details.open_question()
    search = asked.state.search
    qtbot.waitUntil(lambda: search.result is not None, timeout=60_000)
    settle(asked, qtbot)
    assert search.result is not None
    assert search.result.query == asked_text
    assert search.options.mode == row.configuration.options.mode
    assert asked.state.profile.parameters == row.configuration.profile.parameters
    assert asked.pages.currentWidget() is asked.preview
    assert asked.docks["Search"].isVisible()


def test_two_rows_show_the_flow_of_questions(asked: MainWindow, qtbot: QtBot) -> None:
    page = swept(asked, qtbot)
    tuning, details = asked.state.tuning, page.details
    worst, best = tuning.rows[-1], tuning.rows[0]
    tuning.choose([worst.configuration.key, best.configuration.key])
    moves = details.flow.model.rows
    assert sum(move.count for move in moves) == len(best.questions)
    move = moves[-1]
    details._on_picked(move.before, move.after)
    assert details.proxy.rowCount() == move.count
    texts = {each.text for each in tuning.labels.queries}
    assert details.proxy.index(0, 0).data(ROW_ROLE).text in texts


def test_plots_are_drawn_and_exported(asked: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    page = swept(asked, qtbot)
    page.tabs.setCurrentWidget(page.results)
    page.details.setCurrentWidget(page.details.plots)
    plots = page.details.plots
    qtbot.waitUntil(lambda: plots.chart is not None, timeout=60_000)
    assert plots.chart is not None
    for kind in Kind:
        plots.show_kind(kind)
        for ending in ("png", "svg", "csv"):
            file = tmp_path / f"{kind.name}.{ending}"
            plots.chart.export(str(file))
            assert file.stat().st_size > 100, file
    table = (tmp_path / "EFFECT.csv").read_text("utf-8")
    assert "sentence" in table
    heat = (tmp_path / "HEAT.csv").read_text("utf-8").splitlines()
    assert len(heat) == 3  # two sizes under the strategies
    view.set_theme(asked, "dark")


def test_robustness_and_the_report(asked: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    asked.state.tuning.set_table({"name": "one", "grid": {**GRID, "max_size": [128]}})
    settle(asked, qtbot)
    page = swept(asked, qtbot)
    page.details.robustness.button.click()
    settle(asked, qtbot)
    names = [each.name for each in page.details.robustness.model.rows]
    assert names[0] == "unchanged"
    assert len(names) == 5
    assert "points" in page.details.robustness.sentence.text()
    file = tmp_path / "report.html"
    actions.write_report_to(asked, str(file))
    settle(asked, qtbot)
    text = file.read_text("utf-8")
    assert "Robustness" in text
    assert "chunkscope evaluate" in text


def test_a_sweep_goes_to_toml_and_back(asked: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    page = actions.show(asked)
    asked.state.tuning.set_table({
        "name": "x", "grid": {**GRID, "rrf_constant": [10.0, 60.0]},
        "configuration": [{"preset": "auto-256"}],
    })  # fmt: skip
    page.sweep.show_table(asked.state.tuning.table)
    page.sweep.chips["mode"].button("semantic").click()
    settle(asked, qtbot)
    plan = asked.state.tuning.plan
    assert plan is not None
    count = len(plan.configurations)
    assert count == 2 * 2 * 3 * 2 + 1
    assert f"{count} configurations" in page.sweep.count.text()
    file = tmp_path / "mine.toml"
    actions.save_sweep_to(asked, str(file))
    asked.state.tuning.set_table({"grid": {"strategy": "auto"}})
    actions.open_sweep_from(asked, str(file))
    settle(asked, qtbot)
    assert asked.state.tuning.plan is not None
    assert {each.key for each in asked.state.tuning.plan.configurations} == {
        each.key for each in plan.configurations
    }
    page.sweep.lines["max_size"].setText("12, many")
    page.sweep._on_edited()
    assert "Sizes" in page.sweep.problem.text()


def test_questions_are_exported_in_the_public_form(
    asked: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    labels = asked.state.tuning.labels
    before = labels.queries
    for name in ("out.csv", "out.jsonl"):
        labels.export_file(tmp_path / name)
        settle(asked, qtbot)
        labels.apply(QuerySet())
        labels.import_file(tmp_path / name)
        settle(asked, qtbot)
        assert labels.queries.questions == before.questions
    assert sample_questions().exists()


def test_the_models_keep_their_promises(
    asked: MainWindow, qtbot: QtBot, qtmodeltester: ModelTester
) -> None:
    page = swept(asked, qtbot)
    models = (page.questions.model, page.leaderboard.model, page.leaderboard.proxy,
              page.details.model, page.details.flow.model, page.questions.proxy)  # fmt: skip
    for model in models:
        assert isinstance(model, QSortFilterProxyModel) or model.rowCount() >= 0
        qtmodeltester.check(model)
