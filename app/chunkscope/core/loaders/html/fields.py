"""What a reader sees of form fields, and of pictures that stand for characters."""

from __future__ import annotations

import re
from itertools import islice

from chunkscope.core.loaders.html.elements import Element

_UNSEEN_INPUTS = frozenset(("hidden", "password", "checkbox", "radio", "file", "color", "range"))
_CHARACTER_IMAGE = re.compile(r"emoji|emoticon|smiley|math|tex\b|latex|formula|dropcap", re.I)
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "button"))
_MAX_IN_HEADING = 20


def field_text(element: Element) -> str:
    """What is written in an input field or on an input button."""
    kind = (element.get("type") or "text").strip().lower()
    if kind in _UNSEEN_INPUTS:
        return ""
    return str(element.get("alt" if kind == "image" else "value") or "").strip()


def field_hint(element: Element) -> str:
    """The grey words in a field that nobody filled."""
    kind = (element.get("type") or "text").strip().lower()
    if kind in _UNSEEN_INPUTS or element.get("value"):
        return ""
    return str(element.get("placeholder") or "").strip()


def shown_options(element: Element) -> list[Element]:
    """The choices of a select that are seen before anybody clicks: one, or all of a list box."""
    options = list(element.iter("option"))
    size = element.get("size") or "1"
    if element.get("multiple") is not None or size.strip() not in ("", "0", "1"):
        return options
    chosen = [option for option in options if option.get("selected") is not None]
    return (chosen[-1:] or options)[:1]


def is_read(image: Element, alt: str) -> bool:
    """Whether an image with this description is read as text: a letter, a formula, a heading."""
    is_sign = len(alt) <= 2 or not (alt.isascii() or any(map(str.isalnum, alt)))
    is_named = _CHARACTER_IMAGE.search(image.get("class") or "") is not None
    return is_sign or is_named or _is_all_of_a_heading(image)


def _is_all_of_a_heading(element: Element) -> bool:
    around = next((e for e in islice(element.iterancestors(), 3) if e.tag in _HEADINGS), None)
    if around is None:
        return False
    inside = list(islice(around.iter(), _MAX_IN_HEADING))
    strings = [around.text, *(string for e in inside[1:] for string in (e.text, e.tail))]
    return len(inside) < _MAX_IN_HEADING and not any(s and s.strip() for s in strings)
