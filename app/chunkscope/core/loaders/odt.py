"""OpenDocument text: content.xml in reading order."""

from __future__ import annotations

from collections.abc import Iterable

from chunkscope.core.blocks import BlockKind
from chunkscope.core.loaders.archive import Archive
from chunkscope.core.loaders.base import Draft, Source, register
from chunkscope.core.loaders.builder import TextBuilder
from chunkscope.core.loaders.docx_items import Collected, Item, Paragraph, Sink, Written, lines
from chunkscope.core.loaders.docx_xml import Attributes, read_xml
from chunkscope.core.sandbox.watch import Watch

MEDIA_TYPE = "application/vnd.oasis.opendocument.text"
_SKIPPED = {"text:tracked-changes", "office:annotation", "text:sequence-decls", "office:forms"}
_MAX_SPACES = 1_000
_MAX_TITLE = 200


@register("odt", "OpenDocument text", ".odt", is_markup=True)
def load_odt(source: Source, watch: Watch) -> Iterable[Draft]:
    archive = Archive(source.data, source.limits)
    builder = TextBuilder(source.limits.allowed_characters(len(source.data)))
    written = Written(builder)
    story = _Story(written)
    missing = []
    if problem := read_xml(archive.read("content.xml"), story, watch, "text"):
        missing.append(f"what follows a damaged place in the text ({problem})")
    story.finish()
    for number, note in enumerate(story.notes, start=1):
        builder.add(BlockKind.FOOTNOTE, f"[{number}] {note}")
    text, blocks, warnings = builder.finish()
    title = written.title or written.first_heading
    yield Draft(text, blocks, MEDIA_TYPE, title[:_MAX_TITLE], warnings=warnings, missing=missing)


class _Story:
    """Takes the events of content.xml."""

    def __init__(self, sink: Sink) -> None:
        self.notes: list[str] = []
        self._sinks = [sink]
        self._pieces: list[list[str]] = []
        self._heads: list[tuple[BlockKind, int | None]] = []
        self._depth = 0  # of lists
        self._rows: list[list[list[Item]]] = []
        self._skipping = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if self._skipping or name in _SKIPPED:
            self._skipping += 1
        elif name in ("text:p", "text:h"):
            self._start_paragraph(name, attributes)
        elif name == "text:list":
            self._depth += 1
        elif name == "text:s":
            count = attributes.get("text:c")
            self.data(" " * min(int(count) if count.isdigit() else 1, _MAX_SPACES))
        elif name == "text:tab":
            self.data("\t")
        elif name == "text:line-break":
            self.data("\n")
        elif name == "text:note-body":
            self._sinks.append(Collected())
        elif name == "text:note-citation":
            self._skipping = 1
        elif name == "table:table-row":
            self._rows.append([])
        elif name == "table:table-cell" and self._rows:
            self._sinks.append(Collected())
        elif name == "table:table" and isinstance(self._sinks[-1], Written):
            self._sinks[-1].begin_table()

    def end(self, name: str) -> None:
        if self._skipping:
            self._skipping -= 1
        elif name in ("text:p", "text:h"):
            self._end_paragraph()
        elif name == "text:list":
            self._depth -= 1
        elif name == "text:note-body":
            self._end_note()
        elif name == "table:table-cell" and self._rows:
            self._rows[-1].append(self._collected())
        elif name == "table:table-row" and self._rows:
            self._end_row(self._rows.pop())
        elif name == "table:table" and isinstance(self._sinks[-1], Written):
            self._sinks[-1].end_table()

    def data(self, text: str) -> None:
        if self._pieces and not self._skipping:
            self._pieces[-1].append(text)

    def finish(self) -> None:
        """Close what damage left open."""
        while self._pieces:
            self._end_paragraph()

    def _start_paragraph(self, name: str, attributes: Attributes) -> None:
        self._pieces.append([])
        if name == "text:h":
            level = attributes.get("text:outline-level")
            self._heads.append((BlockKind.HEADING, int(level) if level.isdigit() else 1))
        elif self._depth and not self._rows:
            self._heads.append((BlockKind.LIST_ITEM, self._depth))
        else:
            self._heads.append((BlockKind.PARAGRAPH, None))

    def _end_paragraph(self) -> None:
        if not self._pieces:
            return
        kind, level = self._heads.pop()
        text = "".join(self._pieces.pop()).strip()
        if text:
            if kind is BlockKind.HEADING:
                text, level = text.replace("\n", " "), max(level or 1, 1)
            self._sinks[-1].put(Paragraph(text, kind, level))

    def _end_note(self) -> None:
        note = lines(self._collected())
        if note.strip():
            self.notes.append(note)
            self.data(f"[{len(self.notes)}]")

    def _end_row(self, cells: list[list[Item]]) -> None:
        sink = self._sinks[-1]
        if isinstance(sink, Written):
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
