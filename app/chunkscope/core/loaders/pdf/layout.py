"""The structure of printed pages: from lines with positions to paragraphs, furniture, headings."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import NamedTuple

from chunkscope.core.blocks import BlockKind

CELL_GAP = "\t"  # what a line's text has where its pieces stand far apart

_ZONE = 0.12  # of the height: where running headers and footers live
_EDGE_LINES = 3
_INSIDE = 4  # a line that starts small goes on: such steps tell more of the usual distance
LARGER = 1.14  # times the body's size: set as a heading
_CLOSED = re.compile(r"[.!?:;…。！？؟][\"'”’»)\]]*$")
BULLET = re.compile(r"(?:[•‣◦▪▸►●○■□·⁃∙\uf0b7\uf0a7]\s*|[-–—*]\s+)(?=\S)")
_NUMBERED = re.compile(r"(?:\d{1,3}[.)]|[a-z]\)|\((?:[a-z]|\d{1,3}|[ivx]{1,4})\))\s+(?=\S)")
LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}")
LONE_BULLET = re.compile(r"[•‣◦▪▸►●○■□·⁃∙\uf0b7\uf0a7]$")
_ROMAN = r"[ivxlc]{1,7}"
_PAGE_NUMBER = re.compile(
    rf"(?:(?:page|seite|p\.|pag\.|página|pagina)\s*)?[-–—|(\[]?\s*(?:\d{{1,5}}|{_ROMAN})\s*"
    r"(?:[-–—|)\]]|(?:of|/|von|de|sur|di)\s*\d{1,5})?",
    re.IGNORECASE,
)
_WORDS = re.compile(r"\w+(?:[-\u2010]\w+)*")
_HYPHENS = ("-", "\u2010")
_BROKEN_WORD = re.compile(r"(\w+(?:[-\u2010]\w+)*)[-\u2010]$")
# "pre- and post-war": such a hyphen is no broken word.
_CONJUNCTIONS = frozenset(("and", "or", "und", "oder", "bis", "et", "ou"))
_FIRST_WORD = re.compile(r"\w+")


class Line(NamedTuple):
    """One line of print; `x`, `y` (down from the top) and `right` are in points as it is read."""

    text: str
    x: float
    y: float
    size: float
    is_bold: bool = False
    right: float = 0.0  # estimated
    turn: int = 0
    cells: tuple[float, ...] = ()  # where the pieces behind gaps start


@dataclass(frozen=True, slots=True)
class Page:
    """What was read from one page; `lost` says what of it was not."""

    number: int
    height: float
    lines: tuple[Line, ...]
    turn: int = 0
    has_images: bool = False
    lost: str = ""


@dataclass(slots=True)
class Paragraph:
    """A piece of a page's text and how it is set."""

    kind: BlockKind
    text: str
    page: int
    size: float = 0.0
    is_bold: bool = False
    line_count: int = 1
    level: int | None = None
    is_apart: bool = True  # white space stands above it


@dataclass(slots=True)
class PageLayout:
    """A page's paragraphs, its running header and its footer."""

    number: int
    header: list[Paragraph]
    body: list[Paragraph]
    footer: list[Paragraph]


Places = dict[tuple[int, int], BlockKind]


def lay_out(pages: Sequence[Page]) -> tuple[Style, Iterator[PageLayout]]:
    """How the pages are set, and their structure page by page, headings not yet told apart."""
    furniture = find_furniture(pages)
    style = Style(pages, furniture)
    return style, (_lay_out_page(i, page, furniture, style) for i, page in enumerate(pages))


