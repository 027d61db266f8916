"""What is put before a chunk when it is embedded: its heading chain, the header of its table."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from chunkscope.core.blocks import BlockKind
from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.pieces import Pieces
from chunkscope.core.text.codepoints import Offsets, locate
from chunkscope.core.text.tokenizers import Tokenizer, tokenizer
from chunkscope.core.text.units import Ruler

# A word after a blank may be one token more than at the beginning of a text.
_JOINT = 2


def heading_prefix(chain: tuple[str, ...]) -> str:
    """`Chapter 3 > Methodology: `"""
    return " > ".join(chain) + ": " if chain else ""


def fitting_prefix(chain: tuple[str, ...], tokenizer_name: str, limit: int) -> str:
    """The prefix without the outermost headings that would fill more than half of the limit."""
    for first in range(len(chain)):
        prefix = heading_prefix(chain[first:])
        if _cost(prefix, tokenizer_name) <= limit // 2:
            return prefix
    return ""


@lru_cache(maxsize=1 << 14)
def _cost(prefix: str, tokenizer_name: str) -> int:
    """What a prefix takes of a budget; the same ones are asked for at every new size."""
    counter = tokenizer(tokenizer_name)
    return counter.count_each([prefix])[0] + _joint(counter)


def add_chain_costs(analysis: Analysis, pieces: Pieces, tokenizer_name: str, limit: int) -> Pieces:
    """Pieces that know what the heading chain above them costs."""
    numbers = analysis.chains_at(pieces.starts)
    costs = np.zeros(len(analysis.chains), np.int64)
    for number in np.unique(numbers).tolist():
        prefix = fitting_prefix(analysis.chains[number], tokenizer_name, limit)
        if prefix:
            costs[number] = _cost(prefix, tokenizer_name)
    return replace(pieces, cost=pieces.cost + costs[numbers])


def _joint(counter: Tokenizer) -> int:
    """BERT counts words; where special tokens are added it is one of its kind."""
    return 0 if counter.specials else _JOINT


def table_headers(analysis: Analysis) -> tuple[Offsets, Offsets, Offsets]:
    """For each table of more than one row: where its header starts and ends, and its own end."""
    blocks = analysis.document.blocks
    rows = blocks.where(BlockKind.TABLE_ROW)
    row_starts, row_ends = blocks.start[rows], blocks.end[rows]
    starts, ends = analysis.spans_of(BlockKind.TABLE)
    first = locate(row_starts, starts)
    has_rows = first + 1 < locate(row_starts, ends)
    first = first[has_rows]
    return row_starts[first], row_ends[first], ends[has_rows]


def header_of(analysis: Analysis, positions: Offsets) -> tuple[Offsets, Offsets]:
    """The header row of the table that each position lies in, below that row; else empty spans."""
    starts, ends, table_ends = table_headers(analysis)
    none = np.zeros(len(positions), np.int64)
    if not len(starts):
        return none, none
    at = locate(starts, positions, "right") - 1
    found = np.maximum(at, 0)
    inside = (at >= 0) & (positions >= ends[found]) & (positions < table_ends[found])
    return np.where(inside, starts[found], 0), np.where(inside, ends[found], 0)


def add_header_costs(analysis: Analysis, ruler: Ruler, pieces: Pieces, limit: int) -> Pieces:
    """Pieces of a table that was split know what repeating its header costs."""
    starts, ends = header_of(analysis, pieces.starts)
    below = ends > starts
    if not below.any():
        return pieces
    costs = np.zeros(len(pieces), np.int64)
    costs[below] = ruler.raw(starts[below], ends[below]) + _JOINT
    costs[costs > limit // 2] = 0
    return replace(pieces, cost=pieces.cost + costs)
