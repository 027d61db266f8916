"""How loaded documents stand to the index: whether a search would see them as they are now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.indexing.identity import profile_id
from chunkscope.core.profile import Profile
from chunkscope.core.store.model import StoredProfile, Waiting
from chunkscope.core.store.standing import IndexRecord


class Standing(StrEnum):
    """Where a document stands; the stale ones say what has changed since."""

    NOT_INDEXED = "not indexed"
    INDEXED = "indexed"
    TEXT_CHANGED = "stale: the text changed"
    PROFILE_CHANGED = "stale: the profile changed"
    MODEL_CHANGED = "stale: the model changed"
    FAILED = "failed"

    @property
    def is_stale(self) -> bool:
        return self.name.endswith("_CHANGED")


@dataclass(frozen=True, slots=True)
class Stand:
    """A document's standing under a profile; `reason` tells why it failed."""

    standing: Standing
    chunks: int = 0
    reason: str = ""


def stands(
    documents: Mapping[str, str],
    profile: Profile,
    identity: str,
    stored: Sequence[StoredProfile],
    records: Iterable[IndexRecord],
    waiting: Iterable[Waiting],
) -> dict[str, Stand]:
    """The standing of documents, given as id → content hash, under the profile of this id."""
    cut_alike = {each.id for each in stored if _cuts_alike(each, profile)}
    failed = {each.document_id or each.source: each for each in waiting if each.last_error}
    by_document: dict[str, list[IndexRecord]] = {}
    for record in records:
        by_document.setdefault(record.document_id, []).append(record)
    return {
        document: Stand(Standing.FAILED, reason=failed[document].last_error)
        if document in failed and failed[document].profile == identity
        else _stand(content, identity, cut_alike, by_document.get(document, []))
        for document, content in documents.items()
    }


def _stand(
    content: str, identity: str, cut_alike: set[str], records: Sequence[IndexRecord]
) -> Stand:
    ours = next((record for record in records if record.profile_id == identity), None)
    if ours is not None:
        is_same = ours.content_hash == content
        return Stand(Standing.INDEXED if is_same else Standing.TEXT_CHANGED, ours.chunks)
    if not records:
        return Stand(Standing.NOT_INDEXED)
    if any(record.profile_id in cut_alike for record in records):
        return Stand(Standing.MODEL_CHANGED)
    return Stand(Standing.PROFILE_CHANGED)


def _cuts_alike(stored: StoredProfile, profile: Profile) -> bool:
    """Whether a stored profile differs from this one by its model alone."""
    try:
        other = Profile.from_toml(stored.toml, stored.name)
        return profile_id(other, "") == profile_id(profile, "")
    except ChunkscopeError:  # written by a program that knew other strategies or models
        return False
