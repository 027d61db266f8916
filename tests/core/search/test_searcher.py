"""A search from the query to its hits: modes, filters, views, floors, reranking, the log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from chunkscope.core.embedding.cross_encoder import CrossEncoder
from chunkscope.core.errors import WrongUsage
from chunkscope.core.params import BadParameter
from chunkscope.core.search.explain import result_record
from chunkscope.core.search.options import SearchOptions
from chunkscope.core.store import runs
from chunkscope.core.workspace import Workspace
from support.hashing import HashingEmbedder, provide
from support.stored import SMALL, named
from support.tiny_models import write_cross_encoder

TEXTS = {
    "tides.md": "# Tides\n\nThe tide clock in the harbour shows when high water comes, twice a day "
    "and a little later each day than the day before it.\n\n## Moon\n\nThe moon draws the sea with "
    "it, and the sun helps; when both pull together the tides are springs, and highest.",
    "bread.md": "# Bread\n\nFlour, water, salt and time make bread; the dough must rest in a warm "
    "place for some hours before it is baked in the oven.\n\n# Cake\n\nSugar, eggs and butter make "
    "cake, which needs no rest at all and is baked at once in a small tin.",
    "tokyo.md": "# 東京\n\n東京都の水道局は水を配る。",
}
TEXTS["copy.md"] = TEXTS["bread.md"]
OFF = SearchOptions(similarity_floor=0.0, lexical_floor=0.0)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("searcher")
    with Workspace.open(folder, embedders=provide) as opened:
        opened.index([named(text, name) for name, text in TEXTS.items()], SMALL)
        for number in range(12):
            opened.index([named(f"Filler {number} tells of nothing.", f"f{number}.md")], SMALL)
        yield opened


def _titles(workspace: Workspace, query: str, **changes: object) -> list[str]:
    options = replace(OFF, **changes)  # type: ignore[arg-type]
    return [hit.chunk.title for hit in workspace.search(query, options=options).hits]


@pytest.mark.parametrize("mode", ["lexical", "semantic", "hybrid", "routed"])
def test_every_mode_finds_it(workspace: Workspace, mode: str) -> None:
    assert _titles(workspace, "tide clock in the harbour", mode=mode)[0] == "tides.md"


def test_a_hit_carries_its_story(workspace: Workspace) -> None:
    result = workspace.search("tide clock", options=replace(OFF, mode="hybrid"))
    hit = result.hits[0]
    text = workspace.document(hit.chunk.document_id).text
    assert hit.text == text[hit.chunk.start : hit.chunk.end]
    assert hit.ranks.lexical == 1
    assert hit.ranks.fused == 1
    assert hit.scores.bm25 is not None
    assert hit.scores.cosine is not None
    assert hit.scores.rrf is not None
    assert {term.term for term in hit.matched_terms} == {"tide", "clock"}
    assert all(text[a:b].lower() in {"tide", "tides", "clock"}
               for term in hit.matched_terms for a, b in term.spans)  # fmt: skip
    assert hit.stitched.start <= hit.chunk.start < hit.chunk.end <= hit.stitched.end


def test_a_routed_query_says_which_way_it_went(workspace: Workspace) -> None:
    words = workspace.search("tide clock", options=replace(OFF, mode="routed"))
    assert words.route == "lexical"
    assert "Routed to words" in words.notes[0]
    weak = workspace.search(
        "tide clock", options=replace(OFF, mode="routed", route_threshold=500.0)
    )
    assert weak.route == "semantic"
    assert "is under 500" in weak.notes[0]
    assert all(hit.scores.rrf is None for hit in weak.hits)
    none = workspace.search("zzz qqq", options=replace(OFF, mode="routed"))
    assert none.route == "semantic"
    assert "no passage has the words" in none.notes[0]


def test_nonsense_gets_a_sentence_instead_of_noise(workspace: Workspace) -> None:
    options = SearchOptions(mode="hybrid", similarity_floor=0.95)
    result = workspace.search("quantum penguins rest", options=options)
    assert result.hits == ()
    assert result.notes[-1].startswith("Nothing here fits this query")
    assert all(each.stage for each in result.waterfall.candidates)
    assert workspace.search("tide clock", options=options).hits


def test_floors_can_be_turned_off(workspace: Workspace) -> None:
    assert workspace.search("quantum penguins rest", options=OFF).hits


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("", "The query is empty"),
        ("  ", "The query is empty"),
        ('"never said here" tide', "No passage has the phrase"),
        ("!!!", "There is no word"),
        ("zzzz", "no passage has its words"),
    ],
)
def test_nothing_found_is_told(workspace: Workspace, query: str, note: str) -> None:
    result = workspace.search(query, options=replace(OFF, mode="lexical"))
    assert result.hits == ()
    assert note in result.notes[-1]


def test_filters(workspace: Workspace) -> None:
    ask = "water and bread and tide"
    assert set(_titles(workspace, ask, documents=("bread.md",))) == {"bread.md"}
    assert set(_titles(workspace, ask, heading="moon")) == {"tides.md"}
    assert _titles(workspace, ask, media_types=("application/pdf",)) == []
    assert "tides.md" in _titles(workspace, ask, media_types=("text/*",))
    assert _titles(workspace, ask, pages=("3-5",)) == []
    with pytest.raises(WrongUsage, match="no document is called"):
        _titles(workspace, ask, documents=("nowhere",))
    with pytest.raises(BadParameter, match="pages must be like"):
        _titles(workspace, ask, pages=("x",))


def test_the_same_text_is_shown_once_unless_asked(workspace: Workspace) -> None:
    ask = "flour salt dough oven"
    once = workspace.search(ask, options=replace(OFF, mode="lexical"))
    assert len(once.hits[0].repeats) == 1
    assert [hit.chunk.title for hit in once.hits].count("copy.md") + [
        hit.chunk.title for hit in once.hits
    ].count("bread.md") == 1
    twice = _titles(workspace, ask, mode="lexical", show_repeats=True)
    assert {"bread.md", "copy.md"} <= set(twice)


def test_views_by_document_and_caps(workspace: Workspace) -> None:
    ask = "the moon tide water day bread cake"
    plain = workspace.search(ask, options=replace(OFF, mode="semantic", k=20))
    titles = [hit.chunk.title for hit in plain.hits]
    assert len(titles) > len(set(titles))
    capped = _titles(workspace, ask, mode="semantic", k=20, per_document_cap=1)
    assert len(capped) == len(set(capped))
    by_document = _titles(workspace, ask, mode="semantic", k=20, group="document")
    assert by_document == list(dict.fromkeys(titles))
    groups = plain.by_document
    assert [group.best.rank for group in groups] == sorted(group.best.rank for group in groups)
    assert sum(len(group.hits) for group in groups) == len(titles)


@pytest.mark.parametrize("how", ["bi-encoder", "late-interaction"])
def test_reranking_orders_the_stitched_snippets(workspace: Workspace, how: str) -> None:
    options = replace(OFF, mode="lexical", rerank=how, k=5)
    hits = workspace.search("water in the warm oven dough", options=options).hits
    scores = [hit.scores.rerank for hit in hits]
    assert None not in scores
    assert scores == sorted(scores, reverse=True)  # type: ignore[type-var]
    assert [hit.ranks.reranked for hit in hits] == sorted(hit.ranks.reranked or 0 for hit in hits)


def test_a_cross_encoder_reranks_from_its_folder(workspace: Workspace, tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    folder = write_cross_encoder(tmp_path / "cross")
    options = replace(
        OFF, mode="lexical", rerank="cross-encoder", cross_encoder=str(folder), k=5, neighbours=0
    )
    hits = workspace.search("water in the warm oven dough", options=options).hits
    model = CrossEncoder(folder)
    try:
        expected = model.scores(
            "water in the warm oven dough", [hits[0].chunk.prefix + hits[0].text]
        )
    finally:
        model.close()
    scores = [hit.scores.rerank or 0.0 for hit in hits]
    assert len(set(scores)) > 1
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == pytest.approx(float(expected[0]), abs=1e-4)


def test_stitching_follows_the_options(workspace: Workspace) -> None:
    def stitched(**changes: object) -> str:
        options = replace(OFF, mode="lexical", k=1, **changes)  # type: ignore[arg-type]
        return workspace.search("sun helps springs", options=options).hits[0].stitched.text

    assert "harbour" not in stitched(neighbours=0)
    assert "harbour" in stitched(neighbours=1)
    assert "harbour" not in stitched(neighbours=1, within_section=True)
    assert "[CHUNK BOUNDARY]" in stitched(neighbours=1, boundary_markers=True)


def test_the_waterfall_tells_of_every_candidate(workspace: Workspace) -> None:
    result = workspace.search("tide bread", options=replace(OFF, mode="hybrid", k=2))
    names = [stage.name for stage in result.waterfall.stages]
    assert names == [
        "lexical", "embedding", "semantic", "fusion", "floor", "dedup", "limit", "stitching",
    ]  # fmt: skip
    shown = [each for each in result.waterfall.candidates if each.rank]
    assert [each.rank for each in shown] == [1, 2]
    others = [each for each in result.waterfall.candidates if not each.rank]
    assert others
    assert all(each.stage and each.rule for each in others)
    json.dumps(result_record(result, with_waterfall=True))


def test_a_model_that_fails_leaves_the_words(tmp_path: Path) -> None:
    class Other(HashingEmbedder):
        version = "hashing-2"

    with Workspace.open(tmp_path, embedders=provide) as workspace:
        workspace.index([named(text, name) for name, text in TEXTS.items()], SMALL)
    with Workspace.open(tmp_path, embedders=lambda _: Other()) as workspace:
        result = workspace.search("tide clock", options=OFF)
        assert "index again" in result.notes[0]
        assert result.hits[0].chunk.title == "tides.md"
        with pytest.raises(Exception, match="index again"):
            workspace.search("tide clock", options=replace(OFF, mode="semantic"))


def test_queries_are_logged_with_their_story(workspace: Workspace) -> None:
    with Workspace.open(workspace.folder, read_only=True, embedders=provide) as reading:
        reading.search("never logged")
    workspace.search("a query to remember", options=OFF)
    workspace.searcher.flush()
    logged = runs.queries(workspace.store.reader())
    texts = [text for _, _, text, _, _ in logged]
    assert "a query to remember" in texts
    assert "never logged" not in texts
    body = json.loads(next(row[4] for row in logged if row[2] == "a query to remember"))
    assert body["stages"]
    assert body["candidates"]


def test_the_log_never_waits_for_a_writer(workspace: Workspace) -> None:
    workspace.searcher.flush()
    # Another thread: the lock is this thread's own otherwise.
    with workspace.store.transaction(), ThreadPoolExecutor(1) as other:
        found = other.submit(_idle, workspace).result(timeout=5)
    assert found is False


def _idle(workspace: Workspace) -> bool:
    with workspace.store.idle_transaction() as connection:
        return connection is not None


def test_contexts_have_a_budget_and_name_their_sources(workspace: Workspace) -> None:
    result = workspace.search("tide clock high water", options=replace(OFF, mode="lexical"))
    context = workspace.context(result, budget=70)
    assert 0 < context.tokens <= 70
    assert context.text.startswith('[Source: "')
    assert context.left_out
    whole = workspace.context(result, template="xml")
    assert whole.text.startswith("<passage ")
    with pytest.raises(WrongUsage, match="no template"):
        workspace.context(result, template="nothing")


def test_why_not_gives_exact_ranks_and_a_way_in(workspace: Workspace) -> None:
    text = workspace.document("bread.md").text
    start = text.index("Sugar")
    options = replace(OFF, mode="hybrid", k=1)
    found = workspace.why_not("tide clock moon", "bread.md", start, start + 20, options=options)
    assert not found.is_shown
    (chunk,) = found.chunks
    assert chunk.lexical_rank is None
    every = workspace.search(
        "tide clock moon", options=replace(OFF, mode="semantic", k=1000, show_repeats=True)
    )
    ranks = {hit.chunk.key: hit.rank for hit in every.hits}
    assert chunk.semantic_rank == ranks[chunk.chunk.key]
    assert found.beaten_by[0].chunk.title == "tides.md"
    assert chunk.appears_at_k
    shown = workspace.search("tide clock moon", options=replace(options, k=chunk.appears_at_k))
    assert shown.hits[-1].chunk.key == chunk.chunk.key
    budget = workspace.context(shown, budget=chunk.appears_at_budget or 0)
    assert shown.hits[-1].rank in budget.included
    assert any(f"k={chunk.appears_at_k}" in line for line in found.advice)
    assert any("none of the query's words" in line for line in found.advice)


def test_why_not_of_what_is_shown_filtered_or_nowhere(workspace: Workspace) -> None:
    text = workspace.document("tides.md").text
    at = text.index("harbour")
    shown = workspace.why_not("tide clock harbour", "tides.md", at, at + 7, options=OFF)
    assert shown.is_shown
    assert "It is shown" in shown.advice[0]
    options = replace(OFF, documents=("bread.md",))
    filtered = workspace.why_not("tide clock harbour", "tides.md", at, at + 7, options=options)
    assert "filter" in filtered.chunks[0].rule
    assert filtered.advice[0].startswith("Lift the filter")
    with pytest.raises(WrongUsage, match="is not in"):
        workspace.why_not("x", "tides.md", 5, 10_000)


def test_neighbours_by_meaning(workspace: Workspace) -> None:
    hit = workspace.search("flour dough oven", options=replace(OFF, mode="lexical")).hits[0]
    related = workspace.related(hit.chunk.id, count=3)
    assert len(related) == 3
    assert hit.chunk.content_hash not in {each.chunk.content_hash for each in related}
    cosines = [each.cosine for each in related]
    assert cosines == sorted(cosines, reverse=True)
    near = workspace.related_documents("bread.md", threshold=0.5)
    assert near[0].document.title == "copy.md"
    with pytest.raises(WrongUsage, match="no chunk"):
        workspace.related("nothing")


def test_a_script_without_spaces_is_found_in_every_mode(workspace: Workspace) -> None:
    for mode in ("lexical", "hybrid"):
        assert _titles(workspace, "水道局", mode=mode)[0] == "tokyo.md"
    told = workspace.search("水道局", options=replace(OFF, mode="lexical")).notes
    assert "pairs of letters" in told[0]


def test_searching_embeds_the_query_alone(tmp_path: Path) -> None:
    counting = HashingEmbedder()
    with Workspace.open(tmp_path, embedders=lambda _: counting) as workspace:
        workspace.index([named(text, name) for name, text in TEXTS.items()], SMALL)
        before = counting.embedding_calls
        workspace.search("tide clock", options=OFF)
        workspace.rebuild()
        assert counting.embedding_calls == before + 1
