"""Chunk ids in the forms of the designs; the same document and index always give the same id."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable

from chunkscope.core.registry import Registry

IdForm = Callable[[str, int, str], str]
id_forms: Registry[IdForm] = Registry("form of ids")

# Fixed for ever: ids of stored chunks depend on it.
_NAMESPACE = uuid.UUID("6d0f3f0e-6c0e-5d6b-9b53-0f2d5b3c7a11")


def text_hash(text: str) -> str:
    """SHA-256 of a chunk's text."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


@id_forms.register("hash")
def hash_id(document_id: str, index: int, content_hash: str) -> str:
    """Design D: document, index and the first eight digits of the content's hash."""
    return f"{document_id}::chunk::{index:03d}::{content_hash[:8]}"


@id_forms.register("uuid")
def uuid_id(document_id: str, index: int, _content_hash: str) -> str:
    """Designs A and C: UUID version 5 of document and index."""
    return str(uuid.uuid5(_NAMESPACE, f"{document_id}:{index}"))


@id_forms.register("index")
def index_id(document_id: str, index: int, _content_hash: str) -> str:
    """Design B: document and index."""
    return f"{document_id}:{index}"
