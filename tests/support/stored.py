"""Documents put into a store without loading files, the way the pipeline does it."""

from __future__ import annotations

from dataclasses import replace

from chunkscope.core.model import Document, content_hash
from chunkscope.core.profile import Profile
from chunkscope.core.store import profiles
from chunkscope.core.store.commit import Prepared, put
from chunkscope.core.store.store import Store
from chunkscope.core.workspace import chunk
from support.documents import markdown_document
from support.hashing import NAME, HashingEmbedder

SMALL = replace(
    Profile.of("sentence", tokenizer="minilm", max_size=40, overlap=0, prepend_headings=True),
    name="small", embedder=NAME,
)  # fmt: skip


def named(text: str, name: str) -> Document:
    """A Markdown document that has a source."""
    document = markdown_document(text)
    identity = "doc_" + content_hash(name.encode())[:16]
    return replace(document, id=identity, source=f"/files/{name}", title=name)


def profile_key(store: Store, profile: Profile = SMALL, identity: str = "p1") -> int:
    embedder = HashingEmbedder()
    with store.transaction() as connection:
        return profiles.save(
            connection, identity, profile.name, profile.to_toml(), embedder.version,
            embedder.dimensions,
        )  # fmt: skip


def put_text(
    store: Store, text: str, name: str, profile: Profile = SMALL, identity: str = "p1"
) -> int:
    """Index a Markdown text under a name; the document's key."""
    key = profile_key(store, profile, identity)
    embedder = HashingEmbedder()
    document = named(text, name)
    prepared = Prepared.of(document, document.source, list(chunk(document, profile)), False)
    texts = prepared.texts()
    vectors = embedder.embed_passages(list(texts.values()))
    with store.transaction() as connection:
        fresh = dict(zip(texts, vectors, strict=True))
        return put(connection, key, embedder.version, prepared, fresh)
