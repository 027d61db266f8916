"""Plots of the rows; the library for them is fetched in the background when first needed."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from chunkscope.core.evaluation.effects import varied
from chunkscope.core.evaluation.plan import Settings
from chunkscope.core.evaluation.scores import Row
from chunkscope.gui.changes import TuningChange
from chunkscope.gui.panels.tuning.plot_data import Kind, Plot, plot_of
from chunkscope.gui.panels.tuning.question_dialog import hint
from chunkscope.gui.theme import Theme, light

if TYPE_CHECKING:
    from chunkscope.gui.panels.tuning.charts import Chart
    from chunkscope.gui.state import AppState

_NONE = "The plots stand here once a sweep has found something."
_MOST_LINES = 6


class PlotsPanel(QWidget):
    """Which plot, of which parameters; the chart itself comes with the library."""

    export_asked = Signal()

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._tuning = state.tuning
        self._theme = light()
        self._is_asked = False
        self._is_stale = True
        self.chart: Chart | None = None
        self.plot: Plot | None = None
        self.kind, self.one, self.other = QComboBox(), QComboBox(), QComboBox()
        for kind in Kind:
            self.kind.addItem(kind.value, kind)
        for box, name in (
            (self.kind, "Plot"),
            (self.one, "Parameter"),
            (self.other, "Second parameter"),
        ):
            box.setAccessibleName(name)
            box.activated.connect(lambda _: self.refresh())
        self.export = QPushButton("E&xport…")
        self.export.setToolTip("The plot as PNG or SVG, its figures as CSV")
        self.export.clicked.connect(self.export_asked)
        self._by, self._and = QLabel("of"), QLabel("and")
        self.about = hint(_NONE)
        self._lay_out()
        self._tuning.changed.connect(self._on_changed)
        self._show_boxes()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        for part in (self.kind, self._by, self.one, self._and, self.other):
            head.addWidget(part)
        head.addStretch(1)
        head.addWidget(self.export)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 8, 12, 8)
        self._column.addLayout(head)
        self._column.addWidget(self.about)
        self._column.addStretch(1)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self.chart is not None:
            self.chart.set_theme(theme)

    # the library

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._is_asked:
            self._is_asked = True
            # A second of importing in the window's thread would be felt.
            self._state.tasks.run(
                "plots",
                lambda _job: importlib.import_module("pyqtgraph"),
                self._on_library,
                lambda problem: self._tuning.told.emit(str(problem)),
            )
        if self._is_stale:
            self.refresh()

    def _on_library(self, _library: Any) -> None:
        from chunkscope.gui.panels.tuning.charts import Chart

        self.chart = Chart(self._theme)
        self._column.takeAt(self._column.count() - 1)
        self._column.addWidget(self.chart, 1)
        self.refresh()

    # what is shown

    def _on_changed(self, change: TuningChange) -> None:
        if (TuningChange.ROWS | TuningChange.CHOSEN) & change:
            if self.isVisible():
                self.refresh()
            else:
                self._is_stale = True

    def rows(self) -> list[Row]:
        return [row for row in self._tuning.rows if row.dropped_after is None]

    def settings(self) -> Settings:
        found, plan = self._tuning.found, self._tuning.plan
        if found is not None and self._tuning.running is None:
            return found.run.origin.settings
        return plan.settings if plan else Settings()

    def show_kind(self, kind: Kind) -> None:
        self.kind.setCurrentIndex(self.kind.findData(kind))
        self.refresh()

    def refresh(self) -> None:
        self._is_stale = False
        rows = self.rows()
        self._fill_parameters(rows)
        self._show_boxes()
        self.export.setEnabled(bool(rows) and self.chart is not None)
        chosen = [row for row in self._tuning.chosen_rows if row.dropped_after is None]
        lines = chosen if len(chosen) > 1 else _unique([*chosen, *rows[:4]])
        self.plot = plot_of(
            Kind(self.kind.currentData()), rows, lines[:_MOST_LINES], self.settings(),
            self.one.currentText(), self.other.currentText(),
        )  # fmt: skip
        self.about.setText(self.plot.about if rows else _NONE)
        if self.chart is not None:
            self.chart.setVisible(bool(rows))
            self.chart.show_plot(self.plot)

    def _fill_parameters(self, rows: list[Row]) -> None:
        names = varied(rows)
        for at, box in enumerate((self.one, self.other)):
            if [box.itemText(each) for each in range(box.count())] != names:
                with QSignalBlocker(box):
                    box.clear()
                    box.addItems(names)
                    box.setCurrentIndex(min(at, len(names) - 1))

    def _show_boxes(self) -> None:
        kind = self.kind.currentData()
        needs_one = kind in (Kind.EFFECT, Kind.HEAT)
        for part in (self._by, self.one):
            part.setVisible(needs_one)
        for part in (self._and, self.other):
            part.setVisible(kind == Kind.HEAT)


def _unique(rows: list[Row]) -> list[Row]:
    return list({row.configuration.key: row for row in rows}.values())
