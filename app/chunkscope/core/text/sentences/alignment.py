"""Finds sentences that a segmenter returned as strings again in their paragraph."""

from __future__ import annotations

from collections.abc import Iterable


def align(paragraph: str, sentences: Iterable[str]) -> list[int] | None:
    """Where the sentences start, or None when they are not the paragraph's text."""
    trimmed = [stripped for sentence in sentences if (stripped := sentence.strip())]
    starts = _walk(paragraph, trimmed)
    return starts if starts is not None else _count(paragraph, trimmed)


def _walk(paragraph: str, sentences: list[str]) -> list[int] | None:
    """Follow the text; nothing but white space may stand between two sentences."""
    starts: list[int] = []
    at, size = 0, len(paragraph)
    for sentence in sentences:
        while at < size and paragraph[at].isspace():
            at += 1
        if not paragraph.startswith(sentence, at):
            return None
        starts.append(at)
        at += len(sentence)
    return None if paragraph[at:].strip() else starts


def _count(paragraph: str, sentences: list[str]) -> list[int] | None:
    """Count visible characters: pysbd turns other white space between full stops into blanks."""
    visible = ["".join(sentence.split()) for sentence in sentences]
    if "".join(visible) != "".join(paragraph.split()):
        return None
    places = [at for at, character in enumerate(paragraph) if not character.isspace()]
    starts: list[int] = []
    done = 0
    for sentence in visible:
        starts.append(places[done])
        done += len(sentence)
    return starts
