"""The numbers in front of list items and headings, counted as Word counts them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from chunkscope.core.loaders.docx.labels import label
from chunkscope.core.loaders.docx.styles import OLD_PROPERTIES, Styles, number
from chunkscope.core.loaders.docx.xml import Attributes

LEVELS = 9
BULLET = "•"
_MAX_TEMPLATE = 200
_PLACE = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list is numbered."""

    start: int = 0
    format: str = "decimal"
    template: str = ""
    suffix: str = "tab"
    restart: int | None = None
    is_legal: bool = False
    is_hidden: bool = False
    style: str = ""


@dataclass(slots=True)
class _Abstract:
    levels: dict[int, Level] = field(default_factory=dict)
    style_link: str = ""  # the numbering style whose list this one borrows


@dataclass(slots=True)
class _Num:
    abstract: str = ""
    levels: dict[int, Level] = field(default_factory=dict)
    starts: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Label:
    """What stands in front of a paragraph, with the space behind it."""

    text: str
    level: int
    is_bullet: bool = False


class Numbering:
    """All lists of a document, with their counters."""

    def __init__(self) -> None:
        self.abstracts: dict[str, _Abstract] = {}
        self.nums: dict[str, _Num] = {}
        self._counters: dict[str, dict[int, int]] = {}
        self._begun: set[tuple[str, int]] = set()

    def level_for_style(self, num_id: str, style_ids: list[str]) -> int | None:
        """The level that a list ties to the nearest of these styles."""
        num = self.nums.get(num_id)
        abstract = self.abstracts.get(num.abstract) if num else None
        if num is None or abstract is None:
            return None
        tied = {level.style: at for at, level in sorted(abstract.levels.items()) if level.style}
        tied |= {level.style: at for at, level in num.levels.items() if level.style}
        return next((tied[style] for style in style_ids if style in tied), None)

    def next_label(self, num_id: str, level: int, styles: Styles) -> Label | None:
        """Count one paragraph on and give its label; None where there is no such list."""
        num = self.nums.get(num_id)
        if num is None:
            return None
        key = self._abstract_key(num, styles)
        abstract = self.abstracts.get(key)
        level = max(0, min(level, LEVELS - 1))
        definition = self._level(num, abstract, level)
        if definition is None:
            return None
        self._count(key, num_id, num, abstract, level)
        if definition.is_hidden:
            return Label("", level)
        if definition.format == "bullet":
            return Label(f"{BULLET} " if definition.template.strip() else "", level, True)
        return Label(self._text(key, num, abstract, level, definition), level)

    def _abstract_key(self, num: _Num, styles: Styles) -> str:
        key = num.abstract
        for _ in range(5):
            abstract = self.abstracts.get(key)
            if abstract is None or abstract.levels or not abstract.style_link:
                break
            linked = self.nums.get(styles.resolve(abstract.style_link).num_id or "")
            if linked is None:
                break
            key = linked.abstract
        return key

    @staticmethod
    def _level(num: _Num, abstract: _Abstract | None, level: int) -> Level | None:
        found = num.levels.get(level)
        return found or (abstract.levels.get(level) if abstract else None)

    def _count(
        self, key: str, num_id: str, num: _Num, abstract: _Abstract | None, level: int
    ) -> None:
        counters = self._counters.setdefault(key, {})
        for upper in range(level):
            if upper not in counters:
                counters[upper] = self._start(num, abstract, upper)
        # A list that overrides a start does so once; its sisters then share the counter.
        is_first = level in num.starts and (num_id, level) not in self._begun
        self._begun.add((num_id, level))
        if is_first or level not in counters:
            counters[level] = self._start(num, abstract, level)
        else:
            counters[level] += 1
        for lower in range(level + 1, LEVELS):
            if lower in counters and self._restarts(num, abstract, lower, level):
                del counters[lower]

    def _start(self, num: _Num, abstract: _Abstract | None, level: int) -> int:
        if level in num.starts:
            return num.starts[level]
        definition = self._level(num, abstract, level)
        return definition.start if definition else 1

    def _restarts(self, num: _Num, abstract: _Abstract | None, lower: int, level: int) -> bool:
        definition = self._level(num, abstract, lower)
        if definition is None or definition.restart is None:
            return True
        return level < definition.restart

    def _text(
        self, key: str, num: _Num, abstract: _Abstract | None, level: int, definition: Level
    ) -> str:
        counters = self._counters[key]

        def value(match: re.Match[str]) -> str:
            at = int(match[1]) - 1
            if at > level:
                return ""
            used = self._level(num, abstract, at)
            written = used.format if used else "decimal"
            if definition.is_legal and written != "none":
                written = "decimal"
            return label(counters.get(at, 1), written)

        text = _PLACE.sub(value, definition.template).strip()
        return text + ("" if definition.suffix == "nothing" or not text else " ")


class NumberingReader:
    """Takes the events of numbering.xml."""

    def __init__(self) -> None:
        self.numbering = Numbering()
        self._abstract: _Abstract | None = None
        self._num: _Num | None = None
        self._override = 0
        self._at = 0
        self._level: Level | None = None
        self._skipping = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if self._skipping or name in OLD_PROPERTIES:
            self._skipping += 1
        elif self._level:
            self._level = _with_property(self._level, name, attributes)
        elif name == "w:lvl":
            self._at = number(attributes.get("w:ilvl"), 0)
            self._level = Level()
        elif name == "w:abstractNum":
            self._abstract = _Abstract()
            self.numbering.abstracts[attributes.get("w:abstractNumId")] = self._abstract
        elif name == "w:num":
            self._num = _Num()
            self.numbering.nums[attributes.get("w:numId")] = self._num
        elif self._num:
            self._take_override(self._num, name, attributes)
        elif name == "w:numStyleLink" and self._abstract:
            self._abstract.style_link = attributes.get("w:val")

    def _take_override(self, num: _Num, name: str, attributes: Attributes) -> None:
        if name == "w:abstractNumId":
            num.abstract = attributes.get("w:val")
        elif name == "w:lvlOverride":
            self._override = number(attributes.get("w:ilvl"), 0)
        elif name == "w:startOverride":
            num.starts[self._override] = number(attributes.get("w:val"), 0)

    def end(self, name: str) -> None:
        if self._skipping:
            self._skipping -= 1
        elif name == "w:lvl" and self._level:
            holder = self._num or self._abstract
            if holder and 0 <= self._at < LEVELS:
                holder.levels[self._at] = self._level
            self._level = None
        elif name == "w:abstractNum":
            self._abstract = None
        elif name == "w:num":
            self._num = None

    def data(self, text: str) -> None: ...


def _with_property(level: Level, name: str, attributes: Attributes) -> Level:
    value = attributes.get("w:val")
    match name:
        case "w:start":
            return replace(level, start=number(value, 1))
        case "w:numFmt":
            return replace(level, format=value)
        case "w:lvlText":
            return replace(level, template=value[:_MAX_TEMPLATE])
        case "w:suff":
            return replace(level, suffix=value)
        case "w:lvlRestart":
            return replace(level, restart=number(value, 0))
        case "w:isLgl":
            return replace(level, is_legal=attributes.is_on())
        case "w:pStyle":
            return replace(level, style=value)
        case "w:vanish":
            return replace(level, is_hidden=attributes.is_on())
    return level
