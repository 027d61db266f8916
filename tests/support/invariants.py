"""What must hold for the blocks of any document."""

from __future__ import annotations

from chunkscope.core.blocks import BlockKind, Blocks


def check_blocks(text: str, blocks: Blocks) -> None:
    """Blocks lie inside the text, in order, nested or apart; heading chains follow the headings."""
    open_ends: list[int] = []
    previous = (0, -len(text))
    for block in blocks:
        assert 0 <= block.start < block.end <= len(text), block
        assert (block.start, -block.end) >= previous, f"out of order: {block}"
        previous = (block.start, -block.end)
        while open_ends and open_ends[-1] <= block.start:
            open_ends.pop()
        assert not open_ends or block.end <= open_ends[-1], f"sticks out of its parent: {block}"
        open_ends.append(block.end)
        assert text[block.start : block.end].strip(), f"blank: {block}"
        if block.kind is BlockKind.HEADING:
            assert block.level, block
            assert block.name, block
    assert "\x00" not in text
    assert "\r" not in text
    text.encode("utf-8")  # no lone surrogates
