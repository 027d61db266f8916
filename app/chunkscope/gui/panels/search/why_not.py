"""Why not this: where a passage ranks, what beat it, and settings that would bring it in."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core import params
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.search.options import SearchOptions
from chunkscope.core.search.why_not import Absent, WhyNot
from chunkscope.gui.changes import SearchChange
from chunkscope.gui.panels.search.copies import citation_of
from chunkscope.gui.state import AppState

HOW = (
    "Select a passage in the text, then choose “Why is this not found?” from its menu "
    "(Ctrl+Shift+K)."
)
_SETTING = re.compile(r"\b([a-z_]+)=([\w.\-]+)")
_SHOWN = 5


def remedy(advice: str, options: SearchOptions) -> tuple[str, SearchOptions] | None:
    """What a sentence of advice would change, where it names a setting."""
    if advice.startswith("Lift the filter"):
        cleared = replace(options, documents=(), media_types=(), heading="", pages=())
        return "Lift the filter", cleared
    known = params.declared(SearchOptions)
    wanted = {name: value.rstrip(".") for name, value in _SETTING.findall(advice) if name in known}
    if not wanted:
        return None
    try:
        changed = options.with_texts(wanted)
    except ChunkscopeError:
        return None
    return "Set " + ", ".join(f"{name} = {value}" for name, value in wanted.items()), changed


def told(each: Absent) -> str:
    """A chunk that holds some of the passage, in a line."""
    parts = [f"Chunk {each.chunk.index} holds characters {each.start:,}–{each.end:,}"]
    for name, rank, score in (
        ("words", each.lexical_rank, each.bm25),
        ("meaning", each.semantic_rank, each.cosine),
    ):
        parts.append(
            f"{name} #{rank} ({score:.3g})" if rank and score is not None else f"no {name}"
        )
    if each.fused_rank:
        parts.append(f"fused #{each.fused_rank}")
    verdict = f"shown as result {each.shown_at}" if each.shown_at else each.rule
    return " · ".join(parts) + f"\n{verdict[:1].upper()}{verdict[1:]}."


class WhyNotPanel(QScrollArea):
    """Made anew for each answer: it is short."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._search = state.search
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Why a passage is not found")
        self.remedies: list[QPushButton] = []
        self._search.changed.connect(self._on_changed)
        self.show_answer(None)

    def _on_changed(self, change: SearchChange) -> None:
        if SearchChange.WHY_NOT in change:
            self.show_answer(self._search.why_not)

    def show_answer(self, found: WhyNot | None) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(4)
        self.remedies = []
        if found is None:
            column.addWidget(_label(HOW, "quiet"))
        else:
            self._fill(column, found)
        column.addStretch(1)
        self.setWidget(inside)

    def _fill(self, column: QVBoxLayout, found: WhyNot) -> None:
        state = "is shown" if found.is_shown else "is not shown"
        title = f"“{found.title}”, characters {found.start:,}–{found.end:,}, {state}"
        column.addWidget(_label(f"{title} for “{found.query}”", "heading"))
        for each in found.chunks:
            column.addWidget(_label(told(each)))
        if found.is_shown:
            return
        if found.advice:
            column.addSpacing(6)
            column.addWidget(_label("What would bring it in", "heading"))
        for line in found.advice:
            column.addLayout(self._advice(line))
        if found.beaten_by:
            column.addSpacing(6)
            column.addWidget(_label("What beat it", "heading"))
            for hit in found.beaten_by[:_SHOWN]:
                column.addWidget(_label(f"{hit.rank}. {citation_of(hit)}"))
            if len(found.beaten_by) > _SHOWN:
                column.addWidget(_label(f"… and {len(found.beaten_by) - _SHOWN} more", "quiet"))

    def _advice(self, line: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addWidget(_label(line), 1)
        found = remedy(line, self._search.options)
        if found is not None:
            name, options = found
            button = QPushButton(name)
            button.setAccessibleName(f"{name} and search again")
            button.clicked.connect(partial(self._apply, options))
            self.remedies.append(button)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _apply(self, options: SearchOptions, _checked: bool = False) -> None:
        self._search.set_options(options)


def _label(text: str, kind: str = "") -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setWordWrap(True)
    label.setObjectName(kind)
    return label
