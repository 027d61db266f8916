"""What the text of a DOCX file takes from other parts: charts, diagrams, imported documents."""

from __future__ import annotations

import email
import email.policy
import posixpath

from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.base import Draft, Source, formats
from chunkscope.core.loaders.docx.items import Embedded, Item, Paragraph
from chunkscope.core.loaders.docx.package import Package, Relation
from chunkscope.core.loaders.docx.xml import Attributes, read_xml
from chunkscope.core.sandbox.watch import Watch

_MAX_DEPTH = 3
_MAX_PARTS = 200
_MAX_MIME_PARTS = 1_000
_FORMATS = {
    "html": "html",
    "htm": "html",
    "xhtml": "html",
    "txt": "text",
    "docx": "docx",
    "docm": "docx",
    "rtf": "rtf",
    "odt": "odt",
}


class OtherParts:
    """Fetches items from the parts that one part refers to, and notes what is lost."""

    def __init__(
        self, package: Package, relations: dict[str, Relation], source: Source, watch: Watch
    ) -> None:
        self._package = package
        self._relations = relations
        self._source = source
        self._watch = watch
        self._known: dict[str, list[Item]] = {}
        self.missing: list[str] = []
        self.warnings: list[str] = []

    def fetch(self, kind: str, relation_id: str) -> list[Item]:
        """The items of a chart, a diagram or an imported document (a chunk)."""
        if relation_id not in self._known:
            if len(self._known) >= _MAX_PARTS:
                self._lose(kind, f"there are more than {_MAX_PARTS}")
                return []
            self._known[relation_id] = self._fetched(kind, relation_id)
        return self._known[relation_id]

    def _fetched(self, kind: str, relation_id: str) -> list[Item]:
        relation = self._relations.get(relation_id)
        if relation is None:
            self._lose(kind, "the file does not say where it is")
        elif relation.is_external:
            self._lose(kind, f"it lies outside of the file, in {relation.target[:200]}")
        else:
            try:
                data = self._package.read(relation.target)
                return self._chunk(data, relation) if kind == "chunk" else self._labels(data, kind)
            except LoadError as problem:
                self._lose(kind, problem.reason)
        return []

    def _lose(self, kind: str, reason: str) -> None:
        noun = "an imported document" if kind == "chunk" else f"the text of a {kind}"
        sentence = f"{noun} is missing: {reason}"
        if sentence not in self.missing:
            self.missing.append(sentence)

    def _labels(self, data: bytes, kind: str) -> list[Item]:
        reader = _LabelReader()
        if problem := read_xml(data, reader, self._watch, kind):
            self._lose(kind, f"its part is damaged ({problem})")
        return [Paragraph("\n".join(reader.labels))] if reader.labels else []

    def _chunk(self, data: bytes, relation: Relation) -> list[Item]:
        if self._source.depth >= _MAX_DEPTH:
            raise LoadError("", "documents are nested too deeply in each other")
        name = posixpath.basename(relation.target)
        extension = posixpath.splitext(name)[1].lstrip(".").lower()
        kind = self._package.content_type(relation.target)
        if extension in ("mht", "mhtml") or kind in ("message/rfc822", "multipart/related"):
            data, extension = _html_of_mht(data), "html"
        chosen = "html" if "html" in kind else _FORMATS.get(extension, "")
        if chosen not in formats:
            raise LoadError("", f"{name} has no known format")
        drafts = formats[chosen].load(self._source.part(data, name), self._watch)
        return [self._embedded(draft) for draft in drafts]

    def _embedded(self, draft: Draft) -> Embedded:
        self.missing += draft.missing
        self.warnings += draft.warnings
        return Embedded(draft.text, draft.blocks)


def _html_of_mht(data: bytes) -> bytes:
    """The web page inside a MIME archive, as UTF-8."""
    # compat32: the modern policy takes minutes for hostile headers.
    message = email.message_from_bytes(data, policy=email.policy.compat32)
    for count, part in enumerate(message.walk()):
        if count > _MAX_MIME_PARTS:
            break
        if part.get_content_type() in ("text/html", "application/xhtml+xml"):
            payload = part.get_payload(decode=True)
            charset = part.get_content_charset() or "utf-8"
            if isinstance(payload, bytes):
                return _as_utf8(payload, charset)
    raise LoadError("", "its web archive holds no page")


def _as_utf8(payload: bytes, charset: str) -> bytes:
    try:
        return b"\xef\xbb\xbf" + payload.decode(charset, "replace").encode("utf-8", "replace")
    except LookupError:
        return payload


class _LabelReader:
    """Collects the words of a chart or diagram: titles, names of series and categories."""

    def __init__(self) -> None:
        self.labels: list[str] = []
        self._seen: set[str] = set()
        self._pieces: list[str] = []
        self._is_text = False
        self._strings = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "c:strCache":
            self._strings += 1
        self._is_text = name == "a:t" or (name == "c:v" and self._strings > 0)

    def data(self, text: str) -> None:
        if self._is_text:
            self._pieces.append(text)

    def end(self, name: str) -> None:
        self._is_text = False
        if name == "c:strCache":
            self._strings -= 1
        if name in ("a:p", "c:v"):
            label = " ".join("".join(self._pieces).split())
            self._pieces = []
            if label and label not in self._seen:
                self._seen.add(label)
                self.labels.append(label)
