"""EPUB: the chapters of the spine, one after the other, as one document."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.archive import Archive
from chunkscope.core.loaders.base import Draft, Source, register
from chunkscope.core.loaders.builder import TextBuilder
from chunkscope.core.loaders.html.loader import decode_markup
from chunkscope.core.loaders.html.walk import walk_html
from chunkscope.core.sandbox.watch import Watch

if TYPE_CHECKING:
    from lxml.etree import _Element

MEDIA_TYPE = "application/epub+zip"
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_MAX_CHAPTERS = 5_000
_MAX_VALUE = 500
_NO_DOCTYPE = "holds XML with a DOCTYPE where an EPUB has none"


@register("epub", "EPUB", ".epub", is_markup=True)
def load_epub(source: Source, watch: Watch) -> Iterable[Draft]:
    archive = Archive(source.data, source.limits)
    package_name, package = _package(archive)
    builder = TextBuilder(source.limits.allowed_characters(len(source.data)))
    warnings: list[str] = []
    chapters, missing = _chapters(package, posixpath.dirname(package_name))
    locked = _encrypted(archive)
    for number, name in enumerate(chapters, start=1):
        watch.progress(number, len(chapters), name)
        if name in locked:
            missing.append(f"chapter {number}: is encrypted; load a copy without protection")
            continue
        try:
            markup, told = decode_markup(archive.read(name))
        except LoadError as problem:
            missing.append(f"chapter {number}: {problem.reason}")
            continue
        facts = walk_html(markup, builder, watch, shows_something=False)
        missing += [f"chapter {number}: {line}" for line in facts.missing]
        warnings += [f"chapter {number}: {line}" for line in [*told, *facts.warnings]]
    text, blocks, broken = builder.finish()
    metadata = _metadata(package)
    yield Draft(
        text,
        blocks,
        MEDIA_TYPE,
        title=metadata.get("title", ""),
        metadata=metadata,
        warnings=[*warnings, *broken],
        missing=missing,
    )


def _package(archive: Archive) -> tuple[str, _Element]:
    """The file that lists the chapters."""
    name = next((n for n in archive.names if n.lower().endswith(".opf")), "")
    if _CONTAINER in archive:
        roots = _parse(archive.read(_CONTAINER)).iterfind(".//{*}rootfile")
        name = next((root.get("full-path") or name for root in roots), name)
    if not name:
        raise LoadError("", "is an EPUB without a list of its chapters; it may be damaged")
    return name, _parse(archive.read(name))


def _parse(data: bytes) -> _Element:
    from lxml import etree

    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise LoadError("", _NO_DOCTYPE)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        root = None
    if root is None:
        raise LoadError("", "holds XML that cannot be read; it may be damaged")
    # In UTF-16 the bytes above look different; the stubs of lxml do not know `doctype`.
    info: Any = root.getroottree().docinfo
    if info.doctype:
        raise LoadError("", _NO_DOCTYPE)
    return root


def _chapters(package: _Element, folder: str) -> tuple[list[str], list[str]]:
    """The chapters in reading order, and what is missing from the list."""
    targets = {item.get("id"): item.get("href") for item in package.iterfind(".//{*}item")}
    names: list[str] = []
    unknown = 0
    for reference in package.iterfind(".//{*}itemref"):
        if target := targets.get(reference.get("idref")):
            names.append(_path(folder, target))
        else:
            unknown += 1
    if not names and not unknown:
        raise LoadError("", "is an EPUB without a list of its chapters; it may be damaged")
    missing = []
    if unknown:
        noun = "chapter" if unknown == 1 else "chapters"
        missing.append(f"{unknown:,} {noun} of the reading order: the book does not say which file")
    if len(names) > _MAX_CHAPTERS:
        missing.append(f"all after chapter {_MAX_CHAPTERS:,}: the book lists {len(names):,}")
    return names[:_MAX_CHAPTERS], missing


def _path(folder: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote(target.partition("#")[0])))


def _encrypted(archive: Archive) -> set[str]:
    """Members under copy protection, whose bytes would be taken for text."""
    if _ENCRYPTION not in archive:
        return set()
    found = _parse(archive.read(_ENCRYPTION)).iterfind(".//{*}CipherReference")
    return {_path("", element.get("URI") or "") for element in found}


def _metadata(package: _Element) -> dict[str, str]:
    found = {}
    for key in ("title", "creator", "language", "date"):
        element = package.find(f".//{{http://purl.org/dc/elements/1.1/}}{key}")
        if element is not None and element.text:
            found[key] = " ".join(element.text.split())[:_MAX_VALUE]
    return found
