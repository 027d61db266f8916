"""A result to take along: as text, with its citation, as a Markdown quote."""

from __future__ import annotations

from chunkscope.core.search.model import Hit


def section_of(hit: Hit) -> str:
    return " › ".join(hit.chunk.heading_chain)


def page_of(hit: Hit) -> str:
    chunk = hit.chunk
    if chunk.page is None:
        return ""
    if chunk.last_page in (None, chunk.page):
        return f"p. {chunk.page}"
    return f"pp. {chunk.page}–{chunk.last_page}"


def title_of(hit: Hit) -> str:
    return hit.chunk.title or hit.chunk.source or "Untitled"


def citation_of(hit: Hit) -> str:
    """Title, section, page, and the place in the text."""
    parts = [title_of(hit), section_of(hit), page_of(hit)]
    return ", ".join(part for part in parts if part) + f" [{hit.chunk.start}:{hit.chunk.end}]"


def as_text(hit: Hit) -> str:
    return hit.stitched.text


def as_cited(hit: Hit) -> str:
    return f"{hit.stitched.text.strip()}\n\n({citation_of(hit)})\n"


def as_quote(hit: Hit) -> str:
    """Every line quoted, also the empty ones: a quote must not break in the middle."""
    lines = [f"> {line}".rstrip() for line in hit.stitched.text.strip().splitlines()]
    return "\n".join([*lines, ">", f"> — {citation_of(hit)}"]) + "\n"


COPIES = (
    ("Copy text", as_text),
    ("Copy with citation", as_cited),
    ("Copy as Markdown quote", as_quote),
)
