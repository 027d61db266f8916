"""What a DOCX paragraph is, a heading, a list item or plain text, from its style and numbering."""

from __future__ import annotations

from dataclasses import dataclass, field

from chunkscope.core.blocks import BlockKind
from chunkscope.core.loaders.docx.items import Item, Paragraph
from chunkscope.core.loaders.docx.numbering import Label, Numbering
from chunkscope.core.loaders.docx.styles import Styles, number
from chunkscope.core.loaders.docx.xml import Attributes

# Contracts give whole clauses a heading's style; what is longer than this is no title.
_MAX_TITLE = 250
_QUOTES = ("quote", "intense quote")
BLANK = " \t\n\r"


@dataclass(slots=True)
class OpenParagraph:
    """A paragraph being read."""

    pieces: list[str]
    style: str = ""
    outline: int | None = None
    num_id: str | None = None
    num_level: int | None = None
    is_joined: bool = False  # its end was deleted: the next paragraph goes on with it
    after: list[Item] = field(default_factory=list)

    def take_property(self, name: str, attributes: Attributes) -> None:
        if name == "w:pStyle":
            self.style = attributes.get("w:val")
        elif name == "w:outlineLvl":
            self.outline = number(attributes.get("w:val"), 9)
        elif name == "w:numId":
            self.num_id = attributes.get("w:val")
        elif name == "w:ilvl":
            self.num_level = number(attributes.get("w:val"), 0)


class ParagraphMaker:
    """Finishes paragraphs in the order of the text, for their numbers depend on it."""

    def __init__(self, styles: Styles, numbering: Numbering) -> None:
        self._styles = styles
        self._numbering = numbering
        self._levels: dict[tuple[str, str], int] = {}

    def finish(self, opened: OpenParagraph) -> Paragraph:
        """The paragraph as a reader sees it; an empty one counts in its list all the same."""
        label = self._label(opened)
        text = "".join(opened.pieces).strip(BLANK)
        if not text:
            return Paragraph("")
        style = self._styles.resolve(opened.style)
        if label:
            text = label.text + text
        outline = opened.outline if opened.outline is not None else style.outline
        if outline is not None and 0 <= outline < 9 and len(text) <= _MAX_TITLE:
            is_title = self._styles.is_named(style.id, "title")
            return Paragraph(text.replace("\n", " "), BlockKind.HEADING, outline + 1, is_title)
        if label and label.text:
            return Paragraph(text, BlockKind.LIST_ITEM, label.level + 1)
        if opened.style and self._styles.is_named(opened.style, *_QUOTES):
            return Paragraph(text, BlockKind.QUOTE)
        return Paragraph(text)

    def _label(self, opened: OpenParagraph) -> Label | None:
        style = self._styles.resolve(opened.style)
        num_id = opened.num_id if opened.num_id is not None else style.num_id
        if not num_id or num_id == "0":
            return None
        level = opened.num_level
        if level is None:
            level = 0 if opened.num_id is not None else self._level_of_style(num_id, style.id)
        return self._numbering.next_label(num_id, level, self._styles)

    def _level_of_style(self, num_id: str, style_id: str) -> int:
        key = (num_id, style_id)
        if key not in self._levels:
            chain = [style.id for style in self._styles.chain(style_id)]
            tied = self._numbering.level_for_style(num_id, chain)
            own = self._styles.resolve(style_id).num_level or 0
            self._levels[key] = tied if tied is not None else own
        return self._levels[key]
