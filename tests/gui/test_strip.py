"""The strip: the whole document at a glance, and a way to any part of it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from chunkscope.core.chunking.bands import OVERSIZE, Bands
from chunkscope.gui.theme import light
from chunkscope.gui.views.strip import Strip
from chunkscope.gui.views.strip_picture import Lanes

LEFT = Qt.MouseButton.LeftButton
LIGHT = light()


def even(count: int, size: int, flagged: tuple[int, ...] = ()) -> Bands:
    starts = np.arange(count, dtype=np.int64) * size
    flags = np.zeros(count, np.uint8)
    flags[list(flagged)] = OVERSIZE
    sizes = np.full(count, size, np.int64)
    return Bands(starts, starts + size, np.zeros(count, np.int64), sizes, flags,
                 ("token",) * count, "tokens", size)  # fmt: skip


@pytest.fixture
def strip(qtbot: QtBot) -> Strip:
    found = Strip()
    qtbot.addWidget(found)
    found.resize(34, 400)
    found.show()
    qtbot.waitExposed(found)
    return found


def pixels(strip: Strip) -> QImage:
    return strip.grab().toImage()


def lane(strip: Strip, which: slice) -> int:
    return range(strip.width())[which][1]


def near(one: QColor, other: QColor) -> bool:
    pairs = zip(one.getRgb()[:3], other.getRgb()[:3], strict=True)  # type: ignore[index,arg-type]
    return all(abs(a - b) <= 2 for a, b in pairs)


@pytest.mark.parametrize(("y", "offset"), [(0, 0), (100, 2500), (200, 5000), (399, 9975)])
def test_a_click_goes_there(strip: Strip, qtbot: QtBot, y: int, offset: int) -> None:
    strip.set_length(10_000)
    with qtbot.waitSignal(strip.go_to) as told:
        qtbot.mouseClick(strip, LEFT, pos=QPoint(10, y))
    assert abs(told.args[0] - offset) <= 25


def test_a_drag_beyond_the_end_stays_in_the_text(strip: Strip, qtbot: QtBot) -> None:
    strip.set_length(1000)
    told: list[int] = []
    strip.go_to.connect(told.append)
    qtbot.mousePress(strip, LEFT, pos=QPoint(10, 200))
    qtbot.mouseMove(strip, QPoint(10, 900))
    assert told[0] == 500
    assert max(told) <= 999


def test_nothing_to_go_to(strip: Strip, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(strip.go_to):
        qtbot.mouseClick(strip, LEFT, pos=QPoint(10, 10))
    assert strip.tool_tip_at(10) == ""


def test_neighbours_differ_and_cuts_are_drawn(strip: Strip) -> None:
    strip.set_length(4000)
    strip.set_bands(even(4, 1000))
    image, x = pixels(strip), lane(strip, Lanes.of(34).bars)
    assert image.pixelColor(x, 50) != image.pixelColor(x, 150)
    assert image.pixelColor(x, 50) == image.pixelColor(x, 350)
    assert near(image.pixelColor(x, 200), LIGHT.cut)


def test_a_small_chunk_has_a_narrow_bar(strip: Strip) -> None:
    bands = even(2, 1000)
    bands.sizes[1] = 100
    strip.set_length(2000)
    strip.set_bands(bands)
    image, right = pixels(strip), range(34)[Lanes.of(34).bars][-1]
    assert not near(image.pixelColor(right, 100), LIGHT.bands[0])
    assert near(image.pixelColor(right, 300), LIGHT.bands[1])


def test_what_is_repeated_is_lighter(strip: Strip) -> None:
    bands = Bands(
        np.array([0, 500]), np.array([1000, 2000]), np.array([0, 500]), np.array([9, 9]),
        np.zeros(2, np.uint8),
    )  # fmt: skip
    strip.set_length(2000)
    strip.set_bands(bands)
    image, x = pixels(strip), lane(strip, Lanes.of(34).bars)
    assert image.pixelColor(x, 150).lightness() > image.pixelColor(x, 50).lightness()


def test_one_offender_among_many_is_marked(strip: Strip) -> None:
    strip.set_length(100_000 * 10)
    strip.set_bands(even(100_000, 10, flagged=(50_000,)))
    image, x = pixels(strip), lane(strip, Lanes.of(34).marks)
    assert any(near(image.pixelColor(x, y), LIGHT.error) for y in range(198, 204))
    assert not any(near(image.pixelColor(x, y), LIGHT.error) for y in range(0, 190))
    assert "1 larger than the maximum" in strip.tool_tip_at(200)


def test_hits_are_marked(strip: Strip) -> None:
    strip.set_length(1000)
    strip.set_hits(np.array([[500, 510], [900, 901]]))
    image, x = pixels(strip), lane(strip, Lanes.of(34).hits)
    assert near(image.pixelColor(x, 200), LIGHT.accent)
    assert near(image.pixelColor(x, 360), LIGHT.accent)
    assert not near(image.pixelColor(x, 300), LIGHT.accent)


def test_the_window_is_framed(strip: Strip) -> None:
    strip.set_length(1000)
    before = pixels(strip)
    strip.set_visible(400, 600)
    image = pixels(strip)
    assert image.pixelColor(17, 200) != before.pixelColor(17, 200)
    assert image.pixelColor(17, 300) == before.pixelColor(17, 300)


def test_tool_tips_count(strip: Strip) -> None:
    strip.set_length(4000)
    strip.set_bands(even(4, 1000))
    assert strip.tool_tip_at(150) == "Chunk 1: 1,000 tokens"
    strip.set_length(100_000)
    strip.set_bands(even(10_000, 10))
    assert strip.tool_tip_at(0).startswith("Chunks 0–24: 10 tokens on average")
