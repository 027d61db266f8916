"""Words that TeX sets apart by gaps alone are words, whatever sign has a space's number."""

from __future__ import annotations

import io

import pytest
from pypdf import PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    NumberObject,
)

from support.parsing import parse_one

WORDS = ["the", "mill", "has", "not", "ground", "any", "corn"]


def named(**values: object) -> DictionaryObject:
    names = {
        key: NameObject(value) if isinstance(value, str) else value for key, value in values.items()
    }
    return DictionaryObject({NameObject(f"/{key}"): value for key, value in names.items()})


def stream(data: bytes) -> DecodedStreamObject:
    made = DecodedStreamObject()
    made.set_data(data)
    return made


def described(name: str) -> DictionaryObject:
    return named(Type="/FontDescriptor", FontName=name, Flags=NumberObject(4))


def tex_font() -> DictionaryObject:
    """As in TeX's T1 encoding: number 32 is a sign for a space, half as wide as high."""
    differences = [NumberObject(32), NameObject("/uni2423"), NumberObject(97)]
    differences += [NameObject(f"/{chr(code)}") for code in range(97, 123)]
    return named(
        Type="/Font", Subtype="/Type1", BaseFont="/ABCDEF+Termes",
        FirstChar=NumberObject(32), LastChar=NumberObject(122),
        Widths=ArrayObject([NumberObject(500)] * 91),
        Encoding=named(Type="/Encoding", Differences=ArrayObject(differences)),
        FontDescriptor=described("/ABCDEF+Termes"),
    )  # fmt: skip


def composite_font() -> DictionaryObject:
    """Letters under their own numbers; number 32 is an equals sign, a whole em wide."""
    inner = named(
        Type="/Font", Subtype="/CIDFontType2", BaseFont="/ABCDEF+Charis",
        DW=NumberObject(563), FontDescriptor=described("/ABCDEF+Charis"),
        W=ArrayObject([
            NumberObject(32), ArrayObject([NumberObject(1000)]),
            NumberObject(97), ArrayObject([NumberObject(500)] * 26),
        ]),
    )  # fmt: skip
    lines = "".join(f"<{code:04X}> <{code:04X}>\n" for code in range(97, 123))
    cmap = f"1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n26 beginbfchar\n{lines}"
    return named(
        Type="/Font", Subtype="/Type0", BaseFont="/ABCDEF+Charis", Encoding="/Identity-H",
        DescendantFonts=ArrayObject([inner]),
        ToUnicode=stream(f"{cmap}endbfchar\n".encode()),
    )  # fmt: skip


def page_of(font: DictionaryObject, shown: str) -> bytes:
    writer = PdfWriter()
    page = writer.add_blank_page(300, 200)
    page[NameObject("/Resources")] = named(Font=named(F1=font))
    page[NameObject("/Contents")] = writer._add_object(
        stream(f"BT /F1 10 Tf 20 100 Td [{shown}]TJ ET".encode())
    )
    if "/ToUnicode" in font:
        font[NameObject("/ToUnicode")] = writer._add_object(font["/ToUnicode"])
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


@pytest.mark.parametrize("gap", [-222, -334])
def test_gaps_in_an_encoding_of_tex_are_spaces(gap: int) -> None:
    shown = f"{gap}".join(f"({word[:1]})12({word[1:]})" for word in WORDS)
    assert parse_one(page_of(tex_font(), shown), "a.pdf").text == " ".join(WORDS)


@pytest.mark.parametrize("gap", [-222, -334])
def test_gaps_in_a_composite_font_are_spaces(gap: int) -> None:
    codes = ["".join(f"{ord(letter):04X}" for letter in word) for word in WORDS]
    shown = f"{gap}".join(f"<{code}>" for code in codes)
    assert parse_one(page_of(composite_font(), shown), "a.pdf").text == " ".join(WORDS)
