"""Markdown: the file as it is, its structure from markdown-it's source map."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from chunkscope.core.blocks import BlockKind, Blocks, BlockWriter
from chunkscope.core.loaders.base import Draft, Source, register
from chunkscope.core.loaders.plain import paragraphs
from chunkscope.core.sandbox.watch import Watch

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"(---|\+\+\+)[ \t]*\n(?:.*\n)*?\1[ \t]*(?:\n|\Z)")
_FRONT_TITLE = re.compile(r"^title\s*[:=]\s*(.+)$", re.MULTILINE)
_INLINE_MARKS = re.compile(r"[*_`\[\]<>&\\!~]")
_PART = "structure"
_KINDS = {
    "paragraph_open": BlockKind.PARAGRAPH,
    "html_block": BlockKind.PARAGRAPH,
    "list_item_open": BlockKind.LIST_ITEM,
    "blockquote_open": BlockKind.QUOTE,
    "table_open": BlockKind.TABLE,
    "tr_open": BlockKind.TABLE_ROW,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
}


@register("markdown", "Markdown", ".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd")
def load_markdown(source: Source, watch: Watch) -> Iterable[Draft]:
    text, warnings = source.text()
    if why := watch.skipped(_PART):
        # The text is whole; only its structure would have cost too much.
        warnings.append(f"read as plain text, its Markdown structure was given up: {why}")
        yield Draft(text, paragraphs(text), "text/markdown", warnings=warnings)
        return
    watch.begin(_PART)
    blocks = markdown_blocks(text, watch)
    yield Draft(text, blocks, "text/markdown", _title(text, blocks), warnings=warnings)


def markdown_blocks(text: str, watch: Watch) -> Blocks:
    """The blocks of a Markdown text."""
    from chunkscope.core.loaders.markdown_rules import block_tokens

    writer = BlockWriter()
    body = 0
    if front := _FRONT_MATTER.match(text):
        body = front.end()
        writer.add(BlockKind.FRONT_MATTER, 0, len(front[0].rstrip()))
    lines = _Lines(text, body)
    depth = 0
    tokens, parser = block_tokens(text[body:], watch)
    for position, token in enumerate(tokens):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif token.map is None or token.hidden:
            continue  # a tight list's paragraph is its item
        elif token.type == "heading_open":
            start, end = lines.span(*token.map)
            title = _visible(tokens[position + 1], parser)
            writer.add(BlockKind.HEADING, start, end, level=int(token.tag[1]), name=title)
        elif kind := _KINDS.get(token.type):
            start, end = lines.span(*token.map)
            level = depth if kind is BlockKind.LIST_ITEM else None
            writer.add(kind, start, end, level=level, name=_language(token))
    return writer.finish()


class _Lines:
    """Line numbers of the body to offsets of the whole text."""

    def __init__(self, text: str, body: int) -> None:
        self._text = text
        self._starts = [body]
        for line in text[body:].split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def span(self, first: int, after: int) -> tuple[int, int]:
        """The lines without blank ones at the end and without the first one's indentation."""
        start = self._starts[first]
        end = min(self._starts[min(after, len(self._starts) - 1)], len(self._text))
        piece = self._text[start:end]
        return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _visible(inline: Token, parser: MarkdownIt) -> str:
    """A heading's title as a reader sees it."""
    title = inline.content
    if _INLINE_MARKS.search(title):
        env: dict[str, Any] = {}
        children: list[Token] = []
        parser.inline.parse(title, parser, env, children)
        seen = [child.content for child in children if child.type in ("text", "code_inline")]
        title = "".join(seen) or title
    return " ".join(title.split()) or "(untitled)"


def _language(token: Token) -> str:
    return token.info.split()[0][:40] if token.type == "fence" and token.info.split() else ""


def _title(text: str, blocks: Blocks) -> str:
    front = blocks.of_kind(BlockKind.FRONT_MATTER)
    if front and (found := _FRONT_TITLE.search(text[front[0].start : front[0].end])):
        return found[1].strip().strip("\"'")[:200]
    headings = blocks.of_kind(BlockKind.HEADING)
    return headings[0].name[:200] if headings else ""
