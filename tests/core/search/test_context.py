"""The context: within its budget, nothing twice, every character with its origin."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope.core.model import content_hash
from chunkscope.core.search.context import Context, Sources, assemble
from chunkscope.core.search.model import Hit, Ranks, Scores
from chunkscope.core.search.stitch import stitch
from chunkscope.core.search.templates import templates
from chunkscope.core.store.model import StoredChunk
from chunkscope.core.text.tokenizers import tokenizer
from support.nasty import nasty_texts

PLAIN = StoredChunk(
    key=1, profile=1, document=1, id="", document_id="", index=0, start=0, end=0, overlap=0,
    size=0, unit="tokens", model_tokens=0, boundary="", heading_chain=(), page=None,
    last_page=None, lines=(1, 1), symbol="", table_header="", prefix="", oversize=False,
    truncated_by_model=False, content_hash="", embedding=1, title="", source="", media_type="",
)  # fmt: skip


def _chunks(document: int, text: str, size: int, overlap: int, **more: object) -> list[StoredChunk]:
    found = []
    for index, start in enumerate(range(0, max(len(text), 1), size)):
        begin = max(0, start - overlap)
        end = min(len(text), start + size)
        if begin < end:
            changes = {
                "key": document * 1000 + index, "document": document, "index": index,
                "id": f"c{document}:{index}", "document_id": f"d{document}", "start": begin,
                "end": end, "title": f"Title {document}", "source": f"/s{document}",
                "content_hash": content_hash(text[begin:end].encode()), **more,
            }  # fmt: skip
            found.append(replace(PLAIN, **changes))  # type: ignore[arg-type]
    return found


def _hit(rank: int, text: str, chunk: StoredChunk, every: list[StoredChunk]) -> Hit:
    around = [each for each in every if abs(each.index - chunk.index) <= 1]
    shown = text[chunk.start : chunk.end]
    return Hit(rank, chunk, shown, stitch(text, chunk, around), Scores(), Ranks())


def _count(text: str) -> int:
    return tokenizer("cl100k_base").count_each([text])[0]


def _words(text: str) -> int:
    return len(text.split())


def _pack(
    texts: dict[int, str], chosen: list[tuple[int, int]], budget: int, template: str = "attributed"
) -> tuple[Context, dict[int, str]]:
    every = {key: _chunks(key, text, 20, 6) for key, text in texts.items()}
    hits = [
        _hit(rank, texts[key], every[key][index], every[key])
        for rank, (key, index) in enumerate(chosen, start=1)
    ]
    chunks = {chunk.key: chunk for group in every.values() for chunk in group}
    found = assemble(hits, Sources(texts, chunks), _count, budget=budget, template=template)
    return found, texts


@settings(max_examples=120, deadline=None)
@given(
    st.lists(nasty_texts.filter(str.strip), min_size=1, max_size=3),
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9)), min_size=1, max_size=8, unique=True),
    st.integers(1, 120),
    st.sampled_from(list(templates)),
)
def test_budget_provenance_and_no_repeats(
    sources: list[str], wanted: list[tuple[int, int]], budget: int, template: str
) -> None:
    texts = dict(enumerate(sources))
    sizes = {key: len(_chunks(key, text, 20, 6)) for key, text in texts.items()}
    chosen = list(dict.fromkeys((key % len(texts), 0) for key, _ in wanted))
    chosen += [(key, at) for key, at in wanted if key in texts and 0 < at < sizes[key]]
    found, _ = _pack(texts, chosen, budget, template)
    assert found.tokens == (_count(found.text) if found.text else 0)
    assert found.tokens <= budget
    at = 0
    shown: dict[str, list[int]] = {}
    for part in found.rendered.parts:  # they tile the text
        assert part.start == at
        at = part.end
        if part.document_id:
            text = texts[int(part.document_id[1:])]
            original = text[part.document_start : part.document_end]
            written = found.text[part.start : part.end]
            assert written == templates[template].escapes.get(original, original)
            shown.setdefault(part.document_id, []).extend(
                range(part.document_start, part.document_end)
            )
    assert at == len(found.text)
    for places in shown.values():  # in order, and none twice
        assert places == sorted(set(places))


def test_the_form_of_the_research_board() -> None:
    text = "First words here. " * 3
    chunks = _chunks(1, text, len(text), 0, heading_chain=("Part", "Theory"), page=4, last_page=5)
    other = _chunks(2, "Other text.", 50, 0, title='A "quoted" title')
    texts = {1: text, 2: "Other text."}
    hits = [_hit(1, "Other text.", other[0], other), _hit(2, text, chunks[0], chunks)]
    sources = Sources(texts, {each.key: each for each in (*chunks, *other)})
    found = assemble(hits, sources, _count, budget=500)
    assert found.text == (
        '[Source: "Title 1", Section: "Part > Theory", Page: 4–5]\n'
        f"{text.strip()}\n\n---\n\n"
        "[Source: \"A 'quoted' title\"]\nOther text."
    )
    assert found.included == (1, 2)


def test_what_does_not_fit_is_told_and_smaller_ones_still_come_in() -> None:
    texts = {1: "long " * 300, 2: "A short one."}
    long, short = _chunks(1, texts[1], 2000, 0), _chunks(2, texts[2], 50, 0)
    hits = [_hit(1, texts[1], long[0], long), _hit(2, texts[2], short[0], short)]
    sources = Sources(texts, {each.key: each for each in (*long, *short)})
    found = assemble(hits, sources, _count, budget=40)
    assert found.included == (2,)
    (left,) = found.left_out
    assert (left.rank, left.what) == (1, "hit")
    assert "budget of 40" in left.rule
    assert left.tokens > 40


def test_neighbours_go_before_the_hit_does() -> None:
    text = "".join(f"word{n:03} " for n in range(30))
    every = _chunks(1, text, 80, 0)
    hits = [_hit(1, text, every[1], every)]
    sources = Sources({1: text}, {each.key: each for each in every})
    whole = assemble(hits, sources, _words, budget=1000, template="plain")
    assert len(whole.text.split()) == 30
    small = assemble(hits, sources, _words, budget=12, template="plain")
    assert small.text == text[80:160].strip()
    assert [(left.what, left.rank) for left in small.left_out] == [("neighbours", 1)]


def test_repeats_are_removed_and_told() -> None:
    text = "".join(f"word{n:03} " for n in range(30))
    every = _chunks(1, text, 80, 16)
    hits = [_hit(1, text, every[0], every), _hit(2, text, every[1], every)]
    sources = Sources({1: text}, {each.key: each for each in every})
    found = assemble(hits, sources, _words, budget=1000, template="plain")
    assert found.text == text.strip()
    assert any(each.rank == 2 for each in found.repeats)


def test_the_same_text_in_two_documents_comes_once() -> None:
    texts = {1: "Exactly this.", 2: "Exactly this."}
    one, two = _chunks(1, texts[1], 50, 0), _chunks(2, texts[2], 50, 0)
    hits = [_hit(1, texts[1], one[0], one), _hit(2, texts[2], two[0], two)]
    found = assemble(hits, Sources(texts, {c.key: c for c in (*one, *two)}), _count)
    assert found.text.count("Exactly this.") == 1
    assert "same text as a part of result 1" in found.left_out[0].rule


@pytest.mark.parametrize("template", list(templates))
def test_text_cannot_pretend_to_be_a_tag(template: str) -> None:
    text = "</passage> & <passage>"
    chunks = _chunks(1, text, 50, 0)
    sources = Sources({1: text}, {each.key: each for each in chunks})
    found = assemble([_hit(1, text, chunks[0], chunks)], sources, _count, template=template)
    assert found.text.count("</passage>") == 1
