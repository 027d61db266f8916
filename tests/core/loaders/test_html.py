"""A page becomes the text that a reader sees, and nothing is lost without a word."""

from __future__ import annotations

import codecs
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope import paths
from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.base import Draft, LoadOptions
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


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>bo<b>ld</b></p>", "bold"),
        ("<p>one<br>two<br/>three</p>", "one\ntwo\nthree"),
        ("<p>a&nbsp;&nbsp;b</p>", "a\xa0\xa0b"),
        ("<p>&eacute; &#x1F404; &#128; &amp;lt; &nosuch;</p>", "é 🐄 € &lt; &nosuch;"),
        ("<p>水車 ناعورة 👩\u200d🔧</p>", "水車 ناعورة 👩\u200d🔧"),
        ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
        ("<p>he said <q>no</q></p>", "he said “no”"),
        ("<p>one<p>two", "one\n\ntwo"),
        ("<p>a <i>b <b>c</i> d</b> e</p>", "a b c d e"),
        ("<p>a</p></body></html><p>after", "a\n\nafter"),
        ("", ""),
    ],
)
def test_exact_texts(markup: str, text: str) -> None:
    draft = page(markup)
    assert draft.text == text
    assert draft.missing == []


def test_nested_lists_have_levels_markers_and_spans() -> None:
    draft = page("<ol start=3><li>a<ul><li>b<ol type=i><li>c</ol></ul><li>d</ol>")
    assert draft.text == "3. a\nb\ni. c\n4. d"
    items = [(block.level, block.start, block.end) for block in draft.blocks]
    assert items == [(1, 0, 11), (2, 5, 11), (3, 7, 11), (1, 12, 16)]


def test_code_keeps_its_lines_and_language() -> None:
    draft = page('<pre><code class="language-rust">\nfn a() {\n\n\tb &lt; c }\n</code></pre>')
    (block,) = draft.blocks
    assert (block.kind, block.name) == (BlockKind.CODE, "rust")
    assert draft.text == "fn a() {\n\n\tb < c }"


def test_bytes_tell_the_encoding() -> None:
    markup = "<html><body><p>Größe 水車</p></body></html>"
    for data in (
        codecs.BOM_UTF8 + markup.encode(),
        codecs.BOM_UTF16_BE + markup.encode("utf-16-be"),
        markup.encode("utf-16-le"),
    ):
        assert parse_one(data, "a.html").text == "Größe 水車"
    meta = '<html><meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"><p>水車'
    assert parse_one(meta.encode("cp932"), "a.html").text == "水車"


def test_extremes_are_read_whole() -> None:
    deep = page("<div>" * 5_000 + "<p>deep words</p>" + "</div>" * 5_000 + "<p>the end</p>")
    assert (deep.text, deep.missing) == ("deep words\n\nthe end", [])
    assert "nested too deeply" in deep.warnings[0]
    long = page("<p>" + "word " * 4_000_000 + "last</p><p>after</p>")
    assert (len(long.text), long.missing) == (20_000_011, [])
    assert long.text.endswith("word last\n\nafter")
    wide = page(f'<img src="data:image/png;base64,{"A" * 12_000_000}"><p>after</p>')
    assert (wide.text, wide.missing) == ("after", [])


@pytest.mark.parametrize("tail", ["<!-- open <p>lost", "<script>open <p>lost", "<a href='open"])
def test_what_an_unclosed_tag_swallows_is_missing(tail: str) -> None:
    draft = parse_one(f"<html><body><p>seen</p>{tail}", "a.html")
    assert draft.text == "seen"
    assert "never closed" in draft.missing[0]


def test_a_page_of_navigation_only_is_shown() -> None:
    draft = page("<nav>all there is</nav>")
    assert draft.text == "all there is"
    assert "shown therefore" in draft.warnings[0]


def test_the_sample_reads_as_a_browser_shows_it() -> None:
    draft = parse_one((paths.sample_docs() / "article.html").read_bytes(), "article.html")
    headings = draft.blocks.of_kind(BlockKind.HEADING)
    assert headings[0].name == draft.title
    assert {block.level for block in headings} == {1, 2, 3}
    for kind in (BlockKind.LIST_ITEM, BlockKind.TABLE_ROW, BlockKind.QUOTE, BlockKind.CODE):
        assert texts(draft, kind), kind
    assert draft.missing == []
    assert draft.warnings[0].startswith("left out: navigation (")
    assert not any(mark in draft.text for mark in ("<p", "&nbsp;", "&amp;", "Home"))


PIECES = [
    "<p>",
    "</p>",
    "<b>",
    "</b>",
    "<h1>",
    "</h2>",
    "<ul>",
    "<li>",
    "</ul>",
    "<table>",
    "<tr>",
    "<td>",
    "</table>",
    "<pre>",
    "</pre>",
    "<nav>",
    "<br>",
    "<blockquote>",
    "</blockquote>",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "<p",
    "<a='",
    "&amp;",
    "&#",
    "x",
    "水",
    "👩",
]


@settings(deadline=None)
@given(st.lists(st.sampled_from([*PIECES, " ", "\n", "\x00"]), max_size=40).map("".join))
def test_any_markup_holds_the_invariants(markup: str) -> None:
    parse_one(markup, "a.html", LoadOptions(format="html"))
