"""A page becomes the text that a reader sees, and nothing is lost without a word."""

from __future__ import annotations

import random

import pytest

from chunkscope import paths
from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.base import Draft
from support.parsing import block_with, parse_one, texts


def page(body: str) -> Draft:
    return parse_one(f"<!doctype html><html><body>{body}</body></html>", "a.html")


def test_inline_elements_neither_add_nor_lose_spaces() -> None:
    assert page("<p>bo<b>ld</b> and <i>italic</i>,\n  next<br>line</p>").text == (
        "bold and italic, next\nline"
    )


def test_structure_and_chains() -> None:
    draft = page(
        "<h1>Top</h1><p>one</p><h2>Sub</h2><ul><li>a<ul><li>b</li></ul></li></ul>"
        "<table><tr><th>x<th>y</tr><tr><td>1<td>2</tr></table>"
        "<blockquote><p>said</p></blockquote><pre>a\n  b</pre><h1>Next</h1><p>two</p>"
    )
    assert block_with(draft, "one").heading_chain == ("Top",)
    assert block_with(draft, "said").heading_chain == ("Top", "Sub")
    assert block_with(draft, "two").heading_chain == ("Next",)
    assert texts(draft, BlockKind.TABLE_ROW) == ["x\ty", "1\t2"]
    assert texts(draft, BlockKind.CODE) == ["a\n  b"]
    assert [block.level for block in draft.blocks.of_kind(BlockKind.LIST_ITEM)] == [1, 2]
    assert texts(draft, BlockKind.QUOTE) == ["said"]


def test_what_a_reader_does_not_see_is_left_out_and_told() -> None:
    draft = page(
        "<nav>menu entries</nav><script>var x = 'code'</script><style>p {}</style>"
        "<p>seen</p><p hidden>secret</p>"
    )
    assert draft.text == "seen"
    assert "navigation (12 characters)" in draft.warnings[0]
    assert "hidden (6 characters)" in draft.warnings[0]


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-16"])
def test_encodings(encoding: str) -> None:
    markup = f'<html><head><meta charset="{encoding}"></head><body><p>Größe</p></body></html>'
    assert parse_one(markup.encode(encoding), "a.html").text == "Größe"


@pytest.mark.parametrize("depth", [200, 300, 2_000, 5_000])
def test_depth_loses_nothing_silently(depth: int) -> None:
    draft = page("<div>" * depth + "<p>deep words</p>" + "</div>" * depth + "<p>the end</p>")
    is_whole = "deep words" in draft.text and "the end" in draft.text
    assert is_whole or draft.missing


def test_long_text_and_attributes_lose_nothing_silently() -> None:
    draft = page("<p>" + "word " * 2_400_000 + "last</p><p>after</p>")
    assert (draft.text.endswith("last\n\nafter") and not draft.missing) or draft.missing
    draft = page(f'<img src="data:image/png;base64,{"A" * 12_000_000}"><p>after</p>')
    assert draft.text == "after" or draft.missing


def test_markup_in_text_is_text() -> None:
    assert page("<p>&lt;img src=x&gt; &amp; &quot;more&quot;</p>").text == '<img src=x> & "more"'


def test_damaged_pages_are_read_or_refused() -> None:
    rng = random.Random(1)
    original = (paths.sample_docs() / "article.html").read_bytes()
    for _ in range(150):
        data = bytearray(original)
        for _ in range(rng.randint(1, 30)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            parse_one(bytes(data[: rng.randint(1, len(data))]), "a.html")
        except LoadError as problem:
            assert problem.reason  # noqa: PT017 - both ways are right
