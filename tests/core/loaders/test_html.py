"""A page becomes the text that a reader sees, and nothing is lost without a word."""

from __future__ import annotations

import ast
import codecs
import html
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


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<div>three</p>four</div>", "three\n\nfour"),
        ("<p>one<div>two</div>three</p>four", "one\n\ntwo\n\nthree\n\nfour"),
        ("<b>x</p >y</b>", "x\n\ny"),
        ("<p>x</br>y<br></br>z</p>", "x\ny\nz"),
        ("<div>x</p>y<textarea>a</p>b</textarea><xmp></p></xmp></div>", "x\n\ny\n\na</p>b\n\n</p>"),
        ("<div>" + "w</p>" * 150 + "</div>", "\n\n".join("w" * 150)),
        ("<a href=x><h2>Head</h2><p>text</p></a>", "Head\n\ntext"),
        ("<li>a<li>b", "a\nb"),
        ("<dl><dt>T<dd>D<dd>E<dt>U<dt>V<dd>F</dl>", "T\nD\nE\n\nU\nV\nF"),
        ("<p>a<br><br><br>b<br>c</p>", "a\n\nb\nc"),
        ("<pre>\n\n  a\n b\n</pre>", "\n  a\n b"),
        ("<details><summary>More</summary>said inside</details>", "More\n\nsaid inside"),
        ("<p>stars <span aria-hidden=true>★</span> seen</p>", "stars ★ seen"),
        ("<p style='display:none;display:block'>yes</p>", "yes"),
        ("<button>Go</button><button>Stop</button>", "Go Stop"),
        ("<p>Name<input value='Ann'><input type=submit value=Send></p>", "Name Ann Send"),
        ("<p>a<input type=hidden value=t><input type=password value=s>b</p>", "a b"),
        ("<p>a<textarea>\n one\n  two</textarea>b</p>", "a\n\n one\n  two\n\nb"),
        ("<select multiple><option>a<option>b</select>", "a\nb"),
        ("<h1><a href=/><img alt='Tide mill'></a></h1>", "Tide mill"),
        ("<p><img alt=T>here <img alt='x^2' class=tex> <img alt='😀'></p>", "There x^2 😀"),
        ("<plaintext><b>as it is", "<b>as it is"),
        ("<object data=x>instead</object>", "instead"),
    ],
)
def test_what_browsers_make_of_it(markup: str, text: str) -> None:
    draft = page(markup)
    assert draft.text == text
    assert (draft.missing, draft.warnings) == ([], [])


@pytest.mark.parametrize(
    ("markup", "told"),
    [
        (
            "<noscript>enable scripts</noscript>",
            "text for browsers without scripts (14 characters)",
        ),
        ("<template>blank</template>", "templates (5 characters)"),
        ("<datalist><option>one</datalist>", "form choices (3 characters)"),
        ("<select><option>one<option selected>seen</select>", "form choices (3 characters)"),
        ("<input placeholder='type here'>", "hints in form fields (9 characters)"),
        ("<img alt='a wheel'>", "descriptions of images (7 characters)"),
        ("<p style='color:red; DISPLAY : none'>no</p>", "hidden (2 characters)"),
        ("<p style='visibility:hidden'>no</p>", "hidden (2 characters)"),
        ("<dialog>closed</dialog>", "hidden (6 characters)"),
        ("<video>old browser</video>", "text for browsers without media (11 characters)"),
        ("<a class=skip-link href=#main>Skip</a>", "navigation (4 characters)"),
        ("<iframe src=x>no frames</iframe>", "text for browsers without frames (9 characters)"),
    ],
)
def test_what_is_not_seen_is_told(markup: str, told: str) -> None:
    draft = page(f"<p>seen</p>{markup}")
    assert set(draft.text.split()) == {"seen"}
    assert f"left out: {told}" in draft.warnings


