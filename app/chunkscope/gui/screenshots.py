"""`chunkscope screenshots`: the README's pictures, taken of the real window with the samples.

A scene is a function that brings the window into a state; add one with `@scenes.register(name)`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QDeadlineTimer, QEventLoop, QPoint, QSettings, QSize, QTimer
from PySide6.QtGui import QImage, QPainter, QRegion
from PySide6.QtWidgets import QApplication, QWidget

from chunkscope import paths
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.profile import Profile
from chunkscope.core.registry import Registry
from chunkscope.core.sandbox import Sandbox
from chunkscope.gui import layouts
from chunkscope.gui.actions import (
    chunks,
    documents,
    export,
    index,
    profiles,
    search,
    tuning,
    view,
)
from chunkscope.gui.app import make_app
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.panels.tuning.page import TuningPage
from chunkscope.gui.settings import Settings

_PATIENCE = 60_000
_COLOURS = 256
_QUESTION = "when is a sensor reading not to be trusted?"


@dataclass(frozen=True, slots=True)
class Stage:
    """The window, and what a scene needs to direct it."""

    window: MainWindow

    def open(self, *names: str) -> None:
        """Show sample documents, the first of them in the preview."""
        for name in names:
            documents.open_paths(self.window, [str(paths.sample_docs() / name)])
            self.settle()

    def show(self, name: str) -> None:
        """Make a document of the library the current one."""
        state = self.window.state
        found = next(entry.key for entry in state.entries if Path(entry.source).name == name)
        state.show_document(found)
        self.settle()

    def ask(self, question: str) -> None:
        """Search, and show the first result."""
        self.window.search.ask(question)
        self.settle()

    def settle(self) -> None:
        """Wait until nothing runs and all is drawn."""
        self.wait(lambda: not self.window.tasks.is_busy and not self.window.statistics.is_behind)
        QApplication.processEvents()

    def wait(self, condition: Callable[[], bool]) -> None:
        """Run the window until something holds."""
        deadline = QDeadlineTimer(_PATIENCE)
        while not condition():
            if deadline.hasExpired():
                raise ChunkscopeError("the window did not come to rest; is the machine very busy?")
            loop = QEventLoop()
            QTimer.singleShot(10, loop.quit)
            loop.exec()


# What a scene returns is pictured; nothing stands for the whole window.
Scene = Callable[[Stage], QWidget | None]
scenes: Registry[Scene] = Registry("scene")


@scenes.register("window-light")
def _light(stage: Stage) -> None:
    _opened(stage, "light")


@scenes.register("window-dark")
def _dark(stage: Stage) -> None:
    _opened(stage, "dark")


def _opened(stage: Stage, theme: str) -> None:
    view.set_theme(stage.window, theme)
    stage.open("")
    stage.show("handbook.md")
    profiles.use(stage.window, Profile.preset("chunk-first").with_values({"max_size": 120}))
    stage.settle()
    stage.window.state.select_chunk(2)
    stage.settle()


@scenes.register("welcome")
def _welcome(stage: Stage) -> None:
    view.set_theme(stage.window, "light")


@scenes.register("find-pdf")
def _find(stage: Stage) -> None:
    """A PDF with its pages, left-out furniture and hits."""
    stage.open("")
    stage.show("report.pdf")
    profile = stage.window.state.profile.with_values(
        {"skip": ("running_header", "running_footer", "page_number")}
    )
    profiles.use(stage.window, profile)
    stage.settle()
    stage.window.preview.open_find()
    stage.window.preview.find_bar.box.setText("the")
    stage.settle()


@scenes.register("compare")
def _compare(stage: Stage) -> None:
    stage.open("story.txt")
    for name in ("auto-256", "sentences-1200", "characters-1200"):
        profiles.use(stage.window, Profile.preset(name))
        chunks.add_lane(stage.window)
    for name in ("Outline", "Chunk", "Statistics", "Library"):
        stage.window.docks[name].hide()
    stage.settle()
    stage.window.comparison.step(1)


@scenes.register("presets")
def _presets(stage: Stage) -> QWidget:
    stage.open("story.txt")
    dialog = chunks.try_presets(stage.window)
    stage.settle()
    assert dialog is not None
    return dialog


@scenes.register("export")
def _export(stage: Stage) -> QWidget:
    stage.open("story.txt")
    dialog = export.show_dialog(stage.window)
    stage.settle()
    assert dialog is not None
    return dialog


@scenes.register("search")
def _search(stage: Stage) -> None:
    _searched(stage, "light")


@scenes.register("search-dark")
def _search_dark(stage: Stage) -> None:
    _searched(stage, "dark")


def _searched(stage: Stage, theme: str) -> None:
    view.set_theme(stage.window, theme)
    stage.open("")
    index.index_library(stage.window)
    stage.settle()
    stage.ask(_QUESTION)


@scenes.register("explain")
def _explain(stage: Stage) -> None:
    _searched(stage, "light")
    search.show_dock(stage.window, "Explain")
    search.toggle_heat(stage.window)
    stage.settle()


@scenes.register("context")
def _context(stage: Stage) -> None:
    _searched(stage, "light")
    search.show_dock(stage.window, "Context")
    layouts.widen(stage.window, "Context", 330)
    stage.settle()


@scenes.register("why-not")
def _why_not(stage: Stage) -> None:
    _searched(stage, "light")
    stage.show("handbook.md")
    text = stage.window.preview.view.text()
    start = text.index("Languages on the labels")
    stage.window.preview.view.set_selection(start, start + 180)
    stage.window.state.reveal(start)
    search.why_not(stage.window)
    stage.settle()


@scenes.register("two-profiles")
def _two_profiles(stage: Stage) -> None:
    _searched(stage, "light")
    profiles.use(stage.window, Profile.preset("sentences-1200"))
    index.index_library(stage.window)
    stage.settle()
    stage.ask(_QUESTION)
    search.show_dock(stage.window, "Two profiles")
    layouts.widen(stage.window, "Two profiles", 330)
    stage.settle()


_SWEEP = {
    "name": "samples",
    "grid": {
        "strategy": ["recursive", "sentence", "token-window"],
        "max_size": [64, 128, 256],
        "overlap_share": [0.0, 0.25],
        "mode": ["lexical", "hybrid"],
        "embedder": ["instant"],
    },
}


@scenes.register("tune")
def _tune(stage: Stage) -> None:
    """What a sweep over the samples found, and a plot of the best."""
    page = _swept(stage)
    page.details.setCurrentWidget(page.details.plots)
    stage.wait(lambda: page.details.plots.chart is not None)
    found = stage.window.state.tuning
    found.choose(row.configuration.key for row in found.rows[:3])
    stage.settle()


@scenes.register("tune-dark")
def _tune_dark(stage: Stage) -> None:
    """Which questions one configuration answers and another does not."""
    view.set_theme(stage.window, "dark")
    page = _swept(stage)
    page.details.setCurrentWidget(page.details.flow)
    found = stage.window.state.tuning
    found.choose(row.configuration.key for row in (found.rows[-1], found.rows[0]))
    stage.settle()


def _swept(stage: Stage) -> TuningPage:
    state = stage.window.state
    stage.open("")
    tuning.use_samples(stage.window)
    stage.settle()
    state.tuning.set_table(_SWEEP)
    stage.settle()
    tuning.start(stage.window)
    stage.wait(lambda: state.tuning.found is not None)
    stage.settle()
    return tuning.page_of(stage.window)


@scenes.register("answers")
def _answers(stage: Stage) -> None:
    """Labelled answers over the bands, and what the cut does to them."""
    stage.open("")
    stage.window.state.tuning.labels.add_samples()
    stage.show("handbook.md")
    for name in ("Library", "Outline", "Chunk"):
        stage.window.docks[name].hide()
    profiles.use(stage.window, Profile.of("token-window").with_values(_ANSWERS_CUT))
    stage.settle()
    document = stage.window.state.document
    assert document is not None
    stage.window.preview.view.go_to(document.text.index("Nobody works"))


_ANSWERS_CUT = {"max_size": 60, "overlap": 0, "single_piece_max": 0}


def take(names: Sequence[str], folder: Path, size: QSize, scale: float) -> list[Path]:
    """Picture scenes, each in a window of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    app = make_app(sys.argv[:1])
    taken = []
    with Sandbox(workers=2) as sandbox:
        for name in names:
            window = MainWindow(sandbox, _no_settings())
            window.state.tuning.cache = None  # nobody's vectors either
            window.resize(size)
            window.show()
            app.processEvents()
            stage = Stage(window)
            pictured = scenes[name](stage) or window
            stage.settle()
            taken.append(folder / f"{name}.png")
            _thinned(_pictured(pictured, scale)).save(str(taken[-1]), quality=0)
            window.close()
    return taken


