"""What can be turned at a search; declared once, for the form, the command line and TOML."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any

from chunkscope.core import params
from chunkscope.core.params import BadParameter, param

MOST_HITS = 1_000
CALIBRATED = -1.0


class Mode(StrEnum):
    """Which channels answer."""

    LEXICAL = "lexical"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"
    ROUTED = "routed"


class Rerank(StrEnum):
    """What orders the stitched snippets anew."""

    NONE = "none"
    BI_ENCODER = "bi-encoder"
    LATE_INTERACTION = "late-interaction"
    CROSS_ENCODER = "cross-encoder"


class Group(StrEnum):
    """One line for each chunk, for each document, or chunks under their documents."""

    CHUNK = "chunk"
    DOCUMENT = "document"
    GROUPED = "grouped"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """The settings of a search."""

    mode: Mode = param(
        Mode.HYBRID,
        choices=tuple(Mode),
        help="lexical (words), semantic (meaning), hybrid (both), "
        "routed (words first, meaning where they fail)",
    )
    k: int = param(10, low=1, high=MOST_HITS, help="how many results are shown")
    candidates: int = param(
        100, low=1, high=100_000, help="how many each channel hands to fusion and reranking"
    )
    rrf_constant: float = param(
        60.0, low=0.0, high=10_000.0, help="of rank fusion: higher makes the first ranks more equal"
    )
    lexical_weight: float = param(1.0, low=0.0, high=100.0, help="of the words in fusion")
    semantic_weight: float = param(1.0, low=0.0, high=100.0, help="of the meaning in fusion")
    title_weight: float = param(2.0, low=0.0, high=100.0, help="of words in the title, in BM25")
    headings_weight: float = param(1.5, low=0.0, high=100.0, help="of words in the headings")
    content_weight: float = param(1.0, low=0.0, high=100.0, help="of words in the text")
    route_threshold: float = param(
        2.0, low=0.0, high=1_000.0, help="routed: below this best BM25, meaning answers"
    )
    similarity_floor: float = param(
        CALIBRATED,
        low=-1.0,
        high=1.0,
        help="what is less similar does not fit; -1: as calibrated for the model, 0: off",
    )
    lexical_floor: float = param(
        CALIBRATED,
        low=-1.0,
        high=1.0,
        help="share of the best possible BM25 below which a match of words alone does not fit; "
        "-1: as calibrated, 0: off",
    )
    rerank: Rerank = param(
        Rerank.NONE, choices=tuple(Rerank), help="orders the stitched snippets anew"
    )
    rerank_depth: int = param(30, low=1, high=1_000, help="how many of the best are reranked")
    cross_encoder: str = param("", help="folder of a cross-encoder, for rerank=cross-encoder")
    neighbours: int = param(1, low=0, high=50, help="chunks stitched on at each side")
    within_section: bool = param(False, help="stitch only chunks under the same heading")
    boundary_markers: bool = param(False, help="write [CHUNK BOUNDARY] where chunks meet")
    show_repeats: bool = param(False, help="show passages with the same text more than once")
    per_document_cap: int = param(
        0, low=0, high=MOST_HITS, help="at most so many results of a document; 0: any number"
    )
    group: Group = param(
        Group.CHUNK, choices=tuple(Group), help="a line per chunk, per document, or grouped"
    )
    documents: tuple[str, ...] = param((), help="only in these: id, source or title")
    media_types: tuple[str, ...] = param((), help="only in these types: text/html, or text/*")
    heading: str = param("", help="only under a heading that contains this")
    pages: tuple[str, ...] = param((), help="only on these pages: 3, 5-7")

    def checked(self) -> SearchOptions:
        """These options, or the sentence that says what is wrong with them."""
        _check_bounds(self)
        if self.rerank == Rerank.CROSS_ENCODER and not self.cross_encoder:
            raise BadParameter("cross_encoder", "must name the folder of a model to rerank with it")
        if self.lexical_weight == self.semantic_weight == 0:
            raise BadParameter("lexical_weight", "and semantic_weight must not both be 0")
        _ = self.page_ranges
        return self

    @property
    def page_ranges(self) -> tuple[tuple[int, int], ...]:
        """The pages asked for, both ends included."""
        return tuple(_page_range(text) for text in self.pages)

    @property
    def is_filtered(self) -> bool:
        return bool(self.documents or self.media_types or self.heading or self.pages)

    def with_texts(self, values: dict[str, str]) -> SearchOptions:
        """With values given as text; unknown names suggest the nearest."""
        known = params.declared(SearchOptions)
        for name in values:
            if name not in known:
                raise BadParameter(name, f"is no setting of a search; it has {', '.join(known)}")
        parsed: dict[str, Any] = {
            name: params.parse(known[name], text) for name, text in values.items()
        }
        return replace(self, **parsed).checked()

    def record(self) -> dict[str, object]:
        """By name, for JSON."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@lru_cache(maxsize=256)
def _check_bounds(options: SearchOptions) -> None:
    """Looking at all declarations takes longer than a short search."""
    params.check(options)


def _page_range(text: str) -> tuple[int, int]:
    first, sign, last = text.partition("-")
    try:
        low = int(first)
        high = int(last) if sign else low
    except ValueError:
        low, high = 1, 0
    if not 0 < low <= high:
        raise BadParameter("pages", f"must be like 3 or 5-7, not {text!r}")
    return low, high
