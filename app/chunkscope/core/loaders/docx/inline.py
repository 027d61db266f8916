"""The text inside a DOCX paragraph: runs, fields, symbols, readings; formulas are beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from chunkscope.core.loaders.docx.styles import Styles, number
from chunkscope.core.loaders.docx.symbols import UNKNOWN, symbol
from chunkscope.core.loaders.docx.xml import Attributes

_NO_BREAK_HYPHEN = "\u2011"

Start = Callable[[Attributes], None]
End = Callable[[], None]


@dataclass(slots=True)
class _FormField:
    """A check box or drop-down list of a form, which has a state instead of text."""

    kind: str = ""
    is_checked: bool = False
    chosen: int = 0
    entries: list[str] = field(default_factory=list)

    def take(self, name: str, attributes: Attributes) -> None:
        if name in ("w:checkBox", "w:ddList"):
            self.kind = name
        elif name in ("w:checked", "w:default") and self.kind == "w:checkBox":
            self.is_checked = attributes.is_on()
        elif name in ("w:result", "w:default") and self.kind == "w:ddList":
            self.chosen = number(attributes.get("w:val"), 0)
        elif name == "w:listEntry":
            self.entries.append(attributes.get("w:val"))

    @property
    def text(self) -> str:
        if self.kind == "w:checkBox":
            return "☒" if self.is_checked else "☐"
        is_known = self.kind == "w:ddList" and 0 <= self.chosen < len(self.entries)
        return self.entries[self.chosen] if is_known else ""


@dataclass(slots=True)
class _Flow:
    """Where fields and runs stand; a text box inside a paragraph has its own."""

    fields: list[bool] = field(default_factory=list)  # True: still in the field's code
    hidden_runs: list[bool] = field(default_factory=list)
    codes: int = 0  # how many of the fields are in their code


class Inline:
    """Collects the visible text into `pieces`, which the owner exchanges for each paragraph."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self.pieces: list[str] = []
        self.is_hidden_style = False  # of the paragraph that the runs belong to
        self.emitted = 0
        self.hidden = 0
        self.unknown_symbols = 0
        self._in_codes = 0
        self._buffer: list[str] | None = None
        self._is_preserved = False
        self._flow = _Flow()
        self._outer: list[_Flow] = []
        self._form: _FormField | None = None
        self._readings: list[tuple[list[str], int]] = []
        self._reading = ""
        self.starts: dict[str, Start] = {
            "w:t": self._start_text,
            "m:t": self._start_text,
            "w:r": self._start_run,
            "m:r": self._start_run,
            "w:tab": lambda _: self.emit("\t"),
            "w:ptab": lambda _: self.emit("\t"),
            "w:br": lambda _: self.emit("\n"),
            "w:cr": lambda _: self.emit("\n"),
            "w:noBreakHyphen": lambda _: self.emit(_NO_BREAK_HYPHEN),
            "w:sym": self._take_symbol,
            "w:fldChar": self._take_field,
            "w:rt": self._start_reading,
        }
        self.ends: dict[str, End] = {
            "w:t": self.finish_text,
            "m:t": self.finish_text,
            "w:r": self._end_run,
            "m:r": self._end_run,
            "w:rt": self._end_reading,
            "w:ruby": self._end_ruby,
        }

    @property
    def lost_in_fields(self) -> int:
        """How much text stands in the code of a field that was never closed."""
        return self._in_codes if self._flow.codes else 0

    def emit(self, text: str) -> None:
        """Append what a reader sees at this place."""
        flow = self._flow
        if flow.codes:
            self._in_codes += len(text)
        elif flow.hidden_runs[-1] if flow.hidden_runs else self.is_hidden_style:
            self.hidden += len(text.strip())
        else:
            self.pieces.append(text)
            self.emitted += len(text)

    def data(self, text: str) -> None:
        if self._buffer is not None:
            self._buffer.append(text)

    def enter_box(self) -> None:
        self._outer.append(self._flow)
        self._flow = _Flow()

    def leave_box(self) -> None:
        self._flow = self._outer.pop()

    def take_run_property(self, name: str, attributes: Attributes) -> None:
        runs = self._flow.hidden_runs
        if not runs:
            return
        if name == "w:vanish":
            runs[-1] = attributes.is_on()
        elif name == "w:rStyle" and self._styles.resolve(attributes.get("w:val")).is_hidden:
            runs[-1] = True

    def take_form(self, name: str, attributes: Attributes) -> None:
        if name == "w:ffData":
            self._form = _FormField()
        elif self._form:
            self._form.take(name, attributes)

    def end_form(self) -> None:
        # The field has just begun: its state shows although its code does not.
        if self._form and self._form.text and self._flow.codes == 1:
            self.pieces.append(self._form.text)
            self.emitted += 1
        self._form = None

    def _start_text(self, attributes: Attributes) -> None:
        self._buffer = []
        self._is_preserved = attributes.get("xml:space") == "preserve"

    def finish_text(self) -> None:
        """Take the text of an element, or what damage left of it."""
        if self._buffer is None:
            return
        text = "".join(self._buffer)
        self._buffer = None
        if "\n" in text:
            # Only where the XML was indented; blanks are kept as many writers forget the mark.
            text = (text if self._is_preserved else text.strip()).replace("\n", " ")
        if text:
            self.emit(text)

    def _start_run(self, attributes: Attributes) -> None:
        self._flow.hidden_runs.append(self.is_hidden_style)

    def _end_run(self) -> None:
        if self._flow.hidden_runs:
            self._flow.hidden_runs.pop()

    def _take_symbol(self, attributes: Attributes) -> None:
        text = symbol(attributes.get("w:font"), attributes.get("w:char"))
        self.unknown_symbols += text == UNKNOWN
        self.emit(text)

    def _take_field(self, attributes: Attributes) -> None:
        flow = self._flow
        match attributes.get("w:fldCharType"):
            case "begin":
                if not flow.codes:
                    self._in_codes = 0
                flow.fields.append(True)
                flow.codes += 1
            case "separate" if flow.fields and flow.fields[-1]:
                flow.fields[-1] = False
                flow.codes -= 1
            case "end" if flow.fields:
                flow.codes -= flow.fields.pop()

    def _start_reading(self, attributes: Attributes) -> None:
        self._readings.append((self.pieces, len(self.pieces)))

    def _end_reading(self) -> None:
        if self._readings:
            pieces, at = self._readings.pop()
            self._reading = "".join(pieces[at:])
            del pieces[at:]

    def _end_ruby(self) -> None:
        if self._reading.strip():
            self.emit(f"({self._reading.strip()})")
        self._reading = ""
