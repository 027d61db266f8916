"""Runs a loader in the test's own process, where a failure has a traceback."""

from __future__ import annotations

from chunkscope.core.blocks import Block, BlockKind
from chunkscope.core.loaders.base import Draft, LoadOptions, Source
from chunkscope.core.loaders.run import parse
from chunkscope.core.sandbox.limits import Limits
from chunkscope.core.sandbox.watch import Watch
from support.invariants import check_blocks


def parse_all(
    data: bytes | str,
    name: str = "",
    options: LoadOptions | None = None,
    limits: Limits | None = None,
) -> list[Draft]:
    """Every document in the data, its invariants checked."""
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    limits = limits or Limits()
    source = Source(data, name, options or LoadOptions(), limits)
    drafts = list(parse(source, Watch(limits=limits)))
    for draft in drafts:
        check_draft(draft)
    return drafts


def check_draft(draft: Draft) -> None:
    check_blocks(draft.text, draft.blocks)
    for child in draft.children:
        check_draft(child)


def parse_one(
    data: bytes | str,
    name: str = "",
    options: LoadOptions | None = None,
    limits: Limits | None = None,
) -> Draft:
    """The one document in the data."""
    (draft,) = parse_all(data, name, options, limits)
    return draft


def texts(draft: Draft, *kinds: BlockKind) -> list[str]:
    """The texts of the blocks of these kinds (of all, if none is named)."""
    chosen = draft.blocks.of_kind(*kinds) if kinds else list(draft.blocks)
    return [draft.text[block.start : block.end] for block in chosen]


def block_with(draft: Draft, fragment: str) -> Block:
    """The innermost block that holds a fragment of text."""
    at = draft.text.index(fragment)
    end = at + len(fragment)
    holding = [block for block in draft.blocks if block.start <= at and end <= block.end]
    assert holding, f"no block holds {fragment!r}"
    return min(holding, key=lambda block: block.end - block.start)
