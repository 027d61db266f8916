"""Draws the program's icon: a page cut into three bands, the middle one pulled out.

`python tools/make_icon.py` writes resources/icons anew: SVG, PNG sizes, .ico and .icns.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QPainterPath

FOLDER = Path(__file__).resolve().parents[1] / "resources" / "icons"
SIDE = 256  # of the grid that everything is drawn on
PNG_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
ICNS_TYPES = {b"ic11": 32, b"ic12": 64, b"ic07": 128, b"ic08": 256, b"ic09": 512}

# The window's own band colours, so that the icon looks like what it opens.
BLUE, ORANGE, GREEN, WHITE = "#0072b2", "#e69f00", "#009e73", "#ffffff"
# Left and top; the middle band stands out to the right, as a chunk taken from its text. All edges
# are multiples of 16, so that the smallest icon is crisp.
BANDS = ((16, 16, BLUE), (48, 96, ORANGE), (16, 176, GREEN))
WIDTH, HEIGHT, ROUNDING = 192, 64, 16
SMALL = 32  # below this the lines of text would only blur


@dataclass(frozen=True, slots=True)
class Shape:
    """A rounded rectangle."""

    left: int
    top: int
    width: int
    height: int
    round: int
    colour: str


def main() -> int:
    app = QGuiApplication(["make_icon", "-platform", "offscreen"])
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "chunkscope.svg").write_text(svg(), encoding="utf-8")
    pictures = {size: png(size) for size in PNG_SIZES}
    for size, data in pictures.items():
        (FOLDER / f"chunkscope-{size}.png").write_bytes(data)
    (FOLDER / "chunkscope.ico").write_bytes(ico({size: pictures[size] for size in ICO_SIZES}))
    (FOLDER / "chunkscope.icns").write_bytes(icns(pictures))
    print(f"wrote {len(PNG_SIZES) + 3} files to {FOLDER}")
    del app
    return 0


def shapes(*, has_lines: bool) -> Iterator[Shape]:
    """The bands, each with two lines of writing."""
    for left, top, colour in BANDS:
        yield Shape(left, top, WIDTH, HEIGHT, ROUNDING, colour)
        for below, share in ((19, 0.78), (37, 0.5)) if has_lines else ():
            yield Shape(left + 20, top + below, round((WIDTH - 40) * share), 8, 4, WHITE)


def png(size: int) -> bytes:
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / SIDE, size / SIDE)
    for each in shapes(has_lines=size > SMALL):
        path = QPainterPath()
        path.addRoundedRect(each.left, each.top, each.width, each.height, each.round, each.round)
        painter.fillPath(path, QColor(each.colour))
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(data.data())


def svg() -> str:
    lines = [
        f'  <rect x="{each.left}" y="{each.top}" width="{each.width}" height="{each.height}" '
        f'rx="{each.round}" fill="{each.colour}"/>'
        for each in shapes(has_lines=True)
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}">'
    return "\n".join([head, "  <title>Chunkscope</title>", *lines, "</svg>", ""])


def ico(pictures: dict[int, bytes]) -> bytes:
    """Windows' container: a directory, then the PNG files as they are."""
    offset = 6 + 16 * len(pictures)
    entries = b""
    for size, data in pictures.items():
        side = size % 256  # a byte; 0 stands for 256
        entries += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(data), offset)
        offset += len(data)
    return struct.pack("<HHH", 0, 1, len(pictures)) + entries + b"".join(pictures.values())


def icns(pictures: dict[int, bytes]) -> bytes:
    """macOS' container: each picture under the type that stands for its size."""
    parts = [(kind, pictures[size]) for kind, size in ICNS_TYPES.items()]
    body = b"".join(kind + struct.pack(">I", len(data) + 8) + data for kind, data in parts)
    return b"icns" + struct.pack(">I", len(body) + 8) + body


if __name__ == "__main__":
    sys.exit(main())
