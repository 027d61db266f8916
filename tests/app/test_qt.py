"""Qt runs here without a screen."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot


def test_a_widget_shows_offscreen(qtbot: QtBot) -> None:
    label = QLabel("ready")
    qtbot.addWidget(label)
    with qtbot.waitExposed(label):
        label.show()
    assert QApplication.platformName() == "offscreen"
