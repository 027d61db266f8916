"""Everything about the selected chunk, and the exact text that will be embedded."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSplitter,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.chunking.chunks import Chunk
from chunkscope.gui.state import AppState, Change
from chunkscope.gui.theme import Theme, code_font, light

_LONGEST = 20_000  # a text editor breaks long lines slowly
LABELS = ("Chunk", "Headings", "Size", "Span", "Begins at", "Page", "Symbol", "Neighbours", "Id",
          "Hash")  # fmt: skip
_COPIES = (
    ("Copy text", "Copy the text of the chunk", "text"),
    ("Copy embedded", "Copy the text with what is put before it", "embedded_text"),
    ("Copy id", "Copy the id of the chunk", "id"),
    ("Copy hash", "Copy the hash of the text", "content_hash"),
)


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
        self._values = {label: self._value(label) for label in LABELS}
        self._empty = QLabel("Click a band, or press Alt+Down, to see all about a chunk.")
        self._empty.setObjectName("quiet")
        self._empty.setWordWrap(True)
        self.buttons = [self._button(*each) for each in _COPIES]
        self._lay_out()
        state.changed.connect(self._on_changed)
        self._show()

    def _value(self, label: str) -> QLabel:
        shown = QLabel()
        shown.setTextFormat(Qt.TextFormat.PlainText)
        shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        shown.setWordWrap(True)
        shown.setAccessibleName(label)
        name = QLabel(label)
        name.setObjectName("quiet")
        self._facts.addRow(name, shown)
        return shown

    def _button(self, label: str, tip: str, what: str) -> QPushButton:
        button = QPushButton(label)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.clicked.connect(partial(self._copy, what))
        return button

    def _lay_out(self) -> None:
        self._facts.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        self._facts.setVerticalSpacing(3)
        self._facts.setHorizontalSpacing(14)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 8, 12, 8)
        column.addWidget(self._empty)
        column.addLayout(self._facts)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName("Facts about the chunk")
        row = QHBoxLayout()
        row.setContentsMargins(12, 6, 12, 8)
        row.setSpacing(8)
        for button in self.buttons:
            row.addWidget(button)
        row.addStretch(1)
        left = QWidget()
        outer = QVBoxLayout(left)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(area, 1)
        outer.addLayout(row)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(left)
        splitter.addWidget(self.text)
        splitter.setHandleWidth(1)
        splitter.setSizes([360, 400])
        splitter.setChildrenCollapsible(False)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(splitter)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._show()

    def _on_changed(self, change: Change) -> None:
        if (Change.SELECTION | Change.CHUNKS) & change:
            self._show()

    def _show(self) -> None:
        preview, index = self._state.preview, self._state.selected
        self.chunk = preview.chunking[index] if preview and index is not None else None
        for button in self.buttons:
            button.setEnabled(self.chunk is not None)
        self._empty.setVisible(self.chunk is None)
        facts = dict(facts_of(self.chunk, len(preview.bands)) if self.chunk and preview else ())
        for row, (label, shown) in enumerate(self._values.items()):
            shown.setText(facts.get(label, ""))
            self._facts.setRowVisible(row, label in facts)
        self.text.clear()
        if self.chunk is not None:
            self._write(self.chunk)

    def _write(self, chunk: Chunk) -> None:
        """The embedded text, what is put before it in another colour, what repeats in a third."""
        cursor = QTextCursor(self.text.document())
        shown = min(len(chunk.text), _LONGEST)
        more = f"\n… and {len(chunk.text) - shown:,} characters more; Copy takes all of them"
        for text, colour in (
            (chunk.prefix, self._theme.accent),
            (chunk.text[: min(chunk.overlap, shown)], self._theme.muted),
            (chunk.text[chunk.overlap : shown], self._theme.text),
            (more if len(chunk.text) > shown else "", self._theme.accent),
        ):
            form = QTextCharFormat()
            form.setForeground(colour)
            cursor.insertText(text, form)
        self.text.moveCursor(QTextCursor.MoveOperation.Start)

    def _copy(self, what: str) -> None:
        if self.chunk is not None:
            QGuiApplication.clipboard().setText(getattr(self.chunk, what))
