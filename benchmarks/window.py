"""How fast the window is: the real one, driven offscreen; prints tables.

python -m benchmarks.window [--sizes 0.1,1,10,100] [--steps 60]
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, QSettings

from benchmarks.tables import Table, Tables, show
from chunkscope.core.profile import Profile
from chunkscope.core.sandbox import Sandbox
from chunkscope.gui.actions import documents, profiles
from chunkscope.gui.app import make_app
from chunkscope.gui.forms import NumberField
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.settings import Settings
from chunkscope.gui.watchdog import Watchdog

PROSE = (
    "the station by the river keeps its own time and nobody in the village minds it because "
    "trains have not stopped there since the flood took the bridge in the spring of that year"
)
WORDS = PROSE.split()
HEAVY = ("torch", "transformers", "openvino", "faiss", "sentence_transformers")
_PATIENCE = 600.0


def text_of(megabytes: float, seed: int = 1) -> str:
    """Prose in paragraphs, different at every place."""
    random = np.random.default_rng(seed)
    wanted, made, paragraphs = int(megabytes * 1_000_000), 0, []
    while made < wanted:
        sentences = []
        for _ in range(int(random.integers(3, 9))):
            words = [WORDS[at] for at in random.integers(0, len(WORDS), random.integers(6, 24))]
            sentences.append(" ".join(words).capitalize() + f" {random.integers(1000)}.")
        paragraphs.append(" ".join(sentences))
        made += len(paragraphs[-1]) + 2
    return "\n\n".join(paragraphs)


class Driver(QObject):
    """A window, its watchdog, and a clock."""

    def __init__(self, sandbox: Sandbox, folder: Path) -> None:
        super().__init__()
        store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.window = MainWindow(sandbox, Settings(store))
        self.window.show()
        self.watchdog = Watchdog(self)
        self.watchdog.start()
        self.painted = 0
        self.window.preview.view.painted.connect(self._on_painted)

    def _on_painted(self) -> None:
        self.painted += 1

    def wait(self, condition: Callable[[], bool]) -> float:
        """Run the loop until something holds; the seconds that it took."""
        start = perf_counter()
        # No timer of its own: one that is left to the collector may end in another thread. The
        # watchdog's beat brings an event every few milliseconds.
        more = QEventLoop.ProcessEventsFlag.WaitForMoreEvents
        while not condition():
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents | more)
            if perf_counter() - start > _PATIENCE:
                raise SystemExit("the window did not come to an end")
        return perf_counter() - start

    def blocks(self) -> dict[str, float]:
        """The longest block, and the longest that was not due to other programs."""
        return {"block": self.watchdog.longest, "of ours": self.watchdog.longest_busy}

    def settle(self) -> None:
        self.wait(lambda: not self.window.tasks.is_busy)
        self.wait_painted()

    def wait_painted(self) -> None:
        before = self.painted
        self.window.preview.view.viewport().update()
        self.wait(lambda: self.painted > before)

    def close(self) -> None:
        self.watchdog.stop()
        self.window.close()


def opening(driver: Driver, path: Path, *, with_bands: bool = True) -> dict[str, float]:
    """From drop to the first painted text, and to painted bands."""
    view, state = driver.window.preview.view, driver.window.state
    driver.watchdog.reset()
    start = perf_counter()
    documents.open_paths(driver.window, [str(path)])
    marks: dict[str, float] = {}

    def on_painted() -> None:
        if view.text() and "text" not in marks:
            marks["text"] = perf_counter() - start
        if state.preview is not None and len(view.bands()) and "bands" not in marks:
            marks["bands"] = perf_counter() - start

    view.painted.connect(on_painted)
    driver.wait(lambda: ("bands" if with_bands else "text") in marks)
    view.painted.disconnect(on_painted)
    if not with_bands:
        return {**marks, **driver.blocks()}
    driver.settle()
    return {**marks, "settled": perf_counter() - start, **driver.blocks()}


def sliding(driver: Driver, steps: int) -> dict[str, float]:
    """From a step of the slider to the painted cut, and the longest block on the way."""
    state, view = driver.window.state, driver.window.preview.view
    field = driver.window.parameters.field("max_size")
    assert isinstance(field, NumberField)
    slider = field.slider
    times: list[float] = []
    first = slider.value()
    driver.watchdog.reset()
    slider.setSliderDown(True)
    for step in range(1, steps + 1):
        slider.setValue(first - step * 3 if step % 2 else first - step * 3 + 1)
        wanted = state.profile
        start = perf_counter()
        shown: list[float] = []

        def on_painted() -> None:
            current = state.preview
            if current is not None and current.profile == wanted and not shown:  # noqa: B023
                shown.append(perf_counter())  # noqa: B023

        view.painted.connect(on_painted)
        driver.wait(lambda: bool(shown))  # noqa: B023
        view.painted.disconnect(on_painted)
        times.append(shown[0] - start)
    slider.setSliderDown(False)
    blocks = driver.blocks()
    driver.settle()
    slider.setValue(first)
    driver.settle()
    p50, p95 = np.percentile(times, (50, 95)).tolist()
    return {"p50": p50, "p95": p95, **blocks}


def scrolling(driver: Driver) -> dict[str, float]:
    """Jumps over the whole text by its scroll bar: the longest painting."""
    bar, times = driver.window.preview.view.verticalScrollBar(), []
    driver.watchdog.reset()
    for share in np.linspace(0, 1, 40):
        start = perf_counter()
        bar.setValue(int(bar.maximum() * share))
        driver.wait_painted()
        times.append(perf_counter() - start)
    return {"p95": float(np.percentile(times, 95)), **driver.blocks()}


_START = """
import sys, time
start = time.perf_counter()
from chunkscope.gui.app import make_app
app = make_app([])
from chunkscope.core.sandbox import Sandbox
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.settings import Settings
from PySide6.QtCore import QSettings
with Sandbox(workers=2) as sandbox:
    window = MainWindow(sandbox, Settings(QSettings(sys.argv[1], QSettings.Format.IniFormat)))
    window.show()
    app.processEvents()
    import json
    took = time.perf_counter() - start
    heavy = [name for name in %r if name in sys.modules]
    print(json.dumps([took, time.process_time(), heavy]))
    window.close()
