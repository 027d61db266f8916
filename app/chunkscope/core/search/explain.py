"""Results, their whole story, contexts and absences as plain records for JSON."""

from __future__ import annotations

from typing import Any

from chunkscope.core.search.context import Context
from chunkscope.core.search.model import Candidate, Hit, MatchedTerm, Ranks, Scores, SearchResult

_LOGGED = 20


def hit_record(hit: Hit) -> dict[str, Any]:
    """One result, under the names that are the same everywhere."""
    chunk = hit.chunk
    return {
        "rank": hit.rank,
        "chunk_id": chunk.id,
        "document_id": chunk.document_id,
        "title": chunk.title,
        "source": chunk.source,
        "heading_chain": list(chunk.heading_chain),
        "page": chunk.page,
        "start": chunk.start,
        "end": chunk.end,
        "text": hit.text,
        "stitched": {
            "start": hit.stitched.start,
            "end": hit.stitched.end,
            "text": hit.stitched.text,
        },
        "scores": _scores(hit.scores),
        "ranks": {"lexical": hit.ranks.lexical, "semantic": hit.ranks.semantic},
        "matched_terms": [_matched(term) for term in hit.matched_terms],
    }


def result_record(result: SearchResult, *, with_waterfall: bool = False) -> dict[str, Any]:
    """A whole answer; with every candidate's story where it is asked for."""
    record: dict[str, Any] = {
        "query": result.query,
        "profile": result.profile,
        "mode": str(result.options.mode),
        "route": result.route or None,
        "notes": list(result.notes),
        "hits": [hit_record(hit) for hit in result.hits],
    }
    if result.options.group != "chunk":
        record["documents"] = [
            {
                "rank": each.rank,
                "document_id": each.document_id,
                "title": each.title,
                "source": each.source,
                "hits": [hit.rank for hit in each.hits],
            }
            for each in result.by_document
        ]
    if with_waterfall:
        record["explain"] = waterfall_record(result)
    return record


def waterfall_record(result: SearchResult) -> dict[str, Any]:
    """Stages and candidates."""
    return {
        "options": result.options.record(),
        "milliseconds": round(result.milliseconds, 3),
        "stages": [
            {
                "name": stage.name,
                "given": stage.given,
                "kept": stage.kept,
                "milliseconds": round(stage.milliseconds, 3),
                "note": stage.note,
            }
            for stage in result.waterfall.stages
        ],
        "candidates": [candidate_record(each) for each in result.waterfall.candidates],
    }


def candidate_record(candidate: Candidate) -> dict[str, Any]:
    return {
        "chunk_id": candidate.chunk_id,
        "document_id": candidate.document_id,
        "rank": candidate.rank,
        "ranks": _ranks(candidate.ranks),
        "scores": _scores(candidate.scores),
        "dropped_at": candidate.stage or None,
        "rule": candidate.rule or None,
    }


def log_record(result: SearchResult) -> dict[str, Any]:
    """What is kept in the log of queries: the story of the best candidates."""
    record = waterfall_record(result)
    record["candidates"] = record["candidates"][:_LOGGED]
    return {"route": result.route or None, "notes": list(result.notes), **record}


def context_record(context: Context) -> dict[str, Any]:
    """A context with the origin of each character."""
    return {
        "text": context.text,
        "tokens": context.tokens,
        "budget": context.budget,
        "tokenizer": context.tokenizer,
        "template": context.template,
        "included": list(context.included),
        "parts": [
            {
                "start": part.start,
                "end": part.end,
                "role": part.role,
                "rank": part.rank or None,
                "document_id": part.document_id or None,
                "chunk_id": part.chunk_id or None,
                "document_start": part.document_start if part.document_id else None,
                "document_end": part.document_end if part.document_id else None,
            }
            for part in context.rendered.parts
        ],
        "left_out": [
            {
                "rank": each.rank,
                "chunk_id": each.chunk_id,
                "document_id": each.document_id,
                "what": each.what,
                "rule": each.rule,
            }
            for each in context.left_out
        ],
        "repeats": [
            {
                "rank": each.rank,
                "document_id": each.document_id,
                "start": each.start,
                "end": each.end,
            }
            for each in context.repeats
        ],
    }


def _matched(term: MatchedTerm) -> dict[str, Any]:
    return {
        "term": term.term,
        "spans": [list(span) for span in term.spans],
        "share": round(term.share, 6),
        "in_title": term.in_title,
        "in_headings": term.in_headings,
    }


def _scores(scores: Scores) -> dict[str, float | None]:
    return {
        name: None if value is None else round(value, 6)
        for name, value in zip(Scores._fields, scores, strict=True)
    }


def _ranks(ranks: Ranks) -> dict[str, int | None]:
    return dict(zip(Ranks._fields, ranks, strict=True))
