"""OpenDocument text: content.xml in reading order."""

from __future__ import annotations

import re
from collections.abc import Iterable

from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.archive import Archive
from chunkscope.core.loaders.base import Draft, Source, register
from chunkscope.core.loaders.builder import TextBuilder
from chunkscope.core.loaders.docx.items import Collected, Item, Paragraph, Sink, Written, lines
from chunkscope.core.loaders.docx.package import Properties
from chunkscope.core.loaders.docx.styles import number
from chunkscope.core.loaders.docx.xml import Attributes, read_xml
from chunkscope.core.sandbox.watch import Watch

MEDIA_TYPE = "application/vnd.oasis.opendocument.text"
_SKIPPED = {
    "text:tracked-changes", "text:sequence-decls", "office:forms", "text:note-citation",
    "dc:date", "meta:date-string",
}  # fmt: skip
_PROPERTIES = {
    "dc:title": "title",
    "dc:creator": "author",
    "dc:subject": "subject",
    "dc:description": "description",
    "dc:language": "language",
    "dc:date": "modified",
}
_BLANKS = re.compile(r"[ \t\r\n]+")
_PARAGRAPHS = ("text:p", "text:h")
_CELLS = ("table:table-cell", "table:covered-table-cell")
_MAX_SPACES = 1_000
_MAX_LEVEL = 99
_MAX_TITLE = 200


@register("odt", "OpenDocument text", ".odt", is_markup=True)
def load_odt(source: Source, watch: Watch) -> Iterable[Draft]:
    archive = Archive(source.data, source.limits)
    if _is_encrypted(archive):
        raise LoadError("", "is protected by a password; save a copy without it")
    builder = TextBuilder(source.limits.allowed_characters(len(source.data)))
    written = Written(builder)
    story = _Story(written)
    missing = []
    if problem := read_xml(archive.read("content.xml"), story, watch, "text"):
        missing.append(f"what follows a damaged place in the text ({problem})")
    story.finish()
    for count, note in enumerate(story.notes, start=1):
        builder.add(BlockKind.FOOTNOTE, f"[{count}] {note}")
    for author, comment in story.comments:
        lead = f"{author}: " if author else ""
        builder.add(BlockKind.COMMENT, lead + comment, name=author)
    text, blocks, warnings = builder.finish()
    metadata = _metadata(archive, watch)
    title = metadata.get("title") or written.title or written.first_heading
    yield Draft(
        text,
        blocks,
        MEDIA_TYPE,
        title[:_MAX_TITLE],
        metadata=metadata,
        warnings=warnings,
        missing=missing,
    )


def _is_encrypted(archive: Archive) -> bool:
    name = "META-INF/manifest.xml"
    return name in archive and b"encryption-data" in archive.read(name)


def _metadata(archive: Archive, watch: Watch) -> dict[str, str]:
    """What the file says about itself; the text does not depend on it."""
    found = Properties(_PROPERTIES)
    if "meta.xml" in archive:
        try:
            read_xml(archive.read("meta.xml"), found, watch, "properties")
        except LoadError:
            return {}
    return found.values


