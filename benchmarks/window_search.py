"""How fluid the window is while it indexes and searches; the real one, driven offscreen.

python -m benchmarks.window_search [--documents 200] [--chunks 10000]
"""

from __future__ import annotations

import argparse
import logging
import os
import tempfile
from pathlib import Path
from time import perf_counter

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest

from benchmarks.tables import Table, Tables, show
from benchmarks.window import WORDS, Driver, text_of
from chunkscope.core.profile import Profile
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.search.options import SearchOptions
from chunkscope.core.workspace import Workspace
from chunkscope.gui.actions import documents, index, profiles
from chunkscope.gui.app import make_app

_KEY_PAUSE = 60  # milliseconds between two keys
_SMALL = Profile.preset("chunk-first").with_values({"max_size": 16, "overlap": 0})


class Painted(QObject):
    """Notes when a widget is painted."""

    def __init__(self, watched: QObject) -> None:
        super().__init__()
        self.at = 0.0
        watched.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.at = perf_counter()
        return False


def questions(count: int, seed: int = 3) -> list[str]:
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, 4, replace=False)) for _ in range(count)]


def indexing(driver: Driver, folder: Path, count: int) -> list[list[str | float]]:
    """Index documents and type questions meanwhile; the longest block of the loop."""
    shelf = folder / "shelf"
    shelf.mkdir()
    for number in range(count):
        (shelf / f"{number:03}.txt").write_text(text_of(0.001, seed=number), "utf-8")
    window = driver.window
    documents.open_paths(window, [str(shelf)])
    driver.wait(lambda: sum(each.document is not None for each in window.state.entries) == count)
    driver.settle()
    index.index_library(window)
    driver.watchdog.reset()
    start = perf_counter()
    driver.wait(lambda: window.state.index.run is not None)
    asked = 0
    while window.state.index.report is None:
        for query in questions(1, seed=asked):
            window.search.box.clear()
            for letter in query:
                QTest.keyClick(window.search.box, letter, delay=_KEY_PAUSE)
            QTest.keyClick(window.search.box, Qt.Key.Key_Return)
            asked += 1
    seconds = perf_counter() - start
    blocks = driver.blocks()
    driver.settle()
    return [
        ["documents", float(count)],
        ["seconds", seconds],
        ["questions typed meanwhile", float(asked)],
        ["longest block, ms", blocks["block"] * 1000],
        ["of ours, ms", blocks["of ours"] * 1000],
    ]


def searching(driver: Driver, rounds: int) -> list[list[str | float]]:
    """From Enter to painted results."""
    window = driver.window
    search, cards = window.state.search, window.search.cards
    search.set_options(SearchOptions(similarity_floor=0.0, lexical_floor=0.0))
    index.show_search(window)
    driver.wait(lambda: bool(window.state.index.profiles))
    painted = Painted(cards.viewport())
    times: list[float] = []
    driver.watchdog.reset()
    for query in questions(rounds + 2):
        window.search.box.setText(query)
        before, start = search.result, perf_counter()
        QTest.keyClick(window.search.box, Qt.Key.Key_Return)
        shown: list[float] = []

        def look() -> bool:
            if search.result is not before and painted.at > start and not shown:  # noqa: B023
                shown.append(painted.at)  # noqa: B023
            return bool(shown)  # noqa: B023

        driver.wait(look)
        times.append(shown[0] - start)
        driver.settle()
    p50, p95 = (np.percentile(times[2:], (50, 95)) * 1000).tolist()  # the first loads the model
    chunks = window.state.index.profiles[0].chunks
    return [
        ["chunks", float(chunks)],
        ["from Enter to painted results, p50 ms", p50],
        ["p95 ms", p95],
        ["longest block, ms", driver.blocks()["block"] * 1000],
    ]


def filled(folder: Path, sandbox: Sandbox, chunks: int) -> None:
    """A workspace of small chunks: as many rows and vectors, made soon."""
    shelf = folder / "many"
    shelf.mkdir()
    for number in range(20):
        text = text_of(chunks * 16 * 4.6 / 20 / 1e6, seed=1000 + number)
        (shelf / f"{number:03}.txt").write_text(text, "utf-8")
    with Workspace.open(folder / "workspace", sandbox=sandbox) as workspace:
        workspace.index([shelf], _SMALL)


def tables(
    is_quick: bool = False, count: int = 200, chunks: int = 10_000, rounds: int = 20
) -> Tables:
    if is_quick:
        count, chunks, rounds = 40, 1_000, 10
    logging.disable(logging.WARNING)  # the figures say it
    app = make_app([])
    with Sandbox(workers=2) as sandbox:
        for name in ("Indexing while questions are typed", "Searching"):
            with tempfile.TemporaryDirectory() as made:
                folder = Path(made)
                os.environ["CHUNKSCOPE_WORKSPACE"] = str(folder / "workspace")
                if name == "Searching":
                    filled(folder, sandbox, chunks)
                driver = Driver(sandbox, folder)
                driver.window.state.warm_up()
                driver.wait(lambda: not driver.window.tasks.is_busy)  # noqa: B023
                if name == "Searching":
                    profiles.use(driver.window, _SMALL)
                    rows = searching(driver, rounds)
                else:
                    rows = indexing(driver, folder, count)
                driver.close()
            yield Table(name, ["what", "figure"], rows)
    app.quit()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--chunks", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    show(tables(False, given.documents, given.chunks, given.rounds))


if __name__ == "__main__":
    main()
