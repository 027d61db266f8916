"""Two columns of text that were drawn line by line across the page, and what only looks so."""

from __future__ import annotations

import io
from collections.abc import Iterable
from itertools import zip_longest

import pytest
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from chunkscope.core.blocks import BlockKind
from support.parsing import parse_one, texts

RIVER = (
    "The river rises in the hills above the town, where there are many springs, and runs from "
    "there through woods and over meadows until it comes to the old mill, which has not "
    "ground any corn since the last miller left for the coast with his daughter and two of "
    "the horses."
)
FERRY = (
    "Below the mill there is a ferry, which takes people and their carts over to the fair in "
    "autumn and is left to the ducks for all the rest of the year. The ferryman is paid by "
    "the parish and by those who are too late for the bridge, of whom there are more than one "
    "would think."
)
MILLER = (
    "Nobody has seen him since, though there have been letters from a harbour in the south, "
    "written in a hand that is much like his, about ships and the price of flour, and about a "
    "house with a garden where the daughter grows lemons in pots and waits for the winter to "
    "end."
)
BRIDGE = (
    "The bridge was built of stone that was meant for a church, and it has been in need of "
    "mending ever since. When the water is high, the carts of the brewery have to go round by "
    "the ford, and the beer is dear in all the villages until the water has gone down again."
)

Piece = tuple[float, float, str]  # a text and where it stands


def drawn(pieces: Iterable[Piece], font: str = "Times-Roman", is_plain: bool = False) -> bytes:
    """A page with these pieces, moving to the next line after each of them unless `is_plain`."""
    stream = io.BytesIO()
    canvas = Canvas(stream, invariant=1)
    for x, y, text in pieces:
        if is_plain:
            part = canvas.beginText(x, y)
            part.setFont(font, 10)
            part.textOut(text)
            canvas.drawText(part)
        else:
            canvas.setFont(font, 10)
            canvas.drawString(x, y, text)
    canvas.save()
    return stream.getvalue()


def column(*paragraphs: str, width: float, indent: float = 0) -> list[Piece]:
    """The lines of paragraphs, the first ones indented, or else blank lines between them."""
    lines: list[Piece] = []
    y = 740.0
    for paragraph in paragraphs:
        first, *_ = simpleSplit(paragraph, "Times-Roman", 10, width - indent)
        rest = simpleSplit(paragraph[len(first) :], "Times-Roman", 10, width)
        for number, line in enumerate([first, *rest]):
            lines.append((0 if number else indent, y, line.strip()))
            y -= 12
        y -= 0 if indent else 12
    return lines


def across(gutter: float, indent: float = 0) -> list[Piece]:
    width = (487 - gutter) / 2
    left = column(RIVER, FERRY, width=width, indent=indent)
    right = [
        (x + width + gutter, y, line)
        for x, y, line in column(MILLER, BRIDGE, width=width, indent=indent)
    ]
    rows = sorted(left + right, key=lambda piece: (-piece[1], piece[0]))
    return [(54 + x, y, line) for x, y, line in rows]


@pytest.mark.parametrize("is_plain", [False, True])
@pytest.mark.parametrize("indent", [0, 10])
@pytest.mark.parametrize("gutter", [12, 15, 18, 24, 30])
def test_columns_with_a_narrow_gutter(gutter: float, indent: float, is_plain: bool) -> None:
    draft = parse_one(drawn(across(gutter, indent), is_plain=is_plain), "a.pdf")
    assert texts(draft, BlockKind.PARAGRAPH) == [RIVER, FERRY, MILLER, BRIDGE]


def test_what_stands_over_both_columns_and_below_them_keeps_its_place() -> None:
    title = (120.0, 770.0, "An account of the river and of the people who once lived on its banks")
    pieces = [title, *across(14), (295.0, 400.0, "7")]
    draft = parse_one(drawn(pieces), "a.pdf")
    assert draft.text == "\n\n".join([title[2], RIVER, FERRY, MILLER, BRIDGE, "7"])


def test_another_type_within_a_line_is_no_hindrance() -> None:
    stream = io.BytesIO()
    canvas = Canvas(stream, invariant=1)
    for x, y, line in across(14):
        part = canvas.beginText(x, y)
        for number, word in enumerate(line.split(" ")):
            part.setFont("Times-Italic" if number == 2 else "Times-Roman", 10)
            part.textOut(f" {word}" if number else word)
        canvas.drawText(part)
    canvas.save()
    draft = parse_one(stream.getvalue(), "a.pdf")
    assert texts(draft, BlockKind.PARAGRAPH) == [RIVER, FERRY, MILLER, BRIDGE]


def word_by_word(pieces: Iterable[Piece], font: str = "Times-Roman") -> Iterable[Piece]:
    for x, y, line in pieces:
        for word in line.split():
            yield x, y, word
            x += stringWidth(f"{word} ", font, 10)


@pytest.mark.parametrize("is_plain", [False, True])
def test_words_drawn_one_by_one_stay_in_their_lines(is_plain: bool) -> None:
    whole = " ".join((RIVER, FERRY, MILLER, BRIDGE))
    one = column(RIVER, FERRY, MILLER, BRIDGE, width=480)
    found = parse_one(drawn(word_by_word(one), is_plain=is_plain), "a.pdf").text
    assert " ".join(found.split()) == whole
    left = column(RIVER, FERRY, width=230)
    right = [(x + 242, y, line) for x, y, line in column(MILLER, BRIDGE, width=230)]
    two = [(54 + x, y, line) for x, y, line in (*left, *right)]
    found = parse_one(drawn(word_by_word(two), is_plain=is_plain), "a.pdf").text
    assert " ".join(found.split()) == whole


def in_rows(left: Iterable[str], right: Iterable[str], at: float) -> list[Piece]:
    rows = enumerate(zip_longest(left, right, fillvalue=""))
    return [
        (x, 740.0 - 14 * number, text)
        for number, row in rows
        for x, text in zip((54, 54 + at), row, strict=True)
    ]


PHRASES = simpleSplit(" ".join((RIVER, FERRY, MILLER, BRIDGE)).lower(), "Courier", 10, 240)
HALF = len(PHRASES) // 2


def rows_of(left: list[str], right: list[str]) -> str:
    return " ".join(" ".join(row) for row in zip(left, right, strict=True))


@pytest.mark.parametrize("is_plain", [False, True])
def test_a_program_listing_keeps_its_lines(is_plain: bool) -> None:
    code = [f"{line} {'m' * (39 - len(line))}".strip() for line in PHRASES[:HALF]]
    remarks = PHRASES[HALF : 2 * HALF]
    pieces = word_by_word(in_rows(code, remarks, at=41 * 6), "Courier")
    found = parse_one(drawn(pieces, "Courier", is_plain), "a.pdf").text
    assert " ".join(found.split()) == rows_of(code, remarks)


@pytest.mark.parametrize("is_plain", [False, True])
def test_labels_marks_and_titles_stay_beside_what_they_stand_by(is_plain: bool) -> None:
    width = 200.0
    values = simpleSplit(f"{RIVER} {FERRY} {MILLER}", "Times-Roman", 10, width)
    titles = [f"{line[:28].rstrip().capitalize()} ({len(line)})" for line in values]
    marks = [f"{number}." for number in range(1, len(values) + 1)]
    for left, at in ((marks, 18.0), (titles, 150.0)):
        data = drawn(in_rows(left, values, at), is_plain=is_plain)
        found = parse_one(data, "a.pdf").text
        assert " ".join(found.split()) == rows_of(left, values)
