"""Bytes become the text that was meant, and damage is told."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.text.canonical import canonical
from chunkscope.core.text.decoding import decode
from chunkscope.core.text.wide import wide_encoding

SENTENCE = "Größe, naïve café — “quoted” 日本語 and عربى 👩‍🚀.\n" * 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_byte_order_marks(encoding: str) -> None:
    mark = "\ufeff".encode(encoding)
    assert decode(mark + SENTENCE.encode(encoding)).text == SENTENCE


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_encodings_without_a_mark(encoding: str) -> None:
    text = "Plain English text, with a dash — and no mark.\n"
    decoded = decode(text.encode(encoding))
    assert (decoded.text, decoded.encoding) == (text, encoding)


SCRIPTS = {
    "Cyrillic": "Мороз и солнце; день чудесный!\nЕщё ты дремлешь — «друг прелестный» 🌱.\n",
    "Greek": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία,\nείπε ο γέρος.\n",
    "Arabic": "مرحبا بالعالم. كيف حالك اليوم؟ أنا بخير شكرا لك.\n",
    "Devanagari": "नमस्ते दुनिया। आज मौसम बहुत अच्छा है।\n",
    "Hebrew": "שלום עולם, מה שלומך היום? אני בסדר גמור תודה.\n",
    "Thai": "สวัสดีชาวโลก วันนี้อากาศดีมาก ผมสบายดี ขอบคุณ\n",
    "Georgian": "გამარჯობა მსოფლიო. დღეს კარგი ამინდია.\n",
    "short": "Привет мир\n",
}


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_without_latin_letters_need_no_mark(script: str, encoding: str) -> None:
    for text in (SCRIPTS[script], SCRIPTS[script] * 3000):
        decoded = decode(text.encode(encoding))
        assert (decoded.encoding, decoded.text == text, decoded.warnings) == (encoding, True, [])


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "cp1251", "koi8_r", "cp866", "cp1253", "cp1255", "cp1256", "tis_620", "cp932",
     "euc_jp", "euc_kr", "gb18030", "big5"],
)  # fmt: skip
def test_narrow_text_is_not_wide_and_neither_is_it_with_a_zero_byte(encoding: str) -> None:
    lines = [*SCRIPTS.values(), "吾輩は猫である。 名前はまだ無い。\n" * 9, "道可道,非常道。 \n" * 9]
    for line in (line * 4 for line in lines):
        data = line.encode(encoding, "ignore")
        if len(data) < len(line) * 0.9:
            continue
        assert wide_encoding(data) == ""
        assert wide_encoding(data[:9] + b"\0" + data[9:]) == ""
        assert wide_encoding(data.replace(b" ", b"\0")) == ""


def numbers(values: Iterable[int], order: str) -> bytes:
    values = list(values)
    return struct.pack(f"{order}{len(values)}H", *(value & 0xFFFF for value in values))


@pytest.mark.parametrize("order", "<>")
def test_tables_of_numbers_are_not_wide_text(order: str) -> None:
    chance = random.Random(7)
    tables = [
        (chance.randrange(0x400, 0x500) for _ in range(500)),
        (chance.choice((0x20, 0x0A, *range(0x400, 0x500))) for _ in range(2000)),
        (chance.randrange(0, 0x500) for _ in range(500)),
        (chance.choice((0, *range(0x410, 0x450))) for _ in range(500)),
        (chance.choice((0, *[chance.randrange(256)] * 9, *range(0x410, 0x450))) for _ in "x" * 500),
        (chance.randrange(0x410, 0x450) for _ in range(500)),
        (int(0x430 + 30 * math.sin(at / 9)) for at in range(500)),
        range(0x20, 0x500),
    ]
    assert [wide_encoding(numbers(table, order)) for table in tables] == [""] * len(tables)


@given(st.binary(min_size=16, max_size=400))
def test_bytes_by_chance_are_not_text_of_one_script(data: bytes) -> None:
    known = data.count(0) > 0.1 * len(data)
    assert known or wide_encoding(data + bytes(range(256))) == ""


def test_a_few_broken_bytes_do_not_change_the_encoding() -> None:
    data = SENTENCE.encode() * 20
    decoded = decode(data[:30] + b"\xff" + data[30:])
    assert decoded.encoding == "utf-8"
    assert decoded.text.count("\ufffd") == 1
    assert decoded.warnings == ["not valid utf-8 at 1 place, shown as U+FFFD"]


@pytest.mark.parametrize(
    "data",
    [
        b"hello \xff\xfe world",
        b"one bad byte: \xff, and no more",
        b"abc\xffdef",
        b"abc\xc3(def)",
        b"cut \xe2\x82 off",
        b"a lone \x81 byte, and plain text for a long while behind it",
        b"three \xf0\x9f\x98 of four",
    ],
)
def test_stray_bytes_in_plain_text_are_damage(data: bytes) -> None:
    decoded = decode(data)
    assert decoded.encoding == "utf-8"
    assert "\ufffd" in decoded.text
    assert "not valid utf-8" in decoded.warnings[0]


def test_surrogates_written_as_utf8() -> None:
    halves = "a\ud83d\ude00b".encode("utf-8", "surrogatepass")
    assert canonical(decode(halves).text) == ("a😀b", [])
    text, warnings = canonical(decode("a\ud800b é\udc00".encode("utf-8", "surrogatepass")).text)
    assert text == "a\ufffdb é\ufffd"
    assert "2 characters" in warnings[0]


def test_a_declared_encoding_is_used_when_it_is_not_utf8() -> None:
    assert decode("Größe".encode("iso-8859-15"), declared='"ISO-8859-15"').text == "Größe"


def test_a_guess_is_told() -> None:
    french = "Une phrase française avec des accents: déjà vu, été, où. " * 5
    decoded = decode(french.encode("cp1252"))
    assert "déjà vu" in decoded.text
    assert "guessed" in decoded.warnings[0]


def test_a_person_may_name_the_encoding() -> None:
    assert decode(b"\x8f\xe0\xa8\xa2\xa5\xe2", override="cp866").text == "Привет"
    with pytest.raises(ChunkscopeError, match="no encoding is called 'klingon'"):
        decode(b"x", override="klingon")
    with pytest.raises(ChunkscopeError, match="no encoding is called 'rot13'"):
        decode(b"x", override="rot13")


@given(st.binary(max_size=300))
def test_any_bytes_decode(data: bytes) -> None:
    text, _ = canonical(decode(data).text)
    text.encode("utf-8")
    assert "\r" not in text
    assert "\x00" not in text


@given(st.text(max_size=100))
def test_canonical_text_is_stable(text: str) -> None:
    once, _ = canonical(text)
    twice, warnings = canonical(once.removeprefix("\ufeff"))
    assert twice == once.removeprefix("\ufeff")
    assert not warnings


def test_nul_and_lone_surrogates_are_counted() -> None:
    text, warnings = canonical("a\x00b\ud800c\r\nd\re")
    assert text == "a\ufffdb\ufffdc\nd\ne"
    assert warnings == ["2 characters (NUL or lone surrogates) shown as U+FFFD"]


def test_the_shared_text_files_have_their_encodings(shared_data: Path) -> None:
    folder = shared_data / "documents" / "office-web-text" / "txt"
    expected = {
        "russian.cp866.txt": ("cp866", "Однажды, в студеную зимнюю пору,"),
        "english.cp500.txt": ("cp500", "easy install!"),
        "testTXT_win-1252.txt": ("cp1252", "“windows”"),
        "multi-language.txt": ("cp1252", "español"),
        "french.txt": ("utf-8", "c’est comme ci comme ça"),
    }
    for name, (encoding, fragment) in expected.items():
        decoded = decode((folder / name).read_bytes())
        assert (decoded.encoding, fragment in decoded.text) == (encoding, True), name


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "café"),
        ("cp1252", "à"),
        ("cp1252", "Il va à Paris, où tout est à lui."),
        ("cp1252", "CAFÉ, 5 € and 20 °C; word\u2014word, l’été"),
        ("cp1252", "a×b and ½ of it, §5"),
        ("cp1252", "\u201cIt\u2019s here\u201d \u2013 he said\u2026"),
        ("cp1252", "Größe und Übermut"),
        ("cp1252", "It\u2019s \u201cfine\u201d \u2014 naïve, isn\u2019t it"),
        ("cp1250", "Zażółć gęślą jaźń, rzekł mąż do żony, a dzięcioł stukał w sosnę. " * 4),
        (
            "cp1252",
            "Portez ce vieux whisky au juge blond qui fume; dès Noël, où un zéphyr. " * 9,
        ),
        (
            "cp1252",
            "El pingüino Wenceslao hizo kilómetros bajo la lluvia y frío, ñandú. " * 9,
        ),
        ("cp1252", "Falsches Üben von Xylophonmusik quält jeden größeren Zwerg. " * 9),
        ("cp1250", "Čačkamo džep i šaljemo žutu kišu preko đačkog ćilima, reče čovjek. " * 4),
        ("cp1253", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία, είπε ο γέρος στο παιδί του. " * 4),
        ("cp1251", "Мороз и солнце; день чудесный! Ещё ты дремлешь, друг прелестный." * 3),
        ("koi8_r", "Мороз и солнце; день чудесный! Ещё ты дремлешь, друг прелестный." * 3),
        ("cp1250", "Příliš žluťoučký kůň úpěl ďábelské ódy, pravil šéf ze Zlína." * 4),
        ("cp932", "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。" * 3),
        ("gb18030", "道可道,非常道。名可名,非常名。无名天地之始;有名万物之母。" * 3),
        ("euc_kr", "나랏말싸미 듕귁에 달아 문자와로 서르 사맛디 아니할쎄 이런 전차로" * 3),
    ],
)
def test_common_legacy_encodings(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding)).text == text
