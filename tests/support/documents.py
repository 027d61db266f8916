"""Documents made from text in this process, without a worker."""

from __future__ import annotations

from chunkscope.core.loaders.base import Draft, LoadOptions
from chunkscope.core.model import Document, content_hash, document_id
from support.parsing import parse_one


def plain_document(text: str) -> Document:
    return _document(parse_one(text, "a.txt", LoadOptions(format="text")))


def markdown_document(text: str) -> Document:
    return _document(parse_one(text, "a.md", LoadOptions(format="markdown")))


def document_of(text: str, name: str) -> Document:
    return _document(parse_one(text, name))


def _document(draft: Draft) -> Document:
    digest = content_hash(draft.text.encode())
    identity = document_id("", digest)
    return Document(identity, draft.title, "", draft.media_type, draft.text, draft.blocks, digest)
