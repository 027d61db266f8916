"""Line icons, drawn in the colour of the text; each is a path on a grid of 24."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from chunkscope import paths
from chunkscope.gui.theme import Theme

_PATHS = {
    "open": "M3 7a2 2 0 0 1 2-2h4l2 2h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z",
    "samples": "M3 5h6a3 3 0 0 1 3 2v13a3 3 0 0 0-3-2H3z "
               "M21 5h-6a3 3 0 0 0-3 2v13a3 3 0 0 1 3-2h6z",
    "undo": "M8 5 4 9l4 4 M4 9h10a5 5 0 0 1 0 10h-4",
    "redo": "m16 5 4 4-4 4 M20 9H10a5 5 0 0 0 0 10h4",
    "find": "M11 4a7 7 0 1 1 0 14a7 7 0 0 1 0-14z m5 12 5 5",
    "presets": "M4 5h16v14H4z M4 10h16 M4 14.5h16 M10 5v14",
    "compare": "M4 5h7v14H4z M13 5h7v14h-7z M4 10h7 M13 13h7",
    "export": "M12 15V4 m-4 4 4-4 4 4 M5 14v4a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-4",
    "close": "m6 6 12 12 M18 6 6 18",
    "previous": "m15 6-6 6 6 6",
    "next": "m9 6 6 6-6 6",
    "copy": "M9 9h11v11H9z M15 9V4H4v11h5",
    "drop": "M12 4v11 m-4-4 4 4 4-4 M5 16v2a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-2",
    "index": "M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3z "
             "M4 6v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6 M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3",
    "search": "M10 4a6 6 0 1 1 0 12a6 6 0 0 1 0-12z m4.5 10.5 6 6 M7.5 10h5 M10 7.5v5",
    "sliders": "M4 7h9 M17 7h3 M15 5v4 M4 17h3 M11 17h9 M9 15v4",
    "stop": "M7 7h10v10H7z",
}  # fmt: skip
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="{path}" fill="none" '
    'stroke="{colour}" stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round"/>'
    "</svg>"
)
_SIZES = (16, 20, 32, 40, 64)


def icon(name: str, theme: Theme) -> QIcon:
    """An icon for buttons and menus, greyed where it is disabled."""
    found = QIcon()
    for size in _SIZES:
        for colour, mode in ((theme.text, QIcon.Mode.Normal), (theme.line, QIcon.Mode.Disabled)):
            found.addPixmap(pixmap(name, colour, size), mode)
    return found


def pixmap(name: str, colour: QColor, size: int, width: float = 1.8, ratio: float = 1.0) -> QPixmap:
    """One icon in one size."""
    svg = _SVG.format(path=_PATHS[name], colour=colour.name(), width=width)
    return _drawn(svg, round(size * ratio), ratio)


def app_icon() -> QIcon:
    """The program's icon, in every size that a desktop asks for."""
    found = QIcon()
    for file in sorted((paths.resources() / "icons").glob("chunkscope-*.png")):
        found.addFile(str(file))
    return found


def _drawn(svg: str, pixels: int, ratio: float) -> QPixmap:
    found = QPixmap(QSize(pixels, pixels))
    found.fill(Qt.GlobalColor.transparent)
    painter = QPainter(found)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, pixels, pixels))
    painter.end()
    found.setDevicePixelRatio(ratio)
    return found
