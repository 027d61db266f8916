"""The text with its bands: what is drawn where, what the mouse and the keys do, at any length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QDrag, QGuiApplication, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from chunkscope.core.chunking.bands import OVERSIZE, TRUNCATED, Bands
from chunkscope.gui.theme import dark, light
from chunkscope.gui.views.text_rows import SEGMENT, build_rows
from chunkscope.gui.views.text_view import TextView

LIGHT = light()
NO_BUTTON = Qt.MouseButton.NoButton
LEFT = Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier
ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
PROSE = "The quick brown fox jumps over the lazy dog, again and again.\n"


def bands(
    spans: Sequence[tuple[int, int]],
    overlaps: Sequence[int] = (),
    flags: Sequence[int] = (),
    left_out: tuple[tuple[int, int, str], ...] = (),
) -> Bands:
    starts, ends = (np.array(each, np.int64) for each in zip(*spans, strict=True))
    return Bands(
        starts, ends, np.array(overlaps or [0] * len(spans), np.int64), ends - starts,
        np.array(flags or [0] * len(spans), np.uint8), ("sentence",) * len(spans),
        "characters", 100, 0, left_out,
    )  # fmt: skip


@pytest.fixture
def view(qtbot: QtBot) -> TextView:
    found = TextView()
    qtbot.addWidget(found)
    found.resize(700, 400)
    found.show()
    qtbot.waitExposed(found)
    return found


def picture(view: TextView) -> QImage:
    return view.viewport().grab().toImage()


def background(view: TextView, offset: int) -> QColor:
    """The colour at the top of a character's line, above the ink, in the middle of its cell."""
    rect = view.rect_of(offset)
    assert not rect.isEmpty()
    return picture(view).pixelColor(rect.center().x(), rect.top() + 2)


def colours(view: TextView, offset: int) -> set[str]:
    rect, image = view.rect_of(offset), picture(view)
    points = [(x, y) for x in range(rect.left(), rect.right() + 1)
              for y in range(rect.top(), rect.bottom() + 1)]  # fmt: skip
    return {image.pixelColor(x, y).name() for x, y in points}


def click(qtbot: QtBot, view: TextView, offset: int) -> None:
    qtbot.mouseClick(view.viewport(), LEFT, pos=view.rect_of(offset).center())


# Rows


def test_rows_are_lines() -> None:
    text = "one\n\nthree"
    rows = build_rows(text)
    pieces = [text[rows.start(row) : rows.end(row)] for row in range(len(rows))]
    assert pieces == ["one", "", "three"]
    assert [rows.row_of(offset) for offset in (0, 3, 4, 5, 9, 10)] == [0, 0, 1, 2, 2, 2]


@pytest.mark.parametrize(
    "text", ["word " * 2000, "x" * 9999, "👩‍👩‍👧" * 900, "a\n" + "é " * 4000 + "\nb"]
)
def test_rows_tile_the_text(text: str) -> None:
    rows = build_rows(text)
    pieces = [text[rows.start(row) : rows.end(row)] for row in range(len(rows))]
    assert max(map(len, pieces)) <= SEGMENT
    joined = "".join(
        ("" if rows.is_continued(row) or not row else "\n") + piece
        for row, piece in enumerate(pieces)
    )
    assert joined == text


def test_segments_end_between_words_and_clusters() -> None:
    rows = build_rows("word " * 2000)
    assert all((start % 5) == 0 for start in rows.starts[:-1].tolist())
    family = "👩‍👩‍👧"
    rows = build_rows(family * 2000)
    assert all(start % len(family) == 0 for start in rows.starts[:-1].tolist())


def test_segments_keep_the_number_of_their_line() -> None:
    rows = build_rows("a\n" + "x" * 5000 + "\nb")
    assert [rows.line_of(row) for row in range(len(rows))] == [1, 2, 2, 2, 3]
    assert [rows.first_of_line(row) for row in range(len(rows))] == [0, 1, 1, 1, 4]


# Bands


