"""What the labels say about the cut, beside the other figures: it follows the slider."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QPushButton, QWidget

from chunkscope.core.evaluation.live import Fate
from chunkscope.gui.changes import TuningChange

if TYPE_CHECKING:
    from chunkscope.gui.state import AppState

_LINES = (
    ("precision Ω", "of what holds an answer, how much is answer"),
    ("answers whole", "in one chunk"),
    ("answers split", "over several chunks"),
    ("answers left out", "in no chunk at all"),
)
_FATES = (None, Fate.WHOLE, Fate.SPLIT, Fate.LEFT_OUT)


class LiveFigures(QWidget):
    """Hidden where no label lies in the document; a click steps through the passages."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._labels = state.tuning.labels
        self._steps: dict[Fate, int] = {}
        self.values: list[QPushButton] = []
        self.switch = QCheckBox("Show answers in the text")
        self.switch.setChecked(self._labels.is_gold_shown)
        self.switch.toggled.connect(self._labels.show_gold)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 8, 0, 0)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(0, 1)
        head = QLabel("Labelled answers")
        head.setObjectName("heading")
        grid.addWidget(head, 0, 0, 1, 2)
        for at, (name, tip) in enumerate(_LINES, start=1):
            grid.addWidget(self._name(name, tip), at, 0)
            grid.addWidget(self._value(name, tip, _FATES[at - 1]), at, 1)
        grid.addWidget(self.switch, len(_LINES) + 1, 0, 1, 2)
        self._labels.changed.connect(self._on_changed)
        self._show()

    def _name(self, name: str, tip: str) -> QLabel:
        label = QLabel(name)
        label.setToolTip(tip)
        return label

    def _value(self, name: str, tip: str, fate: Fate | None) -> QPushButton:
        button = QPushButton()
        button.setFlat(True)
        button.setObjectName("figure")
        button.setAccessibleName(name)
        button.setToolTip(tip)
        if fate is None:
            button.setEnabled(False)
        else:
            button.clicked.connect(partial(self._step, fate))
        self.values.append(button)
        return button

    def _on_changed(self, change: TuningChange) -> None:
        if TuningChange.LIVE in change:
            self._show()

    def _show(self) -> None:
        live = self._labels.live
        self.setVisible(live is not None)
        if live is None:
            return
        self.values[0].setText(f"{live.precision_omega:.1%}")
        count = len(live.passages)
        for button, fate in zip(
            self.values[1:], (Fate.WHOLE, Fate.SPLIT, Fate.LEFT_OUT), strict=True
        ):
            found = live.count(fate)
            button.setText(f"{found:,} · {found / count:.0%}")
            button.setEnabled(found > 0)

    def _step(self, fate: Fate, _checked: bool = False) -> None:
        """Show the next passage of a fate; after the last comes the first."""
        live = self._labels.live
        passages = [each for each in live.passages if each.fate is fate] if live else []
        if passages:
            at = self._steps.get(fate, -1) + 1
            self._steps = {fate: at}
            self._state.reveal(*passages[at % len(passages)].span)
