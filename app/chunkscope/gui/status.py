"""The status bar: what is shown, and what runs, with its progress and a way to stop it."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QStatusBar, QToolButton, QWidget

from chunkscope.gui.state import AppState, Change
from chunkscope.gui.tasks import Activity

_INTERVAL = 100  # milliseconds between two looks at what runs
_PATIENCE = 3  # looks before work is worth telling of


class StatusLine(QWidget):
    """Looks at the running work by a timer: a report for each step would flood the window."""

    def __init__(self, state: AppState, bar: QStatusBar) -> None:
        super().__init__(bar)
        self._state = state
        self._looks = 0
        self.summary = QLabel()
        self.summary.setTextFormat(Qt.TextFormat.PlainText)
        self.summary.setContentsMargins(10, 2, 0, 2)
        bar.addWidget(self.summary, 1)
        bar.addPermanentWidget(self)
        self._make_parts()
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL)
        self._timer.timeout.connect(self.look)
        state.tasks.busy_changed.connect(self._on_busy)
        state.changed.connect(self._on_changed)
        self.hide()

    def _make_parts(self) -> None:
        self.note = QLabel()
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.bar = QProgressBar()
        self.bar.setAccessibleName("Progress")
        self.bar.setFixedWidth(160)
        self.bar.setMaximumHeight(14)
        self.bar.setTextVisible(False)
        self.stop = QToolButton()
        self.stop.setText("Stop")
        self.stop.setToolTip("Stop what is running; what was finished stays")
        self.stop.setAccessibleName("Stop what is running")
        self.stop.clicked.connect(self._state.tasks.cancel_shown)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 6, 0)
        for part in (self.note, self.bar, self.stop):
            row.addWidget(part)

    def _on_changed(self, change: Change) -> None:
        if Change.CHUNKS in change:
            self.summary.setText(self._summarise())

    def _summarise(self) -> str:
        preview = self._state.preview
        if preview is None:
            return ""
        chunks = "1 chunk" if len(preview.bands) == 1 else f"{len(preview.bands):,} chunks"
        return f"{chunks} by {preview.profile.strategy} · {preview.profile.name}"

    def _on_busy(self, is_busy: bool) -> None:
        if is_busy and not self._timer.isActive():
            self._looks = 0
            self._timer.start()
        elif not is_busy:
            self._timer.stop()
            self.hide()

    def look(self) -> None:
        """Show what runs, if it has run for long enough to be worth it."""
        running = self._state.tasks.activities()
        self._looks = self._looks + 1 if running else 0
        if self._looks < _PATIENCE:
            self.hide()
            return
        self.note.setText(_told(running))
        done, total = _sum(running)
        self.bar.setRange(0, total)
        self.bar.setValue(done)
        self.show()


def _told(running: list[Activity]) -> str:
    first = running[0]
    more = f" and {len(running) - 1} more" if len(running) > 1 else ""
    note = f": {first.note}" if first.note else ""
    return f"{first.label}{note}{more}"


def _sum(running: list[Activity]) -> tuple[int, int]:
    """In thousandths; a total of 0 is a bar that only moves."""
    if not all(each.total for each in running):
        return 0, 0
    share = sum(each.done / each.total for each in running) / len(running)
    return round(share * 1000), 1000
