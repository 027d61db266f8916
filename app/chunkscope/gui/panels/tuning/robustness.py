"""How much a row hangs on its exact size and on where the text begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QTableView, QVBoxLayout, QWidget

from chunkscope.gui.changes import TuningChange
from chunkscope.gui.panels.tuning.question_dialog import hint
from chunkscope.gui.panels.tuning.tables import Column, TableModel, dress
from chunkscope.gui.theme import Theme

if TYPE_CHECKING:
    from chunkscope.gui.state import AppState

_HINT = (
    "Scores the chosen row again with its size 10 % smaller and larger, and with the beginning of "
    "every document cut off: a setting that wins only by luck falls back."
)


@dataclass(frozen=True, slots=True)
class Varied:
    """One variation, and how far it is from the unchanged one."""

    name: str
    value: float
    change: float


class RobustnessPanel(QWidget):
    """A button, a sentence and a table."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tuning = state.tuning
        self.sentence = hint(_HINT)
        self.button = QPushButton("&Check the chosen row")
        self.button.clicked.connect(self._tuning.check_robustness)
        self.model = TableModel[Varied]((
            Column[Varied]("Variation", lambda each: each.name),
            Column[Varied]("Score", lambda each: f"{each.value:.1%}", lambda each: each.value),
            Column[Varied]("Change", _told_change, lambda each: each.change),
        ))  # fmt: skip
        self.table = QTableView()
        self.table.setModel(self.model)
        dress(self.table, "Variations")
        for column, width in enumerate((300, 100, 120)):
            self.table.setColumnWidth(column, width)
        head = QHBoxLayout()
        head.addWidget(self.sentence, 1)
        head.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        column_ = QVBoxLayout(self)
        column_.setContentsMargins(12, 10, 12, 8)
        column_.addLayout(head)
        column_.addWidget(self.table, 1)
        self._tuning.changed.connect(self._on_changed)
        self._show()

    def set_theme(self, theme: Theme) -> None:
        """Nothing here is drawn by hand."""

    def _on_changed(self, change: TuningChange) -> None:
        if (TuningChange.ROBUSTNESS | TuningChange.CHOSEN | TuningChange.PROGRESS) & change:
            self._show()

    def _show(self) -> None:
        tuning = self._tuning
        self.button.setEnabled(
            bool(tuning.chosen_rows) and tuning.found is not None and tuning.running is None
        )
        found, shown = tuning.robustness, tuning.found
        if found is None or shown is None:
            self.sentence.setText(_HINT)
            self.model.set_rows([])
            self.table.hide()
            return
        headline = shown.run.origin.settings.headline
        values = found.values(headline)
        base = values["unchanged"]
        self.sentence.setText(
            f"{found.row.name}: {headline} spreads over {found.spread(headline) * 100:.1f} points, "
            "on the questions that all variations can be asked."
        )
        self.model.set_rows([Varied(name, value, value - base) for name, value in values.items()])
        self.table.show()


def _told_change(varied: Varied) -> str:
    return f"{varied.change * 100:+.1f} points" if varied.name != "unchanged" else ""
