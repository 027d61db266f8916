"""What the styles of a DOCX file say about headings, numbering, quotes and hidden text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from chunkscope.core.loaders.docx.xml import Attributes

_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)
_HEADING_ID = re.compile(r"heading ?([1-9])", re.IGNORECASE)
_MAX_CHAIN = 50
# A tracked change of formatting holds the old properties, which look like the new ones.
OLD_PROPERTIES = frozenset(
    (
        "w:pPrChange", "w:rPrChange", "w:sectPrChange", "w:tblPrChange", "w:tblGridChange",
        "w:tcPrChange", "w:trPrChange", "w:tblPrExChange", "w:numberingChange",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """One style; what it leaves open (None, empty) comes from the style that it is based on."""

    id: str
    kind: str = "paragraph"
    name: str = ""
    based_on: str = ""
    outline: int | None = None
    num_id: str | None = None
    num_level: int | None = None
    is_hidden: bool | None = None


class Styles:
    """The styles by id, with inheritance followed."""

    def __init__(self) -> None:
        self._styles: dict[str, Style] = {}
        self._resolved: dict[str, Style] = {}
        self.default = ""

    def add(self, style: Style, is_default: bool) -> None:
        self._styles[style.id] = style
        if is_default and style.kind == "paragraph":
            self.default = style.id

    def chain(self, style_id: str) -> list[Style]:
        """A style and those that it is based on, nearest first."""
        found: list[Style] = []
        seen: set[str] = set()
        while (style := self._styles.get(style_id)) and style_id not in seen:
            seen.add(style_id)
            found.append(style)
            style_id = style.based_on
            if len(found) >= _MAX_CHAIN:
                break
        return found

    def resolve(self, style_id: str) -> Style:
        """A style with everything that it inherits; an unknown one is empty."""
        style_id = style_id or self.default
        known = self._resolved.get(style_id)
        if known is None:
            if len(self._resolved) > 10_000:
                self._resolved.clear()
            known = self._resolved[style_id] = self._merge(style_id)
        return known

    def _merge(self, style_id: str) -> Style:
        merged = Style(style_id)
        if style_id not in self._styles and (match := _HEADING_ID.fullmatch(style_id)):
            # Small generators leave the styles out and rely on their ids.
            return replace(merged, outline=int(match[1]) - 1)
        for position, style in enumerate(self.chain(style_id)):
            if position == 0:
                merged = replace(merged, name=style.name, kind=style.kind)
            if merged.outline is None:
                merged = replace(merged, outline=_outline(style))
            if merged.num_id is None and style.num_id is not None:
                merged = replace(merged, num_id=style.num_id)
            if merged.num_level is None:
                merged = replace(merged, num_level=style.num_level)
            if merged.is_hidden is None:
                merged = replace(merged, is_hidden=style.is_hidden)
        return merged

    def is_named(self, style_id: str, *names: str) -> bool:
        """Whether the style, or one that it is based on, has one of these built-in names."""
        return any(style.name.lower() in names for style in self.chain(style_id))


def _outline(style: Style) -> int | None:
    if style.outline is not None:
        return style.outline
    # Generators leave the outline level out and rely on the built-in names.
    match = _HEADING.fullmatch(style.name)
    if match:
        return int(match[1]) - 1
    return 0 if style.name.lower() == "title" else None


class StylesReader:
    """Takes the events of styles.xml."""

    def __init__(self) -> None:
        self.styles = Styles()
        self._style: Style | None = None
        self._is_default = False
        self._skipping = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if self._skipping or name in OLD_PROPERTIES:
            self._skipping += 1
        elif name == "w:style":
            style_id = attributes.get("w:styleId")
            self._style = Style(style_id, attributes.get("w:type") or "paragraph")
            self._is_default = bool(attributes.get("w:default")) and attributes.is_on("w:default")
        elif self._style:
            self._style = _with_property(self._style, name, attributes)

    def end(self, name: str) -> None:
        if self._skipping:
            self._skipping -= 1
        elif name == "w:style" and self._style:
            self.styles.add(self._style, self._is_default)
            self._style = None

    def data(self, text: str) -> None: ...


def _with_property(style: Style, name: str, attributes: Attributes) -> Style:
    match name:
        case "w:name":
            return replace(style, name=attributes.get("w:val")[:200])
        case "w:basedOn":
            return replace(style, based_on=attributes.get("w:val"))
        case "w:outlineLvl":
            return replace(style, outline=number(attributes.get("w:val"), 9))
        case "w:numId":
            return replace(style, num_id=attributes.get("w:val"))
        case "w:ilvl":
            return replace(style, num_level=number(attributes.get("w:val"), 0))
        case "w:vanish":
            return replace(style, is_hidden=attributes.is_on())
    return style


def number(text: str, default: int) -> int:
    """A whole number as XML writes it, kept small; the default for anything else."""
    try:
        value = int(text) if len(text) < 12 else default
    except ValueError:
        return default
    return max(-(1 << 31), min(value, 1 << 31))
