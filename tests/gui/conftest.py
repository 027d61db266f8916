"""A real window over real workers, with settings of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from chunkscope.core.sandbox import Sandbox
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


@pytest.fixture(autouse=True)
def _own_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test touches the workspace of whoever runs it."""
    monkeypatch.setenv("CHUNKSCOPE_WORKSPACE", str(tmp_path / "workspace"))


@pytest.fixture
def window(qtbot: QtBot, sandbox: Sandbox, settings: Settings) -> Iterator[MainWindow]:
    made = MainWindow(sandbox, settings)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.close()
