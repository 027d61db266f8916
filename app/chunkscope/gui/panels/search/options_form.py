"""All settings of a search in a window that drops down, made from their declarations."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core import params
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.search.options import SearchOptions
from chunkscope.gui.changes import SearchChange
from chunkscope.gui.forms import Field, make_field
from chunkscope.gui.search_state import SearchState

GROUPS = {
    "Results": ("mode", "k", "group", "per_document_cap", "show_repeats"),
    "Passages": ("neighbours", "within_section", "boundary_markers"),
    "Only in": ("documents", "media_types", "heading", "pages"),
    "Rerank": ("rerank", "rerank_depth", "cross_encoder"),
    "Fusion": ("candidates", "rrf_constant", "lexical_weight", "semantic_weight"),
    "Words": ("title_weight", "headings_weight", "content_weight"),
    "What does not fit": ("similarity_floor", "lexical_floor", "route_threshold"),
}
_WIDTH, _HEIGHT = 430, 520


class OptionsPopup(QFrame):
    """Every change takes effect at once; what is wrong is told below."""

    def __init__(self, search: SearchState, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("card")
        self.setAccessibleName("Options of the search")
        self._search = search
        self.fields: dict[str, Field] = {}
        self.problem = QLabel()
        self.problem.setObjectName("problem")
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.problem.setWordWrap(True)
        self.problem.hide()
        self.reset = QPushButton("Reset all")
        self.reset.setToolTip("Every setting as it was at first")
        self.reset.clicked.connect(lambda: search.set_options(SearchOptions()))
        area = QScrollArea()
        area.setWidget(self._form())
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 8)
        column.addWidget(area, 1)
        column.addWidget(self.problem)
        column.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignRight)
        self.resize(_WIDTH, _HEIGHT)
        search.changed.connect(self._on_changed)
        self.show_options()

    def _form(self) -> QWidget:
        inside = QWidget()
        form = QFormLayout(inside)
        form.setContentsMargins(10, 4, 10, 10)
        form.setVerticalSpacing(5)
        known = params.declared(SearchOptions)
        for title, names in GROUPS.items():
            heading = QLabel(title)
            heading.setObjectName("heading")
            heading.setContentsMargins(0, 8, 0, 0)
            form.addRow(heading)
            for name in names:
                field = make_field(known[name])
                field.edited.connect(partial(self._on_edited, name))
                self.fields[name] = field
                form.addRow(name.replace("_", " "), field)
        return inside

    def _on_edited(self, name: str, value: Any, _is_drag: bool) -> None:
        kind = type(getattr(SearchOptions(), name))
        try:
            changed = replace(self._search.options, **{name: kind(value)}).checked()
        except (ChunkscopeError, ValueError) as problem:
            self.problem.setText(str(problem))
            self.problem.show()
            return
        self.problem.hide()
        self._search.set_options(changed)

    def _on_changed(self, change: SearchChange) -> None:
        if SearchChange.OPTIONS in change:
            self.show_options()

    def show_options(self) -> None:
        for name, field in self.fields.items():
            field.show_value(getattr(self._search.options, name))

    def drop_from(self, button: QWidget) -> None:
        """Below a button, within the screen."""
        place = button.mapToGlobal(QPoint(0, button.height() + 2))
        room = button.screen().availableGeometry()
        self.resize(_WIDTH, min(_HEIGHT, room.height() - 40))
        x = max(room.left(), min(place.x(), room.right() - self.width()))
        y = max(room.top(), min(place.y(), room.bottom() - self.height()))
        self.move(x, y)
        self.show()
