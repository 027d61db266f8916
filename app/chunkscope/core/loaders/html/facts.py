"""What a page says about itself besides its text: title, language, author, frames."""

from __future__ import annotations

from dataclasses import dataclass, field

from chunkscope.core.loaders.html.elements import Element

MAX_TITLE = 500
_MAX_FACT = 1_000
_MAX_NAMED_FRAMES = 5


@dataclass(frozen=True, slots=True)
class HtmlFacts:
    """What is known of a page besides its text."""

    title: str = ""
    language: str = ""
    missing: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    metadata: dict[str, str] = field(default_factory=dict)


def page_title(root: Element) -> str:
    for element in root.iter("title"):
        parent = element.getparent()
        if parent is None or parent.tag not in ("svg", "g", "symbol", "path"):
            return " ".join((element.text or "").split())[:MAX_TITLE]
    return ""


def page_metadata(root: Element) -> dict[str, str]:
    facts: dict[str, str] = {}
    if root.tag == "html":
        _note(facts, "language", root.get("lang") or root.get("xml:lang"))
    for element in root.iter("meta"):
        name = (element.get("name") or element.get("property") or "").lower()
        content = element.get("content")
        if name in ("description", "author"):
            _note(facts, name, content)
        elif name == "og:description":
            _note(facts, "description", content)
        elif (element.get("http-equiv") or "").lower() == "content-language":
            _note(facts, "language", content)
    for element in root.iter("link"):
        if (element.get("rel") or "").lower() == "canonical":
            _note(facts, "url", element.get("href"))
    return facts


def frames_told(frames: list[str]) -> str:
    """The names of frames whose text is not in this file."""
    named = [" ".join(name.split())[:100] for name in frames if name.strip()]
    shown = ", ".join(named[:_MAX_NAMED_FRAMES])
    more = f" and {len(named) - _MAX_NAMED_FRAMES} more" if len(named) > _MAX_NAMED_FRAMES else ""
    return f"the text of its frames, which are files of their own ({shown}{more}): load those"


def _note(facts: dict[str, str], key: str, value: str | None) -> None:
    """Keep the first value that says something."""
    value = " ".join((value or "").split())[:_MAX_FACT]
    if value and key not in facts:
        facts[key] = value
