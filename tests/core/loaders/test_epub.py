"""A book is its chapters in reading order; what cannot be read of it is told."""

from __future__ import annotations

import io
import random
import runpy
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope import paths
from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.base import LoadOptions
from support.parsing import block_with, parse_one, texts

CONTAINER = '<container><rootfiles><rootfile full-path="o/p.opf"/></rootfiles></container>'
AS_EPUB = LoadOptions(format="epub")


def pack(members: dict[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members.items():
            made.writestr(name, content)
    return stream.getvalue()


def chapter(body: str) -> str:
    return f'<html xmlns="http://www.w3.org/1999/xhtml"><body>{body}</body></html>'


def package(*spine: str) -> str:
    items = "".join(f'<item id="{name}" href="{name}.xhtml"/>' for name in ("a", "b", "gone"))
    order = "".join(f'<itemref idref="{name}"/>' for name in spine)
    return f"<package><manifest>{items}</manifest><spine>{order}</spine></package>"


def book(opf: str | bytes, **more: str | bytes) -> bytes:
    return pack(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": CONTAINER,
            "o/p.opf": opf,
            "o/a.xhtml": chapter("<h1>Alpha</h1><p>first</p>"),
            "o/b.xhtml": chapter("<h1>Beta</h1><h2>Sub</h2><p>second</p>"),
            **more,
        }
    )


def test_the_spine_gives_the_order_and_headings_the_chains() -> None:
    draft = parse_one(book(package("b", "a")), "a.epub")
    assert draft.text == "Beta\n\nSub\n\nsecond\n\nAlpha\n\nfirst"
    assert block_with(draft, "second").heading_chain == ("Beta", "Sub")
    assert block_with(draft, "first").heading_chain == ("Alpha",)
    assert (draft.missing, draft.warnings) == ([], [])


def test_chapters_that_cannot_be_had_are_missing() -> None:
    draft = parse_one(book(package("a", "gone", "nowhere", "b")), "a.epub")
    assert draft.text.startswith("Alpha")
    assert draft.text.endswith("second")
    assert draft.missing == [
        "1 chapter of the reading order: the book does not say which file",
        "chapter 2: lacks its part o/gone.xhtml; it may be damaged",
    ]


def test_chapters_under_copy_protection_are_missing() -> None:
    rights = '<encryption><CipherReference URI="o/b.xhtml"/></encryption>'
    noise = random.Random(1).randbytes(300)
    more = {"META-INF/encryption.xml": rights, "o/b.xhtml": noise}
    draft = parse_one(book(package("a", "b"), **more), "a.epub")
    assert draft.text == "Alpha\n\nfirst"
    assert draft.missing == ["chapter 2: is encrypted; load a copy without protection"]


def test_more_chapters_than_allowed_are_told() -> None:
    draft = parse_one(book(package(*["a"] * 5_001)), "a.epub")
    assert len(draft.blocks.of_kind(BlockKind.HEADING)) == 5_000
    assert draft.missing == ["all after chapter 5,000: the book lists 5,001"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_package_with_entities_is_refused(encoding: str) -> None:
    bomb = (
        f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE package ['
        '<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">]>' + package("a")
    )
    with pytest.raises(LoadError, match="DOCTYPE"):
        parse_one(book(bomb.encode(encoding)), "a.epub")


def test_entities_that_a_chapter_declares_are_never_unfolded() -> None:
    bomb = '<!DOCTYPE html [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]>' + chapter("<p>x&b;y</p>")
    assert parse_one(book(package("a"), **{"o/a.xhtml": bomb}), "a.epub").text == "x&b;y"


@pytest.mark.parametrize("opf", ["", "  ", "not xml", package(), "<package/>"])
def test_a_book_without_chapters_is_refused(opf: str) -> None:
    with pytest.raises(LoadError, match="may be damaged"):
        parse_one(book(opf), "a.epub")


def test_a_chapter_outside_the_book_is_not_looked_for() -> None:
    opf = '<p><item id="x" href="../../etc/passwd"/><itemref idref="x"/></p>'
    draft = parse_one(book(opf), "a.epub")
    assert draft.text == ""
    assert draft.missing == ["chapter 1: lacks its part ../etc/passwd; it may be damaged"]


def test_the_sample_book() -> None:
    draft = parse_one((paths.sample_docs() / "guide.epub").read_bytes(), "guide.epub")
    assert draft.title == "A Short Guide to Walking by Lantern"
    assert draft.metadata["creator"] == "Marit Osei-Lund"
    chapters = [b.name for b in draft.blocks.of_kind(BlockKind.HEADING) if b.level == 1]
    assert chapters == ["1 The lamp", "2 The walk"]
    assert texts(draft, BlockKind.TABLE_ROW)[1] == "Rapeseed\t9\tcabbage"
    assert block_with(draft, "people who stop").heading_chain == (
        *("2 The walk", "Meeting others"),
        "Dogs",
    )
    assert (draft.missing, draft.warnings) == ([], [])


def test_the_sample_has_the_contents_that_its_maker_writes() -> None:
    tool = Path(__file__).resolve().parents[3] / "tools" / "make_sample_epub.py"
    made = runpy.run_path(str(tool))["book"]()
    # Not the packed bytes: they differ between versions of zlib.
    with (
        zipfile.ZipFile(io.BytesIO(made)) as new,
        zipfile.ZipFile(paths.sample_docs() / "guide.epub") as old,
    ):
        assert [(i.filename, i.date_time, i.CRC) for i in new.infolist()] == [
            (i.filename, i.date_time, i.CRC) for i in old.infolist()
        ]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), min_size=1, max_size=8))
def test_a_damaged_book_is_read_or_refused(changes: list[tuple[int, int]]) -> None:
    data = bytearray((paths.sample_docs() / "guide.epub").read_bytes())
    for at, value in changes:
        data[at % len(data)] = value
    try:
        parse_one(bytes(data), "a.epub", AS_EPUB)
    except LoadError as problem:
        assert problem.reason  # noqa: PT017 - both ways are right