def _no_settings() -> Settings:
    """Pictures do not depend on who takes them, and change nobody's settings."""
    folder = Path(tempfile.mkdtemp(prefix="chunkscope-"))
    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    store.setValue("settings/workspace_folder", str(folder / "workspace"))
    return Settings(store)


def _pictured(widget: QWidget, scale: float) -> QImage:
    image = QImage(widget.size() * scale, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    painter = QPainter(image)
    widget.render(painter, QPoint(), QRegion(), QWidget.RenderFlag.DrawWindowBackground
                  | QWidget.RenderFlag.DrawChildren)  # fmt: skip
    painter.end()
    return image


def _thinned(image: QImage) -> QImage:
    """With 256 colours, the most used exactly and the others by the nearest: much smaller."""
    wide, high = image.width(), image.height()
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(high, wide) | 0xFF000000
    colours, places, counts = np.unique(pixels, return_inverse=True, return_counts=True)
    kept = colours[np.argsort(-counts, kind="stable")[:_COLOURS]]
    wanted, table = (each.view(np.uint8).reshape(-1, 4)[:, :3].astype(np.int32)
                     for each in (colours, kept.copy()))  # fmt: skip
    nearest = np.array([np.abs(table - colour).sum(axis=1).argmin() for colour in wanted], np.uint8)
    indices = np.zeros((high, (wide + 3) // 4 * 4), np.uint8)
    indices[:, :wide] = nearest[places].reshape(high, wide)
    found = QImage(indices.tobytes(), wide, high, indices.shape[1], QImage.Format.Format_Indexed8)
    found.setColorTable(kept.tolist())
    return found.copy()


def run(arguments: Sequence[str]) -> int:
    """Take the pictures that were asked for, or all."""
    options = _parser().parse_args(arguments)
    wide, high = (int(part) for part in options.size.split("x"))
    try:
        for path in take(options.scenes or list(scenes), options.output, QSize(wide, high),
                         options.scale):  # fmt: skip
            sys.stdout.write(f"{path} ({path.stat().st_size // 1000:,} kB)\n")
    except ChunkscopeError as problem:
        sys.stderr.write(f"error: {problem}\n")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("chunkscope screenshots", description="Picture the window.")
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=f"of {', '.join(scenes)}")
    parser.add_argument("--output", type=Path, default=Path("docs/images"), metavar="FOLDER")
    parser.add_argument("--size", default="1280x800", metavar="WxH", help="of the window")
    parser.add_argument("--scale", type=float, default=1.5, help="pixels for each point")
    return parser
