"""The monkey itself: it opens the window, acts, waits, closes it, and keeps what it saw."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtWidgets import QApplication

from chunkscope.core.sandbox import Limits, Sandbox
from chunkscope.core.workspace import Workspace
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.preferences import Preferences
from chunkscope.gui.settings import Settings
from chunkscope.gui.watchdog import Block, Watchdog
from support.hashing import provide

_SETTLE_SECONDS = 120.0
Action = Callable[["Monkey"], None]
ACTIONS: dict[str, tuple[Action, float]] = {}


def action(weight: float = 1.0) -> Callable[[Action], Action]:
    """Register something that a user does; the heavier, the more often."""

    def register(act: Action) -> Action:
        ACTIONS[act.__name__] = (act, weight)
        return act

    return register


class Monkey:
    """One user at one window, which is closed and opened again now and then."""

    def __init__(self, seed: int, folder: Path, sandbox: Sandbox, faults: list[str]) -> None:
        self.random = random.Random(seed)
        self.folder = folder
        self.sandbox = sandbox
        self.faults = faults
        self.counts: Counter[str] = Counter()
        self.blocks: list[Block] = []
        self.longest_busy = 0.0
        self._trail: list[str] = []
        self._is_up = False
        self._settings = Settings(QSettings(str(folder / "m.ini"), QSettings.Format.IniFormat))
        self.open()

    # the window

    def open(self) -> None:
        """A window as at the start of the program, with what the last one has kept."""
        workspace = str(self.folder / f"workspace{self.random.randrange(2)}")
        kept = self._settings.preferences()
        self._settings.set_preferences(replace(kept, workspace_folder=workspace))
        self.sandbox.limits = Limits()
        self.window = MainWindow(self.sandbox, self._settings)
        self.window.state.index._provider = provide  # a fast one: it is asked often
        self.watchdog = Watchdog()
        self.watchdog.start()
        self.window.show()
        self._is_up = True

    def close(self) -> None:
        """Whatever is going on; nothing may be left behind."""
        if not self._is_up:
            return
        self._is_up = False
        self.blocks += self.watchdog.blocks
        self.longest_busy = max(self.longest_busy, self.watchdog.longest_busy)
        self.watchdog.stop()
        folder = self.window.state.index.folder
        self.window.close()
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()
        if (folder / "workspace.db").exists():
            self._look(folder)

    def _look(self, folder: Path) -> None:
        with Workspace.open(folder, embedders=provide, sandbox=self.sandbox) as workspace:
            if workspace.why_read_only:
                self.faults.append(f"the closed window left a lock: {workspace.why_read_only}")
            report = workspace.check()
            self.faults += [f"check: {each.kind}: {each.what}" for each in report.told[:3]]

    def reset_preferences(self) -> None:
        self._settings.set_preferences(Preferences())

    # time

    def pause(self, seconds: float) -> None:
        """Let the window work for so long."""
        until = time.monotonic() + seconds
        QApplication.processEvents()
        while time.monotonic() < until:
            QApplication.processEvents()
            time.sleep(0.002)

    def settle(self) -> None:
        """Wait until nothing is at work; a paused run is let go on."""
        until = time.monotonic() + _SETTLE_SECONDS
        while self.window.tasks.is_busy and time.monotonic() < until:
            self.window.state.index.resume()
            self.pause(0.01)
        if self.window.tasks.is_busy:
            said = [each.label for each in self.window.tasks.activities()]
            self.faults.append(f"still at work after {_SETTLE_SECONDS:.0f} s: {said}")

    # acting

    def act(self, actions: int) -> None:
        """Do so many things; the first faults say what was done just before."""
        names = list(ACTIONS)
        weights = [ACTIONS[name][1] for name in names]
        for _ in range(actions):
            name = self.random.choices(names, weights)[0]
            before = len(self.faults)
            self._do(name)
            self.pause(self.random.choice((0, 0, 0.005, 0.02)))
            if len(self.faults) > before:
                trail = " > ".join(self._trail)
                self.faults[before] += f"\n  action {sum(self.counts.values())}, after {trail}"
            if len(self.faults) > 20:
                return

    def _do(self, name: str) -> None:
        self.counts[name] += 1
        self._trail = [*self._trail[-7:], name]
        try:
            ACTIONS[name][0](self)
        except Exception as problem:  # noqa: BLE001 - what an action raises is a finding
            import traceback

            self.faults.append("".join(traceback.format_exception(problem)[-8:]))

    def note(self, what: str) -> None:
        """Say more about the action that is being done."""
        self._trail[-1] += f"({what})"
