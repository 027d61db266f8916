"""Inputs that hang or break bare pysbd come back soon, and cut."""

from __future__ import annotations

import time

import pytest

from chunkscope.core.errors import Cancelled, ChunkscopeError
from chunkscope.core.job import Job
from chunkscope.core.text.sentences import sentence_starts, uax29
from chunkscope.core.text.sentences.pysbd_rules import LONGEST, bare, cut
from core.text.sentences.fragments import spans

HANG = "..[" + "111 " * 10
SLOW = [
    HANG,
    ".[1111111111111111111][1111111111111111111] x",
    "wis.[" + "2 " * 500,
    "?!!" * 1_600 + "a",
    "va. " * 1_250 + "(mm)",
    "1. 2. " * 800,
    "a) b) " * 800,
    " ‘a" * 1_600,
    " 'a" * 1_600,
    '" (' * 1_600,
    "ſ0 v" * 1_200,
]


@pytest.mark.parametrize("text", SLOW)
@pytest.mark.parametrize("language", ["en", "de", "fa", "it"])
def test_slow_inputs_come_back(text: str, language: str) -> None:
    started = time.monotonic()
    cut(text, language)
    assert time.monotonic() - started < 2.5  # half a second on an idle machine


def test_a_long_paragraph_is_cut_in_pieces_like_short_ones() -> None:
    sentence = "Mr. Lamb paid $3.50 for it. “Was it much?” asked Ruth. "
    text = (sentence * 2_000).strip()
    assert len(text) > 20 * LONGEST
    expected = cut(sentence.strip(), "en")
    found = cut(text, "en")
    assert found == [place * len(sentence) + start for place in range(2_000) for start in expected]


def test_a_pattern_that_pysbd_cannot_build_is_left_to_unicode() -> None:
    text = "Это и(о. слово и.о. тут. Вот (и другое."
    assert cut(text, "ru")[0] == 0
    assert cut("x ا(د. ا.د. y", "ar")[0] == 0


def test_text_that_pysbd_alters_is_left_to_unicode(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "One. Two. Three."
    monkeypatch.setattr(
        "chunkscope.core.text.sentences.pysbd_rules.split", lambda *_: ["One.", "Three."]
    )
    assert cut(text, "en") == uax29.cut(text, "en") == [0, 5, 10]


def test_other_languages_are_cut_by_their_rules() -> None:
    text = "Das ist z. B. ein Satz am 3. Mai. Und noch einer."
    assert bare(text, "de") == ["Das ist z. B. ein Satz am 3. Mai.", "Und noch einer."]
    assert cut(text, "de") == [0, text.index("Und")]


def test_an_unknown_language_or_segmenter_gives_a_sentence() -> None:
    with pytest.raises(ChunkscopeError, match="'unicode' takes any"):
        sentence_starts("a", spans("a"), language="tlh")
    with pytest.raises(ChunkscopeError, match="did you mean 'pysbd'"):
        sentence_starts("a", spans("a"), "pysdb")


@pytest.mark.parametrize("segmenter", ["pysbd", "unicode"])
def test_cancelling_stops_between_paragraphs(segmenter: str) -> None:
    text = "It is late. Go home.\n\n" * 50_000
    steps: list[int] = []

    def report(done: int, _total: int, _note: str) -> None:
        steps.append(done)
        if len(steps) == 3:
            job.cancel()

    job = Job(report)
    with pytest.raises(Cancelled):
        sentence_starts(text, spans(text), segmenter, job=job)
    assert 0 < steps[-1] < 20_000
