"""An archive is read within bounds, and refused in a sentence."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.archive import MAX_MEMBERS, Archive
from chunkscope.core.sandbox.limits import MEGABYTE, Limits

ENTRY, LOCAL = b"PK\x01\x02", b"PK\x03\x04"


def pack(members: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", packing) as made:
        for name, content in members.items():
            made.writestr(name, content)
    return stream.getvalue()


def opened(data: bytes, limits: Limits | None = None) -> Archive:
    return Archive(data, limits or Limits())


def patched(data: bytes, mark: bytes, offset: int, value: bytes) -> bytes:
    """The archive with a field of its first header of one kind changed."""
    at = data.index(mark) + offset
    return data[:at] + value + data[at + len(value) :]


def test_members_come_in_order_with_all_their_bytes() -> None:
    archive = opened(pack({"b.xml": b"two", "a/": b"", "a/c.xml": b"x" * 3_000_000}))
    assert archive.names == ["b.xml", "a/c.xml"]
    assert archive.read("b.xml") == b"two"
    assert archive.read("a/c.xml") == b"x" * 3_000_000
    assert "b.xml" in archive
    assert "a/" not in archive


def test_an_absent_member_is_named() -> None:
    with pytest.raises(LoadError, match=r"lacks its part word/document\.xml"):
        opened(pack({"a": b"x"})).read("word/document.xml")


@pytest.mark.parametrize(
    "name", ["../up", "a/../../up", "/etc/passwd", "C:/windows", "..\\up", "a\\..\\..\\up"]
)
def test_names_that_lead_outside_are_left_out(name: str) -> None:
    archive = opened(pack({name: b"evil", "good": b"fine"}))
    assert archive.names == ["good"]
    with pytest.raises(LoadError, match="lacks its part"):
        archive.read(name)


def test_dots_inside_a_name_are_harmless() -> None:
    assert opened(pack({"a..b/c...": b"fine"})).read("a..b/c...") == b"fine"


def test_a_bomb_is_refused_by_its_ratio() -> None:
    archive = opened(pack({"bomb": bytes(30 * MEGABYTE), "small": bytes(5 * MEGABYTE)}))
    with pytest.raises(LoadError, match="more than 200 times its size, as zip bombs do"):
        archive.read("bomb")
    assert len(archive.read("small")) == 5 * MEGABYTE  # as dense, but it does no harm


def test_a_member_over_the_limit_is_refused() -> None:
    archive = opened(pack({"big": bytes(3 * MEGABYTE)}), Limits(file_bytes=2 * MEGABYTE))
    with pytest.raises(LoadError, match="its part big is larger than 2 MB"):
        archive.read("big")


def test_a_directory_that_lies_about_the_size_unfolds_nothing_more() -> None:
    data = patched(pack({"a": b"x" * 1_000}), ENTRY, 24, struct.pack("<I", 10))
    with pytest.raises(LoadError, match="its part a is damaged"):
        opened(data).read("a")


def test_the_start_of_a_bomb_can_be_read() -> None:
    archive = opened(pack({"bomb": b"start" + bytes(30 * MEGABYTE)}))
    assert archive.read_start("bomb", 7) == b"start\0\0"


def test_a_member_without_a_name_is_left_out() -> None:
    data = bytearray(pack({"a": b"x"}))
    for mark, offset in ((LOCAL, 30), (ENTRY, 46)):
        data[data.index(mark) + offset] = 0
    assert opened(bytes(data)).names == []


def test_too_many_members_are_refused() -> None:
    assert len(opened(pack({f"{n}": b"" for n in range(MAX_MEMBERS)})).names) == MAX_MEMBERS
    with pytest.raises(LoadError, match="more than 5,000 parts"):
        opened(pack({f"{n}": b"" for n in range(MAX_MEMBERS + 1)}))


def test_a_huge_directory_is_refused_before_it_is_read() -> None:
    with pytest.raises(LoadError, match="more than 5,000 parts"):
        opened(LOCAL + ENTRY * (20 * MAX_MEMBERS + 1))


def test_an_encrypted_member_is_told() -> None:
    data = patched(pack({"a": b"secret"}), ENTRY, 8, b"\x01\x00")
    with pytest.raises(LoadError, match="its part a is encrypted; save a copy without protection"):
        opened(data).read("a")


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_packings_are_refused(packing: int) -> None:
    with pytest.raises(LoadError, match="packed in an unknown way"):
        opened(pack({"a": b"x" * 100}, packing)).read("a")


@pytest.mark.parametrize("data", [b"", LOCAL, b"PK\x05\x06", b"no archive at all" * 9])
def test_what_is_no_archive_is_damaged(data: bytes) -> None:
    with pytest.raises(LoadError, match="is a damaged zip archive"):
        opened(data)


def test_a_damaged_member_leaves_the_others_readable() -> None:
    data = bytearray(pack({"a": b"alpha" * 9, "b": b"beta"}, zipfile.ZIP_STORED))
    data[data.index(b"alphaalpha")] ^= 0xFF
    archive = opened(bytes(data))
    with pytest.raises(LoadError, match="its part a is damaged"):
        archive.read("a")
    assert archive.read("b") == b"beta"


def test_a_cut_archive_is_damaged() -> None:
    whole = pack({"a": bytes(range(256)) * 40})
    with pytest.raises(LoadError, match="is a damaged zip archive"):
        opened(whole[: len(whole) // 2])


WHOLE = pack({"a.xml": b"<a>text</a>" * 20, "b/c.xml": b"more", "../d": b"x"})


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), max_size=6))
def test_any_damage_is_told_or_harmless(changes: list[tuple[int, int]]) -> None:
    data = bytearray(WHOLE)
    for at, value in changes:
        data[at] = value
    try:
        archive = opened(bytes(data))
    except LoadError as problem:
        assert problem.reason  # noqa: PT017 - both ways are right
        return
    for name in archive.names:
        assert ".." not in name.split("/")
        for read in (archive.read, lambda name: archive.read_start(name, 9)):
            try:
                read(name)
            except LoadError as problem:
                assert problem.reason  # noqa: PT017 - both ways are right