@pytest.mark.parametrize(
    "markup",
    [
        "<table><td>a<td>b<tr><td>c<td>d</table>",
        "<table><tbody><td>a</td><td>b</td><tr><td>c<td>d</tbody></table>",
        "<table><thead><th>a<th>b</thead><tr><td>c<td>d</table>",
    ],
)
def test_cells_without_a_row_are_in_one(markup: str) -> None:
    assert texts(page(markup), BlockKind.TABLE_ROW) == ["a\tb", "c\td"]


def test_a_table_in_a_table_keeps_its_rows() -> None:
    draft = page("<table><tr><td>a<table><tr><td>1<td>2<tr><td>3<td>4</table><td>b</table>")
    assert draft.text == "a\n\n1\t2\n3\t4\n\nb"
    assert texts(draft, BlockKind.TABLE_ROW) == ["1\t2", "3\t4"]


def test_pages_inside_a_page_are_read() -> None:
    inner = html.escape("<h2>In</h2><p>inner &amp; text</p><nav>menu</nav>")
    draft = page(f'<p>a</p><iframe srcdoc="{inner}"></iframe><p>b</p>')
    assert draft.text == "a\n\nIn\n\ninner & text\n\nb"
    assert block_with(draft, "inner").heading_chain == ("In",)
    assert draft.warnings == ["left out: navigation (4 characters)"]


def test_pages_inside_pages_end_somewhere_and_that_is_told() -> None:
    markup = "<p>last</p>"
    for number in range(8):
        markup = f'<p>{number}</p><iframe srcdoc="{html.escape(markup)}"></iframe>'
    draft = page(markup)
    assert draft.text.split() == ["7", "6", "5", "4", "3"]
    assert draft.missing == ["a page that is embedded 5 pages deep"]


def test_frames_from_elsewhere_are_told() -> None:
    draft = page("<p>a</p><iframe src=other.html></iframe><iframe src=about:blank></iframe>")
    assert (draft.text, draft.missing) == ("a", [])
    assert "files of their own (other.html)" in draft.warnings[0]
    draft = parse_one(
        "<html><frameset cols='1,2'><frame src=a.html><frame src=b.html>"
        "<noframes><body><p>see <b>a</b></p></body></noframes></frameset></html>",
        "a.html",
    )
    assert (draft.text, draft.warnings) == ("see a", [])
    assert "(a.html, b.html): load those" in draft.missing[0]


def test_cdata_is_text_in_xhtml_only() -> None:
    body = "<body><p>a <![CDATA[b < c & d]]> e</p><script>//<![CDATA[\nx<y\n//]]></script></body>"
    xhtml = f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">{body}</html>'
    assert parse_one(xhtml, "a.xhtml").text == "a b < c & d e"


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<mi>x</mi><mo>=</mo><mfrac><mn>1</mn><mrow><mi>a</mi>+b</mrow></mfrac>", "x=1/(a+b)"),
        ("<msup><mi>y</mi><mn>2</mn></msup>\n <msub><mi>a</mi><mi>i</mi></msub>", "y^2a_i"),
        ("<msqrt><mi>n</mi></msqrt><mroot><mi>m</mi><mn>3</mn></mroot>", "√(n)3√(m)"),
        ("<mover><mi>x</mi><mo>¯</mo></mover><mo>&#8290;</mo><mtext>if  so</mtext>", "x¯if so"),
        ("<mtable><mtr><mtd>1</mtd><mtd>2</mtd></mtr><mtr><mtd>3</mtd></mtr></mtable>", "1 2; 3"),
        ("<semantics><mi>z</mi><annotation>\\zeta</annotation></semantics>", "z"),
        ("<mrow>" * 120 + "<mi>d</mi>" + "</mrow>" * 120, "d"),
    ],
)
def test_formulas_are_written_in_one_line(inside: str, text: str) -> None:
    assert page(f"<p>so <math>{inside}</math> holds</p>").text == f"so {text} holds"


def test_a_formula_that_is_drawn_beside_its_markup_is_read_once() -> None:
    drawn = "<span class=katex-html aria-hidden=true><b>x</b></span>"
    assert page(f"<p>a <span><span><math><mi>x</mi></math></span>{drawn}</span></p>").text == "a x"


