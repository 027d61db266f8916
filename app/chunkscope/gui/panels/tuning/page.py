"""The tuning page: questions, sweep and results side by side as tabs, one line that says it all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSplitter,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.evaluation.estimate import told_seconds
from chunkscope.core.evaluation.report import told
from chunkscope.gui.changes import TuningChange
from chunkscope.gui.panels.tuning.details import DetailsPanel
from chunkscope.gui.panels.tuning.leaderboard import LeaderboardPanel
from chunkscope.gui.panels.tuning.questions import QuestionsPanel
from chunkscope.gui.panels.tuning.sweep_form import SweepForm
from chunkscope.gui.theme import Theme

if TYPE_CHECKING:
    from chunkscope.gui.state import AppState


class TuningPage(QWidget):
    """Made when it is first shown; what it knows it has from the state."""

    closed = Signal()
    results_made = Signal()

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._tuning = state.tuning
        self.questions = QuestionsPanel(state)
        self.sweep = SweepForm(state)
        self._results: tuple[LeaderboardPanel, DetailsPanel] | None = None
        self._theme: Theme | None = None
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.setAccessibleName("Tuning")
        self.results = QSplitter(Qt.Orientation.Vertical)
        self.results.setChildrenCollapsible(False)
        for widget, name in (
            (self.questions, "&Questions"),
            (self.sweep, "Swee&p"),
            (self.results, "&Results"),
        ):
            self.tabs.addTab(widget, name)
        self._make_head()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head())
        column.addWidget(self.tabs, 1)
        self._tuning.changed.connect(self._on_changed)
        self._show_head()
        QTimer.singleShot(0, self, self._make_results)  # all at once would be felt

    def _make_results(self) -> tuple[LeaderboardPanel, DetailsPanel]:
        if self._results is None:
            self._results = LeaderboardPanel(self._state), DetailsPanel(self._state)
            for part in self._results:
                self.results.addWidget(part)
                if self._theme is not None:
                    part.set_theme(self._theme)
            self.results.setSizes([330, 330])
            self.results_made.emit()
        return self._results

    @property
    def leaderboard(self) -> LeaderboardPanel:
        return self._make_results()[0]

    @property
    def details(self) -> DetailsPanel:
        return self._make_results()[1]

    def _make_head(self) -> None:
        self.title = QLabel("Tune")
        font = self.title.font()
        font.setPointSizeF(font.pointSizeF() * 1.2)
        font.setWeight(font.Weight.DemiBold)
        self.title.setFont(font)
        self.sentence = QLabel()
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.sentence.setWordWrap(True)
        self.sentence.setAccessibleName("What may be said")
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress of the sweep")
        self.start = QPushButton("&Start the sweep")
        self.start.setDefault(True)
        self.start.clicked.connect(self._on_start)
        self.close_button = QToolButton()
        self.close_button.setText("✕")
        self.close_button.setObjectName("title")
        self.close_button.setToolTip("Back to the text (Esc)")
        self.close_button.setAccessibleName("Close the tuning page")
        self.close_button.clicked.connect(self.closed)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.closed.emit)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def _head(self) -> QVBoxLayout:
        said = QVBoxLayout()
        said.setSpacing(3)
        said.addWidget(self.title)
        said.addWidget(self.sentence)
        row = QHBoxLayout()
        row.setContentsMargins(14, 10, 8, 8)
        row.addLayout(said, 1)
        row.addWidget(self.start, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        head = QVBoxLayout()
        head.setSpacing(0)
        head.addLayout(row)
        head.addWidget(self.bar)
        return head

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for part in self._results or ():
            part.set_theme(theme)

    # what is said

    def _on_changed(self, change: TuningChange) -> None:
        if TuningChange.LIVE in change:
            return
        self._show_head()

    def _show_head(self) -> None:
        running = self._tuning.running
        self.bar.setVisible(running is not None)
        self.sentence.setText(self._said())
        if running is not None:
            self.bar.setRange(0, running.total)
            self.bar.setValue(running.done)
            self.start.setText("S&top")
            self.start.setEnabled(True)
            self.start.setToolTip("What is done stays; a start goes on from there")
            return
        resumes = self._tuning.is_resumable
        self.start.setText("Re&sume the sweep" if resumes else "&Start the sweep")
        self.start.setEnabled(not self._tuning.why_not)
        self.start.setToolTip(self._tuning.why_not or "Try every configuration")

    def _said(self) -> str:
        running, found = self._tuning.running, self._tuning.found
        if running is not None:
            left = running.seconds_left
            rest = f", {told_seconds(left)} left" if left else ""
            note = f" · {running.note}" if running.note else ""
            return f"{running.done:,} of {running.total:,}{rest}{note}"
        if found is not None:
            run = found.run
            said = told(found.verdict, run.ranked, run.origin.settings.headline)
            stopped = "" if run.is_complete else "Stopped before the end. "
            failed = f" {len(run.failures):,} could not be tried." if run.failures else ""
            return f"{stopped}{said}{failed}"
        return self._tuning.why_not or "Everything is ready: start the sweep."

    def _on_start(self) -> None:
        if self._tuning.running is not None:
            self._tuning.cancel()
            return
        self._tuning.start()
        if self._tuning.running is not None:
            self.tabs.setCurrentWidget(self.results)
