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
WARMTHS = 6  # steps that can be told apart
HEAT = tuple(f"heat {step}" for step in range(1, WARMTHS))
_LAYERS = (NEIGHBOURS, PASSAGE, TERMS, *HEAT)
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
        if (SearchChange.SELECTION | SearchChange.HEAT) & change:
            self.show_marks()

    def show_marks(self) -> None:
        """Mark, and go there once, where the preview shows the hit's document."""
        hit, view = self._search.hit, self._preview.view
        for layer in _LAYERS:
            view.clear_layer(layer)
        document = self._preview.shown
        if hit is None or document is None or document.id != hit.chunk.document_id:
            return
        for layer, held in self._spans(hit).items():
            marked = np.array(held, np.int64).reshape(-1, 2)
            view.set_layer(layer, marked, self._colour(layer))
        if self._gone_to is not hit:
            self._gone_to = hit
            view.go_to(max(hit.chunk.end - 1, hit.chunk.start))
            view.go_to(hit.chunk.start)  # all of it where there is room, else from its beginning

    def _spans(self, hit: Hit) -> dict[str, list[tuple[int, int]]]:
        """What is marked, by layer; heat takes the place of the matched words."""
        parts = hit.stitched.parts
        found: dict[str, list[tuple[int, int]]] = {
            NEIGHBOURS: [(part.start, part.end) for part in parts if part.role != HIT],
            PASSAGE: [(part.start, part.end) for part in parts if part.role == HIT],
        }
        if not self._search.shows_heat:
            return found | {TERMS: [span for term in hit.matched_terms for span in term.spans]}
        for word in self._search.heat:
            step = min(int(word.warmth * WARMTHS), WARMTHS - 1)
            if step:
                found.setdefault(HEAT[step - 1], []).append((word.start, word.end))
        return found

    def _colour(self, layer: str) -> QColor:
        if layer == TERMS:
            return self._theme.hit
        if layer in HEAT:
            share = (HEAT.index(layer) + 1) / len(HEAT)
            return mixed(self._theme.base, self._theme.band_edges[1], 0.15 + 0.6 * share)
        strength = _STRENGTH[layer] * (0.4 if self._search.shows_heat else 1.0)
        return mixed(self._theme.base, self._theme.accent, strength)
