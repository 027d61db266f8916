"""The run that indexes, in the status bar: how far, how long still, pause and stop."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QToolButton, QWidget

from chunkscope.gui.changes import IndexChange
from chunkscope.gui.index_state import IndexState, Run


class IndexStrip(QWidget):
    """Hidden while nothing is indexed."""

    def __init__(self, index: IndexState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._index = index
        self.note = QLabel()
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.bar = QProgressBar()
        self.bar.setAccessibleName("Progress of indexing")
        self.bar.setFixedWidth(150)
        self.bar.setTextVisible(False)
        self.pause = self._button("Pause", "Pause indexing; searching goes on")
        self.pause.clicked.connect(self._on_pause)
        self.cancel = self._button("Stop", "Stop indexing; what was finished stays")
        self.cancel.clicked.connect(index.cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 6, 0)
        for part in (self.note, self.bar, self.pause, self.cancel):
            row.addWidget(part)
        index.changed.connect(self._on_changed)
        self.look()

    def _button(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        return button

    def _on_pause(self) -> None:
        run = self._index.run
        if run is not None:
            (self._index.resume if run.is_paused else self._index.pause)()

    def _on_changed(self, change: IndexChange) -> None:
        if IndexChange.RUN in change:
            self.look()

    def look(self) -> None:
        run = self._index.run
        self.setVisible(run is not None)
        if run is None:
            return
        self.note.setText(told(run))
        progress = run.done + sum(run.shares.values())
        self.bar.setRange(0, 0 if not progress and not run.is_paused else 1000)
        self.bar.setValue(round(1000 * progress / max(run.total, 1)))
        self.pause.setText("Resume" if run.is_paused else "Pause")


def told(run: Run) -> str:
    """A run in a few words."""
    if run.is_paused:
        return f"Indexing paused · {run.done:,} of {run.total:,}"
    if not run.done and not run.shares:
        return f"Indexing · {run.note}"
    left = run.seconds_left
    return f"Indexing {run.done:,} of {run.total:,}" + (f" · {time_left(left)}" if left else "")


def time_left(seconds: float) -> str:
    """As a person would say it."""
    if seconds < 5:
        return "a moment left"
    if seconds < 90:
        return f"{round(seconds / 5) * 5} s left"
    if seconds < 5400:
        return f"{round(seconds / 60)} min left"
    return f"{seconds / 3600:.1f} h left"
