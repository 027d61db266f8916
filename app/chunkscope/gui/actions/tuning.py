"""Tuning: label answers, take questions along, sweep, read, apply."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.evaluation.bench import Bench
from chunkscope.core.evaluation.drafts import Draft
from chunkscope.core.evaluation.plan import BadSweep, plan_of
from chunkscope.core.evaluation.query_files import write_atomically
from chunkscope.core.evaluation.scores import Row
from chunkscope.core.job import Job
from chunkscope.gui import theme as themes
from chunkscope.gui.actions.index import show_search
from chunkscope.gui.errors import attempt
from chunkscope.gui.panels.tuning.drafts_dialog import DraftsDialog
from chunkscope.gui.panels.tuning.page import TuningPage
from chunkscope.gui.panels.tuning.question_dialog import QuestionDialog

if TYPE_CHECKING:
    from chunkscope.gui.main_window import MainWindow

_QUESTIONS = "Questions (*.jsonl);;Public chunking evaluation (*.csv)"
_SWEEPS = "Sweeps (*.toml)"
_PLOTS = "PNG (*.png);;SVG (*.svg);;CSV (*.csv)"


# the page


def page_of(window: MainWindow) -> TuningPage:
    """The tuning page, made when it is first wanted."""
    if window.tuning is None:
        page = window.tuning = TuningPage(window.state)
        window.pages.addWidget(page)
        page.closed.connect(partial(leave, window))
        page.questions.import_asked.connect(partial(import_questions, window))
        page.questions.export_asked.connect(partial(export_questions, window))
        page.questions.drafts_asked.connect(partial(draft, window))
        page.questions.shown_in_text.connect(partial(leave, window))
        page.sweep.open_asked.connect(partial(open_sweep, window))
        page.sweep.save_asked.connect(partial(save_sweep, window))
        page.results_made.connect(partial(_connect_results, window, page))
        page.set_theme(themes.chosen(window.settings.theme()))
    return window.tuning


def _connect_results(window: MainWindow, page: TuningPage) -> None:
    page.leaderboard.apply_asked.connect(partial(apply, window))
    page.leaderboard.report_asked.connect(partial(write_report, window))
    page.leaderboard.open_asked.connect(partial(open_run, window))
    page.details.question_opened.connect(partial(search_question, window))
    page.details.plots.export_asked.connect(partial(export_plot, window))


def show(window: MainWindow) -> TuningPage:
    """The page, with the docks that it does not need out of the way."""
    page = page_of(window)
    if window.pages.currentWidget() is not page:
        window.before_tuning = window.saveState()
        for dock in window.docks.values():
            if not dock.isFloating():
                dock.hide()
        window.pages.setCurrentWidget(page)
    page.tabs.currentWidget().setFocus()
    return page


def leave(window: MainWindow) -> None:
    """Back to the text, the docks as they were."""
    if window.tuning is None or window.pages.currentWidget() is not window.tuning:
        return
    if window.before_tuning is not None:
        window.restoreState(window.before_tuning)
        window.before_tuning = None
    window.show_preview()


def toggle(window: MainWindow) -> None:
    if window.tuning is not None and window.pages.currentWidget() is window.tuning:
        leave(window)
    else:
        show(window)


# questions


def label_selection(window: MainWindow) -> QuestionDialog | None:
    """What is selected in the preview answers a question; without a selection the chunk does."""
    document, labels = window.state.document, window.state.tuning.labels
    if document is None:
        window.tell("Open a document first.")
        return None
    start, end = _selected(window)
    if start >= end:
        window.tell("Select the passage that answers a question first.")
        return None
    known = tuple(each.text for each in labels.queries)
    dialog = QuestionDialog(window, quote=document.text[start:end], known=known)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def accept() -> None:
        kind, tags = dialog.chosen_kind, dialog.chosen_tags
        labels.label(dialog.text.text(), document, start, end, kind, tags)
        window.tell("Labelled. The Tune page has all questions; undo takes it back.")

    dialog.accepted.connect(accept)
    dialog.open()
    return dialog


def _selected(window: MainWindow) -> tuple[int, int]:
    """The selection without white space around it, or else the chosen chunk."""
    document, preview = window.state.document, window.state.preview
    start, end = window.preview.view.selection()
    if document is None:
        return 0, 0
    if start == end and preview is not None and window.state.selected is not None:
        bands, at = preview.bands, window.state.selected
        start, end = int(bands.starts[at]), int(bands.ends[at])
    text = document.text[start:end]
    return start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip())


def import_questions(window: MainWindow) -> None:
    chosen, _ = QFileDialog.getOpenFileName(
        window, "Import questions", "", "Questions (*.jsonl *.csv);;All files (*)"
    )
    if chosen:
        window.state.tuning.labels.import_file(chosen)


def export_questions(window: MainWindow) -> None:
    chosen, kind = QFileDialog.getSaveFileName(
        window, "Export questions", "questions.jsonl", _QUESTIONS
    )
    if chosen:
        path = _with_ending(chosen, ".csv" if "csv" in kind else ".jsonl")
        window.state.tuning.labels.export_file(path)


def use_samples(window: MainWindow) -> None:
    """The sample questions, with their documents where they are not open."""
    labels = window.state.tuning.labels
    if not labels.documents():
        from chunkscope.gui.actions import documents

        documents.open_samples(window)
    labels.add_samples()
    show(window)


def draft(window: MainWindow) -> None:
    """Draft questions from the library, to choose from."""
    labels = window.state.tuning.labels
    if not labels.documents():
        window.tell("Open documents first: drafts are made from them.")
        return
    labels.draft(partial(_show_drafts, window))


def _show_drafts(window: MainWindow, drafts: list[Draft]) -> None:
    if not drafts:
        window.tell("Nothing new could be drafted from these documents.")
        return
    labels = window.state.tuning.labels
    titles = {each.id: each.title for each in labels.documents()}
    dialog = DraftsDialog(drafts, titles, window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.accepted.connect(lambda: labels.add(dialog.questions(), "Add drafts"))
    dialog.open()


# the sweep


def start(window: MainWindow) -> None:
    page = show(window)
    window.state.tuning.start()
    if window.state.tuning.running is not None:
        page.tabs.setCurrentWidget(page.results)


def stop(window: MainWindow) -> None:
    window.state.tuning.cancel()


def open_sweep(window: MainWindow) -> None:
    chosen, _ = QFileDialog.getOpenFileName(window, "Open a sweep", "", _SWEEPS)
    if chosen:
        attempt(window, lambda: open_sweep_from(window, chosen))


def open_sweep_from(window: MainWindow, path: str) -> None:
    """Use the grid and the settings of a file; documents and questions are the window's."""
    try:
        table = tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as problem:
        raise BadSweep(f"{path} cannot be read: {problem.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise BadSweep(f"{path} is not valid TOML: {problem}") from None
    try:
        plan_of(table, Path(path).stem)
    except ChunkscopeError as problem:
        raise BadSweep(f"{path}: {problem}") from None
    table.setdefault("name", Path(path).stem)
    window.state.tuning.set_table(table)
    page_of(window).sweep.show_table(table)


def save_sweep(window: MainWindow) -> None:
    chosen, _ = QFileDialog.getSaveFileName(window, "Save the sweep", "sweep.toml", _SWEEPS)
    if chosen:
        attempt(window, lambda: save_sweep_to(window, _with_ending(chosen, ".toml")))


def save_sweep_to(window: MainWindow, path: str) -> None:
    """With the documents and the questions of the window, so that `chunkscope tune` can run it."""
    import tomli_w

    tuning = window.state.tuning
    table: dict[str, Any] = {**tuning.table, "name": Path(path).stem}
    sources = [each.source for each in tuning.labels.documents() if each.source]
    questions = tuning.labels.file
    table["queries"] = str(questions.absolute()) if questions else ""
    table["documents"] = [str(Path(each).absolute()) for each in dict.fromkeys(sources)]
    write_atomically(path, tomli_w.dumps(table))
    window.tell(f"Saved. In a terminal: chunkscope tune {Path(path).name}")


# results


def apply(window: MainWindow, row: Row) -> None:
    """The row's profile becomes the current one."""
    window.state.tuning.use(row)
    window.tell(f"The profile is now {window.state.profile.name}; undo brings the old one back.")


def search_question(window: MainWindow, row: Row, question: str) -> None:
    """The question's search in the window, under the row's profile."""
    state, search = window.state, window.state.search
    state.tuning.use(row)
    leave(window)
    show_search(window)
    search.set_options(replace(search.options, **_search_settings(row)))
    window.search.box.setText(question)
    search.query = question
    state.index.index_all()  # costs nothing where it is done; the search follows it


def _search_settings(row: Row) -> dict[str, Any]:
    options = row.configuration.options
    names = ("mode", "neighbours", "rerank", "lexical_weight", "semantic_weight", "rrf_constant")
    return {name: getattr(options, name) for name in names}


def check_robustness(window: MainWindow) -> None:
    page = show(window)
    page.tabs.setCurrentWidget(page.results)
    page.details.setCurrentWidget(page.details.robustness)
    window.state.tuning.check_robustness()


def open_run(window: MainWindow) -> None:
    folder = window.state.tuning.labels.folder
    start = str(folder / "runs") if folder else ""
    chosen, _ = QFileDialog.getOpenFileName(window, "Open a run", start, "Runs (*.json)")
    if chosen:
        window.state.tuning.open_run(chosen)


def export_plot(window: MainWindow) -> None:
    chosen, kind = QFileDialog.getSaveFileName(window, "Export the plot", "plot.png", _PLOTS)
    chart = page_of(window).details.plots.chart
    if chosen and chart is not None:
        path = _with_ending(chosen, f".{kind.split('*.')[1].rstrip(')')}")
        attempt(window, lambda: chart.export(path))


def write_report(window: MainWindow) -> None:
    chosen, _ = QFileDialog.getSaveFileName(
        window, "Write the report", "tuning.html", "HTML (*.html)"
    )
    if chosen:
        write_report_to(window, _with_ending(chosen, ".html"))


def write_report_to(window: MainWindow, path: str) -> None:
    """One HTML file with everything that the run tells."""
    tuning = window.state.tuning
    found, robustness = tuning.found, tuning.robustness
    if found is None:
        window.tell("Run a sweep first: the report is about what it found.")
        return

    def work(bench: Bench, _job: Job) -> None:
        from chunkscope.core.evaluation.report import report
        from chunkscope.core.evaluation.results import KINDS, breakdown, groups_of, recipe

        rows, settings = found.run.ranked, found.run.origin.settings
        by = {kind: groups_of(bench.gold, bench.corpus, kind) for kind in KINDS}
        groups = {kind: breakdown(rows, each, settings.headline) for kind, each in by.items()}
        lines = recipe(rows, by["type"], settings) if rows else []
        write_atomically(path, report(found.run, groups, lines, robustness))

    tuning.with_bench(work, lambda _: window.tell(f"The report is {path}."), "Writing the report")


def _with_ending(path: str, ending: str) -> str:
    return path if Path(path).suffix else path + ending
