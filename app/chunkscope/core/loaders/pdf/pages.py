"""One page of a PDF as lines with positions, read with pypdf."""

from __future__ import annotations

import json
import logging
import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from chunkscope.core.loaders.pdf.columns import in_reading_order
from chunkscope.core.loaders.pdf.layout import Line, Page
from chunkscope.core.loaders.pdf.lines import LineCollector
from chunkscope.core.loaders.pdf.spaces import mend_spaces

if TYPE_CHECKING:
    from pypdf import PageObject

_SHOWS_TEXT = re.compile(rb"T[jJ]|['\"]")
_INLINE_IMAGE = re.compile(rb"\bBI\b.*?\bID\b", re.DOTALL)
# What pypdf says when it leaves something of a page out and goes on.
_LOSS = re.compile(
    r"Impossible to decode|Exceeded \d+ form|cyclic form|not defined|Expected StreamObject"
    r"|contents are not|Error -\d|resources are not|Token exceeds"
)
_LETTER_BOX = (0.0, 0.0, 612.0, 792.0)


class Damage(logging.Handler):
    """Collects what pypdf says about damage, instead of the terminal."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.first = ""
        self._losses: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if "fontTools" in str(record.msg) or record.name.startswith("pypdf._cmap"):
            return
        if self.first and len(self._losses) > 3:
            return
        message = " ".join(record.getMessage().split())[:160]
        self.first = self.first or message
        if _LOSS.search(message):
            self._losses.append(message)

    def take_losses(self) -> str:
        """What was lost since the last call."""
        told = "; ".join(dict.fromkeys(self._losses))
        self._losses.clear()
        return told

    def __enter__(self) -> Damage:
        logger = logging.getLogger("pypdf")
        self._was_propagating, logger.propagate = logger.propagate, False
        logger.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logger = logging.getLogger("pypdf")
        logger.propagate = self._was_propagating
        logger.removeHandler(self)


def read_page(page: PageObject, number: int, damage: Damage) -> Page:
    """The lines of a page, with a word about what pypdf left out."""
    mend_spaces()
    damage.take_losses()
    box = _box_of(page)
    collector = LineCollector(box)
    data, kinds = _content_of(page)
    # A drawing without text is not worth parsing; pypdf does that only for a visitor.
    if _SHOWS_TEXT.search(data) or kinds - {"/Image"}:
        page.extract_text(visitor_text=collector.visit)
        collector.flush()
    lines = tuple(in_reading_order(collector))
    turn = Counter(line.turn for line in lines).most_common(1)[0][0] if lines else 0
    height = box[3] - box[1] if turn in (0, 180) else box[2] - box[0]
    has_images = not lines and ("/Image" in kinds or _INLINE_IMAGE.search(data) is not None)
    return Page(number, height, lines, turn, has_images, damage.take_losses())


def _box_of(page: PageObject) -> tuple[float, float, float, float]:
    try:
        box = page.mediabox
        left, bottom, right, top = (float(box[i]) for i in range(4))
    except Exception:  # noqa: BLE001  a page without a sane size can still have text
        return _LETTER_BOX
    if not all(map(math.isfinite, (left, bottom, right, top))) or left == right or bottom == top:
        return _LETTER_BOX
    return min(left, right), min(bottom, top), max(left, right), max(bottom, top)


def _content_of(page: PageObject) -> tuple[bytes, set[str]]:
    """The page's own drawing commands, and the kinds of the objects it may draw."""
    contents = page.get_contents()
    data = contents.get_data() if contents is not None else b""
    drawn = _drawn_by(page)
    # A form may hold nothing but a picture.
    inner = [each for form in drawn if form.get("/Subtype") == "/Form" for each in _drawn_by(form)]
    return data, {str(each.get("/Subtype", "")) for each in [*drawn, *inner]}


def _drawn_by(holder: Any) -> list[Any]:
    """The objects that a page or form may draw."""
    found: Any = holder
    for key in ("/Resources", "/XObject"):
        found = found.get(key)
        found = found.get_object() if found is not None else None
        if not hasattr(found, "values"):
            return []
    objects = [each.get_object() for each in found.values()]
    return [each for each in objects if hasattr(each, "get")]


def page_to_json(page: Page) -> bytes:
    head = [page.height, page.turn, page.has_images, page.lost]
    return json.dumps([head, page.lines]).encode("ascii")


def page_from_json(number: int, blob: bytes | bytearray) -> Page:
    (height, turn, has_images, lost), rows = json.loads(blob)
    return Page(
        number,
        height,
        tuple(Line(*row)._replace(cells=tuple(row[-1])) for row in rows),
        turn,
        has_images,
        lost,
    )
