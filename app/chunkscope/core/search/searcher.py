"""Search over a workspace: what the facade calls."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chunkscope.core.errors import ChunkscopeError, WrongUsage
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.search.context import DEFAULT_BUDGET, Context, Sources, assemble
from chunkscope.core.search.dense import EXACT_UP_TO, prepare
from chunkscope.core.search.dense_files import DenseIndexes
from chunkscope.core.search.explain import log_record
from chunkscope.core.search.heat import Passage, WordHeat, passage_heat
from chunkscope.core.search.inquiry import Inquiry, Tools
from chunkscope.core.search.model import Hit, SearchResult
from chunkscope.core.search.options import SearchOptions
from chunkscope.core.search.related import Related, RelatedDocument, related_chunks
from chunkscope.core.search.related import related_documents as find_related_documents
from chunkscope.core.search.rerank import QueryEmbedder
from chunkscope.core.search.templates import DEFAULT_TEMPLATE
from chunkscope.core.search.texts import Texts
from chunkscope.core.search.why_not import WhyNot, explain_absence
from chunkscope.core.store import chunks, documents, profiles, runs
from chunkscope.core.store.model import StoredProfile
from chunkscope.core.store.store import Store
from chunkscope.core.text.tokenizers import tokenizer as find_tokenizer

if TYPE_CHECKING:
    import apsw

    from chunkscope.core.store.columns import Vector

log = logging.getLogger(__name__)
CONTEXT_TOKENIZER = "cl100k_base"
EmbedderOf = Callable[[StoredProfile], QueryEmbedder]


def warm_up_search() -> None:
    """Load what the first search and its context would load."""
    prepare()
    find_tokenizer(CONTEXT_TOKENIZER).count_each(["Ready."])


class Searcher:
    """Searches a store; many threads may ask at once, and others may index meanwhile."""

    def __init__(
        self, store: Store, embedder_of: EmbedderOf, *, exact_up_to: int = EXACT_UP_TO
    ) -> None:
        self.dense = DenseIndexes(store, exact_up_to)
        self._store = store
        self._embedder_of = embedder_of
        self._texts = Texts()
        self._cross_encoders: dict[str, Any] = {}
        self._model_turn = threading.Lock()
        self._pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="search")
        # One thread: queries that are logged must not take each other for a writer.
        self._log_pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="query-log")

    def close(self) -> None:
        """Wait for what is under way; give the memory of reranking models back."""
        self._pool.shutdown(wait=True)
        self._log_pool.shutdown(wait=True)
        for model in self._cross_encoders.values():
            model.close()
        self._cross_encoders.clear()

    def flush(self) -> None:
        """Wait until the queries asked so far are logged."""
        self._log_pool.submit(lambda: None).result()

    def search(
        self,
        query: str,
        profile: str = "",
        options: SearchOptions | None = None,
        job: Job = NO_JOB,
        *,
        is_logged: bool = True,
    ) -> SearchResult:
        """The passages that fit a query; under the newest profile where none is named."""
        started = time.perf_counter()
        with self._inquiry(query, profile, options, job) as inquiry:
            result = inquiry.run()
        result = replace(result, milliseconds=(time.perf_counter() - started) * 1e3)
        if is_logged and query.strip() and not self._store.is_read_only:
            self._log_pool.submit(self._log, inquiry.profile.key, result)
        return result

    def why_not(
        self,
        query: str,
        document: str,
        start: int,
        end: int,
        profile: str = "",
        options: SearchOptions | None = None,
        job: Job = NO_JOB,
        *,
        tokenizer: str = CONTEXT_TOKENIZER,
    ) -> WhyNot:
        """Why a passage of a document is not among the results, and what would bring it in."""
        if not query.strip():
            raise WrongUsage("the query is empty: type some words")
        with self._inquiry(query, profile, options, job) as inquiry:
            result = inquiry.run()
            found = documents.find(inquiry.connection, document)

            def tokens_of(hits: Sequence[Hit]) -> int:
                context = self._assemble(inquiry.connection, hits, 1 << 40, tokenizer)
                return context.tokens

            def again(changed: SearchOptions) -> Inquiry:
                tools = self._tools(inquiry.connection, inquiry.profile, job)
                return Inquiry(
                    inquiry.connection, inquiry.profile, query, changed.checked(), tools, job
                )

            return explain_absence(inquiry, result, found, (start, end), again, tokens_of)

    def context(
        self,
        result: SearchResult,
        *,
        budget: int = DEFAULT_BUDGET,
        tokenizer: str = CONTEXT_TOKENIZER,
        template: str = DEFAULT_TEMPLATE,
    ) -> Context:
        """What a language model would get of these results."""
        with self._store.snapshot() as connection:
            return self._assemble(connection, result.hits, budget, tokenizer, template)

    def heat(
        self, query: str, passages: Sequence[Passage], profile: str = "", job: Job = NO_JOB
    ) -> tuple[WordHeat, ...]:
        """Which words of passages carried their similarity to a query."""
        with self._store.snapshot() as connection:
            stored = profiles.find(connection, profile)
        with self._model_turn:
            return passage_heat(self._embedder_of(stored), query, passages, job)

    def related(
        self, chunk_id: str, profile: str = "", count: int = 3, job: Job = NO_JOB
    ) -> tuple[Related, ...]:
        """The chunks that are nearest in meaning to one, by its key or id."""
        with self._store.snapshot() as connection:
            stored = profiles.find(connection, profile)
            index = self.dense.get(connection, stored, job)
            return related_chunks(connection, stored, index, chunk_id, count)

    def related_documents(
        self, document: str, profile: str = "", count: int = 10, threshold: float = 0.7
    ) -> tuple[RelatedDocument, ...]:
        """Documents that are near in meaning, by their pooled vectors."""
        with self._store.snapshot() as connection:
            stored = profiles.find(connection, profile)
            return find_related_documents(connection, stored, document, count, threshold)

    def refresh(self, profile: str = "", job: Job = NO_JOB) -> None:
        """After indexing: bring the vectors up to date and save them."""
        with self._store.snapshot() as connection:
            self.dense.refresh(connection, profiles.find(connection, profile), job)

    def rebuild(self, profile: str = "", job: Job = NO_JOB) -> None:
        """Make the vectors' index anew from the rows; nothing is embedded."""
        with self._store.snapshot() as connection:
            self.dense.rebuild(connection, profiles.find(connection, profile), job)

    # --- how it is done

    @contextmanager
    def _inquiry(
        self, query: str, profile: str, options: SearchOptions | None, job: Job
    ) -> Iterator[Inquiry]:
        """One state of the database for the whole search."""
        chosen = (options or SearchOptions()).checked()
        with self._store.snapshot() as connection:
            stored = profiles.find(connection, profile)
            tools = self._tools(connection, stored, job)
            yield Inquiry(connection, stored, query, chosen, tools, job)

    def _tools(self, connection: apsw.Connection, profile: StoredProfile, job: Job) -> Tools:
        return Tools(
            embedder=lambda: self._embedder_of(profile),
            index=lambda: self.dense.get(connection, profile, job),
            in_background=self._in_background,
            texts=self._texts,
            load_cross_encoder=self._cross_encoder,
        )

    def _in_background(self, embed: Callable[[], Vector]) -> Future[Vector]:
        def take_turn() -> Vector:
            with self._model_turn:
                return embed()

        return self._pool.submit(take_turn)

    def _cross_encoder(self, path: str) -> Any:
        if path not in self._cross_encoders:
            from chunkscope.core.embedding.cross_encoder import CrossEncoder

            self._cross_encoders[path] = CrossEncoder(path)
        return self._cross_encoders[path]

    def _assemble(
        self,
        connection: apsw.Connection,
        hits: Sequence[Hit],
        budget: int,
        tokenizer: str,
        template: str = DEFAULT_TEMPLATE,
    ) -> Context:
        counter = find_tokenizer(tokenizer)
        wanted = {part.chunk for hit in hits for part in hit.stitched.parts}
        read = {chunk.key: chunk for chunk in chunks.rows(connection, sorted(wanted))}
        texts = {chunk.document: self._texts.get(connection, chunk) for chunk in read.values()}
        return assemble(
            [hit for hit in hits if all(part.chunk in read for part in hit.stitched.parts)],
            Sources(texts, read),
            lambda text: counter.count_each([text])[0],
            budget=budget,
            tokenizer=tokenizer,
            template=template,
        )

    def _log(self, profile: int, result: SearchResult) -> None:
        """Keep the query with its story, unless somebody writes just now; never an error."""
        try:
            with self._store.idle_transaction() as connection:
                if connection is not None:
                    body = json.dumps(log_record(result), ensure_ascii=True)
                    text = result.query.encode("utf-8", "replace").decode()
                    runs.log_query(
                        connection, profile, text[:10_000], str(result.options.mode), body
                    )
        except ChunkscopeError as problem:
            log.info("the query was not logged: %s", problem)
