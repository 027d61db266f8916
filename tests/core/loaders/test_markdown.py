"""Markdown keeps the file exactly and knows its structure."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from markdown_it.token import Token

from chunkscope import paths
from chunkscope.core.blocks import BlockKind
from chunkscope.core.loaders.base import LoadOptions, Source
from chunkscope.core.loaders.markdown import load_markdown
from chunkscope.core.loaders.markdown_rules import block_tokens, plain_parser
from chunkscope.core.sandbox.watch import Watch
from support.parsing import block_with, parse_one, texts

SAMPLE = """---
title: "The handbook"
---

# Top 👩‍🚀 *title*

Intro over
two lines.

## Second `code`

- item one
- item two
  - nested

    loose paragraph

> quoted text
> more

```python
# not a heading
```

| a | b |
|---|---|
| 1 | 2 |

Setext
======

Last.
"""


def test_structure() -> None:
    draft = parse_one(SAMPLE, "a.md")
    assert draft.text == SAMPLE
    assert draft.title == "The handbook"
    headings = draft.blocks.of_kind(BlockKind.HEADING)
    assert [(block.name, block.level) for block in headings] == [
        ("Top 👩‍🚀 title", 1),
        ("Second code", 2),
        ("Setext", 1),
    ]
    assert texts(draft, BlockKind.CODE) == ["```python\n# not a heading\n```"]
    assert texts(draft, BlockKind.TABLE_ROW) == ["| a | b |", "| 1 | 2 |"]
    assert texts(draft, BlockKind.FRONT_MATTER) == ['---\ntitle: "The handbook"\n---']
    assert block_with(draft, "Intro over").heading_chain == ("Top 👩‍🚀 title",)
    assert block_with(draft, "more").heading_chain == ("Top 👩‍🚀 title", "Second code")
    assert block_with(draft, "Last.").heading_chain == ("Setext",)
    assert [block.level for block in draft.blocks.of_kind(BlockKind.LIST_ITEM)] == [1, 1, 2]


def test_html_at_the_top_of_a_readme_is_markdown() -> None:
    draft = parse_one('<h1 align="center">Tool</h1>\n\n# Use\n\ntext\n', "README.md")
    assert draft.media_type == "text/markdown"
    assert block_with(draft, "text").heading_chain == ("Use",)


def test_structure_given_up_keeps_the_text() -> None:
    source = Source(SAMPLE.encode(), "a.md")
    (draft,) = load_markdown(source, Watch(skipped={"structure": "too slow"}))
    assert draft.text == SAMPLE
    assert "too slow" in draft.warnings[0]
    assert len(draft.blocks) > 5


PIECES = "# |## |- |  |> |```|~~~|\n|\n\n|1. |a|é👩\u200d🚀|<p>|\t|---|==="
MARKUP = st.sampled_from([*PIECES.split("|"), "|"])


@given(st.lists(MARKUP, max_size=60).map("".join))
def test_any_markup_holds_the_invariants(text: str) -> None:
    draft = parse_one(text, "a.md", LoadOptions(format="markdown", encoding="utf-8"))
    assert draft.text == text


# What a table has inside of its rows is not kept.
CELLS = ("th_open", "th_close", "td_open", "td_close")
PARTS_OF_TABLES = (*CELLS, "thead_open", "thead_close", "tbody_open", "tbody_close", "tr_close")


def check_same_tokens(text: str) -> None:
    fast, _ = block_tokens(text, Watch())
    plain = []
    for token in plain_parser().parse(text):
        is_cell = token.type == "inline" and plain and plain[-1].type in CELLS[::2]
        plain.append(token)
        if is_cell:
            plain.pop()
    kept = [token for token in plain if token.type not in (*PARTS_OF_TABLES, "table_close")]
    assert [facts(token) for token in fast] == [facts(token) for token in kept]


def facts(token: Token) -> tuple[object, ...]:
    return token.type, token.tag, token.map, token.level, token.info, token.hidden


def test_skipped_rules_change_nothing_on_documents() -> None:
    root = Path(__file__).resolve().parents[3]
    for path in [*paths.sample_docs().glob("*.md"), *root.glob("*.md")]:
        check_same_tokens(path.read_text(encoding="utf-8"))
    check_same_tokens(SAMPLE)


def test_skipped_rules_change_nothing_on_public_documents(shared_data: Path) -> None:
    for path in shared_data.rglob("*.md"):
        check_same_tokens(path.read_text(encoding="utf-8", errors="replace"))


# Everything that a block rule looks at, at the start of lines, nested and lazily continued.
LINE_STARTS = st.lists(
    st.sampled_from(
        ["", "", " ", "   ", "    ", "\t", "> ", ">", "- ", "-", "+ ", "* ", "1. ", "2) ", "10."]
    ),
    max_size=3,
).map("".join)
LINE_RESTS = st.sampled_from(
    [
        *("", "word", "two words", "# head", "#head", "####### seven", "---", "***", "- - -"),
        *("===", "=", "```", "~~~ py", "<div>", "</div>", "<!-- x", "-->", "<b>x", "[a]: b"),
        *("[a]:", "[a", "|a|b|", "|-|-|", "a | b", ":-: | -", "--|--", ":", "|", "x\u2028y"),
        "\u0663. an Arabic digit",
    ]
)


@given(st.lists(st.tuples(LINE_STARTS, LINE_RESTS).map("".join), max_size=14).map("\n".join))
def test_skipped_rules_change_nothing_on_random_lines(text: str) -> None:
    check_same_tokens(text)


@given(st.lists(MARKUP, max_size=60).map("".join))
def test_skipped_rules_change_nothing_on_random_markup(text: str) -> None:
    check_same_tokens(text)