def test_labels_of_drawings_are_lines() -> None:
    draft = page(
        "<p>a<svg><title>Icon</title><path d=''/></svg>b</p>"
        "<svg><desc>d</desc><text>High</text><text>Low<tspan dy=1>water</tspan></text></svg>"
    )
    assert draft.text == "ab\n\nHigh\nLow water"


def links(count: int, word: str) -> str:
    return "\n".join(f'<li><a href="/{word}/{n}">{word} {n}</a></li>' for n in range(count))


SAVED_PAGE = f"""<!DOCTYPE html>
<!-- saved from url=(0031)https://www.example.org/tides/ -->
<html lang="en"><head><title>Reading the tides</title>
{"".join(f'<link rel="stylesheet" href="page_files/{n}.css">' for n in range(30))}
<style>.hidden {{ display: none }}</style></head>
<body class="no-js page-nav">
<a class="skip-link" href="#content">Skip to content</a>
<div id="onetrust-banner" class="cookie-banner" role="dialog"><h2>We value your privacy</h2>
<p>We and our 842 partners use cookies.</p><button>Accept all</button><a href="/c">More</a></div>
<header class="site-header"><p>The Creek Quarterly</p>
<ul class="menu">
{links(25, "Topic")}
</ul></header>
<nav aria-label="Breadcrumb">
{links(4, "Crumb")}
</nav>
<main id="content"><article>
<header><h1>Reading the tides</h1><p>By <a href="/ines">Ines Calloway</a></p></header>
{"".join(f"<p>Paragraph {n} of the <a href=/x>long</a> text.</p>{chr(10)}" for n in range(40))}
<aside><p>A pull quote that belongs to the text.</p></aside>
<footer><p>First printed in 1998.</p></footer>
</article></main>
<aside class="sidebar"><h2>Related</h2><ul>
{links(40, "Story")}
</ul></aside>
<div class="social share">
{links(6, "Share")}
</div>
<footer><div class="columns">
{links(60, "Imprint")}
</div><p>© 2023 The Creek Quarterly, who thank their readers.</p></footer>
{"".join(f"<script>track({n});</script>{chr(10)}" for n in range(30))}
</body></html>
"""


def test_a_saved_page_gives_its_article_without_what_stands_around_it() -> None:
    assert SAVED_PAGE.count("\n") > 200
    draft = parse_one(SAVED_PAGE, "saved.html")
    lines = draft.text.split("\n\n")
    assert lines == [
        "Reading the tides",
        "By Ines Calloway",
        *(f"Paragraph {n} of the long text." for n in range(40)),
        "A pull quote that belongs to the text.",
        "First printed in 1998.",
    ]
    (told,) = draft.warnings
    assert told.startswith("left out: navigation (")
    assert "cookie notices (71 characters)" in told


@pytest.mark.parametrize("tag", ["nav", "header", "footer", "aside", "div class=cookie-banner"])
@pytest.mark.parametrize("inside", ["plain words", f"<ul>{links(3, 'plain')}</ul>"])
def test_a_page_all_in_one_landmark_is_not_empty(tag: str, inside: str) -> None:
    draft = page(f"<{tag}>{inside}</{tag.split()[0]}>")
    assert draft.text.startswith("plain")
    assert draft.missing == []


def test_words_about_cookies_and_menus_are_text() -> None:
    draft = page(
        "<div class='cookie-recipe'>Bake them.</div><div class=menu><p>Soup</p><p>Eel pie</p></div>"
        "<aside>See <a href=1>one</a>, and then for the rest of it <a href=2>two</a>.</aside>"
        "<main class=consent-banner><h1>Consent</h1>in law</main>"
    )
    assert draft.warnings == []
    assert all(word in draft.text for word in ("Bake", "Soup", "Eel pie", "two.", "in law"))


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
    (code,) = texts(draft, BlockKind.CODE)
    assert ast.parse(code)


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
    "<aside class='menu'>",
    "<a>",
    "</a>",
    "</div>",
    "<math>",
    "<mfrac>",
    "<svg>",
    "<text>",
    "<select>",
    "<option>",
    "<iframe srcdoc='<p>x</p>&lt;nav>y'>",
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
