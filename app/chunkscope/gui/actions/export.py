"""Taking chunks along: the dialog, and the work behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.export import as_text, export_formats, save
from chunkscope.core.job import Job
from chunkscope.core.model import Document
from chunkscope.core.profile import Profile
from chunkscope.core.workspace import chunk
from chunkscope.gui import errors
from chunkscope.gui.panels.export_dialog import ExportDialog
from chunkscope.gui.state import Status

if TYPE_CHECKING:
    from chunkscope.gui.main_window import MainWindow

_LONGEST_NAME = 80


def show_dialog(window: MainWindow) -> ExportDialog | None:
    """Ask what to export, and do it."""
    if window.state.document is None:
        window.tell("Open a document first.")
        return None
    dialog = ExportDialog(window.state, window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def on_save(to: str, is_all: bool) -> None:
        how = export_formats[to]
        start = suggested_name(window, to, is_all)
        # It asks before a file is replaced.
        path, _ = QFileDialog.getSaveFileName(dialog, how.label, start, f"*{how.suffix}")
        if path:
            dialog.accept()
            target = Path(path)
            named = target if target.suffix else target.with_suffix(how.suffix)
            to_file(window, to, named, is_all, force=named == target)

    def on_copy(to: str, is_all: bool) -> None:
        dialog.accept()
        to_clipboard(window, to, is_all)

    dialog.save_asked.connect(on_save)
    dialog.copy_asked.connect(on_copy)
    dialog.open()
    return dialog


def suggested_name(window: MainWindow, to: str, is_all: bool) -> str:
    """A name for the file, of letters that every system allows."""
    how, document = export_formats[to], window.state.document
    about_document = how.needs_documents and not is_all and document is not None
    title = document.title if about_document and document else window.state.profile.name
    return (re.sub(r"[^\w .-]+", "_", title).strip(" ._")[:_LONGEST_NAME] or "chunks") + how.suffix


def to_file(
    window: MainWindow, to: str, path: Path, is_all: bool = False, *, force: bool = False
) -> Job:
    """Write in the background; what was there stays until all is written."""
    profile, documents = window.state.profile, _documents(window, is_all)

    def work(job: Job) -> None:
        save(path, to, _chunkings(documents, profile, job), profile, force=force, job=job)

    return window.tasks.run(
        "export",
        work,
        lambda _: window.tell(f"Saved {path}."),
        partial(_on_failed, window),
        stopped=lambda: window.tell("The export was stopped; nothing was written."),
        label=f"Exporting {path.name}",
    )


def to_clipboard(window: MainWindow, to: str, is_all: bool = False) -> Job:
    profile, documents = window.state.profile, _documents(window, is_all)

    def work(job: Job) -> str:
        return as_text(to, _chunkings(documents, profile, job), profile, job=job)

    def done(text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        window.tell(f"{export_formats[to].label} is on the clipboard.")

    failed = partial(_on_failed, window)
    return window.tasks.run("export", work, done, failed, label="Copying")


def _documents(window: MainWindow, is_all: bool) -> list[Document]:
    current = window.state.document
    if not is_all:
        return [current] if current is not None else []
    return [
        entry.document
        for entry in window.state.entries
        if entry.status is Status.READY and entry.document is not None
    ]


def _chunkings(documents: list[Document], profile: Profile, job: Job) -> Iterator[Chunking]:
    for document in documents:
        yield chunk(document, profile, job=job)


def _on_failed(window: MainWindow, problem: Exception) -> None:
    if not isinstance(problem, ChunkscopeError):
        raise problem
    errors.tell(window, problem)
