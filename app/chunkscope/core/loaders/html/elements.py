"""What single HTML elements mean to a reader: hidden or shown, box or word, number, language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

# The stubs of lxml know neither iterwalk nor what an HTML element offers.
Element = Any


def tag_names(names: str) -> frozenset[str]:
    return frozenset(names.split())


NAVIGATION = "navigation"
# Our own: stands behind each </p> of a page that closes paragraphs it did not open.
PARAGRAPH_END = "chunkscope-p"
HIDDEN = "hidden"
# Never text to anybody.
SKIPPED = tag_names("script style head title desc metadata meta link base rp param")
# Parsed as raw text, so it cannot be shown as it is.
RAW = {
    "iframe": "text for browsers without frames",
    "noembed": "text for browsers without frames",
    "noframes": "text for browsers without frames",
}
# Text that a browser does not show, or that is no reading matter; its size is told.
LEFT_OUT = {
    "nav": NAVIGATION,
    "template": "templates",
    "noscript": "text for browsers without scripts",
    "datalist": "form choices",
    "defs": "labels in drawings",
    "symbol": "labels in drawings",
    "video": "text for browsers without media",
    "audio": "text for browsers without media",
    "canvas": "text for browsers without media",
}
BLOCKS = tag_names(
    "html body address article aside center details dialog div dl fieldset figcaption figure "
    "footer form foreignobject frameset header hgroup hr legend main nav search section summary "
    f"tbody thead tfoot video audio canvas noscript template datalist {PARAGRAPH_END}"
)
_DISPLAY = re.compile(r"(?:^|;)\s*display\s*:\s*([a-z-]+)", re.IGNORECASE)
_INVISIBLE = re.compile(r"(?:^|;)\s*visibility\s*:\s*(?:hidden|collapse)", re.IGNORECASE)
_BOX_DISPLAYS = frozenset(("block", "flex", "grid", "table", "list-item", "table-row", "flow-root"))
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:(?:language|lang|highlight-source|highlight)-|brush:\s*|sourceCode\s+)"
    r"([A-Za-z][\w+#.-]{0,30})"
)
_NO_LANGUAGES = frozenset(("default", "none", "nohighlight", "notranslate", "text", "plaintext"))
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc")),
    *((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)


def hidden_reason(element: Element) -> str:
    """Why a reader does not see an element, by its attributes; nothing if it is seen."""
    if element.get("role") == "navigation":
        return NAVIGATION
    hidden = element.get("hidden")
    if hidden is not None and hidden.lower() != "until-found":
        return HIDDEN
    style = element.get("style")
    if style and (display_of(style) == "none" or _INVISIBLE.search(style)):
        return HIDDEN
    return HIDDEN if element.tag == "dialog" and element.get("open") is None else ""


def display_of(style: str) -> str:
    """The last `display` of a style attribute."""
    found = _DISPLAY.findall(style) if "isplay" in style.lower() else None
    return found[-1].lower() if found else ""


def is_box(element: Element) -> bool:
    """Whether the style of an inline element makes it a block."""
    style = element.get("style")
    return bool(style) and display_of(style) in _BOX_DISPLAYS


def heading_level(element: Element) -> int:
    """The level of what calls itself a heading by its role, else 0."""
    if element.get("role") != "heading":
        return 0
    level = element.get("aria-level") or "2"
    return int(level) if level in "123456" else 2


def code_language(element: Element) -> str:
    """The programming language that the classes of a code element name, if any."""
    found = _LANGUAGE.search(element.get("class") or "")
    name = found[1] if found else element.get("data-lang") or ""
    return "" if name in _NO_LANGUAGES else name[:40]


@dataclass(slots=True)
class Numbering:
    """The markers of one list, as they are drawn; a bullet is no text."""

    style: str
    value: int
    step: int = 1
    count: int = 0

    def next(self, said: str | None) -> str:
        """The marker of the next item, which may say its own number."""
        self.count += 1
        if not self.style:
            return ""
        self.value = _number(said, self.value)
        marker = _marker(self.value, self.style)
        self.value += self.step
        return f"{marker}. "


def numbering_of(element: Element) -> Numbering:
    """How the items of a list element are marked."""
    style = element.get("style") or ""
    if element.tag != "ol" or ("list-style" in style and "none" in style):
        return Numbering("", 0)
    is_reversed = element.get("reversed") is not None
    first = sum(1 for child in element if child.tag == "li") if is_reversed else 1
    return Numbering(
        element.get("type") or "1", _number(element.get("start"), first), -1 if is_reversed else 1
    )


def _number(said: str | None, otherwise: int) -> int:
    try:
        return int(said) if said and len(said) < 10 else otherwise
    except ValueError:
        return otherwise


def _marker(value: int, style: str) -> str:
    if style in "aA" and value > 0:
        letters = ""
        while value:
            value, rest = divmod(value - 1, 26)
            letters = chr(ord(style) + rest) + letters
        return letters
    if style in "iI" and 0 < value < 4000:
        numeral = ""
        for worth, letter in _ROMAN:
            count, value = divmod(value, worth)
            numeral += letter * count
        return numeral if style == "i" else numeral.upper()
    return str(value)