def find_furniture(pages: Sequence[Page]) -> Places:
    """The kinds of the lines, by page and line index, that repeat at the pages' edges."""
    groups: dict[tuple[bool, str], list[tuple[int, int]]] = defaultdict(list)
    for index, page in enumerate(pages):
        for is_top, at in _edge_lines(page):
            if mask := _mask(page.lines[at].text):
                groups[is_top, mask].append((index, at))
    filled = sum(1 for page in pages if page.lines)
    body_size = _body_size(line for page in pages for line in page.lines)
    found: Places = {}
    for (is_top, mask), places in groups.items():
        middle = median(pages[i].lines[at].y for i, at in places)
        same = [(i, at) for i, at in places if abs(pages[i].lines[at].y - middle) <= 6]
        if not same:
            continue
        texts = {pages[i].lines[at].text for i, at in same}
        size = median(pages[i].lines[at].size for i, at in same)
        if mask != "#" and len(texts) > 1 and size >= LARGER * body_size:
            continue  # "Chapter 3" at the top of its page is a heading
        if _is_repeated(sorted({i for i, _ in same}), filled):
            found.update(dict.fromkeys(same, _furniture_kind(is_top, mask, texts)))
    return found


def _body_size(lines: Iterable[Line]) -> float:
    """The size that most of the text has."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size * 2) / 2] += len(line.text)
    return max(sizes, key=lambda size: (sizes[size], -size)) if sizes else 10.0


def _edge_lines(page: Page) -> list[tuple[bool, int]]:
    order = sorted(
        (i for i, line in enumerate(page.lines) if line.turn == page.turn),
        key=lambda i: page.lines[i].y,
    )
    top = [i for i in order[:_EDGE_LINES] if page.lines[i].y <= _ZONE * page.height]
    bottom = [i for i in order[-_EDGE_LINES:] if page.lines[i].y >= (1 - _ZONE) * page.height]
    return [(True, i) for i in top] + [(False, i) for i in bottom if i not in top]


def _mask(text: str) -> str:
    """The text with its numbers made equal; nothing where mere numbers could be a table's."""
    text = " ".join(text.split())
    if len(text) > 200:
        return ""
    if _PAGE_NUMBER.fullmatch(text):
        return "#"
    if not any(character.isalpha() for character in text):
        return ""
    return re.sub(r"\d+", "#", text).casefold()


def _is_repeated(indexes: list[int], filled: int) -> bool:
    count = len(indexes)
    if count < 3:
        return False
    if count * 2 >= filled:
        return True
    # A chapter's header: on most pages, or most left or right pages, of a stretch.
    span = indexes[-1] - indexes[0] + 1
    is_one_side = len({i % 2 for i in indexes}) == 1
    return count >= 4 and count >= 0.6 * (span / 2 if is_one_side else span)


def _furniture_kind(is_top: bool, mask: str, texts: set[str]) -> BlockKind:
    if mask == "#" and len(texts) > 1:
        return BlockKind.PAGE_NUMBER
    return BlockKind.RUNNING_HEADER if is_top else BlockKind.RUNNING_FOOTER


