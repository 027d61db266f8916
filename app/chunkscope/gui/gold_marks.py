"""Labelled passages over the bands of the preview: whole, split and left out look different."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from chunkscope.core.evaluation.live import Fate
from chunkscope.gui.changes import TuningChange
from chunkscope.gui.theme import Theme, light

if TYPE_CHECKING:
    from chunkscope.gui.label_state import LabelState
    from chunkscope.gui.panels.preview import PreviewPanel

# Told apart by the line as well, for whoever does not see the colours.
STYLES = {
    Fate.WHOLE: Qt.PenStyle.SolidLine,
    Fate.SPLIT: Qt.PenStyle.DashLine,
    Fate.LEFT_OUT: Qt.PenStyle.DotLine,
}


def colour_of(fate: Fate, theme: Theme) -> QColor:
    return {Fate.WHOLE: theme.good, Fate.SPLIT: theme.warning, Fate.LEFT_OUT: theme.error}[fate]


class GoldMarks:
    """Keeps the layers of one preview up to date."""

    def __init__(self, labels: LabelState, preview: PreviewPanel) -> None:
        self._labels = labels
        self._preview = preview
        self._theme = light()
        labels.changed.connect(self._on_changed)
        preview.text_shown.connect(self.refresh)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.refresh()

    def _on_changed(self, change: TuningChange) -> None:
        if TuningChange.LIVE in change:
            self.refresh()

    def refresh(self) -> None:
        live = self._labels.live if self._labels.is_gold_shown else None
        for fate in Fate:
            spans = [each.span for each in live.passages if each.fate is fate] if live else []
            name = f"gold {fate}"
            if spans:
                self._preview.view.set_layer(
                    name, np.array(spans, np.int64), colour_of(fate, self._theme),
                    underline=True, style=STYLES[fate],
                )  # fmt: skip
            else:
                self._preview.view.clear_layer(name)
        self._preview.legend.set_gold(live is not None)
