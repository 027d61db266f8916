"""A part of a DOCX file with running text (body, note, header) as paragraphs and tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from chunkscope.core.loaders.docx.inline import End, Inline, Start
from chunkscope.core.loaders.docx.items import (
    Collected,
    Item,
    Paragraph,
    Sink,
    Table,
    Written,
    flat,
)
from chunkscope.core.loaders.docx.labels import label
from chunkscope.core.loaders.docx.math import Math
from chunkscope.core.loaders.docx.numbering import Numbering
from chunkscope.core.loaders.docx.paragraph import BLANK, OpenParagraph, ParagraphMaker
from chunkscope.core.loaders.docx.styles import OLD_PROPERTIES, Styles
from chunkscope.core.loaders.docx.xml import Attributes

# Deeper nesting is flattened: each level copies its text once.
_MAX_PARAGRAPHS = 40
_MAX_TABLES = 16
_SKIPPED = OLD_PROPERTIES | {
    "w:tblPr", "w:tblPrEx", "w:tblGrid", "w:sectPr", "w:sdtPr", "w:sdtEndPr", "w:rubyPr",
    "w:customXmlPr", "w:smartTagPr", "w:instrText", "w:delText", "w:delInstrText",
    "m:ctrlPr", "m:rPr", "m:oMathParaPr",
}  # fmt: skip
_PROPERTIES = {"w:pPr", "w:rPr", "w:trPr", "w:tcPr", "w:ffData"}


@dataclass(slots=True)
class _Place:
    """Where finished paragraphs go: the part itself, a cell, a text box."""

    sink: Sink
    depth: int  # how many paragraphs are open around it
    pending: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _OpenTable:
    table: Table
    is_streamed: bool
    cells: list[list[Item]] = field(default_factory=list)
    is_row_deleted: bool = False
    is_cell_hidden: bool = False
    has_rows: bool = False

    def take_property(self, name: str, attributes: Attributes) -> None:
        """Deleted rows and cells are not seen; a merged cell shows the content of its first."""
        if name == "w:del":
            self.is_row_deleted = True
        elif name == "w:cellDel":
            self.is_cell_hidden = True
        elif name in ("w:vMerge", "w:hMerge"):
            is_first = attributes.get("w:val") == "restart"
            can_continue = self.has_rows if name == "w:vMerge" else bool(self.cells)
            self.is_cell_hidden |= can_continue and not is_first


@dataclass(slots=True)
class Found:
    """What a part refers to, in the order of the text."""

    notes: list[tuple[str, str, str]] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    objects: dict[str, str] = field(default_factory=dict)
    subdocuments: list[str] = field(default_factory=list)
    controls: int = 0
    deletions: int = 0


class Story:
    """Takes the events of a part; `fetch` brings what another part holds (a chart, a chunk)."""

    def __init__(
        self,
        sink: Sink,
        styles: Styles,
        numbering: Numbering,
        fetch: Callable[[str, str], list[Item]],
    ) -> None:
        self.found = Found()
        self.inline = Inline(styles)
        self._styles = styles
        self._maker = ParagraphMaker(styles, numbering)
        self._fetch = fetch
        self._places = [_Place(sink, 0)]
        self._open: list[OpenParagraph] = []
        self._tables: list[_OpenTable] = []
        self._frames: list[tuple[str, bool]] = []  # False: too deep or misplaced, so ignored
        self._properties: list[str] = []
        self._skipping = 0
        self._choices: list[int] = []  # text emitted before the choice; -1: none was seen
        self._note_numbers: dict[str, int] = {"footnote": 0, "endnote": 0}
        self._starts, self._ends = self._tables_of_events()
        self._use_place()

    def _tables_of_events(self) -> tuple[dict[str, Start], dict[str, End]]:
        math = Math(self.inline)
        starts: dict[str, Start] = {
            "w:p": self._start_paragraph,
            "w:tbl": self._start_table,
            "w:tr": self._start_row,
            "w:tc": self._start_cell,
            "w:txbxContent": self._start_box,
            "w:footnoteReference": lambda a: self._take_note("footnote", a),
            "w:endnoteReference": lambda a: self._take_note("endnote", a),
            "w:commentReference": lambda a: self.found.comments.append(a.get("w:id")),
            "w:del": self._skip_deleted,
            "w:moveFrom": self._skip,
            "mc:AlternateContent": lambda _: self._choices.append(-1),
            "mc:Choice": self._start_choice,
            "mc:Fallback": self._start_fallback,
            "o:OLEObject": self._take_object,
            "w:control": self._take_control,
            "w:subDoc": lambda a: self.found.subdocuments.append(a.get("r:id")),
            "w:altChunk": lambda a: self._bring("chunk", a.get("r:id")),
            "c:chart": lambda a: self._bring("chart", a.get("r:id")),
            "dgm:relIds": lambda a: self._bring("diagram", a.get("r:dm")),
            "v:textpath": self._take_word_art,
            "a:t": self.inline.starts["w:t"],
        }
        ends: dict[str, End] = {
            "w:p": self._end_frame,
            "w:tbl": self._end_frame,
            "w:tr": self._end_frame,
            "w:tc": self._end_frame,
            "w:txbxContent": self._end_frame,
            "mc:AlternateContent": self._end_choices,
            "a:t": self.inline.ends["w:t"],
            "a:p": lambda: self.inline.emit("\n"),
        }
        return starts | self.inline.starts | math.starts, ends | self.inline.ends | math.ends

    def start(self, name: str, attributes: Attributes) -> None:
        if self._skipping:
            self._skipping += 1
        elif name in _SKIPPED:
            self._skipping = 1
        elif self._properties or name in _PROPERTIES:
            self._take_property(name, attributes)
        elif handle := self._starts.get(name):
            handle(attributes)

    def end(self, name: str) -> None:
        if self._skipping:
            self._skipping -= 1
        elif self._properties:
            if name == self._properties[-1]:
                self._properties.pop()
                if name == "w:ffData":
                    self.inline.end_form()
                elif name == "w:pPr":
                    self._use_style()
        elif handle := self._ends.get(name):
            handle()

    def data(self, text: str) -> None:
        if not self._skipping:
            self.inline.data(text)

    def finish(self) -> None:
        """Close what the end of the part, or damage, left open."""
        self._properties.clear()
        self.inline.finish_text()
        while self._frames:
            self._end_frame()
        self._flush(self._places[0])

    # --- properties

    def _take_property(self, name: str, attributes: Attributes) -> None:
        if name in _PROPERTIES:
            self._properties.append(name)
        context = self._properties[-1]
        if context == "w:ffData":
            self.inline.take_form(name, attributes)
        elif context == "w:rPr" and "w:pPr" in self._properties:
            if name in ("w:del", "w:moveFrom") and self._open:
                self._open[-1].is_joined = True
        elif context == "w:rPr":
            self.inline.take_run_property(name, attributes)
        elif context == "w:pPr" and self._open:
            self._open[-1].take_property(name, attributes)
        elif self._tables:
            self._tables[-1].take_property(name, attributes)

    def _use_style(self) -> None:
        if self._open:
            self.inline.is_hidden_style = bool(self._styles.resolve(self._open[-1].style).is_hidden)

    # --- paragraphs

    def _start_paragraph(self, attributes: Attributes) -> None:
        is_real = len(self._open) < _MAX_PARAGRAPHS
        self._frames.append(("p", is_real))
        if not is_real:
            self.inline.emit("\n")
            return
        place = self._places[-1]
        self._open.append(OpenParagraph(place.pending))
        place.pending = []
        self._use_place()

    def _end_paragraph(self) -> None:
        opened = self._open.pop()
        if opened.is_joined:
            self._places[-1].pending = opened.pieces
        else:
            item = self._maker.finish(opened)
            if item.text:
                self._put(item)
        for later in opened.after:
            self._put(later)
        self._use_place()

    def _use_place(self) -> None:
        """Point the text at the innermost open paragraph."""
        place = self._places[-1]
        inside = len(self._open) > place.depth
        self.inline.pieces = self._open[-1].pieces if inside else place.pending
        self.inline.is_hidden_style = False
        if inside:
            self._use_style()

    def _put(self, item: Item) -> None:
        place = self._places[-1]
        if len(self._open) > place.depth:
            self._open[-1].after.append(item)
        else:
            place.sink.put(item)

    # --- places inside places

    def _start_box(self, attributes: Attributes) -> None:
        is_real = len(self._open) < _MAX_PARAGRAPHS
        self._frames.append(("box", is_real))
        if is_real:
            self.inline.enter_box()
            self._enter(Collected())

    def _enter(self, sink: Sink) -> None:
        self._places.append(_Place(sink, len(self._open)))
        self._use_place()

    def _leave(self) -> list[Item]:
        place = self._places.pop()
        self._flush(place)
        self._use_place()
        return place.sink.items if isinstance(place.sink, Collected) else []

    def _flush(self, place: _Place) -> None:
        if text := "".join(place.pending).strip(BLANK):
            place.sink.put(Paragraph(text))
        place.pending = []

    def _end_frame(self) -> None:
        if not self._frames:
            return
        kind, is_real = self._frames.pop()
        if not is_real:
            return
        if kind == "p":
            self._end_paragraph()
        elif kind == "tc":
            self._end_cell()
        elif kind == "tr":
            self._end_row()
        elif kind == "tbl":
            self._end_table()
        else:
            items = self._leave()
            self.inline.leave_box()
            for item in items:
                self._put(item)

    # --- tables

    def _start_table(self, attributes: Attributes) -> None:
        is_real = len(self._tables) < _MAX_TABLES
        self._frames.append(("tbl", is_real))
        if not is_real:
            return
        place = self._places[-1]
        is_streamed = isinstance(place.sink, Written) and len(self._open) == place.depth
        if is_streamed:
            self._flush(place)
            self._use_place()
        self._tables.append(_OpenTable(Table(), is_streamed))
        if is_streamed and isinstance(place.sink, Written):
            place.sink.begin_table()

    def _start_row(self, attributes: Attributes) -> None:
        is_real = bool(self._frames) and self._frames[-1] == ("tbl", True)
        self._frames.append(("tr", is_real))
        if is_real:
            self._tables[-1].cells = []
            self._tables[-1].is_row_deleted = False

    def _start_cell(self, attributes: Attributes) -> None:
        is_real = bool(self._frames) and self._frames[-1] == ("tr", True)
        self._frames.append(("tc", is_real))
        if is_real:
            self._tables[-1].is_cell_hidden = False
            self._enter(Collected())

    def _end_cell(self) -> None:
        items = [item for item in self._leave() if flat([item])]
        table = self._tables[-1]
        table.cells.append([] if table.is_cell_hidden else items)

    def _end_row(self) -> None:
        table = self._tables[-1]
        sink = self._places[-1].sink
        table.has_rows = True
        if table.is_row_deleted:
            self.found.deletions += 1
        elif table.is_streamed and isinstance(sink, Written):
            sink.put_row(table.cells)
        else:
            table.table.rows.append(table.cells)

    def _end_table(self) -> None:
        table = self._tables.pop()
        sink = self._places[-1].sink
        if table.is_streamed and isinstance(sink, Written):
            sink.end_table()
        else:
            self._put(table.table)

    # --- all else

    def _skip(self, attributes: Attributes) -> None:
        self._skipping = 1

    def _skip_deleted(self, attributes: Attributes) -> None:
        self.found.deletions += 1
        self._skipping = 1

    def _start_choice(self, attributes: Attributes) -> None:
        if not self._choices:
            return
        if self._choices[-1] >= 0:
            self._skipping = 1
        else:
            self._choices[-1] = self.inline.emitted

    def _start_fallback(self, attributes: Attributes) -> None:
        # Both hold the same text box; the fallback counts only where the choice showed nothing.
        if self._choices and 0 <= self._choices[-1] < self.inline.emitted:
            self._skipping = 1

    def _end_choices(self) -> None:
        if self._choices:
            self._choices.pop()

    def _take_note(self, kind: str, attributes: Attributes) -> None:
        has_own_mark = attributes.get("w:customMarkFollows") not in ("", "0", "false", "off")
        mark = ""
        if not has_own_mark:
            self._note_numbers[kind] += 1
            form = "decimal" if kind == "footnote" else "lowerRoman"
            mark = f"[{label(self._note_numbers[kind], form)}]"
            self.inline.emit(mark)
        self.found.notes.append((kind, attributes.get("w:id"), mark))

    def _take_object(self, attributes: Attributes) -> None:
        self.found.objects[attributes.get("r:id")] = attributes.get("ProgID")[:80]

    def _take_control(self, attributes: Attributes) -> None:
        self.found.controls += 1

    def _take_word_art(self, attributes: Attributes) -> None:
        text = attributes.get("string").strip()
        if text:
            self.inline.emitted += len(text)
            self._put(Paragraph(text))

    def _bring(self, kind: str, relation: str) -> None:
        for item in self._fetch(kind, relation):
            self.inline.emitted += 1
            self._put(item)
