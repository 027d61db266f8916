"""A problem where it belongs: the sentence, what to do, and the report for whoever asks."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from chunkscope.gui.theme import Theme, mixed


class Banner(QFrame):
    """Hidden while all is well."""

    retry_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.report = ""
        self.setObjectName("banner")
        self.text = QLabel()
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setAccessibleName("Problem")
        self.retry = QPushButton("Try again")
        self.retry.clicked.connect(self.retry_asked)
        self.copy = QPushButton("Copy report")
        self.copy.setToolTip("Versions and the cause, without any text of your documents")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.report))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 12, 8)
        row.addWidget(self.text, 1)
        row.addWidget(self.retry)
        row.addWidget(self.copy)
        self.hide()

    def tell(self, sentence: str, report: str, *, can_retry: bool = False) -> None:
        self.report = report
        self.text.setText(sentence)
        self.retry.setVisible(can_retry)
        self.show()

    def set_theme(self, theme: Theme) -> None:
        ground, edge = mixed(theme.base, theme.error, 0.12).name(), theme.error.name()
        self.setStyleSheet(
            f"QFrame#banner {{ background: {ground}; border-left: 4px solid {edge}; }}"
        )