@pytest.mark.parametrize("theme", [light(), dark()])
def test_neighbours_have_their_tints(view: TextView, theme: object) -> None:
    view.set_text("aaaa bbbb cccc dddd")
    view.set_bands(bands([(0, 5), (5, 10), (10, 15), (15, 19)]))
    view.set_theme(theme)  # type: ignore[arg-type]
    for offset, band in ((1, 0), (7, 1), (12, 2), (17, 0)):
        assert background(view, offset) == theme.bands[band]  # type: ignore[attr-defined]


@pytest.mark.parametrize("before", ["plain text ", "😀😀 e\u0301 👩‍👩‍👧 ", "𝒳𝒴 字 ", "שלום "])
def test_the_colour_changes_at_the_cut(view: TextView, before: str) -> None:
    text = before + "nnnn mmmm"
    cut = len(before) + 5
    view.set_text(text)
    view.set_bands(bands([(0, cut), (cut, len(text))]))
    assert background(view, cut - 2) == LIGHT.bands[0]
    assert background(view, cut + 1) == LIGHT.bands[1]
    image, rect = picture(view), view.rect_of(cut)
    y = rect.top() + 2
    change = next(
        x for x in range(rect.left() - 4, rect.right())
        if image.pixelColor(x, y) not in (LIGHT.bands[0], LIGHT.band_edges[0])
    )  # fmt: skip
    assert abs(change - rect.left()) <= 1


def test_a_cut_in_text_written_to_the_left(view: TextView) -> None:
    text = "שלום עולם טוב"
    view.set_text(text)
    view.set_bands(bands([(0, 5), (5, len(text))]))
    first, second = view.rect_of(1), view.rect_of(7)
    assert first.left() > second.left()
    assert background(view, 1) == LIGHT.bands[0]
    assert background(view, 7) == LIGHT.bands[1]
    image = picture(view)
    assert image.pixelColor(view.viewport().width() - 3, first.top() + 8) == LIGHT.bands[0]
    assert image.pixelColor(view.margin_width() + 3, first.top() + 8) == LIGHT.bands[1]


def test_a_cut_at_a_line_start_goes_across(view: TextView) -> None:
    view.set_text("first\nsecond")
    view.set_bands(bands([(0, 6), (6, 12)]))
    rect, image = view.rect_of(6), picture(view)
    for x in (view.margin_width() + 20, view.viewport().width() - 20):
        assert image.pixelColor(x, rect.top()) == LIGHT.cut


def test_what_is_repeated_is_hatched(view: TextView) -> None:
    view.set_text("n" * 20 + " " * 20 + "m" * 20)
    view.set_bands(bands([(0, 40), (20, 60)], overlaps=[0, 20]))
    found = colours(view, 30)
    assert LIGHT.bands[0].name() in found
    assert len(found) > 1
    assert colours(view, 30).isdisjoint({LIGHT.bands[1].name()})
    rect, image = view.rect_of(20), picture(view)
    assert image.pixelColor(rect.left() + 1, rect.top() + 4) == LIGHT.band_edges[1]


def test_left_out_is_grey_and_told(view: TextView) -> None:
    view.set_text("kept\nfurniture\nkept")
    view.set_bands(bands([(0, 5), (15, 19)], left_out=((5, 15, "page header"),)))
    assert background(view, 7) == LIGHT.left_out
    assert view.tool_tip_at(view.rect_of(7).center()) == "Left out: page header"


def test_offenders_are_told_in_words(view: TextView) -> None:
    view.set_text("one\ntwo")
    view.set_bands(bands([(0, 4), (4, 7)], flags=[OVERSIZE | TRUNCATED, 0]))
    text = view.tool_tip_at(QPoint(10, view.rect_of(0).center().y()))
    assert "larger than the maximum of 100 characters" in text
    assert "embedding model" in text
    assert "larger" not in view.tool_tip_at(QPoint(10, view.rect_of(5).center().y()))


def test_the_describer_has_the_word(view: TextView) -> None:
    view.set_text("one\ntwo")
    view.set_bands(bands([(0, 4), (4, 7)]))
    view.describe = lambda index: f"<b>{index}</b>"
    assert view.tool_tip_at(view.rect_of(5).center()) == "<b>1</b>"


