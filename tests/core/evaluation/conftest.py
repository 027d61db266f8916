"""A small bench of the sample documents and their own questions, with the instant embedder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chunkscope import paths
from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.embedding.base import Embedder, embedder
from chunkscope.core.evaluation.bench import Bench, Caches
from chunkscope.core.evaluation.corpus import Corpus, gold_of
from chunkscope.core.evaluation.drafts import draft_questions
from chunkscope.core.evaluation.query_files import read_queries
from chunkscope.core.evaluation.query_set import QuerySet, with_distinct_ids
from chunkscope.core.model import Document
from chunkscope.core.workspace import load

EVALUATION = Path(__file__).resolve().parents[4] / "shared" / "data" / "chunking-eval"
QUESTIONS = paths.resources() / "questions" / "sample_docs.jsonl"
NAMES = ("article.html", "chat.txt", "contract.docx", "enquiry.eml", "guide.epub", "handbook.md",
         "irc.log", "minutes.odt", "report.pdf", "story.txt")  # fmt: skip


@pytest.fixture(scope="session")
def evaluation_data() -> Path:
    """The folder of the public evaluation."""
    if not EVALUATION.is_dir():
        pytest.skip("the shared evaluation data is not beside this checkout")
    return EVALUATION


@pytest.fixture(scope="session")
def sample_documents() -> list[Document]:
    return [load(paths.sample_docs() / name) for name in NAMES]


@pytest.fixture(scope="session")
def sample_queries() -> QuerySet:
    return read_queries(QUESTIONS)


@pytest.fixture
def instant() -> Embedder:
    """New for each test: it counts what it embeds; its weights are loaded once a process."""
    return embedder("instant")


@pytest.fixture
def make_bench(
    sample_documents: list[Document], sample_queries: QuerySet, instant: Embedder
) -> Callable[[], Bench]:
    """A bench that has embedded nothing yet."""

    def make() -> Bench:
        corpus = Corpus(sample_documents)
        return Bench(corpus, gold_of(sample_queries, corpus), Caches(lambda _: instant))

    return make


@pytest.fixture
def bench(make_bench: Callable[[], Bench]) -> Bench:
    return make_bench()


@pytest.fixture(scope="session")
def many_queries(sample_queries: QuerySet, sample_documents: list[Document]) -> QuerySet:
    """With drafts: enough questions to race."""
    drafts = [
        draft.question
        for document in sample_documents
        for draft in draft_questions(Analysis(document), 12)
    ]
    return QuerySet(with_distinct_ids([*sample_queries.questions, *drafts]))


@pytest.fixture
def make_large_bench(
    sample_documents: list[Document], many_queries: QuerySet, instant: Embedder
) -> Callable[[], Bench]:
    def make() -> Bench:
        corpus = Corpus(sample_documents)
        return Bench(corpus, gold_of(many_queries, corpus), Caches(lambda _: instant))

    return make
