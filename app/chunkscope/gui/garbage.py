"""Cyclic garbage is collected in the window's thread alone."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_INTERVAL = 250  # milliseconds: often enough that each collection is short


class GarbageCollector(QObject):
    """Takes over from Python's automatic collection, which runs in whatever thread allocates.

    A worker's thread that came upon a dialog no longer used would destroy Qt's objects there,
    and Qt crashes.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        timer = QTimer(self)
        timer.timeout.connect(_collect)
        timer.start(_INTERVAL)


def _collect() -> None:
    """Collect the oldest generation that is due, as Python would."""
    counts, limits = gc.get_count(), gc.get_threshold()
    for generation in (2, 1, 0):
        if counts[generation] > limits[generation]:
            gc.collect(generation)
            return
