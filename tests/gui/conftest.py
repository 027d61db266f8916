"""A real window over real workers, with settings of its own."""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from chunkscope.core.sandbox import Sandbox
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.settings import Settings

HERE = Path(__file__).parent


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """As in the program, only the window's thread destroys windows that are no longer used."""
    if not item.path.is_relative_to(HERE):
        return (yield)
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.enable()


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
