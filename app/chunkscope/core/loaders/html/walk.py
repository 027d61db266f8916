"""Writes the text of a web page as a reader sees it, and tells what it leaves out."""

from __future__ import annotations

from chunkscope.core.loaders.builder import TextBuilder
from chunkscope.core.loaders.html.facts import (
    MAX_TITLE,
    HtmlFacts,
    frames_told,
    page_metadata,
    page_title,
)
from chunkscope.core.loaders.html.text import HtmlText
from chunkscope.core.loaders.html.tree import parse_html
from chunkscope.core.loaders.html.walker import Walker
from chunkscope.core.sandbox.watch import Watch


def walk_html(
    markup: str, builder: TextBuilder, watch: Watch, *, shows_something: bool = True
) -> HtmlFacts:
    """Append the text of a page that is already decoded.

    Where navigation and hidden parts are all that a page has, they are shown, unless
    `shows_something` is off.
    """
    tree = parse_html(markup)
    missing, warnings = list(tree.missing), list(tree.warnings)
    if tree.root is None:
        return HtmlFacts(missing=missing, warnings=warnings)
    root = tree.root
    text = HtmlText(builder)
    walker = Walker(text, watch, shows_all=False)
    walker.walk(root)
    if text.is_empty and walker.left_out and shows_something:
        walker = Walker(text, watch, shows_all=True)
        walker.walk(root)
        if not text.is_empty:
            warnings.append(
                "all of its text is navigation, hidden or behind images, and is shown therefore"
            )
    text.finish()
    if frames := [frame.get("src") or "" for frame in root.iter("frame")]:
        missing.append(frames_told(frames))
    if walker.frames:
        warnings.append(f"without {frames_told(walker.frames)}")
    metadata = page_metadata(root)
    if walker.images:
        metadata["images"] = str(walker.images)
    return HtmlFacts(
        page_title(root) or text.first_title()[:MAX_TITLE],
        metadata.get("language", ""),
        [*missing, *walker.missing],
        [*warnings, *walker.warnings, *walker.told()],
        metadata,
    )
