"""Word documents: the text that a reader sees, with headings, numbering, tables and notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.base import Draft, Source, register
from chunkscope.core.loaders.builder import TextBuilder
from chunkscope.core.loaders.docx.items import Collected, Sink, Written, lines
from chunkscope.core.loaders.docx.notes import Note, NotesReader
from chunkscope.core.loaders.docx.numbering import Numbering, NumberingReader
from chunkscope.core.loaders.docx.package import Package, Relation
from chunkscope.core.loaders.docx.parts import OtherParts
from chunkscope.core.loaders.docx.sections import SettingsReader, running_parts
from chunkscope.core.loaders.docx.story import Story
from chunkscope.core.loaders.docx.styles import Styles, StylesReader
from chunkscope.core.loaders.docx.symbols import UNKNOWN
from chunkscope.core.loaders.docx.xml import Handler, read_xml, without_utf_16
from chunkscope.core.sandbox.watch import Watch

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_MAX_SENTENCES = 20
_MAX_RUNNING = 100
_MAX_TITLE = 200

Reader = TypeVar("Reader", bound=Handler)


@register("docx", "Word document", ".docx", is_markup=True)
def load_docx(source: Source, watch: Watch) -> Iterable[Draft]:
    yield _DocxLoader(source, watch).load()


class _DocxLoader:
    """Reads the parts of one file in the order of the text."""

    def __init__(self, source: Source, watch: Watch) -> None:
        self._source = source
        self._watch = watch
        self._package = Package(source.data, source.limits, watch)
        self._main = self._package.main_part()
        self._relations = self._package.relations(self._main)
        self._builder = TextBuilder(source.limits.allowed_characters(len(source.data)))
        self._styles = Styles()
        self._numbering = Numbering()
        self._others: list[OtherParts] = []
        self._stories: list[Story] = []
        self._missing: list[str] = []

    def load(self) -> Draft:
        document = without_utf_16(self._package.read(self._main))
        self._styles = self._read_side("styles", StylesReader()).styles
        self._numbering = self._read_side("numbering", NumberingReader()).numbering
        settings = self._read_side("settings", SettingsReader())
        running = running_parts(document, settings.has_even_pages)
        self._add_running(BlockKind.RUNNING_HEADER, running.headers)
        written = Written(self._builder)
        body = self._read_body(document, written)
        self._add_notes(body)
        self._add_comments(body)
        self._add_running(BlockKind.RUNNING_FOOTER, running.footers)
        return self._draft(written)

    def _read_side(self, kind: str, reader: Reader) -> Reader:
        """Read a part that the text depends on; its absence is normal, its damage is told."""
        relation = next((r for r in self._relations.values() if r.kind == kind), None)
        if relation and not relation.is_external and relation.target in self._package:
            try:
                data = self._package.read(relation.target)
                problem = read_xml(data, reader, self._watch, kind)
            except LoadError as error:
                problem = error.reason
            if problem:
                self._missing.append(f"the part with the {kind} is damaged ({problem})")
        return reader

    def _story(self, sink: Sink, relations: dict[str, Relation] | None = None) -> Story:
        used = self._relations if relations is None else relations
        others = OtherParts(self._package, used, self._source, self._watch)
        self._others.append(others)
        return Story(sink, self._styles, self._numbering, others.fetch)

    def _read_body(self, document: bytes, written: Written) -> Story:
        story = self._story(written)
        problem = read_xml(document, story, self._watch, "text")
        story.finish()
        self._stories.append(story)
        if problem:
            self._missing.append(f"what follows a damaged place in the text ({problem})")
        return story

    def _add_notes(self, body: Story) -> None:
        readers = {
            kind: self._read_side(f"{kind}s", NotesReader(self._story, self._stories.append))
            for kind in ("footnote", "endnote")
        }
        for kind, reader in readers.items():
            reader.finish()
            self._tell_absent(kind, {n[1] for n in body.found.notes if n[0] == kind}, reader)
        for kind, note_id, mark in body.found.notes:
            note = readers[kind].notes.pop(note_id, None)
            if note:
                self._add_note(BlockKind.FOOTNOTE, note, f"{mark} " if mark else "")

    def _add_comments(self, body: Story) -> None:
        reader = self._read_side("comments", NotesReader(self._story, self._stories.append))
        reader.finish()
        self._tell_absent("comment", set(body.found.comments), reader)
        for note in reader.notes.values():
            self._add_note(BlockKind.COMMENT, note, f"{note.author}: " if note.author else "")

    def _tell_absent(self, kind: str, wanted: set[str], reader: NotesReader) -> None:
        if absent := len(wanted - reader.notes.keys()):
            noun = kind if absent == 1 else f"{kind}s"
            self._missing.append(f"{absent:,} {noun} named in the text and not in the file")

    def _add_note(self, kind: BlockKind, note: Note, lead: str) -> None:
        if note.text.strip():
            self._builder.add(kind, lead + note.text, name=note.author)

    def _add_running(self, kind: BlockKind, ids: Iterable[str]) -> None:
        """Each header or footer once, however many pages show it."""
        seen: set[str] = set()
        for relation_id in list(ids)[:_MAX_RUNNING]:
            relation = self._relations.get(relation_id)
            if not relation or relation.is_external or relation.target not in self._package:
                continue
            sink = Collected()
            story = self._story(sink, self._package.relations(relation.target))
            try:
                data = self._package.read(relation.target)
                problem = read_xml(data, story, self._watch, str(kind))
            except LoadError as error:
                problem = error.reason
            story.finish()
            self._stories.append(story)
            if problem:
                self._missing.append(f"a page header or footer is damaged ({problem})")
            text = lines(sink.items)
            if text and text not in seen:
                seen.add(text)
                self._builder.add(kind, text)

    def _draft(self, written: Written) -> Draft:
        text, blocks, warnings = self._builder.finish()
        for others in self._others:
            self._missing += others.missing
            warnings += others.warnings
        for story in self._stories:
            self._tell_found(story, warnings)
        properties = self._package.properties()
        self._missing += self._package.problems
        title = properties.get("title") or written.title or written.first_heading
        return Draft(
            text,
            blocks,
            MEDIA_TYPE,
            title=title[:_MAX_TITLE],
            metadata=properties,
            warnings=list(dict.fromkeys(warnings))[:_MAX_SENTENCES],
            missing=list(dict.fromkeys(self._missing))[:_MAX_SENTENCES],
        )

    def _tell_found(self, story: Story, warnings: list[str]) -> None:
        """Name what the text refers to and we do not open."""
        warnings += [
            f"an embedded object is not read ({kind or 'of unknown kind'})"
            for kind in story.found.objects.values()
        ]
        if lost := story.inline.lost_in_fields:
            self._missing.append(f"{lost:,} characters behind a field that never ends")
        if hidden := story.inline.hidden:
            warnings.append(f"{hidden:,} characters of hidden text are left out")
        if story.inline.unknown_symbols:
            warnings.append(f"symbols of a special font are unknown; {UNKNOWN} stands for them")
        for relation_id in story.found.subdocuments:
            relation = self._relations.get(relation_id)
            where = relation.target[:200] if relation else "an unknown place"
            self._missing.append(f"a part of the document is kept elsewhere, in {where}")