class Style:
    """How a document is set: what is usual in it tells what is special on a page."""

    def __init__(self, pages: Sequence[Page], furniture: Places) -> None:
        self._pages = pages
        kept: list[Line] = []
        steps: dict[int, Counter[float]] = defaultdict(Counter)
        self._rights: dict[int, list[float]] = defaultdict(list)
        for index, page in enumerate(pages):
            before: Line | None = None
            for at, line in enumerate(page.lines):
                if (index, at) in furniture:
                    continue
                kept.append(line)
                self._rights[_column(line.x)].append(line.right)
                if before is not None and 0.5 < (line.y - before.y) / (line.size or 1) < 3:
                    weight = _INSIDE if line.text[:1].islower() else 1
                    steps[round(line.size)][round((line.y - before.y) * 2) / 2] += weight
                before = line
        self.body_size = _body_size(kept)
        self._leading = {size: _usual_step(counts) for size, counts in steps.items()}
        for rights in self._rights.values():
            rights.sort()

    def leading(self, size: float) -> float:
        """The usual distance between lines of this size."""
        return self._leading.get(round(size)) or 1.2 * size

    def right_edge(self, x: float, on_page: Mapping[int, list[float]]) -> float:
        """Where full lines that start at `x` end: on this page if it has enough of them."""
        column = _column(x)
        here = on_page.get(column, ())
        rights = here if len(here) >= 8 else self._rights.get(column) or here
        return rights[int(len(rights) * 0.85)] if rights else 0.0

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word that stands inside a line, to tell broken words from hyphenated ones."""
        pieces: set[str] = set()
        for page in self._pages:
            for line in page.lines:
                pieces.update(line.text.split())
        return frozenset(word.casefold() for piece in pieces for word in _WORDS.findall(piece))

    def seam(self, left: str, right: str) -> tuple[str, str]:
        """The left part without its hyphen if that only broke a word, and what joins the two."""
        if left.endswith("\u00ad"):
            return left[:-1], ""
        if left.endswith(_HYPHENS) and (match := _BROKEN_WORD.search(left[-80:])):
            return self._hyphen_seam(left, right, match.group(1))
        if left[-1:] in "/–" and right[:1].isalnum() and left[-2:-1].isalnum():
            return left, ""
        if left and right and _is_cjk(left[-1]) and _is_cjk(right[0]):
            return left, ""
        return left, " "

    def _hyphen_seam(self, left: str, right: str, first: str) -> tuple[str, str]:
        if first.isupper() and right[:1].isupper():
            match = _FIRST_WORD.match(right)
            is_known = f"{first}{match.group() if match else ''}".casefold() in self.words
            return (left[:-1] if is_known else left), ""
        if not right[:1].islower() or not first[-1].isalpha():
            return left, "" if right[:1].isalnum() else " "
        match = _FIRST_WORD.match(right)
        second = match.group() if match else right[:1]
        if "-" in first or "\u2010" in first:
            return left, ""
        joined = (first + second).casefold()
        if joined not in self.words:
            if second in _CONJUNCTIONS:
                return left, " "
            if f"{first}-{second}".casefold() in self.words:
                return left, ""
        return left[:-1], ""

    def join(self, texts: Sequence[str]) -> str:
        """The lines of a paragraph as running text."""
        parts = [texts[0]]
        for text in texts[1:]:
            parts[-1], glue = self.seam(parts[-1], text)
            parts.append(glue)
            parts.append(text)
        return "".join(parts)


def _column(x: float) -> int:
    return round(x / 40)


def _usual_step(counts: Counter[float]) -> float:
    return min(counts, key=lambda step: (-counts[step], step))


def _is_cjk(character: str) -> bool:
    return "\u2e80" <= character <= "\u9fff" or "\uff00" <= character <= "\uff60"


def _lay_out_page(index: int, page: Page, furniture: Places, style: Style) -> PageLayout:
    layout = PageLayout(page.number, [], [], [])
    body: list[Line] = []
    for at, line in enumerate(page.lines):
        kind = furniture.get((index, at))
        if kind is None:
            body.append(line)
            continue
        text = line.text.replace(CELL_GAP, " ")
        is_top = line.y < page.height / 2
        (layout.header if is_top else layout.footer).append(
            Paragraph(kind, text, page.number, line.size)
        )
    layout.body = _PageReader(page.number, body, style).paragraphs()
    return layout


class _PageReader:
    """Puts the lines of one page together to paragraphs and tables."""

    def __init__(self, number: int, lines: list[Line], style: Style) -> None:
        self._number = number
        self._lines = lines
        self._style = style
        self._rights: dict[int, list[float]] = defaultdict(list)
        for line in lines:
            self._rights[_column(line.x)].append(line.right)
        for rights in self._rights.values():
            rights.sort()

    def paragraphs(self) -> list[Paragraph]:
        found: list[Paragraph] = []
        at = 0
        while at < len(self._lines):
            rows = self._table_rows(at)
            end = at + rows if rows else self._paragraph_end(at)
            found.append(self._make(at, end, is_table=bool(rows)))
            at = end
        return found

    def _table_rows(self, start: int) -> int:
        """How many lines from here on are rows of a table; none if it is no clear table."""
        end = start
        while end < len(self._lines) and CELL_GAP in self._lines[end].text:
            if end > start and not self._is_next_row(self._lines[end - 1], self._lines[end]):
                break
            end += 1
        rows = self._lines[start:end]
        counts = Counter(line.text.count(CELL_GAP) for line in rows)
        cells = [cell for line in rows for cell in line.text.split(CELL_GAP)]
        if len(rows) < 2 or max(counts.values()) < 0.6 * len(rows):
            return 0
        if len(rows) == 2 and (len(counts) > 1 or counts.get(1)):
            return 0
        return len(rows) if sum(map(len, cells)) / len(cells) < 40 else 0

    def _is_next_row(self, above: Line, line: Line) -> bool:
        return 0 < line.y - above.y < 4 * max(line.size, 1)

    def _paragraph_end(self, start: int) -> int:
        end = start + 1
        while end < len(self._lines) and not self._is_break(start, end):
            end += 1
        return end

    def _is_break(self, start: int, at: int) -> bool:
        """Whether a paragraph that began at `start` ends before the line `at`."""
        first, last, line = self._lines[start], self._lines[at - 1], self._lines[at]
        size = max(last.size, line.size, 1.0)
        if last.turn != line.turn or abs(last.size - line.size) > 0.12 * size:
            return True
        if "." in last.text and last.text[-1].isalnum() and LEADERS.search(last.text):
            return True  # an entry of a table of contents
        down = line.y - last.y
        if LONE_BULLET.match(last.text) and abs(down) < size:
            return False
        if down < -0.5 * size:  # the next column
            return not runs_on(last.text, line.text)
        if down > 1.3 * self._style.leading(size) + 0.5 or BULLET.match(line.text):
            return True
        if last.text.endswith(_HYPHENS) and line.text[:1].isalpha() and last.text[-2:-1].isalpha():
            return False
        is_numbered = _NUMBERED.match(line.text) is not None
        is_going_on = line.text[:1].islower() or size > LARGER * self._style.body_size
        if is_going_on and not is_numbered:
            return False
        fullness = self._fullness(first, last, line)
        is_closed = _CLOSED.search(last.text) is not None
        is_item = _item_mark(first.text) > 0
        if is_numbered and (is_closed or is_item or fullness < 0.75):
            return True
        if is_going_on:
            return False
        # The text of an item hangs to the right of its mark.
        furthest = last.x + size if at - start > 1 else first.x + 3 * size
        if is_item and first.x + 0.5 * size < line.x <= furthest:
            return False
        return self._is_set_apart(at - start, last, line, fullness, is_closed)

    def _is_set_apart(
        self, count: int, last: Line, line: Line, fullness: float, is_closed: bool
    ) -> bool:
        is_short = fullness < 0.75
        indent = (line.x - last.x) / max(line.size, 1.0)
        if indent > 0.7:
            return is_closed or is_short
        if indent < -0.7 and count > 1:
            return is_closed or is_short
        if last.is_bold != line.is_bold and is_short:
            return True
        return is_short and (is_closed or fullness < 0.6)

    def _fullness(self, first: Line, last: Line, line: Line) -> float:
        """How much of the column's width the last line fills."""
        left = min(first.x, last.x, line.x)
        right = max(self._style.right_edge(left, self._rights), line.right)
        return (last.right - left) / (right - left) if right > left else 1.0

    def _make(self, start: int, end: int, *, is_table: bool) -> Paragraph:
        lines = self._lines[start:end]
        head = lines[0]
        if is_table:
            text = "\n".join(line.text for line in lines)
            return Paragraph(BlockKind.TABLE, text, self._number, head.size, line_count=len(lines))
        text = self._style.join([line.text.replace(CELL_GAP, " ") for line in lines])
        kind = BlockKind.LIST_ITEM if _item_mark(text) else BlockKind.PARAGRAPH
        above = self._lines[start - 1] if start else None
        leading = self._style.leading(head.size)
        return Paragraph(
            kind,
            text,
            self._number,
            head.size,
            all(line.is_bold for line in lines),
            len(lines),
            is_apart=above is None or not 0 < head.y - above.y < 1.2 * leading,
        )


def _item_mark(text: str) -> int:
    """The length of the mark that makes the text an item of a list; 0 if it is none."""
    match = BULLET.match(text) or _NUMBERED.match(text)
    return match.end() if match else 0


def runs_on(first: str, second: str) -> bool:
    """Whether a text broken off by the end of a column or page goes on in the second."""
    return second[:1].islower() and not re.search(r"[.!?:…。！？؟][\"'”’»)\]]*$", first)
