"""What a sweep retrieves is what search would: channels, fusion, neighbours, reranking, floors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.core.embedding.base import Embedder
from chunkscope.core.evaluation.bench import Bench, Caches
from chunkscope.core.evaluation.chunk_set import ChunkSet, chunk_set, cut_all
from chunkscope.core.evaluation.configuration import PLAIN, Configuration, with_settings
from chunkscope.core.evaluation.corpus import Corpus, Gold
from chunkscope.core.evaluation.failures import Failure, classify
from chunkscope.core.evaluation.measures import NONE, Cuts, TokenLine
from chunkscope.core.evaluation.plan import Settings
from chunkscope.core.evaluation.query_set import Question
from chunkscope.core.evaluation.retriever import LexicalIndex, Rankings, rank, search_dense
from chunkscope.core.evaluation.spans import Spans
from chunkscope.core.evaluation.vectors import VectorCache
from chunkscope.core.model import Document
from chunkscope.core.profile import Profile
from chunkscope.core.search.fusion import fuse

SETTINGS = Settings(racing=False, resamples=200)


def configuration(**values: object) -> Configuration:
    base = {"strategy": "recursive", "max_size": 120, "embedder": "instant"}
    return Configuration.of({**base, **values})


@pytest.fixture
def chunks(bench: Bench) -> ChunkSet:
    profile = configuration().profile
    return chunk_set(bench.corpus, cut_all(bench.corpus, profile, bench.analyses))


@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 40))
def test_dense_search_is_exact(seed: int, count: int, depth: int) -> None:
    random = np.random.default_rng(seed)
    chunks = random.normal(size=(count, 8)).astype(np.float32)
    questions = random.normal(size=(3, 8)).astype(np.float32)
    found = search_dense(chunks, questions, depth)
    exact = np.argsort(-(questions @ chunks.T), axis=1, kind="stable")[:, :depth]
    assert np.array_equal(found.ranking, exact)


def test_lexical_search_finds_words_in_titles_headings_and_text(chunks: ChunkSet) -> None:
    index = LexicalIndex(chunks)
    questions = ["potter wasp clay cell", "zzzz qqqq", 'what "junction box" OR NEAR((']
    found = index.search(questions, 10, PLAIN)
    best = found.ranking[:, 0]
    assert "potter wasp" in chunks.texts[best[0]]
    assert best[1] == NONE
    assert "junction box" in chunks.texts[best[2]]
    assert (np.diff(found.scores[0][found.ranking[0] != NONE]) <= 0).all()


def test_fusion_is_that_of_search(bench: Bench, chunks: ChunkSet, instant: Embedder) -> None:
    questions = [question.text for question in bench.gold.questions]
    lexical = LexicalIndex(chunks).search(questions, 50, PLAIN)
    semantic = search_dense(
        instant.embed_passages(chunks.embedded), instant.embed_queries(questions), 50
    )
    options = with_settings(PLAIN, {"lexical_weight": 2.0, "rrf_constant": 30.0})
    found = rank(options, lexical, semantic, 20, "instant")
    for number in range(len(questions)):
        channels = {
            "lexical": [at for at in lexical.ranking[number].tolist() if at != NONE],
            "semantic": semantic.ranking[number].tolist(),
        }
        wanted = fuse(channels, {"lexical": 2.0, "semantic": 1.0}, 30.0)[:20]
        assert found.fused[number].tolist() == [each.key for each in wanted]


def test_routed_questions_go_one_way(bench: Bench, chunks: ChunkSet, instant: Embedder) -> None:
    questions = ["potter wasp", "zzzz"]
    lexical = LexicalIndex(chunks).search(questions, 9, PLAIN)
    vectors = instant.embed_passages(chunks.embedded)
    semantic = search_dense(vectors, instant.embed_queries(questions), 9)
    options = with_settings(PLAIN, {"mode": "routed", "route_threshold": 1.0})
    found = rank(options, lexical, semantic, 9, "instant")
    assert found.fused[0, 0] == lexical.ranking[0, 0]
    assert found.fused[1].tolist() == semantic.ranking[1].tolist()


def test_floors_reject_negative_questions(bench: Bench) -> None:
    open_row = bench.evaluate(configuration(mode="semantic"), SETTINGS)
    strict = bench.evaluate(configuration(mode="semantic", similarity_floor=0.99), SETTINGS)
    assert open_row.rejected_negatives == 0.0
    assert strict.rejected_negatives == 1.0
    assert strict.class_precision()["negative"] == 1.0
    assert strict.mean("recall") < open_row.mean("recall")
    between = bench.evaluate(configuration(similarity_floor=0.3, lexical_floor=0.3), SETTINGS)
    assert 0 < between.rejected_negatives <= 1  # type: ignore[operator]
    assert between.mean("recall") > 0.3


def test_neighbours_widen_results_within_their_document(bench: Bench, chunks: ChunkSet) -> None:
    wide = chunks.widened(1)
    for number in range(len(chunks)):
        near = [
            at
            for at in (number - 1, number, number + 1)
            if 0 <= at < len(chunks) and chunks.document[at] == chunks.document[number]
        ]
        assert wide.starts[number] == chunks.cuts.starts[near[0]]
        assert wide.ends[number] == chunks.cuts.ends[near[-1]]
    alone = bench.evaluate(configuration(mode="lexical"), SETTINGS)
    stitched = bench.evaluate(configuration(mode="lexical", neighbours=1), SETTINGS)
    assert stitched.mean("recall") >= alone.mean("recall")
    assert stitched.mean("tokens") > 2 * alone.mean("tokens")


def test_reranking_orders_the_best_anew(bench: Bench) -> None:
    """By the bi-encoder alone, all of a lexical ranking comes in the order of meaning."""
    plain = bench.evaluate(configuration(mode="lexical"), SETTINGS)
    again = bench.evaluate(configuration(mode="lexical", rerank="bi-encoder"), SETTINGS)
    assert again.configuration.key != plain.configuration.key
    assert again.scores("mrr").tolist() != plain.scores("mrr").tolist()
    # The order within the first thirty changes, not what is among them.
    assert again.mean("R@8000") == pytest.approx(plain.mean("R@8000"))


def test_vectors_are_kept_on_disk(instant: Embedder, tmp_path: Path) -> None:
    texts = ["one", "two", "one"]
    first = VectorCache(instant, tmp_path).embed_passages(texts)
    before = instant.embedding_calls
    again = VectorCache(instant, tmp_path)
    assert np.array_equal(again.embed_passages(texts), first)
    assert instant.embedding_calls == before
    again.embed_queries(["one"])
    assert instant.embedding_calls == before + 1  # a question may be embedded otherwise


@pytest.mark.parametrize("damage", ["tail", "middle", "head"])
def test_damaged_vectors_are_made_again(instant: Embedder, tmp_path: Path, damage: str) -> None:
    texts = [f"text {number}" for number in range(5)]
    first = VectorCache(instant, tmp_path).embed_passages(texts)
    (path,) = tmp_path.glob("*.vectors")
    data = bytearray(path.read_bytes())
    if damage == "tail":
        del data[-7:]
    else:
        data[len(data) // 2 if damage == "middle" else 3] ^= 0xFF
    path.write_bytes(bytes(data))
    for _ in range(2):
        assert np.array_equal(VectorCache(instant, tmp_path).embed_passages(texts), first)


# ---- Why answers are missing ---------------------------------------------------------------------

LINE = TokenLine(np.arange(0, 101))  # a token for each character
CUTS = Cuts(np.arange(0, 100, 10), np.arange(10, 101, 10))


def tiny(read: int = 10) -> ChunkSet:
    """Ten chunks of ten characters; the model reads so many of each."""
    none = [""] * 10
    numbers = np.zeros(10, np.int64)
    return ChunkSet(
        CUTS, numbers, ["t"], [()] * 10, none, none, numbers + 10, numbers + 10, CUTS.starts + read
    )


def cause(
    label: tuple[int, int],
    fused: list[int],
    lexical: list[int] | None = None,
    semantic: list[int] | None = None,
    read: int = 10,
    budget: int = 30,
) -> str:
    labels = Spans.of((0, *label))
    gold = Gold((Question.new("?", []),), labels, labels, ())

    def row(numbers: list[int] | None) -> np.ndarray[tuple[int, int], np.dtype[np.int64]] | None:
        return None if numbers is None else np.array([numbers], np.int64)

    ranking = row(fused)
    assert ranking is not None
    rankings = Rankings(ranking, row(lexical), row(semantic))
    return classify(gold, tiny(read), CUTS, rankings, LINE, 3, budget)[0]


def test_every_failure_has_its_cause() -> None:
    assert cause((12, 18), [1, 2, 3, 4]) == ""
    assert cause((45, 48), [1, 2, 3, 4]) == Failure.NOT_RETRIEVED
    assert cause((28, 33), [1, 2, 5, 3]) == Failure.SPLIT
    assert cause((32, 38), [1, 2, 3], budget=20) == Failure.CUT_BY_BUDGET
    assert cause((45, 48), [1, 2, 3], [4, 1], [1, 2]) == Failure.LOST_IN_FUSION
    assert cause((45, 48), [1, 2, 3], None, [1, 2, 3], read=4) == Failure.TRUNCATED
    assert cause((41, 43), [1, 2, 3], None, [1, 2, 3], read=4) == Failure.NOT_RETRIEVED


def test_the_model_stops_reading_where_it_is_said_to(sample_documents: list[Document]) -> None:
    document = next(each for each in sample_documents if each.source.endswith("story.txt"))
    corpus = Corpus([document])
    profile = Profile.of("recursive", max_size=400)
    bench = Bench(corpus, Gold((), Spans.of(), Spans.of(), ()), Caches(lambda _: None))  # type: ignore[arg-type, return-value]
    found = chunk_set(corpus, cut_all(corpus, profile, bench.analyses))
    from chunkscope.core.text.tokenizers import tokenizer

    counter = tokenizer("minilm")
    cut_off = np.flatnonzero(found.read_ends < found.cuts.ends)
    assert len(cut_off)
    for at in cut_off.tolist():
        start, end = int(found.cuts.starts[at]), int(found.read_ends[at])
        assert 230 <= counter.count_each([document.text[start:end]])[0] <= 254
