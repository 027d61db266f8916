"""Tables: rows that the markup leaves out, and which tables only arrange a page."""

from __future__ import annotations

from dataclasses import dataclass

from chunkscope.core.loaders.html.elements import Element

_ARRANGERS = ("h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "article", "section", "form")
_BREAKS = ("p", "li", "dd", "br", "hr")
_SHAPING = ("table", "tr", "td", "th", *_ARRANGERS, *_BREAKS)
_MAX_BREAKS = 8


@dataclass(slots=True)
class _Shape:
    """What is known of a table while it is open."""

    is_layout: bool
    has_header: bool = False
    cells: int = 0
    widest: int = 0
    breaks: int = 0

    @property
    def arranges(self) -> bool:
        return self.is_layout or (not self.has_header and self.widest < 2)

    def meet(self, tag: str) -> None:
        if tag == "tr":
            self.cells = 0
        elif tag in ("td", "th"):
            self.cells += 1
            self.widest = max(self.widest, self.cells)
            self.has_header |= tag == "th"
            self.breaks = 0
        elif tag in _BREAKS:
            self.breaks += 1
            self.is_layout |= self.breaks > _MAX_BREAKS and not self.has_header
        else:
            self.is_layout = True


def add_implied_rows(root: Element) -> None:
    """Put cells that stand in a table without a row into one, as browsers do."""
    row: Element | None = None
    for cell in list(root.iter("td", "th")):
        parent = cell.getparent()
        if parent is None or parent.tag == "tr" or next(cell.iterancestors("table"), None) is None:
            continue
        if row is None or cell.getprevious() is not row:
            row = cell.makeelement("tr")
            cell.addprevious(row)
        row.append(cell)


def layout_tables(root: Element) -> set[Element]:
    """Tables whose cells hold a page rather than values: other tables, headings, long text."""
    from lxml import etree

    found: set[Element] = set()
    shapes: list[_Shape] = []
    for event, element in etree.iterwalk(root, events=("start", "end"), tag=_SHAPING):
        tag = element.tag
        if tag != "table":
            if shapes and event == "start":
                shapes[-1].meet(tag)
        elif event == "start":
            if shapes:
                shapes[-1].is_layout = True
            shapes.append(_Shape(element.get("role") in ("presentation", "none")))
        elif shapes.pop().arranges:
            found.add(element)
    return found
