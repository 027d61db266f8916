"""The parts of a DOCX file and how they refer to each other."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from urllib.parse import unquote

from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.archive import Archive
from chunkscope.core.loaders.docx.xml import Attributes, read_xml
from chunkscope.core.sandbox.limits import Limits
from chunkscope.core.sandbox.watch import Watch

_MAX_VALUE = 1_000
_MAX_RELATIONS = 100_000
_PROPERTIES = {
    "dc:title": "title",
    "dc:creator": "author",
    "dc:subject": "subject",
    "cp:keywords": "keywords",
    "dc:description": "description",
    "cp:category": "category",
    "dc:language": "language",
    "cp:lastModifiedBy": "last_modified_by",
    "dcterms:created": "created",
    "dcterms:modified": "modified",
}


@dataclass(frozen=True, slots=True)
class Relation:
    """A reference from one part to another, or to something outside of the file."""

    kind: str  # the last word of its type: header, footnotes, image
    target: str
    is_external: bool


class Package:
    """A zip archive seen as parts with relations. Part names differ in case as writers like."""

    def __init__(self, data: bytes, limits: Limits, watch: Watch) -> None:
        self._archive = Archive(data, limits)
        self._watch = watch
        self._by_lower = {name.lower(): name for name in self._archive.names}
        self._types = _ContentTypes()
        self.problems: list[str] = []
        if "[content_types].xml" in self._by_lower:
            self._read_side_part("[Content_Types].xml", self._types)

    def __contains__(self, part: object) -> bool:
        return isinstance(part, str) and part.lower() in self._by_lower

    def read(self, part: str) -> bytes:
        return self._archive.read(self._by_lower.get(part.lower(), part))

    def content_type(self, part: str) -> str:
        return self._types.of(part)

    def relations(self, part: str) -> dict[str, Relation]:
        """The relations of a part by their ids; of the package itself for the part ''."""
        folder, name = posixpath.split(part)
        rels = posixpath.join(folder, "_rels", f"{name}.rels")
        found = _Relations(folder)
        if rels in self:
            self._read_side_part(rels, found)
        return found.relations

    def main_part(self) -> str:
        """The document itself."""
        for relation in self.relations("").values():
            if relation.kind == "officeDocument" and relation.target in self:
                kind = self.content_type(relation.target)
                if kind and "word" not in kind and not kind.endswith("/xml"):
                    raise LoadError("", "is an Office package, but not a Word document")
                return relation.target
        if "word/document.xml" in self:
            return "word/document.xml"
        raise LoadError("", "holds no Word document; it is damaged or another kind of package")

    def properties(self) -> dict[str, str]:
        """Title, author and dates as the file states them."""
        relations = self.relations("").values()
        parts = [relation.target for relation in relations if relation.kind == "core-properties"]
        part = next((part for part in parts if part in self), "docProps/core.xml")
        found = Properties(_PROPERTIES)
        if part in self:
            self._read_side_part(part, found)
        return found.values

    def _read_side_part(self, part: str, handler: _ContentTypes | _Relations | Properties) -> None:
        try:
            problem = read_xml(self.read(part), handler, self._watch, part)
        except LoadError as error:
            problem = error.reason
        if problem:
            self.problems.append(f"{part} is damaged ({problem})")


class _ContentTypes:
    def __init__(self) -> None:
        self._parts: dict[str, str] = {}
        self._extensions: dict[str, str] = {}

    def start(self, name: str, attributes: Attributes) -> None:
        kind = attributes.get("ContentType").lower()
        if name == "ct:Override":
            self._parts[attributes.get("PartName").lstrip("/").lower()] = kind
        elif name == "ct:Default":
            self._extensions[attributes.get("Extension").lower()] = kind

    def end(self, name: str) -> None: ...
    def data(self, text: str) -> None: ...

    def of(self, part: str) -> str:
        extension = posixpath.splitext(part)[1].lstrip(".").lower()
        return self._parts.get(part.lower()) or self._extensions.get(extension, "")


class _Relations:
    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.relations: dict[str, Relation] = {}

    def start(self, name: str, attributes: Attributes) -> None:
        if name != "rel:Relationship" or len(self.relations) >= _MAX_RELATIONS:
            return
        is_external = attributes.get("TargetMode").lower() == "external"
        target = attributes.get("Target")
        if not is_external:
            target = self._resolved(target)
        kind = attributes.get("Type").rpartition("/")[2]
        self.relations[attributes.get("Id")] = Relation(kind, target, is_external)

    def _resolved(self, target: str) -> str:
        target = unquote(target.partition("#")[0]).replace("\\", "/")
        if target.startswith("/"):
            return posixpath.normpath(target.lstrip("/"))
        return posixpath.normpath(posixpath.join(self._folder, target))

    def end(self, name: str) -> None: ...
    def data(self, text: str) -> None: ...


class Properties:
    """Collects the text of named elements, bounded; the first of each name counts."""

    def __init__(self, wanted: dict[str, str]) -> None:
        self._wanted = wanted
        self._key = ""
        self._length = 0
        self._pieces: list[str] = []
        self.values: dict[str, str] = {}

    def start(self, name: str, attributes: Attributes) -> None:
        key = self._wanted.get(name, "")
        if key and not self._key and key not in self.values:
            self._key, self._pieces, self._length = key, [], 0

    def data(self, text: str) -> None:
        if self._key and self._length < _MAX_VALUE:
            self._pieces.append(text[:_MAX_VALUE])
            self._length += len(text)

    def end(self, name: str) -> None:
        if self._key and self._wanted.get(name) == self._key:
            value = " ".join("".join(self._pieces)[:_MAX_VALUE].split())
            if value:
                self.values[self._key] = value
            self._key = ""
