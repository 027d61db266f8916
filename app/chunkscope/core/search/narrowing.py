"""What is left of ranked candidates: repeats go, and what is too much, of a document or at all."""

from __future__ import annotations

from dataclasses import dataclass

from chunkscope.core.search.options import Group, SearchOptions
from chunkscope.core.search.trail import Trail
from chunkscope.core.store.model import ChunkRef


@dataclass(slots=True)
class Found:
    """Keys that are still in the race, best first, and what is known of all of them."""

    keys: list[int]
    chunks: dict[int, ChunkRef]


def drop_repeats(found: Found, trail: Trail) -> dict[int, list[str]]:
    """Passages with the same text are shown once; under each key the ids of the others."""
    repeats: dict[int, list[str]] = {}
    with trail.stage("dedup", len(found.keys)) as step:
        first: dict[bytes, int] = {}
        kept = []
        for key in found.keys:
            chunk = found.chunks[key]
            known = first.setdefault(chunk.content_hash, key)
            if known == key:
                kept.append(key)
                continue
            repeats.setdefault(known, []).append(chunk.id)
            trail.drop(key, "dedup", f"has the same text as {found.chunks[known].id}")
        step.kept = len(kept)
    found.keys = kept
    return repeats


def limit(found: Found, options: SearchOptions, trail: Trail) -> None:
    """The cap of each document, then the number that was asked for."""
    cap = 1 if options.group == Group.DOCUMENT else options.per_document_cap
    with trail.stage("limit", len(found.keys)) as step:
        counts: dict[int, int] = {}
        kept: list[int] = []
        for key in found.keys:
            document = found.chunks[key].document
            counts[document] = counts.get(document, 0) + 1
            if cap and counts[document] > cap:
                trail.drop(key, "limit", f"its document has {cap} better results")
            elif len(kept) == options.k:
                trail.drop(key, "limit", f"comes after the first {options.k}")
            else:
                kept.append(key)
        step.kept = len(kept)
        step.note = f"k = {options.k}" + (f", {cap} per document" if cap else "")
    found.keys = kept
