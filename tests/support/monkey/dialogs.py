"""Dialogs that wait for an answer, answered at once by chance: a monkey must not wait."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

from PySide6.QtGui import QDesktopServices, QDrag
from PySide6.QtWidgets import QDialog, QFileDialog, QInputDialog, QMenu, QMessageBox

from chunkscope import paths


@contextmanager
def answered(chance: random.Random, folder: Path) -> Iterator[None]:
    """Inside, every modal dialog has been answered before it is seen."""
    samples = [str(path) for path in paths.sample_docs().iterdir() if path.is_file()]

    def saved(*_: object, **__: object) -> tuple[str, str]:
        name = f"out{chance.randrange(5)}{chance.choice(('', '.toml', '.json', '.csv'))}"
        return (str(folder / name) if chance.random() < 0.7 else "", "")

    def number(_p: object, _t: str, _l: str, value: int = 0, low: int = 0, high: int = 9,
               *_: object) -> tuple[int, bool]:  # fmt: skip
        return chance.randint(low, max(low, high)), chance.random() < 0.8

    def text(*_: object, **__: object) -> tuple[str, bool]:
        return chance.choice(("", "a name", "x/y\n", "é" * 300)), chance.random() < 0.8

    def one(*_: object, **__: object) -> tuple[str, str]:
        return chance.choice((*samples, "")), ""

    answers: list[tuple[type, str, Callable[..., object]]] = [
        (QFileDialog, "getOpenFileNames", lambda *_, **__: (chance.sample(samples, 2), "")),
        (QFileDialog, "getOpenFileName", one),
        (QFileDialog, "getSaveFileName", saved),
        (QFileDialog, "getExistingDirectory", lambda *_, **__: chance.choice(("", str(folder)))),
        (QInputDialog, "getInt", number),
        (QInputDialog, "getText", text),
        (QMessageBox, "exec", lambda *_: QMessageBox.StandardButton.Cancel),
        (QMessageBox, "question", lambda *_, **__: chance.choice(_BUTTONS)),
        (QMenu, "exec", lambda *_, **__: None),
        (QDialog, "exec", lambda *_: 0),
        (QDrag, "exec", lambda *_, **__: 0),
        (QDesktopServices, "openUrl", lambda *_: True),
    ]
    with ExitStack() as stack:
        for kind, name, answer in answers:
            stack.enter_context(patch.object(kind, name, answer))
        yield


_BUTTONS = (
    QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No,
    QMessageBox.StandardButton.Save, QMessageBox.StandardButton.Discard,
)  # fmt: skip