def test_the_selected_chunk_is_framed(view: TextView) -> None:
    view.set_text("one\ntwo\nthree")
    view.set_bands(bands([(0, 4), (4, 8), (8, 13)]))
    view.clearFocus()
    view.select_chunk(1)
    rect, image = view.rect_of(4), picture(view)
    x = view.viewport().width() // 2
    assert image.pixelColor(x, rect.top()) == LIGHT.selected
    assert image.pixelColor(x, rect.bottom()) == LIGHT.selected


def test_pages_are_marked(view: TextView) -> None:
    view.set_text(PROSE * 6)
    before = picture(view)
    view.set_pages(np.array([0, 2 * len(PROSE)]), np.array([3, 4]))
    rect = view.rect_of(2 * len(PROSE))
    assert picture(view) != before
    row = {picture(view).pixelColor(x, rect.top()).name() for x in range(200, 400)}
    assert LIGHT.muted.name() in row
    assert LIGHT.base.name() in row


def test_layers_come_and_go(view: TextView) -> None:
    view.set_text("find me here")
    red = QColor("#ff0000")
    view.set_layer("find", np.array([[5, 7]]), LIGHT.hit)
    view.set_layer("gold", np.array([[8, 12]]), red, underline=True)
    assert background(view, 5) == LIGHT.hit
    assert background(view, 9) == LIGHT.base
    assert "#ff0000" in colours(view, 9)
    view.clear_layer("find")
    assert background(view, 5) == LIGHT.base


# Hit tests and the mouse


@pytest.mark.parametrize("text", ["abc def", "😀a😀b", "אבג דהו", "tab\there", "e\u0301x字"])
def test_a_character_is_found_where_it_stands(view: TextView, text: str) -> None:
    view.set_text(text)
    for offset, sign in enumerate(text):
        if sign != "\u0301" and text[offset + 1 : offset + 2] != "\u0301":
            assert view.offset_at(view.rect_of(offset).center()) == offset


def test_a_click_selects_the_chunk(view: TextView, qtbot: QtBot) -> None:
    view.set_text("aaaa bbbb\ncccc dddd")
    view.set_bands(bands([(0, 5), (5, 10), (10, 19)]))
    with qtbot.waitSignal(view.chunk_selected) as told:
        click(qtbot, view, 7)
    assert told.args == [1]
    assert view.chosen_chunk() == 1
    assert view.selection()[0] == view.selection()[1]


def test_a_click_on_left_out_text_selects_nothing(view: TextView, qtbot: QtBot) -> None:
    view.set_text("kept\nfurniture")
    view.set_bands(bands([(0, 5)], left_out=((5, 14, "footer"),)))
    with qtbot.assertNotEmitted(view.chunk_selected):
        click(qtbot, view, 8)


