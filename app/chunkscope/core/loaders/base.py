"""What a loader gets, what it gives, and the table of formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from chunkscope.core.blocks import Blocks
from chunkscope.core.registry import Registry
from chunkscope.core.sandbox.limits import Limits
from chunkscope.core.sandbox.watch import Watch
from chunkscope.core.text.canonical import canonical
from chunkscope.core.text.decoding import decode


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """What a person may say about a source; empty means: find out."""

    encoding: str = ""
    password: str = ""
    format: str = ""
    mail_view: str = "messages"  # or "thread": a mailbox as one document


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes to parse. `name` is the path or URI; a part of another source has a `#` in it."""

    data: bytes
    name: str
    options: LoadOptions = LoadOptions()
    limits: Limits = field(default_factory=Limits)
    depth: int = 0  # how many sources this one is inside of
    verbatim: list[str] = field(default_factory=list, repr=False, compare=False)

    def part(self, data: bytes, name: str) -> Source:
        """A source found inside this one; what was said about the outer one does not bind it."""
        options = replace(self.options, encoding="", format="")
        return Source(data, f"{self.name}#{name}", options, self.limits, self.depth + 1)

    def text(self, declared: str = "") -> tuple[str, list[str]]:
        """The canonical text of a text format, with warnings about its encoding."""
        decoded = decode(self.data, declared=declared, override=self.options.encoding)
        is_utf8 = decoded.encoding == "utf-8"
        text, warnings = canonical(decoded.text, is_well_formed=is_utf8)
        if is_utf8 and text is decoded.text and len(decoded.warnings) == decoded.skipped == 0:
            self.verbatim.append(text)
        return text, [*decoded.warnings, *warnings]

    def utf8_of(self, text: str) -> bytes | None:
        """The text as UTF-8 without encoding it, where it is just what the source holds."""
        return self.data if any(text is known for known in self.verbatim) else None


@dataclass(slots=True)
class Draft:
    """A document as a loader makes it; ids and hashes are added when it is finished.

    `part` names a document inside the source (a message of a mailbox, an attachment) and becomes
    the part of its source behind `#`. `missing` lists what was lost, and why: it makes the document
    partial.
    """

    text: str
    blocks: Blocks
    media_type: str
    title: str = ""
    part: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    children: list[Draft] = field(default_factory=list)
    utf8: bytes | None = None  # the text again, where the source held it so


Load = Callable[[Source, Watch], Iterable[Draft]]


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of source that can be loaded."""

    label: str
    extensions: tuple[str, ...]
    load: Load
    is_markup: bool = False  # parsed into a tree: held to the smaller file limit


formats: Registry[Format] = Registry("format")


def register(
    name: str, label: str, *extensions: str, is_markup: bool = False
) -> Callable[[Load], Load]:
    """Enter a loader into the table of formats."""

    def add(load: Load) -> Load:
        formats.register(name)(Format(label, extensions, load, is_markup))
        return load

    return add
