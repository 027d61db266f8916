"""Figures about a chunking, and the proof that it covers its document."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from chunkscope.core.blocks import BlockKind
from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.chunking.places import are_at
from chunkscope.core.chunking.strategies import Boundary
from chunkscope.core.model import Span
from chunkscope.core.text.codepoints import Mask, Offsets, locate


@dataclass(frozen=True, slots=True)
class Sizes:
    """How the sizes are spread, in the unit of the chunking."""

    smallest: int = 0
    median: float = 0.0
    mean: float = 0.0
    p95: float = 0.0
    largest: int = 0

    @classmethod
    def of(cls, sizes: Offsets) -> Sizes:
        if not len(sizes):
            return cls()
        return cls(
            int(sizes.min()),
            float(np.median(sizes)),
            float(sizes.mean()),
            float(np.percentile(sizes, 95)),
            int(sizes.max()),
        )


@dataclass(frozen=True, slots=True)
class Proof:
    """Where every character of the document went; computed, never assumed."""

    characters: int
    fresh: int
    white_space: int
    left_out: int
    lost: tuple[Span, ...]
    misplaced: tuple[int, ...]

    @property
    def holds(self) -> bool:
        """Nothing is lost, no overlap is wrong, and the sum is right."""
        total = self.fresh + self.white_space + self.left_out
        return not self.lost and not self.misplaced and total == self.characters


class Statistics:
    """Everything that is counted about one chunking; each list of chunks can be stepped through."""

    def __init__(self, chunking: Chunking) -> None:
        self.chunking = chunking

    @cached_property
    def sizes(self) -> Sizes:
        return Sizes.of(self.chunking.sizes)

    @cached_property
    def repeated_share(self) -> float:
        """The part of all chunked characters that repeats the chunk before."""
        total = int((self.chunking.ends - self.chunking.starts).sum())
        return float(self.chunking.overlaps.sum() / total) if total else 0.0

    @cached_property
    def below_minimum(self) -> list[int]:
        least = int(getattr(self.chunking.strategy, "min_size", 0))
        return _numbers(self.chunking.sizes < least)

    @cached_property
    def over_maximum(self) -> list[int]:
        return _numbers(self.chunking.oversize)

    @cached_property
    def over_model(self) -> list[int]:
        return _numbers(self.chunking.truncated)

    @cached_property
    def cuts(self) -> Offsets:
        """The places between chunks: where fresh parts begin, but for the first."""
        return self.chunking.analysis.layout.trim_starts(self.chunking.fresh_starts[1:])

    @cached_property
    def inside_sentence(self) -> list[int]:
        """Chunks that begin in the middle of a sentence."""
        analysis = self.chunking.analysis
        return [number + 1 for number in _numbers(~are_at(analysis, self.cuts, Boundary.SENTENCE))]

    @cached_property
    def cut_shares(self) -> dict[str, float]:
        """The share of cuts at a section, a paragraph, a sentence, and inside a sentence."""
        analysis = self.chunking.analysis
        count = max(len(self.cuts), 1)
        shares = {}
        taken = np.zeros(len(self.cuts), np.bool_)
        for kind in (Boundary.SECTION, Boundary.PARAGRAPH, Boundary.SENTENCE):
            found = are_at(analysis, self.cuts, kind) & ~taken
            taken |= found
            shares[kind] = float(found.sum() / count)
        shares["inside_sentence"] = float((~taken).sum() / count)
        return shares

    @cached_property
    def boundaries(self) -> dict[str, int]:
        """How many chunks begin at which kind of place."""
        return dict(Counter(self.chunking.boundaries))

    def blocks_cut(self, kind: BlockKind) -> list[int]:
        """The chunks that begin inside a block of a kind."""
        starts, ends = self.chunking.analysis.spans_of(kind)
        if not len(starts):
            return []
        at = locate(starts, self.cuts) - 1
        inside = (at >= 0) & (self.cuts < ends[np.maximum(at, 0)])
        return [number + 1 for number in _numbers(inside)]

    @cached_property
    def proof(self) -> Proof:
        return prove(self.chunking)


def prove(chunking: Chunking) -> Proof:
    """Add up fresh parts, what is left out and the gaps between them, which must be blank."""
    length = len(chunking.document.text)
    left_out = [span for span, _ in chunking.left_out]
    starts = np.append(chunking.fresh_starts, [span.start for span in left_out]).astype(np.int64)
    ends = np.append(chunking.ends, [span.end for span in left_out]).astype(np.int64)
    order = np.argsort(starts, kind="stable")
    gap_starts = np.concatenate(([0], np.maximum.accumulate(ends[order])))
    gap_ends = np.maximum(np.append(starts[order], length), gap_starts)
    lost = _visible(chunking, gap_starts, gap_ends)
    fresh = int((chunking.ends - chunking.fresh_starts).sum())
    gone = sum(span.end - span.start for span in lost)
    return Proof(
        characters=length,
        fresh=fresh,
        white_space=int((gap_ends - gap_starts).sum()) - gone,
        left_out=sum(span.end - span.start for span in left_out),
        lost=lost,
        misplaced=_misplaced(chunking),
    )


def _visible(chunking: Chunking, starts: Offsets, ends: Offsets) -> tuple[Span, ...]:
    """The words, or parts of words, that lie in gaps."""
    words, word_ends = chunking.analysis.layout.split_words
    first = locate(word_ends, starts, "right")
    after = locate(words, ends)
    return tuple(
        Span(max(int(words[at]), int(starts[gap])), min(int(word_ends[at]), int(ends[gap])))
        for gap in np.flatnonzero(after > first).tolist()
        for at in range(int(first[gap]), int(after[gap]))
        if ends[gap] > starts[gap]
    )


def _misplaced(chunking: Chunking) -> tuple[int, ...]:
    """Chunks whose overlap is no suffix of the one before, or whose fresh part is not new."""
    starts, ends, overlaps = chunking.starts, chunking.ends, chunking.overlaps
    wrong = np.zeros(len(starts), np.bool_)
    if len(starts):
        wrong[0] = bool(overlaps[0])
        wrong[1:] = (starts[1:] < starts[:-1]) | (ends[1:] <= ends[:-1])
        wrong[1:] |= (overlaps[1:] > 0) & (starts[1:] + overlaps[1:] != ends[:-1])
    return tuple(_numbers(wrong))


def _numbers(mask: Mask) -> list[int]:
    found: list[int] = np.flatnonzero(mask).tolist()
    return found


def as_record(statistics: Statistics) -> dict[str, object]:
    """The statistics as JSON."""
    chunking, sizes, proof = statistics.chunking, statistics.sizes, statistics.proof
    return {
        "document_id": chunking.document.id,
        "strategy": chunking.strategy_name,
        "unit": str(chunking.strategy.unit),
        "chunks": len(chunking),
        "min": sizes.smallest,
        "median": sizes.median,
        "mean": round(sizes.mean, 2),
        "p95": sizes.p95,
        "max": sizes.largest,
        "repeated_share": round(statistics.repeated_share, 4),
        "below_minimum": len(statistics.below_minimum),
        "over_maximum": len(statistics.over_maximum),
        "over_model_limit": len(statistics.over_model),
        "cuts": {kind: round(share, 4) for kind, share in statistics.cut_shares.items()},
        "boundaries": statistics.boundaries,
        "tables_cut": len(statistics.blocks_cut(BlockKind.TABLE)),
        "code_cut": len(statistics.blocks_cut(BlockKind.CODE)),
        "turns_cut": len(statistics.blocks_cut(BlockKind.TURN)),
        "coverage": {
            "holds": proof.holds,
            "characters": proof.characters,
            "fresh": proof.fresh,
            "white_space": proof.white_space,
            "left_out": proof.left_out,
            "lost": [list(span) for span in proof.lost],
            "reasons": sorted({reason for _, reason in chunking.left_out}),
        },
    }
