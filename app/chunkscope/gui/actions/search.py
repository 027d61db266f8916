"""Searching: the box, the passage, and questions about a passage of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkscope.gui.actions.index import show_search

if TYPE_CHECKING:
    from chunkscope.gui.main_window import MainWindow


def focus_box(window: MainWindow) -> None:
    """To the query box, from wherever."""
    show_search(window)
    window.search.focus_box()


def show_passage(window: MainWindow) -> None:
    """From a result to its passage in the text."""
    window.show_preview()
    window.preview.view.setFocus()


def leave(window: MainWindow) -> None:
    window.preview.view.setFocus()


def step(window: MainWindow, step: int) -> None:
    """The next result or the one before, without leaving the text."""
    search = window.state.search
    if search.result is None or not search.result.hits:
        window.tell("There are no results; press Ctrl+K and ask something.")
        return
    at = -1 if search.selected is None else search.selected
    search.select(min(max(at + step, 0), len(search.result.hits) - 1))
