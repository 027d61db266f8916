"""Finds what stands around the text of a saved page: blocks of links, cookie notices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chunkscope.core.loaders.html.elements import NAVIGATION, Element, tag_names

COOKIES = "cookie notices"
_LANDMARKS = tag_names("header footer aside")
_ROLES = tag_names("banner contentinfo complementary menu menubar toolbar")
_NAMES = tag_names(
    "nav navbar navigation navbox menu submenu breadcrumb breadcrumbs sidebar pagination pager "
    "toc share sharing social related topbar footer header"
)
_WORD = re.compile(r"[a-z]+")
_COOKIE = re.compile(r"cookie|consent|gdpr", re.IGNORECASE)
_NOTICE = re.compile(
    r"banner|bar\b|notice|popup|modal|dialog|overlay|consent|message|alert", re.IGNORECASE
)
_VENDORS = re.compile(r"\b(?:onetrust|cybotcookiebot|didomi|usercentrics|truste|qc-cmp2)", re.I)
# A part of a landmark that can be a list of links by itself.
_PARTS = tag_names("header footer aside ul ol menu dir div section table nav")
_CONTENT = ("main", "article", "h1")
_MIN_LINKS = 3
_LINKED = 0.7
_MAX_NOTICE = 4_000


def furniture(root: Element) -> dict[Element, str]:
    """The elements that are no part of the text, each with the reason to leave it out."""
    found: dict[Element, str] = {}
    for element in _outermost(root):
        if _is_cookie_notice(element):
            found[element] = COOKIES
        else:
            found.update(dict.fromkeys(_blocks_of_links(element), NAVIGATION))
    return found


def _outermost(root: Element) -> Iterator[Element]:
    """Elements that call themselves something else than text, outside of articles."""
    from lxml import etree

    walk = etree.iterwalk(root, events=("start",))
    for _, element in walk:
        if element.tag in ("article", "head"):
            walk.skip_subtree()
        elif _is_candidate(element):
            walk.skip_subtree()
            yield element


def _is_candidate(element: Element) -> bool:
    if element.tag in ("html", "body", "main"):
        return False
    if element.tag in _LANDMARKS:
        return True
    if not element.attrib or element.tag == "a":
        return False
    names = f"{element.get('id') or ''} {element.get('class') or ''}"
    return (
        element.get("role") in _ROLES
        or not _NAMES.isdisjoint(_WORD.findall(names.lower()))
        or bool(_COOKIE.search(names) or _VENDORS.search(names))
    )


def _is_cookie_notice(element: Element) -> bool:
    names = " ".join(element.get(key) or "" for key in ("id", "class", "role", "aria-label"))
    if not (_VENDORS.search(names) or (_COOKIE.search(names) and _NOTICE.search(names))):
        return False
    if any(element.find(f".//{tag}") is not None for tag in _CONTENT):
        return False
    return len("".join(element.itertext())) <= _MAX_NOTICE


@dataclass(slots=True)
class _Measure:
    """How much of an open element is links."""

    element: Element
    size: int = 0
    linked: int = 0
    links: int = 0
    has_content: bool = False

    @property
    def is_navigation(self) -> bool:
        return (
            not self.has_content
            and self.links >= _MIN_LINKS
            and self.linked >= _LINKED * self.size
            and (self.element.tag in _PARTS or self.element.get("role") in _ROLES)
        )

    def take(self, inner: _Measure) -> None:
        self.size += inner.size
        self.linked += inner.linked
        self.links += inner.links
        self.has_content |= inner.has_content


def _blocks_of_links(top: Element) -> list[Element]:
    """The largest parts of an element whose text is links for the most part."""
    from lxml import etree

    found: list[Element] = []
    open_ones = [_Measure(top)]  # one more than there are elements: what the top adds up to
    for event, element in etree.iterwalk(top, events=("start", "end")):
        if event == "start":
            open_ones.append(_Measure(element, size=_size(element.text)))
            continue
        measure = open_ones.pop()
        if element.tag == "a":
            measure.linked, measure.links = measure.size, 1
        measure.has_content |= element.tag in _CONTENT
        if measure.is_navigation:
            found.append(element)
        open_ones[-1].take(measure)
        open_ones[-1].size += _size(element.tail) if element is not top else 0
    chosen = set(found)
    return [e for e in found if not any(outer in chosen for outer in e.iterancestors())]


def _size(string: str | None) -> int:
    return len("".join(string.split())) if string else 0
