"""Footnotes, endnotes and comments of a DOCX file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chunkscope.core.loaders.docx.items import Collected, Sink, lines
from chunkscope.core.loaders.docx.story import Story
from chunkscope.core.loaders.docx.xml import Attributes

_NOTES = ("w:footnote", "w:endnote", "w:comment")


@dataclass(frozen=True, slots=True)
class Note:
    """One note; only comments have an author."""

    text: str
    author: str = ""


class NotesReader:
    """Takes the events of a part with notes; `kept` is told of each story when it is finished."""

    def __init__(self, make_story: Callable[[Sink], Story], kept: Callable[[Story], None]) -> None:
        self.notes: dict[str, Note] = {}
        self._make_story = make_story
        self._kept = kept
        self._story: Story | None = None
        self._sink = Collected()
        self._id = self._author = ""
        self._depth = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if self._story:
            self._depth += 1
            self._story.start(name, attributes)
        # A note with a type is the line between text and notes.
        elif name in _NOTES and attributes.get("w:type") in ("", "normal"):
            self._id = attributes.get("w:id")
            self._author = " ".join(attributes.get("w:author")[:200].split())
            self._sink = Collected()
            self._story = self._make_story(self._sink)
            self._depth = 0

    def end(self, name: str) -> None:
        if not self._story:
            return
        if self._depth:
            self._depth -= 1
            self._story.end(name)
        else:
            self.finish()

    def data(self, text: str) -> None:
        if self._story:
            self._story.data(text)

    def finish(self) -> None:
        """Keep the note being read; called once more where the part breaks off."""
        if self._story:
            self._story.finish()
            self._kept(self._story)
            self.notes[self._id] = Note(lines(self._sink.items), self._author)
            self._story = None
