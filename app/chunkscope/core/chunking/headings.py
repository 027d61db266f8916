"""Headings of documents that have none, by the rules of design B."""

from __future__ import annotations

import numpy as np

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.text.codepoints import Offsets

_MAX_WORDS = 10
_CLOSING = tuple(".!?:;,…。！？")


def find_headings(analysis: Analysis) -> tuple[Offsets, tuple[str, ...]]:
    """Where headings start, and their titles; those of the document where it has any."""
    if len(analysis.sections):
        numbers = analysis.chains_at(analysis.sections).tolist()
        return analysis.sections, tuple(" > ".join(analysis.chains[each]) for each in numbers)
    starts, ends = analysis.pieces(analysis.paragraphs)
    lengths = np.append(ends - starts, 0)
    found = [
        (start, title)
        for start, end, following in zip(
            starts.tolist(), ends.tolist(), lengths[1:].tolist(), strict=True
        )
        if (title := _as_heading(analysis.text, start, end, following))
    ]
    return np.array([start for start, _ in found], np.int64), tuple(title for _, title in found)


def _as_heading(text: str, start: int, end: int, following: int) -> str:
    """The title, when the paragraph is a heading: one short line above something longer."""
    if end - start > 200 or following <= end - start:
        return ""
    line = text[start:end]
    words = line.split()
    if "\n" in line or len(words) >= _MAX_WORDS:
        return ""
    is_title = not line.endswith(_CLOSING) and any(character.isalpha() for character in line)
    return " ".join(words) if line.isupper() or is_title else ""
