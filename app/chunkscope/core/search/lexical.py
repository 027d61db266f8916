"""The lexical channel: FTS5 ranked by BM25."""

from __future__ import annotations

from chunkscope.core.search.query import MatchQuery, Term, match_query

__all__ = ["MatchQuery", "Term", "match_query"]
