"""Marks the selected result in the preview: the hit, its neighbours, the words that matched."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QColor

from chunkscope.core.search.model import Hit
from chunkscope.core.search.stitch import HIT
from chunkscope.gui.changes import SearchChange
from chunkscope.gui.panels.preview import PreviewPanel
from chunkscope.gui.search_state import SearchState
from chunkscope.gui.theme import Theme, light, mixed

NEIGHBOURS, PASSAGE, TERMS = "neighbours", "passage", "terms"
_LAYERS = (NEIGHBOURS, PASSAGE, TERMS)
_STRENGTH = {NEIGHBOURS: 0.12, PASSAGE: 0.32}  # of the accent; over it the bands do not mix


class PassageMarks(QObject):
    """Follows the selection of the search and the text of the preview."""

    def __init__(self, search: SearchState, preview: PreviewPanel) -> None:
        super().__init__(preview)
        self._search = search
        self._preview = preview
        self._theme = light()
        self._gone_to: Hit | None = None
        search.changed.connect(self._on_changed)
        preview.text_shown.connect(self.show_marks)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.show_marks()

    def _on_changed(self, change: SearchChange) -> None:
        if SearchChange.SELECTION in change:
            self._gone_to = None
            self.show_marks()

    def show_marks(self) -> None:
        """Mark, and go there once, where the preview shows the hit's document."""
        hit, view = self._search.hit, self._preview.view
        for layer in _LAYERS:
            view.clear_layer(layer)
        document = self._preview.shown
        if hit is None or document is None or document.id != hit.chunk.document_id:
            return
        parts = hit.stitched.parts
        spans = {
            NEIGHBOURS: [(part.start, part.end) for part in parts if part.role != HIT],
            PASSAGE: [(part.start, part.end) for part in parts if part.role == HIT],
            TERMS: [span for term in hit.matched_terms for span in term.spans],
        }
        for layer, held in spans.items():
            marked = np.array(held, np.int64).reshape(-1, 2)
            view.set_layer(layer, marked, self._colour(layer))
        if self._gone_to is not hit:
            self._gone_to = hit
            view.go_to(hit.chunk.start)

    def _colour(self, layer: str) -> QColor:
        if layer == TERMS:
            return self._theme.hit
        return mixed(self._theme.base, self._theme.accent, _STRENGTH[layer])
