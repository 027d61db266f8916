"""`--self-test`: the window does its whole job on the sample documents, and says how it went.

A bundle is tried with it: whatever was left out of it is missed here.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QEventLoop, QSettings, QTimer

from chunkscope.core.chunking.strategies import strategies
from chunkscope.core.embedding.base import embedder
from chunkscope.core.job import Job
from chunkscope.core.profile import Profile, presets
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.text.tokenizers import tokenizer, tokenizers
from chunkscope.gui import about
from chunkscope.gui.actions import documents, profiles
from chunkscope.gui.app import make_app
from chunkscope.gui.icons import app_icon
from chunkscope.gui.log_viewer import LogMemory
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.preferences import Preferences
from chunkscope.gui.settings import Settings
from chunkscope.gui.state import Status

log = logging.getLogger(__name__)

_SECONDS = 120.0
_POLL_MS = 10
_INDEXED = ("story.txt", "handbook.md", "report.pdf")
_MODELS = ("instant", "minilm")  # all that come along
_QUESTION, _ANSWER = "Who mended the clocks in Kessary?", "story.txt"

Step = Callable[[MainWindow], str]


class SelfTestFailed(Exception):
    """What did not work, in a sentence."""


def run(out: Callable[[str], object] | None = None) -> int:
    """Try everything once; 0 when all of it works."""
    tell = out or _to_stdout
    if "QT_QPA_PLATFORM" not in os.environ and sys.platform == "linux" and not _has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory(prefix="chunkscope-self-test-") as folder:
        try:
            _try_all(Path(folder), tell)
        except SelfTestFailed as problem:
            tell(f"self-test failed: {problem}")
            return 1
    tell("self-test passed")
    return 0


def _has_display() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _to_stdout(line: str) -> None:
    if sys.stdout is not None:  # a window program on Windows has none
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def _try_all(folder: Path, tell: Callable[[str], object]) -> None:
    started = time.perf_counter()
    memory = LogMemory(logging.WARNING)
    memory.install()
    app = make_app(sys.argv[:1])
    settings = Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
    settings.set_preferences(Preferences(workspace_folder=str(folder / "workspace")))
    with Sandbox(2) as sandbox, _logged_exceptions():
        window = MainWindow(sandbox, settings, memory)
        window.show()
        _settle(app.processEvents)
        tell(f"opened in {time.perf_counter() - started:.2f} s")
        try:
            for name, step in STEPS.items():
                began = time.perf_counter()
                told = step(window)
                tell(f"{name}: {told} ({time.perf_counter() - began:.2f} s)")
        finally:
            window.close()
    errors = memory.lines(logging.ERROR)
    if errors:
        raise SelfTestFailed(f"an error was logged: {errors[0].text}")


@contextmanager
def _logged_exceptions() -> Iterator[None]:
    """What a slot raises reaches nobody but this hook."""
    before = sys.excepthook
    sys.excepthook = lambda kind, value, trace: log.error(
        "unexpected", exc_info=(kind, value, trace)
    )
    try:
        yield
    finally:
        sys.excepthook = before


def _settle(process: Callable[[], object]) -> None:
    for _ in range(3):
        process()


def wait(is_done: Callable[[], bool], what: str, seconds: float = _SECONDS) -> None:
    """Let the window work until something is so; it may be so for a moment only."""
    began = time.monotonic()
    has_been = is_done()
    loop = QEventLoop()

    def look() -> None:
        nonlocal has_been
        if is_done():
            has_been = True
            loop.quit()

    timer = QTimer(interval=_POLL_MS)
    timer.timeout.connect(look)
    timer.start()
    stop = QTimer(singleShot=True, interval=int(seconds * 1000))
    stop.timeout.connect(loop.quit)
    stop.start()
    if not has_been:
        loop.exec()
    timer.stop()
    stop.stop()
    if not has_been:
        raise SelfTestFailed(f"{what} did not happen within {time.monotonic() - began:.0f} s")


def _load(window: MainWindow) -> str:
    state = window.state
    documents.open_samples(window)
    wait(lambda: bool(state.entries) and not window.tasks.is_busy, "loading the samples")
    failed = [entry for entry in state.entries if entry.status is not Status.READY]
    if failed:
        raise SelfTestFailed(f"{failed[0].title} was not loaded: {failed[0].error}")
    return f"{len(state.entries)} documents"


def _chunk(window: MainWindow) -> str:
    """Every document by the profile it has, then one by every strategy."""
    state, total = window.state, 0
    for entry in list(state.entries):
        state.show_document(entry.key)
        _wait_for_chunks(window)
        total += len(state.preview.bands) if state.preview else 0
    for name in strategies:
        profiles.use(window, Profile.of(name))
        _wait_for_chunks(window)
    profiles.use(window, presets["auto-256"].profile)
    _wait_for_chunks(window)
    return f"{total} chunks, {len(tuple(strategies))} strategies"


def _wait_for_chunks(window: MainWindow) -> None:
    state = window.state

    def is_cut() -> bool:
        shown = state.preview
        return (
            shown is not None
            and shown.key == state.current
            and shown.profile == state.profile
            and not window.tasks.is_busy
        )

    wait(is_cut, f"cutting by {state.profile.strategy}")


def _count(window: MainWindow) -> str:
    text = window.state.document.text[:5_000] if window.state.document else ""
    counts = {name: tokenizer(name).count_each([text])[0] for name in tokenizers}
    if not all(counts.values()):
        raise SelfTestFailed(f"a tokenizer counts nothing: {counts}")
    return ", ".join(f"{count} of {name}" for name, count in counts.items())


def _embed(window: MainWindow) -> str:
    texts = ["The tide mill grinds corn.", "A mill driven by the sea", "Invoices are due in May."]

    def dimensions(name: str, job: Job) -> int:
        model = embedder(name)
        try:
            first, near, far = model.embed_passages(texts, job)
        finally:
            model.close()
        if not float(first @ near) > float(first @ far):
            raise SelfTestFailed(f"the vectors of {name} make no sense")
        return len(first)

    def work(job: Job) -> str:
        return ", ".join(f"{name} {dimensions(name, job)}" for name in _MODELS) + " dimensions"

    return _in_background(window, work)


def _index(window: MainWindow) -> str:
    """Some samples into a workspace of its own, with the model that comes along."""
    state, index = window.state, window.state.index
    chosen = [
        entry.document
        for entry in state.entries
        if entry.document is not None and Path(entry.source).name in _INDEXED
    ]
    index.index(chosen)
    wait(lambda: bool(index.report or index.problem), "indexing")
    report, workspace = index.report, index.workspace
    if index.problem or report is None or workspace is None:
        raise SelfTestFailed(f"nothing was indexed: {index.problem}")
    if not report.is_clean or report.added != len(_INDEXED):
        raise SelfTestFailed(f"the index is not complete: {report}")

    def check(job: Job) -> str:
        if not workspace.check(job).is_sound:
            raise SelfTestFailed("the index is damaged")
        return f"{report.added} documents, {report.chunks} chunks"

    return _in_background(window, check)


def _search(window: MainWindow) -> str:
    """By words and by meaning; the passage must be found where it stands."""
    workspace = window.state.index.workspace
    if workspace is None:
        raise SelfTestFailed("there is no index to search")

    def work(job: Job) -> str:
        result = workspace.search(_QUESTION, job=job)
        best = result.hits[0] if result.hits else None
        if best is None or Path(best.chunk.source).name != _ANSWER:
            raise SelfTestFailed(f"{_QUESTION!r} was not answered: {result.notes}")
        if best.ranks.lexical is None or best.ranks.semantic is None:
            raise SelfTestFailed(f"a way to search found nothing: {best.ranks}")
        whole = workspace.document(best.chunk.document_id).text
        if whole[best.chunk.start : best.chunk.end] != best.text:
            raise SelfTestFailed("a result is not where it says")
        context = workspace.context(result)
        return f"{len(result.hits)} results, {len(context.text):,} characters of context"

    return _in_background(window, work)


def _in_background(window: MainWindow, work: Callable[[Job], str]) -> str:
    """What some work says, done beside the window as everything slow is."""
    found: list[str] = []
    problems: list[Exception] = []
    window.tasks.run("self-test", work, found.append, problems.append, label="Self-test")
    wait(lambda: bool(found or problems), "work in the background")
    if problems:
        raise SelfTestFailed(str(problems[0]))
    return found[0]


def _licences(_: MainWindow) -> str:
    count = len(about.notices())
    if not count or app_icon().isNull():
        raise SelfTestFailed("the licences or the icon are missing")
    return f"{count} parts"


STEPS: dict[str, Step] = {
    "load": _load,
    "chunk": _chunk,
    "count": _count,
    "embed": _embed,
    "index": _index,
    "search": _search,
    "licences": _licences,
}
