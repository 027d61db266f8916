"""Strategies that follow a document's own structure: design B, Markdown, HTML, pages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from chunkscope.core.blocks import BlockKind
from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.headings import find_headings
from chunkscope.core.chunking.strategies.base import (
    Boundary,
    Cut,
    Strategy,
    counted_in,
    headings,
    least,
    overlap,
    size,
    strategies,
)
from chunkscope.core.chunking.strategies.packing import pack_cuts
from chunkscope.core.params import param
from chunkscope.core.text.units import Ruler, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class _Board(Strategy):
    """The sizes of design B."""

    unit: Unit = counted_in(Unit.WORDS)
    max_size: int = size(400)
    target_size: int = size(300, "chunks are closed at this size; whole sentences may exceed it")
    min_size: int = least(50)
    overlap_sentences: int = param(
        2, low=0, high=20, help="sentences repeated from the end of the chunk before"
    )
    prepend_headings: bool = headings(True)


@strategies.register("structured")
@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredStrategy(_Board):
    """Elements of a structured document, packed within their section; long ones at sentences."""

    def cut(self, analysis: Analysis, ruler: Ruler) -> Cut:
        return pack_cuts(
            self,
            analysis,
            ruler,
            analysis.paragraphs,
            [analysis.sentences, analysis.words],
            sections=analysis.sections,
        )


@strategies.register("flat")
@dataclass(frozen=True, slots=True, kw_only=True)
class FlatStrategy(_Board):
    """Paragraphs without structure: headings by rule, else sections by number."""

    def cut(self, analysis: Analysis, ruler: Ruler) -> Cut:
        starts, titles = find_headings(analysis)
        cut = pack_cuts(
            self,
            analysis,
            ruler,
            analysis.paragraphs,
            [analysis.sentences, analysis.words],
            sections=starts,
        )
        if not len(starts):
            count = len(cut.packed.starts)
            starts = np.maximum(cut.packed.starts, np.append(0, cut.packed.ends[:-1]))
            titles = tuple(f"Section {number} of {count}" for number in range(1, count + 1))
        return replace(cut, sections=(starts, titles))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sections(Strategy):
    """Sections with their tables and listings kept whole."""

    max_size: int = size(512)
    min_size: int = least(64)
    overlap: int = overlap()
    tables: str = param(
        "whole",
        choices=("whole", "rows"),
        help="tables stay whole where they fit, or may be cut between any rows",
    )
    prepend_headings: bool = headings(True)

    def cut(self, analysis: Analysis, ruler: Ruler) -> Cut:
        cuts = analysis.paragraphs
        if self.tables == "rows":
            cuts = np.union1d(cuts, analysis.starts_of(BlockKind.TABLE_ROW))
        return pack_cuts(
            self,
            analysis,
            ruler,
            cuts,
            [analysis.sentences, analysis.words],
            sections=analysis.sections,
            has_tables=True,
        )


@strategies.register("markdown")
@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownStrategy(_Sections):
    """Sections under their headings; tables whole, or by rows with their header shown."""


@strategies.register("html")
@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlStrategy(_Sections):
    """Sections of a web page or office document; lists, tables and listings kept together."""


@strategies.register("page")
@dataclass(frozen=True, slots=True, kw_only=True)
class PageStrategy(Strategy):
    """One page a chunk; a page above the maximum is cut at paragraphs, sentences, words."""

    max_size: int = size(1024)
    min_size: int = least()
    overlap: int = overlap()

    boundaries: ClassVar[tuple[str, ...]] = (
        Boundary.PAGE,
        Boundary.SECTION,
        Boundary.PARAGRAPH,
        Boundary.SENTENCE,
    )

    def cut(self, analysis: Analysis, ruler: Ruler) -> Cut:
        return pack_cuts(
            self,
            analysis,
            ruler,
            analysis.paragraphs,
            [analysis.sentences, analysis.words],
            fences=analysis.starts_of(BlockKind.PAGE),
        )
