"""Figures about the current chunking; each is a link to the chunks that it counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.blocks import BlockKind
from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.chunking.places import are_at
from chunkscope.core.chunking.statistics import Proof, Statistics
from chunkscope.core.chunking.strategies import Boundary
from chunkscope.gui.panels.tuning.live_figures import LiveFigures
from chunkscope.gui.state import AppState, Change, Preview
from chunkscope.gui.tasks import Latest
from chunkscope.gui.theme import Theme
from chunkscope.gui.views.histogram import Histogram

_PAUSE_MS = 40


@dataclass(frozen=True, slots=True)
class Figure:
    """A line of the panel: what, how much, and the chunks that it is about."""

    label: str
    value: str
    chunks: tuple[int, ...] = ()


def figures_of(statistics: Statistics) -> list[Figure]:
    """The lines, in the order in which they are read."""
    chunking, sizes = statistics.chunking, statistics.sizes
    unit = str(chunking.strategy.unit)
    repeats = tuple(np.flatnonzero(chunking.overlaps).tolist())
    lines = [
        Figure("chunks", f"{len(chunking):,}", tuple(range(len(chunking)))),
        Figure(f"smallest, {unit}", f"{sizes.smallest:,}", _of_size(chunking, sizes.smallest)),
        Figure(f"median, {unit}", f"{sizes.median:,.0f}"),
        Figure(f"mean, {unit}", f"{sizes.mean:,.0f}"),
        Figure(f"95 of 100 under, {unit}", f"{sizes.p95:,.0f}"),
        Figure(f"largest, {unit}", f"{sizes.largest:,}", _of_size(chunking, sizes.largest)),
        Figure("repeated text", f"{statistics.repeated_share:.1%}", repeats),
        _counted("below the minimum", statistics.below_minimum),
        _counted("over the maximum", statistics.over_maximum),
        _counted("cut off by the model", statistics.over_model),
        *_cut_figures(statistics),
    ]
    for label, kind in (
        ("tables cut", BlockKind.TABLE),
        ("listings cut", BlockKind.CODE),
        ("turns cut", BlockKind.TURN),
    ):
        found = statistics.blocks_cut(kind)
        if found:
            lines.append(_counted(label, found))
    return lines


def _of_size(chunking: Chunking, size: int) -> tuple[int, ...]:
    return tuple(np.flatnonzero(chunking.sizes == size).tolist())


def _cut_figures(statistics: Statistics) -> list[Figure]:
    """Where the cuts fall, each kind of place with its chunks."""
    analysis, cuts = statistics.chunking.analysis, statistics.cuts
    taken = np.zeros(len(cuts), np.bool_)
    lines = []
    for kind in (Boundary.SECTION, Boundary.PARAGRAPH, Boundary.SENTENCE):
        found = are_at(analysis, cuts, kind) & ~taken
        taken |= found
        chunks = tuple((np.flatnonzero(found) + 1).tolist())
        share = statistics.cut_shares[kind]
        lines.append(Figure(f"cuts at a {kind}", f"{len(chunks):,} · {share:.0%}", chunks))
    share = statistics.cut_shares["inside_sentence"]
    inside = statistics.inside_sentence
    return [
        *lines,
        Figure("cuts inside a sentence", f"{len(inside):,} · {share:.0%}", tuple(inside)),
    ]


def _counted(label: str, chunks: list[int]) -> Figure:
    return Figure(label, f"{len(chunks):,}", tuple(chunks))


def proof_text(proof: Proof, reasons: list[str]) -> str:
    """The sum behind the green check, as a person can add it up."""
    lines = [
        f"{proof.characters:,} characters in the document",
        f"{proof.fresh:,} in the fresh parts of chunks",
        f"{proof.white_space:,} of white space between chunks",
        f"{proof.left_out:,} left out on purpose",
        *(f"   {reason}" for reason in reasons),
        f"{len(proof.lost):,} places lost, {len(proof.misplaced):,} chunks misplaced",
    ]
    return "\n".join(lines)


class StatisticsPanel(QWidget):
    """Follows the cut; a click on a figure steps through its chunks."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._latest = Latest(state.tasks, "statistics")
        # The cut is painted first; counting beside it would take turns with the painting.
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._count)
        self._counted: Preview | None = None
        self._proof: Proof | None = None
        self._reasons: list[str] = []
        self._steps: dict[str, int] = {}
        self.figures: list[Figure] = []
        self.histogram = Histogram()
        self.histogram.picked.connect(partial(self.step, "histogram"))
        self.proof_button = QPushButton()
        self.proof_button.setFlat(True)
        self.proof_button.setObjectName("proof")
        self.proof_button.setAccessibleName("Proof that no text is lost")
        self.proof_button.setToolTip("Show the sum")
        self.proof_button.clicked.connect(self._show_proof)
        self._grid = QGridLayout()
        self._grid.setVerticalSpacing(1)
        self._grid.setColumnStretch(0, 1)
        self._lay_out()
        state.changed.connect(self._on_changed)
        self._show(None)

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 10, 12, 10)
        self._hint = QLabel("Figures about the chunks stand here; each is a link to its chunks.")
        self._hint.setObjectName("quiet")
        self._hint.setWordWrap(True)
        column.addWidget(self._hint)
        column.addWidget(self.histogram)
        column.addWidget(self.proof_button)
        self.live = LiveFigures(self._state)
        column.addWidget(self.live)
        column.addLayout(self._grid)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(inside)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.histogram.set_theme(theme)
        self.setStyleSheet(
            f"QPushButton#proof {{ color: {theme.good.name()}; text-align: left; }}"
            f"QPushButton#figure {{ color: {theme.accent.name()}; text-align: right; }}"
            f"QPushButton#figure:disabled {{ color: {theme.text.name()}; }}"
        )

    def _on_changed(self, change: Change) -> None:
        if Change.CHUNKS not in change:
            return
        preview = self._state.preview
        if preview is None:
            self._counted = None
            self._show(None)
            return
        if not self._pause.isActive():
            self._pause.start()

    @property
    def is_behind(self) -> bool:
        """Whether the figures are still those of an older cut."""
        return self._counted is not self._state.preview

    def _count(self) -> None:
        preview = self._state.preview
        if preview is None:
            return
        self.histogram.set_bands(preview.bands)
        self._latest.request(
            lambda _job: _computed(preview),
            partial(self._on_counted, preview),
            lambda problem: self._state.failed.emit(str(problem)),
        )

    def _on_counted(self, preview: Preview, found: tuple[list[Figure], Proof, list[str]]) -> None:
        self._counted = preview
        self._show(found)

    def _show(self, found: tuple[list[Figure], Proof, list[str]] | None) -> None:
        figures, self._proof, self._reasons = found or ([], None, [])
        self.proof_button.setVisible(self._proof is not None)
        self.histogram.setVisible(self._proof is not None)
        self._hint.setVisible(self._proof is None)
        if self._proof is not None:
            is_good = self._proof.holds
            self.proof_button.setText(
                "✓ every character accounted for" if is_good else "✗ text is lost"
            )
        if [figure.label for figure in figures] != [figure.label for figure in self.figures]:
            self._rebuild(figures)
        self.figures = figures
        for row, figure in enumerate(figures):
            self._fill(row, figure)

    def _rebuild(self, figures: list[Figure]) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for row, figure in enumerate(figures):
            label = QLabel(figure.label)
            label.setTextFormat(Qt.TextFormat.PlainText)
            button = QPushButton()
            button.setFlat(True)
            button.setObjectName("figure")
            button.setAccessibleName(figure.label)
            button.clicked.connect(partial(self._on_figure, row))
            self._grid.addWidget(label, row, 0)
            self._grid.addWidget(button, row, 1)

    def _fill(self, row: int, figure: Figure) -> None:
        item = self._grid.itemAtPosition(row, 1)
        button = item.widget() if item else None
        if isinstance(button, QPushButton):
            button.setText(figure.value)
            button.setEnabled(bool(figure.chunks))
            tip = f"Step through these {len(figure.chunks):,} chunks" if figure.chunks else ""
            button.setToolTip(tip)
            button.setAccessibleDescription(f"{figure.value}. {tip}".strip())

    def _on_figure(self, row: int) -> None:
        if row < len(self.figures):  # pressed in the moment in which another text was opened
            figure = self.figures[row]
            self.step(figure.label, list(figure.chunks))

    def step(self, name: str, chunks: list[int]) -> None:
        """Select the next of some chunks; after the last comes the first."""
        if not chunks:
            return
        at = self._steps.get(name, -1) + 1
        self._steps = {name: at}
        self._state.select_chunk(chunks[at % len(chunks)])

    def _show_proof(self) -> None:
        if self._proof is not None:
            box = QMessageBox(self)
            box.setWindowTitle("Where every character went")
            box.setTextFormat(Qt.TextFormat.PlainText)
            box.setText(proof_text(self._proof, self._reasons))
            box.open()


def _computed(preview: Preview) -> tuple[list[Figure], Proof, list[str]]:
    statistics = Statistics(preview.chunking)
    reasons = sorted({reason for _, reason in preview.chunking.left_out})
    return figures_of(statistics), statistics.proof, reasons