"""


def starting(folder: Path) -> tuple[float, float, list[str]]:
    """From a fresh interpreter to a shown window: seconds, work, and what heavy is loaded."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "cache")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    times, works, heavy = [], [], []
    for _ in range(4):
        done = subprocess.run(
            [sys.executable, "-c", _START % (HEAVY,), str(folder / "s.ini")],
            capture_output=True, text=True, check=True, env=environment,
        )  # fmt: skip
        took, used, heavy = json.loads(done.stdout)
        times.append(took)
        works.append(used)
    return min(times[1:]), min(works[1:]), heavy  # the first fills the cache


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured: sizes in MB, steps of the slider."""

    sizes: tuple[float, ...] = (0.1, 1, 10, 100)
    steps: int = 60
    slide_up_to: float = 10.0
    bands_up_to: float = 100.0
    preset: str = "chunk-first"


QUICK = Plan(sizes=(0.1, 1), steps=20)


def tables(is_quick: bool = False, plan: Plan | None = None) -> Tables:
    plan = plan or (QUICK if is_quick else Plan())
    logging.disable(logging.WARNING)  # the figures say it
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seconds, work, heavy = starting(folder)
        yield Table(
            "From start to a shown window",
            ["seconds", "processor seconds", "heavy imports"],
            [[seconds, work, ", ".join(heavy) or "none"]],
        )
        app = make_app([])
        with Sandbox(workers=2) as sandbox:
            for size in plan.sizes:
                yield measure(plan, sandbox, folder, size)
        app.quit()


def measure(plan: Plan, sandbox: Sandbox, folder: Path, size: float) -> Table:
    path = folder / f"{size:g}.txt"
    path.write_text(text_of(min(size, 10)) * (round(size / 10) if size > 10 else 1), "utf-8")
    driver = Driver(sandbox, folder)
    profiles.use(driver.window, Profile.preset(plan.preset))
    driver.window.state.warm_up()
    driver.wait(lambda: not driver.window.tasks.is_busy)
    with_bands = size <= plan.bands_up_to
    found = {"open": opening(driver, path, with_bands=with_bands), "scroll": scrolling(driver)}
    if size <= plan.slide_up_to:
        found["slide"] = sliding(driver, plan.steps)
    driver.close()
    rows: list[list[str | float]] = [
        [name, what, value * 1000]
        for name, figures in found.items()
        for what, value in figures.items()
    ]
    return Table(f"The window with {size:g} MB", ["action", "what", "ms"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="0.1,1,10,100", help="in MB")
    parser.add_argument("--steps", type=int, default=60, help="of the slider")
    parser.add_argument("--slide-up-to", type=float, default=10.0, metavar="MB")
    parser.add_argument("--bands-up-to", type=float, default=100.0, metavar="MB")
    parser.add_argument("--preset", default="chunk-first")
    given = parser.parse_args()
    sizes = tuple(float(part) for part in given.sizes.split(","))
    plan = Plan(sizes, given.steps, given.slide_up_to, given.bands_up_to, given.preset)
    show(tables(plan=plan))


if __name__ == "__main__":
    main()
