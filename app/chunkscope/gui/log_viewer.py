"""The log: the last few thousand lines, kept in memory, to read, filter and copy."""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass

from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor, QGuiApplication, QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from chunkscope.gui.theme import Theme, code_font

KEPT = 4_000
_LONGEST = 2_000
_REFRESH_MS = 400
_LEVELS = {"Everything": logging.DEBUG, "Warnings and errors": logging.WARNING,
           "Errors": logging.ERROR}  # fmt: skip
_FORMAT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"


@dataclass(frozen=True, slots=True)
class Line:
    """One entry; a traceback makes it several lines long."""

    level: int
    text: str


class LogMemory(logging.Handler):
    """Keeps what was logged. Text of documents is logged at debug level only, and not kept."""

    def __init__(self, level: int = logging.INFO) -> None:
        super().__init__(level)
        self.setFormatter(logging.Formatter(_FORMAT, "%H:%M:%S"))
        self._lines: deque[Line] = deque(maxlen=KEPT)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = self.format(record)
        except Exception:  # noqa: BLE001 - a faulty message must not stop what wanted to say it
            self.handleError(record)
            return
        if len(text) > _LONGEST:
            text = f"{text[:_LONGEST]} … ({len(text) - _LONGEST:,} characters more)"
        self._lines.append(Line(record.levelno, text))
        self.count += 1

    def lines(self, level: int = logging.NOTSET, word: str = "") -> list[Line]:
        """What is at least this serious and contains a word."""
        self.acquire()
        try:
            kept = list(self._lines)
        finally:
            self.release()
        word = word.casefold()
        return [line for line in kept if line.level >= level and word in line.text.casefold()]

    def clear(self) -> None:
        self.acquire()
        try:
            self._lines.clear()
            self.count += 1
        finally:
            self.release()

    def install(self) -> None:
        """Listen to everything; our own parts tell more than libraries do."""
        root = logging.getLogger()
        if self not in root.handlers:
            root.addHandler(self)
        logging.getLogger("chunkscope").setLevel(self.level)


class _Colours(QSyntaxHighlighter):
    """Warnings and errors stand out."""

    def __init__(self, view: QPlainTextEdit, theme: Theme) -> None:
        super().__init__(view.document())
        chosen = {"WARNING": theme.warning, "ERROR": theme.error, "CRITICAL": theme.error}
        self._formats = {word: _format(colour) for word, colour in chosen.items()}

    def highlightBlock(self, text: str) -> None:
        found = next((word for word in self._formats if f" {word}" in text[8:18]), "")
        if found:
            self.setFormat(0, len(text), self._formats[found])


def _format(colour: QColor) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setForeground(colour)
    return made


class LogViewer(QDialog):
    """Follows the log while it is open."""

    def __init__(self, memory: LogMemory, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Log")
        self.resize(820, 480)
        self._memory = memory
        self._shown = -1
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Show lines with…")
        self.filter.setAccessibleName("Show lines with")
        self.filter.setClearButtonEnabled(True)
        self.level = QComboBox()
        self.level.addItems(list(_LEVELS))
        self.level.setAccessibleName("Level")
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(code_font(9.5))
        self.text.setAccessibleName("Log")
        self.told = QLabel()
        self.told.setObjectName("quiet")
        self._colours = _Colours(self.text, theme)
        self._lay_out()
        self.filter.textChanged.connect(self._show)
        self.level.currentIndexChanged.connect(self._show)
        self._timer = QTimer(self, interval=_REFRESH_MS)
        self._timer.timeout.connect(self._on_time)
        self._timer.start()
        self._show()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.addWidget(self.filter, 1)
        row.addWidget(self.level)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        roles = QDialogButtonBox.ButtonRole
        self.copy = buttons.addButton("Copy", roles.ActionRole)
        self.copy.setToolTip("Put the lines that are shown, or the selected ones, on the clipboard")
        self.clear = buttons.addButton("Clear", roles.ActionRole)
        self.copy.clicked.connect(self._copy)
        self.clear.clicked.connect(self._clear)
        for button in (self.copy, self.clear):
            button.setAutoDefault(False)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(10)
        column.addLayout(row)
        column.addWidget(self.text, 1)
        column.addWidget(self.told)
        column.addWidget(buttons)

    def _on_time(self) -> None:
        if self._memory.count != self._shown:
            self._show()

    def _show(self) -> None:
        self._shown = self._memory.count
        lines = self._memory.lines(_LEVELS[self.level.currentText()], self.filter.text())
        bar = self.text.verticalScrollBar()
        at_end, before = bar.value() >= bar.maximum() - 2, bar.value()
        self.text.setPlainText("\n".join(line.text for line in lines))
        bar.setValue(bar.maximum() if at_end else before)
        count = f"{len(lines):,} entries" if len(lines) != 1 else "1 entry"
        self.told.setText(f"{count}; the last {KEPT:,} are kept while the program runs.")

    def _copy(self) -> None:
        selected = self.text.textCursor().selection().toPlainText()
        QGuiApplication.clipboard().setText(selected or self.text.toPlainText())

    def _clear(self) -> None:
        self._memory.clear()
        self._show()
