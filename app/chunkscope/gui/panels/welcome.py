"""The empty window: what to do, and the sample documents with one click."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget


class WelcomePanel(QWidget):
    """Shown while there are no documents."""

    open_asked = Signal()
    samples_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = QLabel("Drop documents here")
        font = title.font()
        font.setPointSizeF(font.pointSizeF() * 1.9)
        font.setWeight(font.Weight.DemiBold)
        title.setFont(font)
        text = QLabel(
            "Files, folders or text, anywhere on the window. You see at once how they are\n"
            "cut into chunks; turn the knobs on the right and watch the cut move."
        )
        text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        samples = QPushButton("Open the sample documents")
        samples.setDefault(True)
        samples.setAutoDefault(True)
        samples.clicked.connect(self.samples_asked)
        open_files = QPushButton("Open files…")
        open_files.clicked.connect(self.open_asked)
        buttons = QHBoxLayout()
        for stretch, widget in ((1, None), (0, samples), (0, open_files), (1, None)):
            if widget is None:
                buttons.addStretch(stretch)
            else:
                widget.setMinimumHeight(36)
                buttons.addWidget(widget)
        column = QVBoxLayout(self)
        column.addStretch(2)
        column.addWidget(title, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(6)
        column.addWidget(text, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(18)
        column.addLayout(buttons)
        column.addStretch(3)
