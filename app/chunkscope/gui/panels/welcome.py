"""The empty window: what to do, and the sample documents with one click."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from chunkscope.gui.icons import pixmap
from chunkscope.gui.theme import Theme, light

_TEXT = (
    "Files, folders or text, anywhere on the window. You see at once how they are cut\n"
    "into chunks; turn the knobs on the right and watch the boundaries move."
)
_KEYS = "Ctrl+O opens files  ·  Ctrl+Shift+V opens the clipboard  ·  F1 lists all keys"
_FRAME = 28


class WelcomePanel(QWidget):
    """Shown while there are no documents."""

    open_asked = Signal()
    samples_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = light()
        self._picture = QLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        title = QLabel("Drop documents here")
        font = title.font()
        font.setPointSizeF(font.pointSizeF() * 1.9)
        font.setWeight(font.Weight.DemiBold)
        title.setFont(font)
        self.samples = QPushButton("Open the sample documents")
        self.samples.setDefault(True)
        self.samples.setAutoDefault(True)
        self.samples.clicked.connect(self.samples_asked)
        self.open_files = QPushButton("Open files…")
        self.open_files.clicked.connect(self.open_asked)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for button in (self.samples, self.open_files):
            button.setMinimumHeight(36)
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(_FRAME * 2, _FRAME, _FRAME * 2, _FRAME)
        column.addStretch(2)
        column.addWidget(self._picture)
        column.addSpacing(10)
        for widget, below in ((title, 6), (_quiet(_TEXT), 20)):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
            column.addSpacing(below)
        column.addLayout(buttons)
        column.addSpacing(22)
        column.addWidget(_quiet(_KEYS), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        ratio = self.devicePixelRatioF()
        self._picture.setPixmap(pixmap("drop", theme.muted, 56, width=1.3, ratio=ratio))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A dashed frame: the usual sign of a place to drop things."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.line, 2, Qt.PenStyle.DashLine))
        painter.setBrush(self._theme.base)
        painter.drawRoundedRect(self.rect().adjusted(_FRAME, _FRAME, -_FRAME, -_FRAME), 14, 14)


def _quiet(text: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName("quiet")
    label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    return label
