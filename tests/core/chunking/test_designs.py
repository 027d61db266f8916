"""What the five designs promise, with their own numbers."""

from __future__ import annotations

import uuid
from itertools import pairwise

import pytest

from chunkscope import chunk
from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.model import Document
from chunkscope.core.profile import Profile
from chunkscope.core.text.tokenizers import encoding
from support.documents import document_of, markdown_document, plain_document

ENCODING = encoding("cl100k_base")


def words(count: int) -> str:
    """A text of exactly so many tokens."""
    text = "word" + " word" * (count - 1)
    assert len(ENCODING.encode_ordinary(text)) == count
    return text


def story(sentences: int, length: int = 12) -> str:
    one = " ".join(f"word{n}" for n in range(length))
    return " ".join(f"Sentence {n} {one}." for n in range(sentences))


def by(preset: str, document: Document, **values: object) -> Chunking:
    return chunk(document, Profile.preset(preset).with_values(values))


@pytest.mark.parametrize(("tokens", "chunks"), [(1199, 1), (1200, 1), (1201, 2)])
def test_d_up_to_1200_tokens_one_piece(tokens: int, chunks: int) -> None:
    assert len(by("token-window", plain_document(words(tokens)))) == chunks


def test_d_smaller_windows_are_wanted_in_small_documents_too() -> None:
    assert by("token-window", plain_document(words(1000)), max_size=60).sizes.max() <= 60
    kept = {"max_size": 60, "overlap": 0, "single_piece_max": 1200}
    assert len(by("token-window", plain_document(words(1000)), **kept)) == 1


def test_d_the_last_100_tokens_open_the_next() -> None:
    text = " ".join(f"item {n} of the long list;" for n in range(3000))
    found = list(by("token-window", plain_document(text)))
    assert len(found) > 6
    for before, after in pairwise(found):
        tokens = ENCODING.encode_ordinary(before.text)
        assert after.text.startswith(ENCODING.decode(tokens[-100:]))
        assert after.overlap == len(ENCODING.decode(tokens[-100:]))
    assert {each.size for each in found[:-1]} == {900}


def test_d_offsets_rebuild_the_text() -> None:
    text = story(500) + "\n\nEnd with emoji 👩‍🔬 and 漢字。\n"
    found = by("token-window", plain_document(text))
    assert "".join(text[each.fresh.start : each.fresh.end] for each in found) == text


def test_d_windows_are_those_of_the_design() -> None:
    text = story(800)
    tokens = ENCODING.encode_ordinary(text)
    found = by("token-window", plain_document(text))
    for number, each in enumerate(found):
        window = ENCODING.decode(tokens[number * 800 : number * 800 + 900])
        assert each.text == window


def test_ids_repeat_and_have_the_form_of_the_design() -> None:
    document = plain_document(story(400))
    for preset in ("token-window", "chunk-first", "research-board", "workspace"):
        first = [each.id for each in by(preset, document)]
        assert first == [each.id for each in by(preset, document)]
        assert len(set(first)) == len(first)
    window = by("token-window", document)[3]
    assert window.id == f"{document.id}::chunk::003::{window.content_hash[:8]}"
    assert uuid.UUID(by("chunk-first", document)[2].id).version == 5
    assert by("research-board", document)[1].id == f"{document.id}:1"


def test_a_sentences_up_to_the_budget_and_a_long_one_alone() -> None:
    long = "This sentence " + "goes on and " * 400 + "ends here."
    text = f"{story(60)} {long} {story(60)}"
    found = list(by("workspace", plain_document(text)))
    assert [each.size <= 800 for each in found].count(False) == 1
    (single,) = [each for each in found if each.oversize]
    assert single.text == long
    assert all(each.overlap <= 0.15 * 800 * 4 for each in found)
    assert any(each.overlap for each in found)
    assert {each.unit for each in found} == {"estimate"}


def test_b_words_sentences_and_heading_chains() -> None:
    body = " ".join(f"Sentence {n} has exactly seven words." for n in range(200))
    text = f"# Book\n\n## Methods\n\n{body}\n\n## Results\n\n{body}\n"
    found = list(by("research-board", markdown_document(text)))
    assert all(each.size <= 400 for each in found)
    assert all(each.size >= 50 for each in found)
    assert {each.heading_chain for each in found} == {
        ("Book",),
        ("Book", "Methods"),
        ("Book", "Results"),
    } or {each.heading_chain for each in found} >= {("Book", "Methods"), ("Book", "Results")}
    for each in found:
        assert each.text.rstrip().endswith(".")
        assert each.prefix == " > ".join(each.heading_chain) + ": "
        assert each.embedded_text == each.prefix + each.text
    repeated = [each for each in found if each.overlap]
    assert repeated
    for each in repeated:
        assert each.text[: each.overlap].count("Sentence") == 2


def test_b_flat_documents_get_headings_by_rule_or_by_number() -> None:
    long = "The text below a heading is longer than the heading itself. " * 12
    text = f"INTRODUCTION\n\n{long}\n\nWhat we saw\n\n{long}\n"
    found = chunk(plain_document(text), Profile.of("flat"))
    assert [each.heading_chain for each in found] == [("INTRODUCTION",), ("What we saw",)]
    plain = chunk(plain_document(f"{long}\n\n{long}\n\n{long}\n\n{long}"), Profile.of("flat"))
    count = len(plain)
    assert count > 1
    assert [each.heading_chain for each in plain] == [
        (f"Section {n} of {count}",) for n in range(1, count + 1)
    ]


