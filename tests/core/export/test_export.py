"""Exports: what is written can be read back, runs nothing, and appears whole or not at all."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings

from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.errors import Cancelled
from chunkscope.core.export import (
    ExportError,
    TargetExists,
    as_command,
    as_text,
    export_formats,
    save,
)
from chunkscope.core.export.rows import COLUMNS
from chunkscope.core.export.spreadsheet import harmless, original
from chunkscope.core.job import Job
from chunkscope.core.profile import Profile, presets
from chunkscope.core.workspace import chunk
from support.documents import markdown_document, plain_document
from support.nasty import nasty_texts

PROFILE = Profile.of("sentence", max_size=12, overlap=4)
HOSTILE = """# <script>alert(1)</script>

=HYPERLINK("http://evil.example","click"), said <img src=x onerror=alert(1)>. +1 -1 @SUM(A1).

</div></article><style>*{display:none}</style> & &amp; "quotes" 'apostrophes' {{ 7*7 }} ${jndi}.

~~~~ a fence, ``` another, ⟦7 · 3 tokens⟧ a mark, <|endoftext|>, 😀 a\u0301, \u2028 and \x85 ends.
"""


def hostile(profile: Profile = PROFILE) -> Chunking:
    return chunk(replace(markdown_document(HOSTILE), title="<script>*one*"), profile)


class Page(HTMLParser):
    """The text inside the bands, and every tag and attribute."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.shown = ""
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        classes = (dict(attrs).get("class") or "").split()
        if self._depth or (tag == "div" and "text" in classes):
            self._depth += 1

    def handle_endtag(self, tag: str) -> None:
        self._depth = max(self._depth - 1, 0)

    def handle_data(self, data: str) -> None:
        if self._depth:
            self.shown += data


def read_page(text: str) -> Page:
    page = Page()
    page.feed(text)
    return page


def test_the_page_shows_the_text_and_nothing_in_it_is_markup() -> None:
    page = read_page(as_text("html", [hostile()], PROFILE))
    assert page.shown == HOSTILE
    assert not set(page.tags) & {"script", "img", "iframe", "object", "embed", "form", "link"}
    assert page.tags.count("style") == 1
    assert not [name for name, _ in page.attributes if name.startswith("on")]


def test_the_page_needs_nothing_else() -> None:
    text = as_text("html", [hostile()], PROFILE)
    page = read_page(text)
    links = [value for name, value in page.attributes if name in ("href", "src", "action")]
    assert links
    assert all(link.startswith("#") for link in links)
    style = text[text.index("<style>") : text.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    assert "default-src 'none'" in text
    targets = {value for name, value in page.attributes if name == "id"}
    assert {link[1:] for link in links} <= targets


@settings(max_examples=25, deadline=None)
@given(nasty_texts)
def test_any_text_survives_page_lines_and_table(text: str) -> None:
    document = plain_document(text)
    chunking = chunk(document, PROFILE)
    assert read_page(as_text("html", [chunking], PROFILE)).shown == document.text
    lines = as_text("jsonl", [chunking], PROFILE).splitlines()
    assert [json.loads(line)["text"] for line in lines] == [each.text for each in chunking]
    rows = list(csv.DictReader(io.StringIO(as_text("csv", [chunking], PROFILE), newline="")))
    assert [original(row["text"]) for row in rows] == [each.text for each in chunking]


@pytest.mark.parametrize(
    "cell",
    ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\r=1", "\n=1", "＝1", "\ufeff=1", "'=1"],
)
def test_no_cell_is_a_formula(cell: str) -> None:
    assert harmless(cell) == "'" + cell
    assert original(harmless(cell)) == cell


def test_ordinary_cells_are_left_alone() -> None:
    assert [harmless(text) for text in ("a=1", "It's", "'tis", "1-2")] == [
        "a=1", "It's", "'tis", "1-2",
    ]  # fmt: skip


def test_a_spreadsheet_finds_no_formula_in_a_hostile_document() -> None:
    document = plain_document('=HYPERLINK("http://evil.example"). -2+3 is one. @SUM(A1:A9) here.')
    text = as_text("csv", [chunk(document, Profile.of("sentence", max_size=9, overlap=0))], PROFILE)
    cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    assert len(cells) > len(COLUMNS)
    assert not [cell for cell in cells if re.match(r"\s*[=+\-@]", cell)]
    assert [cell for cell in cells if cell.startswith("'=HYPERLINK")]


def test_parquet_reads_back(tmp_path: Path) -> None:
    from arro3.io import read_parquet

    chunking = hostile()
    save(tmp_path / "a.parquet", "parquet", [chunking, chunking], PROFILE)
    table = read_parquet(tmp_path / "a.parquet").read_all()
    assert table.column_names == list(COLUMNS)
    columns = {name: table[name].to_pylist() for name in COLUMNS}
    twice = [*chunking, *chunking]
    assert columns["text"] == [each.text for each in twice]
    assert columns["start"] == [each.start for each in twice]
    assert columns["heading_chain"] == [list(each.heading_chain) for each in twice]
    assert columns["page"] == [None] * len(twice)
    assert columns["oversize"] == [each.oversize for each in twice]


def test_markdown_keeps_the_text_inside_its_fence() -> None:
    text = as_text("markdown", [hostile()], PROFILE)
    fence = re.search("^(~+)text$", text, re.MULTILINE)
    assert fence is not None
    inside = text.split(fence[0] + "\n")[1].rsplit("\n" + fence[1] + "\n", 1)[0]
    assert not [line for line in inside.splitlines() if line.lstrip().startswith(fence[1])]
    assert text.splitlines()[0] == r"# \<script\>\*one\*"


def test_statistics_agree_with_the_chunks() -> None:
    chunking = hostile()
    [row] = csv.DictReader(io.StringIO(as_text("stats-csv", [chunking], PROFILE), newline=""))
    [record] = json.loads(as_text("stats-json", [chunking], PROFILE))
    assert int(row["chunks"]) == record["chunks"] == len(chunking)
    assert row["coverage_holds"] == "true"


@pytest.mark.parametrize("name", list(presets))
def test_the_command_line_says_the_same_profile(name: str) -> None:
    import shlex

    from chunkscope.cli import build_parser
    from chunkscope.cli.chunk import chosen_profile

    preset = Profile.preset(name)
    for profile in (preset, preset.with_values({"max_size": 333})):
        words = shlex.split(as_command(profile, ["a b.md"]))
        assert words[:3] == ["chunkscope", "chunk", "a b.md"]
        said = chosen_profile(build_parser().parse_args(words[1:]))
        assert (said.strategy, said.parameters) == (profile.strategy, profile.parameters)


def test_the_profile_reads_back() -> None:
    assert Profile.from_toml(as_text("profile", [], PROFILE)) == PROFILE


@pytest.mark.parametrize("to", list(export_formats))
def test_a_file_is_replaced_only_when_asked(tmp_path: Path, to: str) -> None:
    target = tmp_path / "out"
    target.write_text("precious")
    with pytest.raises(TargetExists):
        save(target, to, [hostile()], PROFILE)
    assert target.read_text() == "precious"
    save(target, to, [hostile()], PROFILE, force=True)
    assert target.read_bytes() != b"precious"
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize("to", ["html", "markdown", "jsonl", "csv", "parquet", "stats-csv"])
def test_cancelling_leaves_nothing_and_changes_nothing(tmp_path: Path, to: str) -> None:
    target = tmp_path / "out"
    target.write_text("precious")
    job = Job(lambda *_: job.cancel())
    many = chunk(plain_document("One two three four five. " * 400), PROFILE)
    with pytest.raises(Cancelled):
        save(target, to, [many, many], PROFILE, force=True, job=job)
    assert target.read_text() == "precious"
    assert os.listdir(tmp_path) == ["out"]


def test_a_failure_on_the_way_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> object:
        yield hostile()
        raise ExportError("the second document cannot be read")

    for to in ("jsonl", "parquet"):
        with pytest.raises(ExportError, match="second document"):
            save(tmp_path / "out", to, broken(), PROFILE)  # type: ignore[arg-type]
    assert not os.listdir(tmp_path)


def test_no_name_of_a_document_leads_elsewhere(tmp_path: Path) -> None:
    """A file is written where it was asked for, whatever a title says."""
    inner = tmp_path / "inner"
    inner.mkdir()
    document = replace(plain_document("Some text."), title="../../escape", source="/etc/passwd")
    save(inner / "out.html", "html", [chunk(document, PROFILE)], PROFILE)
    assert os.listdir(inner) == ["out.html"]
    assert os.listdir(tmp_path) == ["inner"]
    assert "/etc" not in (inner / "out.html").read_text("utf-8"), "folders are nobody's business"


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="no file that can be replaced"):
        save(tmp_path, "jsonl", [hostile()], PROFILE, force=True)


def test_a_missing_folder_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="cannot be written: No such file"):
        save(tmp_path / "no" / "out.csv", "csv", [hostile()], PROFILE)
