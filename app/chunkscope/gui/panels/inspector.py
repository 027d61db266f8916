"""Everything about the selected chunk, and the exact text that will be embedded."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.chunking.chunks import Chunk
from chunkscope.gui.state import AppState, Change
from chunkscope.gui.theme import Theme, code_font, light

_LONGEST = 200_000


def facts_of(chunk: Chunk, count: int) -> list[tuple[str, str]]:
    """The lines about a chunk."""
    pages = f"{chunk.page}" if chunk.page == chunk.last_page else f"{chunk.page}–{chunk.last_page}"
    signs = [
        text
        for is_so, text in (
            (chunk.oversize, "over the maximum"),
            (chunk.truncated_by_model, "cut off by the model"),
        )
        if is_so
    ]
    neighbours = [str(at) for at in (chunk.index - 1, chunk.index + 1) if 0 <= at < count]
    lines = [
        ("Chunk", f"{chunk.index} of {count:,}" + (f" · {', '.join(signs)}" if signs else "")),
        ("Id", chunk.id),
        ("Span", f"{chunk.start:,}–{chunk.end:,} · overlap {chunk.overlap:,}"),
        ("Size", f"{chunk.size:,} {chunk.unit} · {chunk.model_tokens:,} tokens for the model"),
        ("Begins at", f"a {chunk.boundary} · lines {chunk.lines[0]:,}–{chunk.lines[1]:,}"),
        ("Headings", " › ".join(chunk.heading_chain) or "none"),
        ("Page", pages if chunk.page else ""),
        ("Symbol", chunk.symbol),
        ("Neighbours", ", ".join(neighbours)),
        ("Hash", chunk.content_hash),
    ]
    return [(label, value) for label, value in lines if value]


class InspectorPanel(QWidget):
    """Shows the selected chunk."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._theme = light()
        self.chunk: Chunk | None = None
        self.text = QTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName("Text that will be embedded")
        self.text.setFont(code_font())
        self._facts = QFormLayout()
        self._facts.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        self._facts.setVerticalSpacing(3)
        self._lay_out()
        state.changed.connect(self._on_changed)
        self._show()

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(12, 10, 12, 10)
        column.addLayout(self._facts)
        column.addStretch(1)
        buttons = QHBoxLayout()
        self._buttons = []
        for label, what in (
            ("Copy text", "text"),
            ("Copy embedded", "embedded_text"),
            ("Copy id", "id"),
        ):
            button = QPushButton(label)
            button.clicked.connect(partial(self._copy, what))
            buttons.addWidget(button)
            self._buttons.append(button)
        buttons.addStretch(1)
        column.addLayout(buttons)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(left)
        splitter.addWidget(self.text)
        splitter.setStretchFactor(1, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(splitter)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._show()

    def _on_changed(self, change: Change) -> None:
        if (Change.SELECTION | Change.CHUNKS) & change:
            self._show()

    def _show(self) -> None:
        preview, index = self._state.preview, self._state.selected
        self.chunk = preview.chunking[index] if preview and index is not None else None
        while self._facts.rowCount():
            self._facts.removeRow(0)
        for button in self._buttons:
            button.setEnabled(self.chunk is not None)
        self.text.clear()
        if self.chunk is None or preview is None:
            self._add("", "Click a band, or press Alt+Down, to see all about a chunk.")
            return
        for label, value in facts_of(self.chunk, len(preview.bands)):
            self._add(label, value)
        self._write(self.chunk)

    def _add(self, label: str, value: str) -> None:
        shown = QLabel(value)
        shown.setTextFormat(Qt.TextFormat.PlainText)
        shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        shown.setWordWrap(True)
        shown.setAccessibleName(label)
        self._facts.addRow(label, shown)

    def _write(self, chunk: Chunk) -> None:
        """The embedded text, what is put before it in another colour, what repeats in a third."""
        cursor = QTextCursor(self.text.document())
        for text, colour in (
            (chunk.prefix, self._theme.accent),
            (chunk.text[: chunk.overlap], self._theme.muted),
            (chunk.text[chunk.overlap : _LONGEST], self._theme.text),
        ):
            form = QTextCharFormat()
            form.setForeground(colour)
            cursor.insertText(text, form)
        self.text.moveCursor(QTextCursor.MoveOperation.Start)

    def _copy(self, what: str) -> None:
        if self.chunk is not None:
            QGuiApplication.clipboard().setText(getattr(self.chunk, what))
