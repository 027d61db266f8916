"""What was cut once is remembered, within bounds."""

from __future__ import annotations

import pytest

from chunkscope.core.text.sentences import Segmenter, segmenters, sentence_starts, starts
from chunkscope.core.text.sentences.memory import Memory, key_of
from core.text.sentences.fragments import spans


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """A segmenter called "counted" that tells what it was asked."""
    asked: list[tuple[str, str]] = []

    def cut(paragraph: str, language: str) -> list[int]:
        asked.append((paragraph, language))
        return [0]

    monkeypatch.setitem(segmenters._parts, "counted", Segmenter(cut, is_slow=True))
    monkeypatch.setattr(starts, "memory", Memory())
    return asked


def test_a_paragraph_is_cut_once_for_each_language(calls: list[tuple[str, str]]) -> None:
    text = "Same here.\n\nSame\nhere.\n\nOther.\n\nSame here."
    for language in ("en", "en", "de"):
        sentence_starts(text, spans(text), "counted", language)
    assert calls == [
        (paragraph, language) for language in ("en", "de") for paragraph in ("Same here.", "Other.")
    ]


def test_segmenters_do_not_share_what_they_know() -> None:
    keys = {key_of("a", *names) for names in (("x", "en"), ("y", "en"), ("x", "de"), ("xe", "n"))}
    assert len(keys) == 4
    assert key_of("\ud800", "x", "en") != key_of("\ud801", "x", "en")


def test_the_least_recent_is_forgotten_first() -> None:
    memory = Memory(entries=2)
    memory.remember(b"a", [0])
    memory.remember(b"b", [0, 5])
    assert memory.recall(b"a") is not None
    memory.remember(b"c", [0])
    assert memory.recall(b"b") is None
    assert list(memory.recall(b"a") or []) == [0]
    memory.clear()
    assert len(memory) == 0


def test_its_size_is_bounded_in_bytes_too() -> None:
    memory = Memory(size=10_000)
    for number in range(100):
        memory.remember(bytes([number]), range(100))
        memory.remember(bytes([number]), range(50))
    assert 5 <= len(memory) <= 20
    memory.remember(b"huge", range(10_000))
    assert len(memory) == 0