def test_c_a_sentence_above_the_budget_is_windowed_with_the_same_overlap() -> None:
    long = " ".join(f"w{n}" for n in range(900)) + "."
    found = list(by("chunk-first", plain_document(f"Short one. {long} Short two.")))
    assert all(each.size <= 512 for each in found)
    inside = [each for each in found if each.boundary == "token"]
    assert len(inside) >= 2
    assert all(each.overlap > 0 for each in inside)


def test_e_boundaries_and_fallbacks() -> None:
    sentence = "A sentence of about forty-five characters here. "
    text = f"# One\n\n{sentence * 5}\n\n{sentence * 60}\n\n# Two\n\n{sentence * 3}"
    document = markdown_document(text)
    paragraphs = list(by("paragraphs-1200", document))
    assert {each.boundary for each in paragraphs} == {"section", "paragraph", "sentence"}
    assert all(each.size <= 1200 for each in paragraphs)
    characters = list(by("characters-1200", document))
    assert {each.size for each in characters[:-1]} <= {1200, 1199}
    assert all(each.size <= 1200 for each in by("sentences-1200", document))


def test_auto_256_fits_what_the_model_reads() -> None:
    long = "Many words stand under this heading, and they go on for quite a while. " * 60
    text = f"# A rather long title of a chapter\n\n## With a section\n\n{long}\n"
    found = list(by("auto-256", markdown_document(text)))
    assert len(found) > 3
    assert all(each.model_tokens <= 256 and not each.truncated_by_model for each in found)
    assert all(each.prefix for each in found[1:])
    large = list(by("chunk-first", markdown_document(text)))
    assert any(each.truncated_by_model for each in large)


def test_markdown_tables_stay_whole_or_show_their_header() -> None:
    rows = "".join(f"| item {n} | {n * 7} | some remark |\n" for n in range(40))
    table = f"| name | value | note |\n|---|---|---|\n{rows}"
    document = markdown_document(f"# T\n\nBefore the table.\n\n{table}\nAfter the table.\n")
    whole = list(chunk(document, Profile.of("markdown", max_size=2000)))
    assert sum(table.strip() in each.text for each in whole) == 1
    split = list(chunk(document, Profile.of("markdown", max_size=120)))
    continued = [each for each in split if each.table_header]
    assert continued
    assert all(each.table_header == "| name | value | note |" for each in continued)
    assert all(each.table_header in each.embedded_text for each in continued)
    count = ENCODING.encode_ordinary
    assert all(len(count(each.embedded_text)) <= 120 for each in split)


CHAT = "\n".join(
    f"[12:{n:02}] {'Ada' if n % 2 else 'Bob'}: message number {n} of the day" for n in range(40)
)


def test_chat_never_cuts_inside_a_turn_that_fits() -> None:
    found = list(chunk(document_of(CHAT, "chat.txt"), Profile.of("chat", max_size=60)))
    assert len(found) > 3
    assert {each.boundary for each in found} == {"turn"}
    assert all(each.text.startswith("[12:") for each in found)


def test_email_quotes_apart_or_left_out() -> None:
    mail = (
        "From: ada@example.org\nTo: bob@example.org\nSubject: Clocks\n\n"
        "I agree with that.\n\n> The clock is wrong.\n> It always was.\n\nSee you.\n"
    )
    document = document_of(mail, "a.eml")
    apart = list(chunk(document, Profile.of("email", max_size=200)))
    quoting = [each for each in apart if "The clock is wrong" in each.text]
    assert len(quoting) == 1
    assert "I agree" not in quoting[0].text
    without = chunk(document, Profile.of("email", quotes="left-out"))
    assert not any("The clock is wrong" in each.text for each in without)
    assert without.left_out


def test_code_by_symbols_with_their_lines() -> None:
    body = "\n".join(f"        total += {n} * 17  # line {n}" for n in range(12))
    source = (
        '"""Module."""\n\nimport os\n\n\nclass Clock:\n    """A clock."""\n\n'
        f"    def tick(self):\n        total = 0\n{body}\n        return total\n\n"
        f"    def tock(self):\n        total = 1\n{body}\n        return total\n"
    )
    found = list(
        chunk(document_of(source, "clock.py"), Profile.of("code", max_size=200, min_size=0))
    )
    symbols = [each.symbol for each in found]
    assert "Clock.tick" in symbols
    assert "Clock.tock" in symbols
    tick = found[symbols.index("Clock.tick")]
    first = source[: tick.fresh.start].count("\n") + 1
    assert tick.lines[0] == first
    assert {each.boundary for each in found} <= {"symbol", "paragraph", "sentence"}


def test_pages_are_fences() -> None:
    from chunkscope import load, paths

    report = load(paths.sample_docs() / "report.pdf")
    found = list(chunk(report, Profile.of("page")))
    assert [each.page for each in found] == [1, 2, 3, 4]
    assert all(each.page == each.last_page for each in found)


def test_neighbours_of_chunk_3_of_6() -> None:
    found = by("token-window", plain_document(words(4700)))
    assert len(found) == 6
    before, middle, after = found[2], found[3], found[4]
    assert before.end > middle.start
    assert middle.end > after.start
    assert found.document.text[before.start : after.end].startswith(before.text)
