"""Forms in which passages are handed to a language model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from chunkscope.core.registry import Registry


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a passage comes from, as far as an attribution tells it."""

    number: int
    title: str
    source: str
    document_id: str
    section: str
    pages: str


class Template(Protocol):
    """What is written around passages; `escapes` says which characters of the text change."""

    help: str
    separator: str
    escapes: dict[str, str]

    def head(self, origin: Origin) -> str: ...
    def tail(self, origin: Origin) -> str: ...


templates: Registry[Template] = Registry("template")


def _one_line(text: str) -> str:
    return " ".join(text.replace('"', "'").split())


class Attributed:
    """`[Source: "…", Section: "…", Page: …]`, as the research board writes it."""

    help = "a line in brackets before each passage, --- between them"
    separator = "\n\n---\n\n"
    escapes: dict[str, str] = {}  # noqa: RUF012 - never changed

    def head(self, origin: Origin) -> str:
        told = [f'Source: "{_one_line(origin.title or origin.source)}"']
        if origin.section:
            told.append(f'Section: "{_one_line(origin.section)}"')
        if origin.pages:
            told.append(f"Page: {origin.pages}")
        return f"[{', '.join(told)}]\n"

    def tail(self, _origin: Origin) -> str:
        return ""


class Plain(Attributed):
    """The passages alone."""

    help = "the passages alone, a blank line between them"
    separator = "\n\n"

    def head(self, _origin: Origin) -> str:
        return ""


class Markdown(Attributed):
    """A heading before each passage."""

    help = "a Markdown heading before each passage"
    separator = "\n\n"

    def head(self, origin: Origin) -> str:
        told = _one_line(origin.title or origin.source)
        if origin.section:
            told += f" › {_one_line(origin.section)}"
        if origin.pages:
            told += f" (page {origin.pages})"
        return f"### {origin.number}. {told}\n\n"


class Tagged(Attributed):
    """XML tags; the text cannot close them."""

    help = "XML tags around each passage, with < and & of the text escaped"
    separator = "\n"
    escapes = {"&": "&amp;", "<": "&lt;"}  # noqa: RUF012 - never changed

    def head(self, origin: Origin) -> str:
        pairs = (
            ("source", origin.title or origin.source),
            ("section", origin.section),
            ("page", origin.pages),
        )
        told = "".join(f' {name}="{self._escape(value)}"' for name, value in pairs if value)
        return f'<passage number="{origin.number}"{told}>\n'

    def tail(self, _origin: Origin) -> str:
        return "\n</passage>"

    def _escape(self, text: str) -> str:
        for character, instead in self.escapes.items():
            text = text.replace(character, instead)
        return _one_line(text)


templates.register("attributed")(Attributed())
templates.register("plain")(Plain())
templates.register("markdown")(Markdown())
templates.register("xml")(Tagged())
DEFAULT_TEMPLATE = "attributed"
