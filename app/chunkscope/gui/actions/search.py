"""Searching: the box, the passage, and questions about a passage of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from chunkscope.gui.actions.index import show_search

if TYPE_CHECKING:
    from chunkscope.gui.main_window import MainWindow

_LONGEST = 500  # characters of a selection that are searched for


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


def why_not(window: MainWindow) -> None:
    """Why the selected text is not among the results."""
    document = window.state.document
    start, end = window.preview.view.selection()
    if document is None or start == end:
        window.tell("Select a passage of the text first: its absence will be explained.")
        return
    window.state.search.ask_why_not(document.id, start, end)
    show_dock(window, "Why not")


def show_dock(window: MainWindow, name: str) -> None:
    """Bring a dock of searching to the front."""
    show_search(window)
    window.docks[name].show()
    window.docks[name].raise_()


def toggle_heat(window: MainWindow) -> None:
    search = window.state.search
    if search.hit is None:
        window.tell("Choose a result first: its words will be coloured.")
        return
    search.set_heat(not search.shows_heat)


def text_menu(window: MainWindow, place: QPoint) -> QMenu:
    """What can be done at a place of the text."""
    view = window.preview.view
    has_selection = view.selection()[0] < view.selection()[1]
    menu = QMenu(window)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    copy = menu.addAction("Copy")
    copy.triggered.connect(view.copy)
    copy.setEnabled(has_selection)
    menu.addAction("Select all").triggered.connect(view.select_all)
    menu.addSeparator()
    menu.addAction(window.menus.actions["Why is this not found?"])
    menu.addAction(window.menus.actions["Search for the selection"])
    menu.addAction(window.menus.actions["Answers a question"])
    menu.popup(view.viewport().mapToGlobal(place))
    return menu


def ask_selection(window: MainWindow) -> None:
    """Search for what is selected in the text."""
    view = window.preview.view
    start, end = view.selection()
    if start == end:
        window.tell("Select some words of the text first.")
        return
    show_search(window)
    window.search.ask(" ".join(view.text()[start:end].split())[:_LONGEST])


def step(window: MainWindow, step: int) -> None:
    """The next result or the one before, without leaving the text."""
    search = window.state.search
    if search.result is None or not search.result.hits:
        window.tell("There are no results; press Ctrl+K and ask something.")
        return
    at = -1 if search.selected is None else search.selected
    search.select(min(max(at + step, 0), len(search.result.hits) - 1))