def test_a_drag_selects_and_copies_exactly(view: TextView, qtbot: QtBot) -> None:
    text = "a\u00a0b\u2028c\td 😀 e\u0301\nnext"
    view.set_text(text)
    port = view.viewport()
    start, end = view.rect_of(1), view.rect_of(text.index("x"))
    with qtbot.waitSignal(view.selection_changed):
        qtbot.mousePress(port, LEFT, pos=QPoint(start.left() + 1, start.center().y()))
        qtbot.mouseMove(port, QPoint(end.left() + 1, end.center().y()))
    qtbot.mouseRelease(port, LEFT, pos=QPoint(end.left() + 1, end.center().y()))
    assert view.selection() == (1, text.index("x"))
    qtbot.keyClick(view, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == text[1 : text.index("x")]


def test_a_chunk_is_carried_out_by_its_margin(
    view: TextView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view.set_text("one 😀\ntwo e\u0301\nthree")
    view.set_bands(bands([(0, 12), (6, 18)], overlaps=[0, 6]))
    carried: list[str] = []
    monkeypatch.setattr(QDrag, "exec", lambda drag, _: carried.append(drag.mimeData().text()))
    place = QPoint(view.margin_width() // 2, view.rect_of(14).center().y())
    qtbot.mousePress(view.viewport(), LEFT, pos=place)
    qtbot.mouseMove(view.viewport(), place + QPoint(QApplication.startDragDistance() + 1, 0))
    assert carried == [view.text()[6:18]]
    assert view.selection()[0] == view.selection()[1]
    with qtbot.waitSignal(view.chunk_selected) as told:
        qtbot.mouseClick(view.viewport(), LEFT, pos=place)
    assert told.args == [1]
    assert len(carried) == 1


def test_a_double_click_selects_a_word(view: TextView, qtbot: QtBot) -> None:
    text = "😀 one cafe\u0301 three"
    view.set_text(text)
    qtbot.mouseDClick(view.viewport(), LEFT, pos=view.rect_of(text.index("a")).center())
    start, end = view.selection()
    assert text[start:end] == "cafe\u0301"


def test_select_all(view: TextView, qtbot: QtBot) -> None:
    view.set_text(PROSE * 50)
    qtbot.keyClick(view, Qt.Key.Key_A, CONTROL)
    assert view.selection() == (0, 50 * len(PROSE))


# Scrolling and keys


def test_alt_arrows_walk_the_chunks(view: TextView, qtbot: QtBot) -> None:
    size = len(PROSE)
    view.set_text(PROSE * 100)
    view.set_bands(bands([(at * size, (at + 10) * size) for at in range(0, 100, 10)]))
    told: list[int] = []
    view.chunk_selected.connect(told.append)
    for _ in range(3):
        qtbot.keyClick(view, Qt.Key.Key_Down, ALT)
    qtbot.keyClick(view, Qt.Key.Key_Up, ALT)
    assert told == [0, 1, 2, 1]
    view.select_chunk(9)
    assert told == [0, 1, 2, 1]
    assert not view.rect_of(90 * size).isEmpty()


def test_keys_scroll(view: TextView, qtbot: QtBot) -> None:
    view.set_text(PROSE * 1000)
    tops = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_End, Qt.Key.Key_Home):
        qtbot.keyClick(view, key)
        tops.append(view.top_offset())
    assert tops[0] == len(PROSE)
    assert tops[0] < tops[1] < tops[2]
    assert tops[3] == 0
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.visible_range()[1] == 1000 * len(PROSE)
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()


def test_the_bar_scrolls_to_both_ends(view: TextView) -> None:
    view.set_text("".join(f"{at} " + "word " * (at % 90) + "\n" for at in range(3000)))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert view.visible_range()[1] == len(view.text())
    bar.setValue(bar.maximum() // 2)
    middle = view.top_offset() / len(view.text())
    assert 0.4 < middle < 0.6
    bar.setValue(0)
    assert view.top_offset() == 0


def test_small_steps_add_up(view: TextView) -> None:
    """What the wheel scrolls down, it scrolls up again, whatever was estimated."""
    view.set_text("".join("word " * (at % 70) + "\n" for at in range(2000)))
    view.go_to(60_000)
    before = view.rect_of(view.top_offset())
    for step in [7] * 200 + [-7] * 200:
        view.scroll_by(step)
    assert view.rect_of(view.top_offset()) == before


def test_the_top_is_told_and_set(view: TextView, qtbot: QtBot) -> None:
    view.set_text(PROSE * 500)
    with qtbot.waitSignal(view.scrolled) as told:
        view.go_to(300 * len(PROSE))
    assert told.args == [view.top_offset()]
    with qtbot.assertNotEmitted(view.scrolled), qtbot.waitSignal(view.range_changed):
        view.set_top_offset(100 * len(PROSE) + 3)
    assert view.top_offset() == 100 * len(PROSE)
    assert view.rect_of(100 * len(PROSE)).top() == 0


def test_out_of_sight_is_nowhere(view: TextView) -> None:
    view.set_text(PROSE * 500)
    assert view.rect_of(400 * len(PROSE)).isEmpty()


def test_going_to_what_is_seen_does_not_scroll(view: TextView) -> None:
    view.set_text(PROSE * 500)
    view.set_bands(bands([(0, 200 * len(PROSE)), (200 * len(PROSE), 500 * len(PROSE))]))
    view.go_to(3 * len(PROSE), select=True)
    assert view.top_offset() == 0
    assert view.chosen_chunk() == 0


def test_without_wrapping_lines_go_on_to_the_right(view: TextView) -> None:
    text = "word " * 300
    view.set_text(text)
    wrapped = view.rect_of(400)
    view.set_wrap(False)
    assert view.rect_of(400).isEmpty()
    assert view.horizontalScrollBar().maximum() > view.viewport().width()
    view.go_to(400)
    assert view.rect_of(400).top() == view.rect_of(401).top() == 0
    assert wrapped.top() > 0
    view.set_wrap(True)
    assert view.rect_of(400) == wrapped


def test_zoom_keeps_the_top(view: TextView) -> None:
    view.set_text(PROSE * 500)
    view.set_top_offset(200 * len(PROSE))
    height = view.rect_of(view.top_offset()).height()
    wheel(view, 240, CONTROL)
    assert view.zoom() == pytest.approx(1.21)
    assert view.rect_of(200 * len(PROSE)).height() > height
    assert view.top_offset() == 200 * len(PROSE)
    view.zoom_out()
    view.zoom_reset()
    assert view.rect_of(200 * len(PROSE)).height() == height


def test_the_wheel_scrolls(view: TextView) -> None:
    view.set_text(PROSE * 500)
    wheel(view, -120, PLAIN)
    assert view.top_offset() == 3 * len(PROSE)


def wheel(view: TextView, turn: int, keys: Qt.KeyboardModifier) -> None:
    place = QPointF(view.viewport().rect().center())
    event = QWheelEvent(
        place, QPointF(view.viewport().mapToGlobal(place.toPoint())), QPoint(0, 0),
        QPoint(0, turn), NO_BUTTON, keys, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), event)


# Any text


@pytest.mark.parametrize("text", ["x" * 1_000_000, "word " * 2_000_000, "😀" * 300_000])
def test_one_long_line(view: TextView, text: str) -> None:
    view.set_text(text, build_rows(text))
    assert view.laid_out() < 60
    middle = len(text) // 2
    view.go_to(middle)
    assert not view.rect_of(middle).isEmpty()
    view.set_bands(bands([(0, middle), (middle, len(text))]))
    found = colours(view, middle + 2)  # a coloured sign may fill its cell, all but the corners
    assert LIGHT.bands[1].name() in found
    assert LIGHT.bands[0].name() not in found
    view.scroll_by(10_000)
    view.scroll_to_end()
    assert view.visible_range()[1] == len(text)
    assert view.laid_out() < 200


def test_a_hundred_megabytes(view: TextView) -> None:
    text = "a short line of forty letters and blanks\n" * 2_500_000
    view.set_text(text)
    cuts = np.arange(0, len(text), 1000)
    view.set_bands(bands(list(zip(cuts.tolist(), (cuts + 1000).tolist(), strict=True))))
    view.go_to(80_000_000, select=True)
    assert view.chosen_chunk() == 80_000
    assert not view.rect_of(80_000_000).isEmpty()
    picture(view)
    assert view.laid_out() < 200


@pytest.mark.parametrize("text", ["", "\n", "\n\n\n", "\t", "\u2028", "\u202eabc", "a\x0cb\x01c"])
def test_small_and_strange_texts(view: TextView, text: str) -> None:
    view.set_text(text)
    view.set_bands(bands([(0, len(text))]) if text else Bands())
    picture(view)
    view.select_all()
    assert view.selection() == (0, len(text))
    assert view.offset_at(QPoint(300, 300)) <= len(text)
    view.next_chunk()
    view.scroll_to_end()
    assert view.visible_range() == (0, len(text))


def test_another_text_forgets_the_chunks(view: TextView) -> None:
    view.set_text("one two")
    view.set_bands(bands([(0, 4), (4, 7)]))
    view.select_chunk(1)
    view.set_text("other")
    assert view.chosen_chunk() == -1
    assert background(view, 1) == LIGHT.base


def test_windows_with_a_small_step(view: TextView) -> None:
    """Hundreds of chunks may repeat one line; it is still drawn once."""
    text = PROSE * 20
    spans = [(at, at + 500) for at in range(0, len(text) - 500)]
    view.set_text(text)
    view.set_bands(bands(spans, overlaps=[0] + [499] * (len(spans) - 1)))
    picture(view)
    assert len(view.tool_tip_at(QPoint(5, 5))) > 0