class _Story:
    """Takes the events of content.xml."""

    def __init__(self, sink: Sink) -> None:
        self.notes: list[str] = []
        self.comments: list[tuple[str, str]] = []
        self._sinks = [sink]
        self._pieces: list[list[str]] = []
        self._heads: list[tuple[BlockKind, int | None]] = []
        self._depth = 0  # of lists
        self._tables = 0  # those being written
        self._rows: list[list[list[Item]]] = []
        self._skipping = 0
        self._author = ""
        self._open: list[str] = []  # paragraphs, cells, tables, notes: damage may leave them open

    def start(self, name: str, attributes: Attributes) -> None:
        if self._skipping or name in _SKIPPED:
            self._skipping += 1
        elif name in _PARAGRAPHS:
            self._start_paragraph(name, attributes)
        elif name == "text:list":
            self._depth += 1
        elif name == "text:s":
            count = max(number(attributes.get("text:c"), 1), 0)
            self._emit(" " * min(count, _MAX_SPACES))
        elif name == "text:tab":
            self._emit("\t")
        elif name == "text:line-break":
            self._emit("\n")
        elif name == "text:ruby-text":
            self._emit("(")
        elif name == "dc:creator":
            self._pieces.append([])
        else:
            self._start_container(name)

    def _start_container(self, name: str) -> None:
        if name in ("text:note-body", "office:annotation") or (name in _CELLS and self._rows):
            self._sinks.append(Collected())
        elif name == "table:table-row":
            self._rows.append([])
        elif name == "table:table" and isinstance(self._sinks[-1], Written):
            self._sinks[-1].begin_table()
            self._tables += 1
        else:
            return
        self._open.append(name)

    def end(self, name: str) -> None:
        if self._skipping:
            self._skipping -= 1
        elif name == "text:list":
            self._depth -= 1
        elif name == "text:ruby-text":
            self._emit(")")
        elif name == "dc:creator":
            self._author = " ".join("".join(self._pieces.pop()).split())[:_MAX_TITLE]
        elif self._open and name == self._open[-1]:
            self._end_container(self._open.pop())

    def _end_container(self, name: str) -> None:
        if name in _PARAGRAPHS:
            self._end_paragraph()
        elif name == "text:note-body":
            self._end_note()
        elif name == "office:annotation":
            self._end_comment()
        elif name in _CELLS:
            self._rows[-1].append(self._collected())
        elif name == "table:table-row":
            self._end_row(self._rows.pop())
        elif isinstance(self._sinks[-1], Written):
            self._sinks[-1].end_table()
            self._tables -= 1

    def data(self, text: str) -> None:
        # The blanks of the file are layout; those of the text have elements of their own.
        self._emit(_BLANKS.sub(" ", text))

    def _emit(self, text: str) -> None:
        if self._pieces and not self._skipping:
            self._pieces[-1].append(text)

    def finish(self) -> None:
        """Close what damage left open."""
        self._skipping = 0
        while len(self._pieces) > len(self._heads):  # an author
            self._pieces.pop()
        while self._open:
            self._end_container(self._open.pop())

    def _start_paragraph(self, name: str, attributes: Attributes) -> None:
        self._pieces.append([])
        self._open.append(name)
        if name == "text:h":
            level = number(attributes.get("text:outline-level"), 1)
            self._heads.append((BlockKind.HEADING, max(1, min(level, _MAX_LEVEL))))
        elif self._depth and not self._rows:
            self._heads.append((BlockKind.LIST_ITEM, self._depth))
        else:
            self._heads.append((BlockKind.PARAGRAPH, None))

    def _end_paragraph(self) -> None:
        kind, level = self._heads.pop()
        text = "".join(self._pieces.pop()).strip()
        if text:
            if kind is BlockKind.HEADING:
                text = text.replace("\n", " ")
            self._sinks[-1].put(Paragraph(text, kind, level))

    def _end_note(self) -> None:
        note = lines(self._collected())
        if note.strip():
            self.notes.append(note)
            self._emit(f"[{len(self.notes)}]")

    def _end_comment(self) -> None:
        comment = lines(self._collected())
        if comment.strip():
            self.comments.append((self._author, comment))
        self._author = ""

    def _end_row(self, cells: list[list[Item]]) -> None:
        sink = self._sinks[-1]
        if isinstance(sink, Written) and self._tables:
            sink.put_row(cells)
        else:  # a table inside a cell
            for cell in cells:
                for item in cell:
                    sink.put(item)

    def _collected(self) -> list[Item]:
        sink = self._sinks[-1]
        if len(self._sinks) == 1 or not isinstance(sink, Collected):
            return []
        self._sinks.pop()
        return sink.items
