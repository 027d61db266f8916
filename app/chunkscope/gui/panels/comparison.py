"""Profiles beside each other on the same document: lanes that scroll together, and a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
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
from chunkscope.core.workspace import chunk
from chunkscope.gui.state import AppState, Change
from chunkscope.gui.tasks import Latest
from chunkscope.gui.theme import Theme
from chunkscope.gui.views.text_rows import build_rows
from chunkscope.gui.views.text_view import TextView

MOST_LANES = 4


@dataclass(frozen=True, slots=True)
class LaneResult:
    """What a lane shows."""

    bands: Bands
    summary: str
    changed_cuts: np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def lane_result(document: Document, profile: Profile, first: Profile, job: Job) -> LaneResult:
    """A chunking, its figures, and how its cuts differ from those of the first lane."""
    chunking = chunk(document, profile, job=job)
    base = chunking if profile == first else chunk(document, first, job=job)
    difference = compare(base, chunking)
    cuts = [new for _, new in difference.moved] + list(difference.added)
    spans = np.array(sorted((cut, cut + 1) for cut in cuts), np.int64).reshape(-1, 2)
    return LaneResult(bands_of(chunking), _summary(chunking, difference, profile == first), spans)


def _summary(chunking: Chunking, difference: Difference, is_first: bool) -> str:
    statistics = Statistics(chunking)
    sizes = statistics.sizes
    line = (
        f"{len(chunking):,} chunks · median {sizes.median:,.0f}, max {sizes.largest:,} "
        f"{chunking.strategy.unit} · {statistics.repeated_share:.0%} repeated · "
        f"{len(statistics.over_model):,} over the model"
    )
    if is_first:
        return line
    return (
        f"{line}\n{len(difference.same):,} cuts the same, {len(difference.moved):,} moved, "
        f"{len(difference.added):,} added, {len(difference.removed):,} removed"
    )


class Lane(QWidget):
    """One profile on the document."""

    def __init__(self, profile: Profile, panel: ComparisonPanel) -> None:
        super().__init__(panel)
        self.profile = profile
        self.view = TextView()
        self.view.setAccessibleName(f"Lane {profile.name}")
        self.title = QLabel(f"{profile.name} ({profile.strategy})")
        self.figures = QLabel()
        for label in (self.title, self.figures):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        use = QPushButton("Make this the profile")
        use.clicked.connect(lambda: panel.chosen.emit(self.profile))
        close = QToolButton()
        close.setText("✕")
        close.setToolTip("Close this lane")
        close.setAccessibleName("Close this lane")
        close.clicked.connect(partial(panel.remove_lane, self))
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(use)
        head.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 6)
        column.addLayout(head)
        column.addWidget(self.figures)
        column.addWidget(self.view, 1)


class ComparisonPanel(QWidget):
    """Up to four lanes, scrolled together; cuts that differ from the first lane's are marked."""

    chosen = Signal(object)
    closed = Signal()

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._theme: Theme | None = None
        self._is_scrolling = False
        self.lanes: list[Lane] = []
        self._latest: dict[Lane, Latest] = {}
        self._row = QHBoxLayout()
        done = QPushButton("Close comparison")
        done.clicked.connect(self.closed)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(done)
        column = QVBoxLayout(self)
        column.addLayout(self._row, 1)
        column.addLayout(foot)
        state.changed.connect(self._on_changed)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for lane in self.lanes:
            lane.view.set_theme(theme)

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
        self._latest[lane] = Latest(self._state.tasks, f"lane {id(lane)}")
        self._row.addWidget(lane, 1)
        self._load(lane)

    def remove_lane(self, lane: Lane) -> None:
        self.lanes.remove(lane)
        self._latest.pop(lane).drop()
        self._row.removeWidget(lane)
        lane.deleteLater()
        if not self.lanes:
            self.closed.emit()

    def _on_changed(self, change: Change) -> None:
        if Change.CURRENT in change:
            for lane in self.lanes:
                self._load(lane)

    def _load(self, lane: Lane) -> None:
        document = self._state.document
        if document is None or not self.lanes:
            return
        first = self.lanes[0].profile

        def work(job: Job) -> tuple[object, LaneResult]:
            return build_rows(document.text), lane_result(document, lane.profile, first, job)

        self._latest[lane].request(
            work,
            lambda found: self._show(lane, document, *found),
            lambda problem: self._state.failed.emit(str(problem)),
        )

    def _show(self, lane: Lane, document: Document, rows: object, found: LaneResult) -> None:
        if lane not in self.lanes or self._state.document is not document:
            return
        lane.view.set_text(document.text, rows)  # type: ignore[arg-type]
        lane.view.set_bands(found.bands)
        lane.figures.setText(found.summary)
        if self._theme is not None:
            lane.view.set_layer("differs", found.changed_cuts, self._theme.warning)

    def _on_scrolled(self, lane: Lane, top: int) -> None:
        if self._is_scrolling:
            return
        self._is_scrolling = True
        for other in self.lanes:
            if other is not lane:
                other.view.set_top_offset(top)
        self._is_scrolling = False
