"""The docks around the preview: one line each says what, where, and behind which other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QToolButton,
    QWidget,
)

from chunkscope.gui.panels.inspector import InspectorPanel
from chunkscope.gui.panels.library import LibraryPanel
from chunkscope.gui.panels.outline import OutlinePanel
from chunkscope.gui.panels.parameters import ParametersPanel
from chunkscope.gui.panels.search.context import ContextPanel
from chunkscope.gui.panels.search.explain import ExplainPanel
from chunkscope.gui.panels.search.panel import SearchPanel
from chunkscope.gui.panels.search.related import RelatedPanel
from chunkscope.gui.panels.search.two_profiles import TwoProfilesPanel
from chunkscope.gui.panels.search.why_not import WhyNotPanel
from chunkscope.gui.panels.statistics import StatisticsPanel

if TYPE_CHECKING:
    from chunkscope.gui.state import AppState

_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


@dataclass(frozen=True, slots=True)
class DockSpec:
    """A dock: its panel is made from the state alone."""

    name: str
    make: Callable[[AppState], QWidget]
    area: Qt.DockWidgetArea
    behind: str = ""  # the dock that it shares its place with, as a tab
    is_open: bool = True


DOCKS = (
    DockSpec("Library", LibraryPanel, _LEFT),
    DockSpec("Outline", OutlinePanel, _LEFT),
    DockSpec("Parameters", ParametersPanel, _RIGHT),
    DockSpec("Statistics", StatisticsPanel, _RIGHT),
    DockSpec("Chunk", InspectorPanel, _BOTTOM),
    DockSpec("Search", SearchPanel, _RIGHT, is_open=False),
    DockSpec("Context", ContextPanel, _BOTTOM, behind="Chunk", is_open=False),
    DockSpec("Explain", ExplainPanel, _BOTTOM, behind="Chunk", is_open=False),
    DockSpec("Why not", WhyNotPanel, _BOTTOM, behind="Chunk", is_open=False),
    DockSpec("Related", RelatedPanel, _BOTTOM, behind="Chunk", is_open=False),
    DockSpec("Two profiles", TwoProfilesPanel, _BOTTOM, behind="Chunk", is_open=False),
)


def make_docks(window: QMainWindow, state: AppState) -> dict[str, QDockWidget]:
    """Every dock in its place, by name."""
    made: dict[str, QDockWidget] = {}
    window.setCorner(Qt.Corner.BottomLeftCorner, _LEFT)
    window.setCorner(Qt.Corner.BottomRightCorner, _RIGHT)
    for spec in DOCKS:
        dock = QDockWidget(spec.name, window)
        dock.setObjectName(f"dock {spec.name}")
        dock.setWidget(spec.make(state))
        dock.setTitleBarWidget(DockTitle(dock))
        window.addDockWidget(spec.area, dock)
        if spec.behind:
            window.tabifyDockWidget(made[spec.behind], dock)
            made[spec.behind].raise_()
        dock.setVisible(spec.is_open)
        made[spec.name] = dock
    _set_sizes(window, made)
    return made


class DockTitle(QWidget):
    """The name of a dock, and its two buttons; dragging it moves the dock."""

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        name = QLabel(dock.windowTitle())
        name.setObjectName("heading")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 6, 4)
        row.setSpacing(0)
        row.addWidget(name, 1)
        for sign, what, slot in (
            ("◱", "Detach or attach", lambda: dock.setFloating(not dock.isFloating())),
            ("✕", "Close", dock.close),
        ):
            button = QToolButton()
            button.setText(sign)
            button.setObjectName("title")
            button.setToolTip(what)
            button.setAccessibleName(f"{what} {dock.windowTitle()}")
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the View menu does it by keyboard
            button.clicked.connect(slot)
            row.addWidget(button)


def _set_sizes(window: QMainWindow, docks: dict[str, QDockWidget]) -> None:
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    window.resizeDocks([docks["Library"], docks["Parameters"]], [250, 330], across)
    window.resizeDocks([docks["Library"], docks["Outline"]], [420, 260], down)
    window.resizeDocks([docks["Parameters"], docks["Statistics"]], [380, 330], down)
    window.resizeDocks([docks["Chunk"]], [200], down)
