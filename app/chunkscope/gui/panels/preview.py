"""The preview: the text with its bands, the strip beside it, a line about the document, find."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.blocks import BlockKind
from chunkscope.core.chunking.bands import Bands
from chunkscope.core.job import Job
from chunkscope.core.model import Document
from chunkscope.core.text.search import find_all
from chunkscope.gui.errors import report_on, sentence_of
from chunkscope.gui.panels.inspector import facts_of
from chunkscope.gui.state import AppState, Change, Status
from chunkscope.gui.tasks import Latest
from chunkscope.gui.theme import Theme
from chunkscope.gui.views.banner import Banner
from chunkscope.gui.views.legend import Legend
from chunkscope.gui.views.strip import Strip
from chunkscope.gui.views.text_rows import Rows, build_rows
from chunkscope.gui.views.text_view import TextView

Hits = NDArray[np.int64]
_EMPTY: Hits = np.zeros((0, 2), np.int64)


class PreviewPanel(QWidget):
    """Draws what the state holds and tells it what was clicked."""

    text_shown = Signal()
    bands_shown = Signal()

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._rows = Latest(state.tasks, "rows")
        self._finder = Latest(state.tasks, "find")
        self.view = TextView()
        self.view.setAccessibleName("Preview")
        self.view.describe = self._describe
        self.view.chunk_selected.connect(state.select_chunk)
        self.view.scrolled.connect(self._on_scrolled)
        self.strip = Strip()
        self.strip.go_to.connect(self.view.go_to)
        self.legend = Legend()
        self.banner = Banner()
        self.banner.retry_asked.connect(self._on_retry)
        self.title = self._label()
        self.notes = self._label()
        self.find_bar = FindBar(self)
        self.find_bar.hide()
        self.find_bar.asked.connect(self._find)
        self.find_bar.moved.connect(self.go_to_hit)
        self._waiting: tuple[int, int] | None = None  # to be revealed when the text is shown
        self._shown: Document | None = None
        self.hits: Hits = _EMPTY
        self._hit = -1
        self._lay_out()
        state.changed.connect(self._on_changed)
        state.revealed.connect(self._on_revealed)

    @property
    def shown(self) -> Document | None:
        """The document whose text stands in the view."""
        return self._shown

    def _label(self) -> QLabel:
        label = QLabel()
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _lay_out(self) -> None:
        font = self.title.font()
        font.setPointSizeF(font.pointSizeF() * 1.2)
        font.setWeight(font.Weight.DemiBold)
        self.title.setFont(font)
        self.title.setMinimumWidth(0)
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.notes.setObjectName("quiet")
        self.notes.setWordWrap(True)
        head = QVBoxLayout()
        head.setContentsMargins(14, 10, 14, 8)
        head.setSpacing(2)
        head.addWidget(self.title)
        head.addWidget(self.notes)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.view, 1)
        middle.addWidget(self.strip)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.banner)
        column.addLayout(middle, 1)
        column.addWidget(self.find_bar)
        column.addWidget(self.legend)

    def set_theme(self, theme: Theme) -> None:
        self.view.set_theme(theme)
        for part in (self.strip, self.legend, self.banner):
            part.set_theme(theme)
        self._theme = theme
        if len(self.hits):
            self.view.set_layer("find", self.hits, theme.hit)

    def _on_changed(self, change: Change) -> None:
        if Change.CURRENT in change:
            self._show_document()
        if Change.CHUNKS in change:
            self._show_bands()
        if Change.SELECTION in change and self._state.selected is not None:
            self.view.select_chunk(self._state.selected)

    def _show_document(self) -> None:
        document = self._state.document
        self.view.set_bands(Bands())
        self.strip.set_bands(Bands())
        self.close_find()
        self._shown = self._waiting = None
        self._show_problem()
        if document is None:
            entry = self._state.entry(self._state.current)
            self.view.set_text("")
            self.title.setText(entry.title if entry else "")
            self.notes.setText(entry.source if entry else "")
            return
        self.title.setText(document.title)
        self.notes.setText(notes_of(document))
        self._rows.request(
            lambda _job: build_rows(document.text),
            lambda rows: self._show_text(document, rows),
            lambda problem: self._state.failed.emit(str(problem)),
        )

    def _show_text(self, document: Document, rows: Rows) -> None:
        if self._state.document is not document:
            return
        self.view.set_text(document.text, rows)
        pages = document.blocks.where(BlockKind.PAGE)
        self.view.set_pages(
            document.blocks.start[pages], document.blocks.page[pages].astype(np.int64)
        )
        self.strip.set_length(len(document.text))
        self._shown = document
        self.text_shown.emit()
        self._show_bands()
        if self._waiting is not None:
            self._on_revealed(*self._waiting)

    def _on_revealed(self, start: int, end: int) -> None:
        """Go there, at once or as soon as the text stands."""
        if self._shown is not self._state.document:
            self._waiting = (start, end)
            return
        self._waiting = None
        self.view.set_layer("revealed", np.array([[start, end]]), self._theme.hit)
        self.view.go_to(start, select=True)

    def _show_problem(self) -> None:
        """A document that failed, or settings that do, are told above the text."""
        entry, problem = self._state.entry(self._state.current), self._state.problem
        if entry is not None and entry.status is Status.FAILED:
            about = f"{entry.source}: {entry.error}"
            self.banner.tell(f"Could not be opened: {entry.error}", about, can_retry=True)
        elif problem is not None:
            self.banner.tell(sentence_of(problem), report_on(problem))
        else:
            self.banner.hide()

    def _on_retry(self) -> None:
        if self._state.current is not None:
            self._state.retry(self._state.current)

    def _show_bands(self) -> None:
        self._show_problem()
        preview = self._state.preview
        if preview is None:
            return
        self.view.set_bands(preview.bands)
        self.strip.set_bands(preview.bands)
        if self._state.selected is not None:
            self.view.select_chunk(self._state.selected, scroll=False)
        self.bands_shown.emit()

    def _describe(self, index: int) -> str:
        preview = self._state.preview
        if preview is None or not 0 <= index < len(preview.bands):
            return ""
        lines = facts_of(preview.chunking[index], len(preview.bands))
        return "\n".join(f"{label}: {value}" for label, value in lines)

    def _on_scrolled(self, _top: int) -> None:
        self.strip.set_visible(*self.view.visible_range())

    # find

    def open_find(self) -> None:
        self.find_bar.show()
        self.find_bar.box.setFocus()
        self.find_bar.box.selectAll()

    def close_find(self) -> None:
        self.find_bar.hide()
        self._set_hits(_EMPTY)

    def _find(self, text: str) -> None:
        document = self._state.document
        if document is None or not text:
            self._set_hits(_EMPTY)
            return

        def work(job: Job) -> Hits:
            return find_all(document.text, text, job)

        self._finder.request(
            work, self._on_found, lambda problem: self._state.failed.emit(str(problem))
        )

    def _on_found(self, hits: Hits) -> None:
        self._set_hits(hits)
        if len(hits):
            start = self.view.visible_range()[0]
            self._hit = int(np.searchsorted(hits[:, 0], start)) - 1
            self.go_to_hit(1)

    def _set_hits(self, hits: Hits) -> None:
        self.hits, self._hit = hits, -1
        self.view.set_layer("find", hits, self._theme.hit)
        self.strip.set_hits(hits[:, 0])
        self.find_bar.tell(0, len(hits))

    def go_to_hit(self, step: int) -> None:
        if len(self.hits):
            self._hit = (self._hit + step) % len(self.hits)
            self.view.go_to(int(self.hits[self._hit, 0]))
            self.find_bar.tell(self._hit + 1, len(self.hits))


def notes_of(document: Document) -> str:
    """A line about the document: what it is, and what is missing from it."""
    parts = [document.media_type, f"{len(document.text):,} characters"]
    parts += [f"partial: {line}" for line in document.missing[:3]]
    parts += [f"note: {line}" for line in document.warnings[:2]]
    return " · ".join(parts)


class FindBar(QWidget):
    """Find in the text: all hits are marked, Enter goes to the next."""

    asked = Signal(str)
    moved = Signal(int)

    def __init__(self, panel: PreviewPanel) -> None:
        super().__init__(panel)
        self.box = QLineEdit()
        self.box.setPlaceholderText("Find in text")
        self.box.setAccessibleName("Find in text")
        self.box.setClearButtonEnabled(True)
        self.box.setAcceptDrops(False)  # what is dropped is opened, wherever it falls
        self.box.textChanged.connect(self.asked)
        self.box.returnPressed.connect(lambda: self.moved.emit(1))
        self._count = QLabel()
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 12, 6)
        row.addWidget(self.box, 1)
        row.addWidget(self._count)
        for text, tip, step in (("‹", "Previous hit (Shift+F3)", -1), ("›", "Next hit (F3)", 1)):
            button = QToolButton()
            button.setText(text)
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.clicked.connect(lambda _=False, step=step: self.moved.emit(step))
            row.addWidget(button)
        close = QToolButton()
        close.setText("✕")
        close.setToolTip("Close (Esc)")
        close.setAccessibleName("Close find")
        close.clicked.connect(panel.close_find)
        row.addWidget(close)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, panel.close_find)
        QShortcut(QKeySequence("Shift+Return"), self, lambda: self.moved.emit(-1))

    def tell(self, at: int, count: int) -> None:
        if not self.box.text():
            self._count.clear()
        else:
            self._count.setText(f"{at:,} of {count:,}" if count else "not found")
