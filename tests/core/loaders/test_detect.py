"""What a source is gets found out, or told; damage never escapes as another error."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.base import LoadOptions, Source
from chunkscope.core.loaders.detect import detect
from chunkscope.core.sandbox.limits import MEGABYTE

ENTRY, LOCAL = b"PK\x01\x02", b"PK\x03\x04"
EPUB, ODT = b"application/epub+zip", b"application/vnd.oasis.opendocument.text"


def pack(members: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", packing) as made:
        for name, content in members.items():
            made.writestr(name, content)
    return stream.getvalue()


def kind_of(data: bytes) -> str:
    return detect(Source(data, "a.bin"))


def reason_of(data: bytes) -> str:
    with pytest.raises(LoadError) as caught:
        kind_of(data)
    return caught.value.reason


@pytest.mark.parametrize(
    ("members", "kind"),
    [
        ({"mimetype": EPUB}, "epub"),
        ({"mimetype": ODT + b"\n"}, "odt"),
        ({"[Content_Types].xml": b"", "word/document.xml": b""}, "docx"),
    ],
)
def test_documents_in_a_zip(members: dict[str, bytes], kind: str) -> None:
    assert kind_of(pack(members)) == kind
    assert kind_of(pack(members, zipfile.ZIP_STORED)) == kind


def test_other_archives_are_told() -> None:
    assert "unpack it" in reason_of(pack({"a.txt": b"x"}))
    assert "spreadsheet" in reason_of(pack({"[Content_Types].xml": b"", "xl/a.xml": b""}))


def test_a_bomb_called_mimetype_is_not_unfolded() -> None:
    data = pack({"mimetype": bytes(200 * MEGABYTE)})
    tracemalloc.start()
    try:
        reason_of(data)
        assert tracemalloc.get_traced_memory()[1] < 5 * MEGABYTE
    finally:
        tracemalloc.stop()


def patched(data: bytes, mark: bytes, offset: int, value: bytes) -> bytes:
    at = data.index(mark) + offset
    return data[:at] + value + data[at + len(value) :]


KIND = pack({"mimetype": EPUB * 20})


@pytest.mark.parametrize(
    "data",
    [
        patched(KIND, LOCAL, 30 + len("mimetype"), b"\xff" * 8),  # no deflated data: zlib.error
        patched(KIND, ENTRY, 20, struct.pack("<I", 5)),  # data that ends early: EOFError
        patched(KIND, ENTRY, 10, struct.pack("<H", 97)),  # a packing that nobody knows
        patched(KIND, ENTRY, 6, struct.pack("<H", 99)),  # a version of zip from the future
        patched(KIND, ENTRY, 8, b"\x01\x00"),  # encrypted
        patched(KIND, LOCAL, 30, b"MIMETYPE"),  # two names for one member
        KIND[: len(KIND) // 2],
        LOCAL,
        LOCAL + b"PK\x05\x06" + bytes(18),
    ],
    ids=lambda _: "zip",
)
def test_a_damaged_zip_is_told_in_a_sentence(data: bytes) -> None:
    assert reason_of(data)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(st.integers(4, len(KIND) - 1), st.integers(0, 255)), max_size=6))
def test_no_damage_to_a_zip_escapes(changes: list[tuple[int, int]]) -> None:
    data = bytearray(KIND)
    for at, value in changes:
        data[at] = value
    try:
        assert kind_of(bytes(data)) in ("epub", "docx")
    except LoadError as problem:
        assert problem.reason  # noqa: PT017 - both ways are right


def test_what_is_not_text_names_the_remedy_where_there_is_one() -> None:
    data = bytes(range(1, 32)) * 100
    assert "--encoding NAME" in reason_of(data)
    assert "--encoding" not in reason_of(b"\x89PNG\r\n" + data)
    outer = Source(data, "a.bin", LoadOptions(encoding="cp1251"))
    for source in (outer, outer.part(data, "b.bin")):
        with pytest.raises(LoadError, match="is not text") as caught:
            detect(source)
        assert "--encoding" not in caught.value.reason
