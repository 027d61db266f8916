"""Which paragraphs of printed pages are headings, and of what level."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from chunkscope.core.blocks import BlockKind
from chunkscope.core.loaders.pdf.layout import BULLET, LARGER, LEADERS, Paragraph

_CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|tab(?:le|elle|\.)?|abb(?:ildung|\.)?|listing|algorithm|source|quelle)"
    r"\s*[\d:]",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"^(?:\d|[IVXA-Z]\b).*\s\d{1,4}$", re.DOTALL)
_PROGRAM_TEXT = re.compile(r"[_{}=;<>|\\]|--")
_SECTION_NUMBER = re.compile(r"(?:(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*\.?|[IVX]{1,5}\.)\s+(?=\S)")


def title_key(text: str) -> str:
    """What is equal for a heading and its entry in the outline."""
    text = " ".join(text.split())
    return _SECTION_NUMBER.sub("", text, count=1).casefold().rstrip(" .:")


def mark_headings(
    paragraphs: Sequence[Paragraph], body_size: float, outline: Mapping[str, int]
) -> None:
    """Turn the paragraphs that are headings into such, with their levels."""
    contents = _contents_pages(paragraphs)
    titles = [p for p in paragraphs if _is_title_like(p, p.page in contents)]
    crowded = _crowded_sizes(paragraphs, body_size)
    is_bold_body = sum(len(p.text) * (1 if p.is_bold else -1) for p in paragraphs) > 0
    found = [
        p
        for p in titles
        if (p.size >= LARGER * body_size and round(p.size) not in crowded)
        or (p.is_bold and not is_bold_body and _is_alone(p, body_size))
        or title_key(p.text) in outline
        or _is_by_rule(p, body_size)
    ]
    if len(found) < 3:  # where headings are not set apart by their type, by their place
        open_titles = {id(p) for p in titles} - {id(p) for p in found}
        found += [
            p
            for p, above, below in _neighbours(paragraphs)
            if id(p) in open_titles and _leads_text(p, above, below, body_size)
        ]
    _set_levels(found, outline)


def _contents_pages(paragraphs: Sequence[Paragraph]) -> set[int]:
    """Pages with a table of contents, whose lines look like headings."""
    counts: Counter[int] = Counter()
    for p in paragraphs:
        if p.line_count <= 2 and _ENTRY.search(p.text):
            counts[p.page] += 1
        if p.text.count(".") >= 4 or "…" in p.text:
            counts[p.page] += len(LEADERS.findall(p.text))
    found = {page for page, count in counts.items() if count >= 4}
    # A table of contents that ends on the next page.
    return found | {page + 1 for page in found if counts[page + 1]}


def _is_title_like(p: Paragraph, is_contents: bool) -> bool:
    text = p.text
    if p.kind is BlockKind.TABLE or p.line_count > 3 or len(text) > 160 or len(text.split()) > 15:
        return False
    letters = sum(map(str.isalpha, text))
    if letters < (3 if text.isascii() else 2) or letters < 0.5 * len(text.replace(" ", "")):
        return False
    if is_contents and re.search(r"\s\d{1,4}$", text):
        return False
    is_open = text[-1] not in ".,;:" and not text[0].islower()
    return (
        is_open
        and not BULLET.match(text)
        and not _CAPTION.match(text)
        and not LEADERS.search(text)
        and "@" not in text
        and "://" not in text
    )


def _crowded_sizes(paragraphs: Sequence[Paragraph], body_size: float) -> set[int]:
    """Large sizes that hold so much text that they are no headings."""
    characters: Counter[int] = Counter()
    counts: Counter[int] = Counter()
    for p in paragraphs:
        characters[round(p.size)] += len(p.text)
        counts[round(p.size)] += 1
    total = max(characters.total(), 1)
    return {
        size
        for size, count in characters.items()
        if size > body_size and counts[size] >= 5 and count > 0.25 * total
    }


def _is_alone(p: Paragraph, body_size: float) -> bool:
    return p.line_count <= 2 and p.size >= 0.97 * body_size and len(p.text.split()) <= 12


def _is_by_rule(p: Paragraph, body_size: float) -> bool:
    """ALL CAPS under ten words, or a title behind a number like 2.1."""
    if p.line_count > 1 or p.size < 0.9 * body_size or len(p.text.split()) >= 10:
        return False
    if p.text.isupper() and sum(map(str.isalpha, p.text)) >= 4:
        return not _PROGRAM_TEXT.search(p.text)
    is_numbered = re.match(r"\d{1,2}(?:\.\d{1,2})+\.?\s+[^\W\d_]", p.text) is not None
    return is_numbered and p.is_apart and not re.search(r"\d$", p.text)


def _neighbours(
    paragraphs: Sequence[Paragraph],
) -> list[tuple[Paragraph, Paragraph | None, Paragraph | None]]:
    padded = [None, *paragraphs, None]
    return list(zip(paragraphs, padded, padded[2:], strict=False))


def _leads_text(
    p: Paragraph, above: Paragraph | None, below: Paragraph | None, body_size: float
) -> bool:
    """A short line with no closing period followed by longer text."""
    if p.kind is not BlockKind.PARAGRAPH or p.line_count > 1 or len(p.text.split()) >= 10:
        return False
    if _PROGRAM_TEXT.search(p.text):
        return False
    if below is None or below.kind is not BlockKind.PARAGRAPH or p.size < 0.97 * body_size:
        return False
    if above is not None and above.page == p.page and above.text[-1:] not in '.!?:”")':
        return False
    is_longer = below.line_count >= 2 and len(below.text) >= max(80, 2 * len(p.text))
    return is_longer and p.is_apart and p.text[-1] not in "!?"


def _set_levels(found: Sequence[Paragraph], outline: Mapping[str, int]) -> None:
    keys = {id(p): _style_key(p) for p in found}
    known: dict[tuple[float, bool, int], int] = {}
    for p in found:
        if level := outline.get(title_key(p.text)):
            known[keys[id(p)]] = min(level, known.get(keys[id(p)], level))
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys.values())), start=1)}
    for p in found:
        key = keys[id(p)]
        level = outline.get(title_key(p.text)) or known.get(key)
        if level is None:
            level = _between(key, known) if known else ranks[key]
        p.kind, p.level = BlockKind.HEADING, min(level, 6)


def _between(key: tuple[float, bool, int], known: Mapping[tuple[float, bool, int], int]) -> int:
    """Below the styles that the outline knows and that are larger than this one."""
    larger = [level for other, level in known.items() if other < key]
    return max(larger) + 1 if larger else 1


def _style_key(p: Paragraph) -> tuple[float, bool, int]:
    """Sorts the more important style first."""
    match = re.match(r"\d{1,3}(?:\.\d{1,3})*", p.text)
    depth = match.group().count(".") + 1 if match else 1
    return -round(p.size * 2) / 2, not p.is_bold, depth
