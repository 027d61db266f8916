"""A document's offsets, found once: where it may be cut, whatever the budgets are."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from chunkscope.core.blocks import BlockKind
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.model import Document
from chunkscope.core.text.codepoints import Mask, Offsets, locate, locate_one, merged
from chunkscope.core.text.graphemes import Clusters
from chunkscope.core.text.layout import Layout
from chunkscope.core.text.sentences import sentence_starts
from chunkscope.core.text.tokenizers import tokenizer
from chunkscope.core.text.units import (
    CharacterRuler,
    EstimateRuler,
    Lengths,
    Ruler,
    TokenRuler,
    Unit,
    WordRuler,
)

_MOST_LEVELS = 10
_MANY = 1000
Segment = Callable[[str, Offsets, str, str, Job, Clusters], Offsets]

# Kinds whose inside is lines, not prose; a table or a listing is one paragraph.
_ATOMS = (BlockKind.TABLE, BlockKind.FRONT_MATTER)
# Kinds that lie across the text (pages) or are a finer grain (rows) than a paragraph.
_NO_PARAGRAPH = (BlockKind.PAGE, BlockKind.TABLE_ROW)


class Analysis:
    """Sorted offsets of one document; each is computed when first asked for."""

    def __init__(
        self,
        document: Document,
        *,
        segmenter: str = "pysbd",
        language: str = "en",
        segment: Segment = sentence_starts,
        job: Job = NO_JOB,
        like: Analysis | None = None,
    ) -> None:
        """`like` is an analysis of the same text, whose tables are used again."""
        self.document = document
        self.text = document.text
        self.layout: Layout = like.layout if like else Layout(document.text)
        self._segmenter = segmenter
        self._language = language
        self._segment = segment
        self._job = job
        self._rulers: dict[str, Ruler] = like._rulers if like else {}
        self.cache: dict[str, object] = {}  # for strategies: what a new budget does not change

    def ruler(self, unit: Unit, tokenizer_name: str) -> Ruler:
        """The ruler of a unit, with its tables, kept for the next chunking."""
        name = tokenizer_name if unit is Unit.TOKENS else unit.value
        if name not in self._rulers:
            self._rulers[name] = self._make_ruler(unit, tokenizer_name)
        return self._rulers[name]

    def _make_ruler(self, unit: Unit, tokenizer_name: str) -> Ruler:
        if unit is Unit.TOKENS:
            return TokenRuler(tokenizer(tokenizer_name), self.layout)
        rulers = {
            Unit.WORDS: WordRuler,
            Unit.CHARACTERS: CharacterRuler,
            Unit.ESTIMATE: EstimateRuler,
        }
        return rulers[unit](self.layout)

    def starts_of(self, *kinds: BlockKind) -> Offsets:
        """Where blocks of the given kinds start."""
        return np.unique(self.document.blocks.start[self._are(*kinds)])

    def spans_of(self, *kinds: BlockKind) -> tuple[Offsets, Offsets]:
        """Starts and ends of the outermost blocks of the given kinds."""
        found = self._are(*kinds)
        starts, ends = self.document.blocks.start[found], self.document.blocks.end[found]
        before = np.concatenate(([0], np.maximum.accumulate(ends)))[:-1]
        outer = starts >= before
        return starts[outer], ends[outer]

    def _are(self, *kinds: BlockKind) -> Mask:
        return self.document.blocks.are(*kinds)

    @cached_property
    def is_code(self) -> bool:
        """Whether the document is source code or data: its listings are its paragraphs."""
        blocks = self.document.blocks
        return bool(len(blocks)) and bool(self._are(BlockKind.CODE).all())

    @cached_property
    def atoms(self) -> tuple[Offsets, Offsets]:
        """Tables and listings: kept whole where they fit."""
        return self.spans_of(*_ATOMS) if self.is_code else self.spans_of(*_ATOMS, BlockKind.CODE)

    @cached_property
    def sections(self) -> Offsets:
        return self.starts_of(BlockKind.HEADING)

    @cached_property
    def paragraphs(self) -> Offsets:
        """Where paragraphs start: after blank lines, and at blocks."""
        found = self.layout.paragraphs[0]
        if not len(self.document.blocks):
            return found
        found = found[~self._is_inside_atom(found)]
        blocks = self.document.blocks.start[~self._are(*_NO_PARAGRAPH)]
        return merged(found, self.layout.trim_starts(np.unique(blocks)))

    def _is_inside_atom(self, positions: Offsets) -> Mask:
        starts, ends = self.atoms
        if not len(starts):
            return np.zeros(len(positions), np.bool_)
        at = locate(starts, positions) - 1
        return (at >= 0) & (positions < ends[np.maximum(at, 0)])

    @cached_property
    def lines(self) -> Offsets:
        """Where lines with anything on them start."""
        return np.unique(self.layout.trim_starts(np.append(0, self.layout.newlines + 1)))

    @cached_property
    def rows(self) -> Offsets:
        """Where the lines of tables and listings start."""
        inside = self._is_inside_atom(self.lines)
        return merged(self.lines[inside], self.starts_of(BlockKind.TABLE_ROW))

    @cached_property
    def sentences(self) -> Offsets:
        """Where sentences start; the lines of tables and listings count as sentences."""
        if self.is_code:
            return self.lines
        cuts = merged(self.paragraphs, self.rows)
        starts, ends = self.pieces(cuts)
        is_line = self._is_inside_atom(starts) | np.isin(starts, self.atoms[0])
        prose = np.column_stack((starts, ends))[~is_line]
        how = self._segmenter, self._language, self._job, self.layout.clusters
        found = self._segment(self.text, prose, *how)
        return merged(found, starts[is_line])

    @property
    def words(self) -> Offsets:
        return self.layout.word_starts

    def measure(self, ruler: Ruler, starts: Offsets, ends: Offsets) -> Lengths:
        """The lengths of spans, kept where measuring them anew would be felt."""
        if len(starts) < _MANY:
            return ruler.measure(starts, ends)
        key = f"lengths by {ruler.name} of {hash(starts.tobytes())} {hash(ends.tobytes())}"
        found = self.cache.get(key)
        if not isinstance(found, Lengths):
            found = self.cache[key] = ruler.measure(starts, ends)
        return found

    def all_pieces(self, cuts: Offsets) -> tuple[Offsets, Offsets]:
        """The pieces of the whole text, kept."""
        key = f"pieces of {hash(cuts.tobytes())}"
        found = self.cache.get(key)
        if not isinstance(found, tuple):
            found = self.cache[key] = self.pieces(cuts)
        return found

    def pieces(
        self, cuts: Offsets, start: int = 0, end: int | None = None
    ) -> tuple[Offsets, Offsets]:
        """The spans between cuts, without white space around them; empty ones are dropped."""
        end = len(self.text) if end is None else end
        inner = cuts[locate_one(cuts, start, "right") : locate_one(cuts, end)]
        edges = np.concatenate(([start], self.layout.clusters.floor(inner), [end]))
        starts = self.layout.trim_starts(edges[:-1])
        ends = self.layout.trim_ends(edges[1:])
        some = starts < ends
        return starts[some], ends[some]

    @cached_property
    def _chain_marks(self) -> tuple[Offsets, list[tuple[str, ...]]]:
        """Where the heading chain changes, and to what."""
        positions: list[int] = [0]
        chains: list[tuple[str, ...]] = [()]
        for block in self.document.blocks:
            chain = block.heading_chain
            if block.kind is BlockKind.HEADING:
                chain = (*chain, block.name)
            if block.kind is BlockKind.PAGE or chain == chains[-1]:
                continue
            positions.append(block.start)
            chains.append(chain)
        return np.array(positions, np.int64), chains

    def chains_at(self, positions: Offsets) -> Offsets:
        """The number of the heading chain in force at each position, after headings there."""
        return locate(self._chain_marks[0], self._bodies(positions), "right") - 1

    def _bodies(self, positions: Offsets) -> Offsets:
        """Each position, moved over the headings that stand there: to what they are headings of."""
        headings = self.document.blocks.where(BlockKind.HEADING)
        if not len(headings):
            return positions
        starts = self.document.blocks.start[headings]
        bodies = self.layout.trim_starts(self.document.blocks.end[headings])
        for _ in range(_MOST_LEVELS):
            at = np.minimum(locate(starts, positions), len(starts) - 1)
            is_heading = (starts[at] == positions) & (bodies[at] < len(self.text))
            if not is_heading.any():
                break
            positions = np.where(is_heading, bodies[at], positions)
        return positions

    @property
    def chains(self) -> list[tuple[str, ...]]:
        """The heading chains by their numbers, a heading's own title included."""
        return self._chain_marks[1]
