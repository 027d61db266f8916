"""Arrangements of the docks for what a person is at: cutting, searching, tuning."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from chunkscope.gui.main_window import MainWindow


TUNE = "Tune"  # a page instead of the text, without docks


@dataclass(frozen=True, slots=True)
class Layout:
    """The docks that are open, those in front of the others, and their sizes."""

    name: str
    shown: tuple[str, ...]
    front: tuple[str, ...] = ()
    widths: dict[str, int] = field(default_factory=dict)
    heights: dict[str, int] = field(default_factory=dict)


LAYOUTS = (
    Layout(
        "Cut",
        ("Library", "Outline", "Parameters", "Statistics", "Chunk"),
        widths={"Library": 250, "Parameters": 310},
        heights={"Chunk": 200},
    ),
    Layout(
        "Search",
        ("Library", "Search", "Explain", "Context", "Why not", "Related", "Two profiles"),
        front=("Search", "Context"),
        widths={"Library": 200, "Search": 420},
        heights={"Context": 230},
    ),
    Layout(TUNE, ()),
)


def widen(window: MainWindow, name: str, height: int) -> None:
    """Give a dock at the bottom more room."""
    window.resizeDocks([window.docks[name]], [height], Qt.Orientation.Vertical)


def arrange(window: MainWindow, name: str) -> None:
    """Show the docks of a layout, and hide the others."""
    from chunkscope.gui.actions import tuning  # which goes to the search from its page

    if name == TUNE:
        tuning.show(window)
        return
    tuning.leave(window)
    layout = next(each for each in LAYOUTS if each.name == name)
    docks = window.docks
    for title, dock in docks.items():
        if not dock.isFloating():
            dock.setVisible(title in layout.shown)
    for title in layout.front:
        if title in docks:
            docks[title].raise_()
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    for sizes, way in ((layout.widths, across), (layout.heights, down)):
        there = [title for title in sizes if title in docks]
        window.resizeDocks([docks[title] for title in there], [sizes[t] for t in there], way)
