"""What a sentence segmenter is, and the table of those that there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chunkscope.core.registry import Registry

Cut = Callable[[str, str], list[int]]


@dataclass(frozen=True, slots=True)
class Segmenter:
    """A way to cut a paragraph.

    `cut(paragraph, language)` gets a paragraph in which line ends are blanks already, and gives the
    ascending offsets at which sentences start, the first of them 0.
    """

    cut: Cut
    # Worth a place in the memory, and a worker process for a large text.
    is_slow: bool
    languages: tuple[str, ...] = ()  # none: any


segmenters: Registry[Segmenter] = Registry("sentence segmenter")
