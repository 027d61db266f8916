"""The short form of tests/campaigns/monkey.py: one seed; and that the monkey sees faults."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer, qWarning
from pytestqt.qtbot import QtBot

from chunkscope.core.sandbox import Sandbox
from support.monkey import actions
from support.monkey.dialogs import answered
from support.monkey.faults import collected
from support.monkey.monkey import ACTIONS, Monkey

SEED, COUNT = 7, 150


@pytest.mark.qt_no_exception_capture
@pytest.mark.slow
def test_a_hundred_and_fifty_actions(
    qtbot: QtBot, tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # what is typed into a field for a folder ends up here
    with collected() as faults:
        monkey = Monkey(SEED, tmp_path, sandbox, faults)
        with answered(monkey.random, tmp_path):
            monkey.act(COUNT)
            actions.wait_for_all(monkey)
            monkey.close()
    assert "\n".join(faults) == ""
    assert sum(monkey.counts.values()) == COUNT
    assert len(monkey.counts) > len(ACTIONS) / 2


@pytest.mark.qt_no_exception_capture
def test_the_monkey_sees_what_goes_wrong(qtbot: QtBot) -> None:
    def fail() -> None:
        raise ValueError("in a slot")

    with collected() as faults:
        qWarning("a warning of Qt's")
        logging.getLogger("chunkscope.gui").error("an error in the log")
        QTimer.singleShot(0, fail)
        qtbot.waitUntil(lambda: len(faults) == 3)
    assert "a warning of Qt's" in faults[0]
    assert "an error in the log" in faults[1]
    assert "in a slot" in faults[2]
