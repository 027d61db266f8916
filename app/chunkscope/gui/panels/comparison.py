"""Profiles beside each other on the same document: lanes that scroll together, and a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.chunking.bands import Bands, bands_of
from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.chunking.difference import Difference, compare
from chunkscope.core.chunking.statistics import Statistics
from chunkscope.core.job import Job
from chunkscope.core.model import Document
from chunkscope.core.profile import Profile
from chunkscope.core.text.codepoints import Offsets
from chunkscope.core.workspace import chunk
from chunkscope.gui.errors import sentence_of
from chunkscope.gui.state import AppState, Change
from chunkscope.gui.tasks import Latest
from chunkscope.gui.theme import Theme
from chunkscope.gui.views.text_rows import Rows, build_rows
from chunkscope.gui.views.text_view import TextView

MOST_LANES = 4


@dataclass(frozen=True, slots=True)
class LaneResult:
    """What a lane shows."""

    bands: Bands
    figures: tuple[tuple[str, str], ...]
    changed_cuts: Offsets


def lane_result(document: Document, profile: Profile, first: Profile, job: Job) -> LaneResult:
    """A chunking, its figures, and how its cuts differ from those of the first lane."""
    chunking = chunk(document, profile, job=job)
    base = chunking if profile == first else chunk(document, first, job=job)
    difference = compare(base, chunking)
    cuts = sorted([new for _, new in difference.moved] + list(difference.added))
    return LaneResult(
        bands_of(chunking),
        _figures(chunking, difference, profile == first),
        np.array(cuts, np.int64),
    )


def _figures(
    chunking: Chunking, difference: Difference, is_first: bool
) -> tuple[tuple[str, str], ...]:
    """The same lines for every lane, so that they stand side by side."""
    statistics = Statistics(chunking)
    sizes, unit = statistics.sizes, chunking.strategy.unit
    cuts = (
        f"{len(difference.same):,} same, {len(difference.moved):,} moved, "
        f"+{len(difference.added):,} −{len(difference.removed):,}"
    )
    return (
        ("chunks", f"{len(chunking):,}"),
        ("median · max", f"{sizes.median:,.0f} · {sizes.largest:,} {unit}"),
        ("repeated", f"{statistics.repeated_share:.0%}"),
        ("cut sentences", f"{len(statistics.inside_sentence):,}"),
        ("over the model", f"{len(statistics.over_model):,}"),
        ("cuts", f"{max(len(chunking) - 1, 0):,}, compared with" if is_first else cuts),
    )


class Lane(QWidget):
    """One profile on the document."""

    def __init__(self, profile: Profile, panel: ComparisonPanel) -> None:
        super().__init__(panel)
        self.profile = profile
        self.changed_cuts: Offsets = np.zeros(0, np.int64)
        self.view = TextView()
        self.view.set_compact(True)
        self.view.setAccessibleName(f"Lane {profile.name}")
        self.figures: dict[str, QLabel] = {}
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(self._head(panel))
        column.addLayout(self._grid)
        column.addWidget(self.view, 1)
        use = QPushButton("Make this the profile")
        use.setAccessibleName(f"Make {profile.name} the profile")
        use.clicked.connect(lambda: panel.chosen.emit(self.profile))
        column.addWidget(use)

    def _head(self, panel: ComparisonPanel) -> QHBoxLayout:
        title = QLabel(f"{self.profile.name} ({self.profile.strategy})")
        title.setTextFormat(Qt.TextFormat.PlainText)
        title.setObjectName("heading")
        title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        title.setToolTip(title.text())
        close = QToolButton()
        close.setText("✕")
        close.setToolTip("Close this lane")
        close.setAccessibleName(f"Close the lane {self.profile.name}")
        close.clicked.connect(partial(panel.remove_lane, self))
        head = QHBoxLayout()
        head.addWidget(title, 1)
        head.addWidget(close)
        return head

    def show_figures(self, figures: tuple[tuple[str, str], ...]) -> None:
        for row, (name, value) in enumerate(figures):
            if name not in self.figures:
                label, shown = QLabel(name), QLabel()
                label.setObjectName("quiet")
                shown.setTextFormat(Qt.TextFormat.PlainText)
                shown.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
                shown.setAccessibleName(name)
                self._grid.addWidget(label, row, 0)
                self._grid.addWidget(shown, row, 1)
                self.figures[name] = shown
            self.figures[name].setText(value)
            self.figures[name].setToolTip(value)


class ComparisonPanel(QWidget):
    """Up to four lanes, scrolled together; cuts that differ from the first lane's are marked."""

    chosen = Signal(object)
    closed = Signal()

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._theme: Theme | None = None
        self._is_scrolling = False
        self._place = -1  # the difference that was stepped to
        self.lanes: list[Lane] = []
        self._latest: dict[Lane, Latest] = {}
        self._row = QHBoxLayout()
        self._row.setSpacing(14)
        self.differences = QLabel()
        self.differences.setObjectName("quiet")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 8, 8)
        column.addLayout(self._row, 1)
        column.addLayout(self._foot())
        state.changed.connect(self._on_changed)

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.addWidget(self.differences, 1)
        for text, tip, slot in (
            ("‹", "Previous cut that differs", lambda: self.step(-1)),
            ("›", "Next cut that differs", lambda: self.step(1)),
        ):
            button = QToolButton()
            button.setText(text)
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.clicked.connect(slot)
            foot.addWidget(button)
        done = QPushButton("Close comparison")
        done.clicked.connect(self.closed)
        foot.addWidget(done)
        return foot

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for lane in self.lanes:
            lane.view.set_theme(theme)
            self._mark(lane)

    def add_lane(self, profile: Profile) -> None:
        """Show another profile, unless there are four already."""
        if len(self.lanes) >= MOST_LANES:
            self._state.failed.emit(f"There is room for {MOST_LANES} profiles; close one first.")
            return
        lane = Lane(profile, self)
        if self._theme is not None:
            lane.view.set_theme(self._theme)
        lane.view.scrolled.connect(partial(self._on_scrolled, lane))
        self.lanes.append(lane)
        self._latest[lane] = Latest(self._state.tasks, "lanes", "Comparing")
        self._row.addWidget(lane, 1)
        self._load(lane)

    def remove_lane(self, lane: Lane) -> None:
        was_first = lane is self.lanes[0]
        self.lanes.remove(lane)
        self._latest.pop(lane).drop()
        self._row.removeWidget(lane)
        lane.deleteLater()
        for other in self.lanes if was_first else ():  # they are compared with another now
            self._load(other)
        self._count()
        if not self.lanes:
            self.closed.emit()

    def cuts(self) -> Offsets:
        """Every cut that is not in all lanes, in order."""
        found = [lane.changed_cuts for lane in self.lanes]
        return np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64)

    def step(self, step: int) -> None:
        """Go to the next cut that differs, in all lanes."""
        cuts = self.cuts()
        if not len(cuts):
            return
        here = self._place if self._place >= 0 else self.lanes[0].view.top_offset()
        side: Literal["left", "right"] = "right" if step > 0 else "left"
        at = int(np.searchsorted(cuts, here, side=side)) - (step < 0)
        self._place = int(cuts[at % len(cuts)])
        for lane in self.lanes:
            lane.view.go_to(self._place)

    def _on_changed(self, change: Change) -> None:
        if Change.CURRENT in change:
            for lane in self.lanes:
                self._load(lane)

    def _load(self, lane: Lane) -> None:
        document = self._state.document
        if document is None or not self.lanes:
            return
        first = self.lanes[0].profile

        def work(job: Job) -> tuple[Rows, LaneResult]:
            return build_rows(document.text), lane_result(document, lane.profile, first, job)

        self._latest[lane].request(
            work,
            lambda found: self._show(lane, document, *found),
            lambda problem: self._state.failed.emit(sentence_of(problem)),
        )

    def _show(self, lane: Lane, document: Document, rows: Rows, found: LaneResult) -> None:
        if lane not in self.lanes or self._state.document is not document:
            return
        if lane.view.text() != document.text:
            lane.view.set_text(document.text, rows)
        lane.view.set_bands(found.bands)
        lane.show_figures(found.figures)
        lane.changed_cuts = found.changed_cuts
        self._mark(lane)
        self._count()

    def _mark(self, lane: Lane) -> None:
        if self._theme is not None:
            spans = np.column_stack((lane.changed_cuts, lane.changed_cuts + 1))
            lane.view.set_layer("differs", spans, self._theme.hit)

    def _count(self) -> None:
        self._place = -1
        count = len(self.cuts())
        noun = "cut differs" if count == 1 else "cuts differ"
        self.differences.setText(f"{count:,} {noun}" if len(self.lanes) > 1 else "")

    def _on_scrolled(self, lane: Lane, top: int) -> None:
        if self._is_scrolling:
            return
        self._is_scrolling = True
        for other in self.lanes:
            if other is not lane:
                other.view.set_top_offset(top)
        self._is_scrolling = False
