"""What stands above the text: figures, a histogram, the outline."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from chunkscope.core.blocks import BlockKind
from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.chunking.statistics import Statistics
from chunkscope.core.export.html.bands import anchor
from chunkscope.core.export.html.markup import element, opened, shown

_BINS = 32
_OPEN_OUTLINE = 12
_CUTS = {
    "section": "at a section",
    "paragraph": "at a paragraph",
    "sentence": "at a sentence",
    "inside_sentence": "inside a sentence",
}


def summary(chunking: Chunking, number: int) -> Iterator[str]:
    """The head of a document."""
    statistics = Statistics(chunking)
    yield element("h2", chunking.document.title or "Untitled")
    yield element("p", _described(chunking), class_="muted")
    yield from (
        element("p", f"Missing: {line}", class_="warn") for line in chunking.document.missing
    )
    yield '<div class="cards">'
    yield from _figures(statistics)
    yield from _histogram(statistics)
    yield from _cuts(statistics)
    yield "</div>"
    yield from _proof(statistics)
    yield from _outline(chunking, number)


def _described(chunking: Chunking) -> str:
    document = chunking.document
    # The name of the file alone: the folders around it are nobody else's business.
    name = document.source.replace("\\", "/").rstrip("/").rpartition("/")[2]
    parts = [name] if name and name != document.title else []
    return " · ".join([*parts, document.media_type, f"{len(document.text):,} characters"])


def _figures(statistics: Statistics) -> Iterator[str]:
    chunking, sizes = statistics.chunking, statistics.sizes
    unit = str(chunking.strategy.unit)
    entries = [
        (f"{len(chunking):,}", "chunks"),
        (f"{sizes.median:,.0f}", f"{unit}, median"),
        (f"{sizes.smallest:,}–{sizes.largest:,}", f"{unit}, least to most"),
        (f"{statistics.repeated_share:.0%}".replace("%", " %"), "repeated"),
    ]
    yield '<dl class="card figures">'
    for value, label in entries:
        yield f"<div>{element('dd', value)}{element('dt', label)}</div>"
    yield "</dl>"


def _histogram(statistics: Statistics) -> Iterator[str]:
    chunking, unit = statistics.chunking, str(statistics.chunking.strategy.unit)
    most = max(chunking.max_size if chunking.max_size else 0, statistics.sizes.largest, 1)
    bins = min(_BINS, most)
    counts, edges = np.histogram(chunking.sizes, bins=bins, range=(0, most))
    highest = max(int(counts.max()), 1)
    yield '<figure class="card"><div class="bars">'
    for count, low, high in zip(counts.tolist(), edges[:-1], edges[1:], strict=True):
        noun = "chunk" if count == 1 else "chunks"
        title = f"{low:,.0f}–{high:,.0f} {unit}: {count:,} {noun}"
        height = f"height:{max(100 * count / highest, 3 if count else 0):.0f}%"
        yield element("i", "", style=height, title=title)
    yield "</div>"
    yield f'<div class="axis"><span>0</span>{element("span", f"{most:,} {unit}")}</div>'
    yield "<figcaption>Sizes</figcaption></figure>"


def _cuts(statistics: Statistics) -> Iterator[str]:
    shares = statistics.cut_shares
    yield '<figure class="card"><div class="shares">'
    for name, label in _CUTS.items():
        if shares[name]:
            style = f"flex-grow:{shares[name]:.4f}"
            yield element("i", "", class_=name, style=style, title=f"{label}: {shares[name]:.0%}")
    yield '</div><ul class="keys">'
    for name, label in _CUTS.items():
        share = f" {shares[name]:.0%}".replace("%", " %")
        yield f"<li>{element('i', '', class_=name)}{shown(label)}{element('b', share)}</li>"
    yield "</ul><figcaption>Cuts</figcaption></figure>"


def _proof(statistics: Statistics) -> Iterator[str]:
    chunking = statistics.chunking
    holds = statistics.proof.holds
    sentence = "✓ Every character is accounted for." if holds else "✗ Text is lost."
    yield opened("p", class_="good" if holds else "warn") + shown(sentence) + "</p>"
    counted = {
        "over the maximum": len(statistics.over_maximum),
        f"over the {chunking.model.max_tokens:,} tokens that {chunking.model.name} reads": len(
            statistics.over_model
        ),
        "begin inside a table": len(statistics.blocks_cut(BlockKind.TABLE)),
        "begin inside a listing": len(statistics.blocks_cut(BlockKind.CODE)),
        "begin inside a turn": len(statistics.blocks_cut(BlockKind.TURN)),
    }
    found = [f"{count:,} {words}" for words, count in counted.items() if count]
    if found:
        yield element("p", f"Chunks to look at: {', '.join(found)}.", class_="warn")


def _outline(chunking: Chunking, number: int) -> Iterator[str]:
    headings = chunking.document.blocks.of_kind(BlockKind.HEADING)
    if not headings or not len(chunking):
        return
    starts = np.array([heading.start for heading in headings])
    at = np.maximum(np.searchsorted(chunking.fresh_starts, starts, side="right") - 1, 0)
    is_open = " open" if len(headings) <= _OPEN_OUTLINE else ""
    yield f"<details{is_open}><summary>Outline, {len(headings):,} headings</summary>"
    yield '<ol class="outline">'
    for heading, index in zip(headings, at.tolist(), strict=True):
        link = element("a", heading.name or "…", href=f"#{anchor(number, index)}")
        indent = f"--level:{min(heading.level or 1, 6) - 1}"
        yield f"{opened('li', style=indent)}{link}{element('span', str(index))}</li>"
    yield "</ol></details>"
