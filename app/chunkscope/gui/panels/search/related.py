"""Related: chunks that mean the same as the selected result, and documents that nearly do."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QSplitter, QVBoxLayout, QWidget

from chunkscope.core.job import Job
from chunkscope.core.search.related import Related, RelatedDocument
from chunkscope.core.workspace import Workspace
from chunkscope.core.workspace.duplicates import THRESHOLD
from chunkscope.gui.changes import SearchChange
from chunkscope.gui.models.library import as_markup
from chunkscope.gui.state import AppState
from chunkscope.gui.tasks import Latest

_CHUNKS, _SHOWN = 12, 160
SPAN_ROLE = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True, slots=True)
class Found:
    """What is near a chunk, with the beginnings of the texts."""

    chunks: tuple[Related, ...]
    texts: tuple[str, ...]
    documents: tuple[RelatedDocument, ...]


def look_up(workspace: Workspace, chunk_id: str, document_id: str, profile: str) -> Found:
    chunks = workspace.related(chunk_id, profile, _CHUNKS)
    known: dict[str, str] = {}
    texts = []
    for each in chunks:
        key = each.chunk.document_id
        if key not in known:
            known[key] = workspace.document(key).text
        texts.append(known[key][each.chunk.start : each.chunk.end])
    return Found(chunks, tuple(texts), workspace.related_documents(document_id, profile))


class RelatedPanel(QWidget):
    """A click shows the passage or the document."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._latest = Latest(state.tasks, "related")
        self.chunks = self._list("Chunks that mean the same")
        self.documents = self._list("Documents that are nearly the same")
        self.documents_title = QLabel("Documents like this one")
        self.chunks_title = QLabel("Passages like the selected one")
        splitter = QSplitter(Qt.Orientation.Horizontal)
        for title, shown in (
            (self.chunks_title, self.chunks),
            (self.documents_title, self.documents),
        ):
            title.setObjectName("quiet")
            title.setWordWrap(True)
            part = QWidget()
            column = QVBoxLayout(part)
            column.setContentsMargins(8, 4, 8, 4)
            column.addWidget(title)
            column.addWidget(shown, 1)
            splitter.addWidget(part)
        splitter.setSizes([520, 260])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(splitter)
        state.search.changed.connect(self._on_changed)
        self._show(None)

    def _list(self, name: str) -> QListWidget:
        shown = QListWidget()
        shown.setAccessibleName(name)
        shown.setUniformItemSizes(True)
        shown.itemActivated.connect(self._on_chosen)
        shown.itemClicked.connect(self._on_chosen)
        return shown

    def _on_changed(self, change: SearchChange) -> None:
        if SearchChange.SELECTION in change:
            self.look()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.look()

    def look(self) -> None:
        """Only while it is seen: looking costs a search."""
        search, workspace = self._state.search, self._state.index.workspace
        hit, result = search.hit, search.result
        if not self.isVisible() or hit is None or result is None or workspace is None:
            self._show(None)
            return
        chunk, profile = hit.chunk, result.profile

        def work(_job: Job) -> Found:
            return look_up(workspace, chunk.id, chunk.document_id, profile)

        self._latest.request(work, self._show, lambda problem: search.told.emit(str(problem)))

    def _show(self, found: Found | None) -> None:
        self.chunks.clear()
        self.documents.clear()
        if found is None:
            self.chunks_title.setText("Choose a result: passages that mean the same stand here.")
            self.documents_title.clear()
            return
        self.chunks_title.setText("Passages like the selected one")
        for each, text in zip(found.chunks, found.texts, strict=True):
            chunk = each.chunk
            line = f"{each.cosine:.2f}  {chunk.title} — {' '.join(text[:_SHOWN].split())}"
            _add(self.chunks, line, text, (chunk.document_id, chunk.start, chunk.end))
        count = len(found.documents)
        self.documents_title.setText(
            "Documents like this one" if count else "No document is nearly like this one."
        )
        for near in found.documents:
            same = " · nearly the same" if near.cosine >= THRESHOLD else ""
            line = f"{near.cosine:.2f}  {near.document.title}{same}"
            _add(self.documents, line, near.document.source, (near.document.id, 0, 0))

    def _on_chosen(self, item: QListWidgetItem) -> None:
        document_id, start, end = item.data(SPAN_ROLE)
        self._state.search.show_span(document_id, start, end)


def _add(shown: QListWidget, line: str, tip: str, span: tuple[str, int, int]) -> None:
    item = QListWidgetItem(line)
    item.setToolTip(as_markup(tip))
    item.setData(SPAN_ROLE, span)
    shown.addItem(item)
