"""Labels are checked against their documents, and follow a text that has moved or changed."""

from __future__ import annotations

import time
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.engine import chunk_analysed
from chunkscope.core.evaluation.corpus import Corpus, gold_of
from chunkscope.core.evaluation.drafts import draft_questions
from chunkscope.core.evaluation.live import DocumentLabels, Fate
from chunkscope.core.evaluation.query_set import Passage, QueryClass, QuerySet, Question
from chunkscope.core.evaluation.validate import Trouble, nearest, repair, validate
from chunkscope.core.model import Document
from chunkscope.core.profile import Profile
from support.documents import markdown_document, plain_document

TEXT = (
    "The lighthouse was built in 1854 by the Stevenson brothers.\n\n"
    "Its lamp burned paraffin until the year 1912, when it was electrified.\n\n"
    "The keeper's cottage stands to the north. The keeper's cottage stands to the north.\n"
)


def named(text: str, name: str = "light.txt") -> Document:
    document = plain_document(text)
    return replace(document, source=f"/somewhere/{name}", id=f"doc_{name}")


def one(passage: Passage) -> QuerySet:
    return QuerySet((Question.new("When was it built?", [passage]),))


def label(quote: str, text: str = TEXT, document: str = "light.txt") -> Passage:
    start = text.index(quote)
    return Passage(document, start, start + len(quote), quote)


def troubles(passage: Passage, text: str = TEXT) -> list[Trouble]:
    return [each.trouble for each in validate(one(passage), Corpus([named(text)]))]


BUILT = label("The lighthouse was built in 1854")


@pytest.mark.parametrize("name", ["light.txt", "light", "/somewhere/light.txt", "doc_light.txt"])
def test_documents_go_by_several_names(name: str) -> None:
    assert troubles(replace(BUILT, document=name)) == []


def test_every_trouble_is_told() -> None:
    assert troubles(replace(BUILT, document="other.txt")) == [Trouble.UNKNOWN_DOCUMENT]
    assert troubles(replace(BUILT, end=9_000)) == [Trouble.OUTSIDE]
    assert troubles(replace(BUILT, start=3, end=35)) == [Trouble.CHANGED]
    assert troubles(label("1854")) == [Trouble.TOO_SHORT]
    assert troubles(label("The keeper's cottage stands")) == [Trouble.AMBIGUOUS]


def test_two_documents_of_one_name_are_not_guessed() -> None:
    twins = [replace(named(TEXT), id="a"), replace(named(TEXT + "."), id="b")]
    found = validate(one(BUILT), Corpus(twins))
    assert "could be several" in found[0].sentence


def test_a_moved_passage_is_found_and_repaired() -> None:
    corpus = Corpus([named("A new preface.\n\n" + TEXT)])
    queries = one(BUILT)
    assert len(gold_of(queries, corpus)) == 0
    findings = validate(queries, corpus)
    assert findings[0].similarity == 1.0
    assert findings[0].blocks
    mended = repair(queries, findings)
    assert validate(mended, corpus) == []
    assert len(gold_of(mended, corpus)) == 1


def test_a_changed_passage_is_proposed_with_its_likeness() -> None:
    text = TEXT.replace("until the year 1912", "until about 1913")
    passage = label("Its lamp burned paraffin until the year 1912, when it was electrified.")
    found = validate(one(passage), Corpus([named("New first words.\n\n" + text)]))[0]
    assert found.proposal is not None
    assert found.proposal.text == (
        "Its lamp burned paraffin until about 1913, when it was electrified."
    )
    assert 0.85 < found.similarity < 1


def test_what_is_gone_gets_no_proposal() -> None:
    found = validate(one(BUILT), Corpus([named("Something about bees and their honey. " * 5)]))
    assert found[0].proposal is None
    assert "label it anew" in found[0].sentence


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_passage_survives_edits_around_and_inside(data: st.DataObject) -> None:
    words = [sha256(bytes([number])).hexdigest()[:7] for number in range(120)]
    first = data.draw(st.integers(0, 90))
    quote = " ".join(words[first : first + 20])
    changed = list(words)
    for _ in range(data.draw(st.integers(0, 3))):
        changed[data.draw(st.integers(first + 1, first + 18))] = "other"
    before = "lorem ipsum " * data.draw(st.integers(0, 50))
    found = nearest(Passage("a", 0, len(quote), quote), before + " ".join(changed))
    assert found is not None
    start, end, alike = found
    assert (before + " ".join(changed))[start:end].split()[:1] == words[first : first + 1]
    assert end - start == pytest.approx(len(quote), abs=12)
    assert alike > 0.8


def test_large_documents_take_moments() -> None:
    text = ("All work and no play makes a dull document. " * 120_000) + TEXT
    passage = label("Its lamp burned paraffin until the year 1912, when it was electrified.")
    changed = text.replace("paraffin", "petroleum")
    begun = time.perf_counter()
    found = nearest(passage, changed)
    assert time.perf_counter() - begun < 2.0
    assert found is not None
    assert "petroleum" in changed[found[0] : found[1]]


MARKDOWN = """# Lighthouses

## How is the lamp lit?

Paraffin was pumped by hand to a mantle that glowed white.

## Keepers

A keeper is a person who tends the lamp through the night, winding its clockwork.
The Stevenson family designed 97 lighthouses around Scotland over four generations.
The Stevenson family also wrote novels about islands, treasure and lighthouses.
"""


def test_drafts_quote_their_passages() -> None:
    drafts = draft_questions(Analysis(markdown_document(MARKDOWN)))
    texts = [draft.question.text for draft in drafts]
    assert "How is the lamp lit?" in texts
    assert "What is a keeper?" in [text.lower().replace("what", "What") for text in texts]
    assert len(texts) == len(set(texts))
    for draft in drafts:
        passage = draft.question.expected[0]
        assert MARKDOWN[passage.start : passage.end] == passage.text
        assert draft.question.kind is QueryClass.KEYWORD


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("Aab is. \n#1é"), max_size=200), st.integers(1, 5))
def test_drafts_of_any_text_are_valid(text: str, most: int) -> None:
    analysis = Analysis(markdown_document(text))
    drafts = draft_questions(analysis, most)
    assert len(drafts) <= most
    for draft in drafts:
        passage = draft.question.expected[0]
        assert passage.text == analysis.text[passage.start : passage.end] != ""


def test_live_measures_lay_every_passage_over_the_bands() -> None:
    document = named(TEXT)
    queries = QuerySet(
        (
            Question.new("When was it built, and when electrified?", [BUILT, label("year 1912")]),
            Question.new("Elsewhere?", [replace(BUILT, document="other.txt")]),
        )
    )
    labels = DocumentLabels(queries, document)
    assert len(labels) == 2
    how = Profile.of("character", max_size=20, min_size=0)
    found = labels.measure(
        chunk_analysed(Analysis(document), how.strategy, how.parameters, how.model)
    )
    first = found.passages[0]
    assert (first.span.start, first.fate, first.chunks) == (0, Fate.SPLIT, 2)
    assert 0 < found.precision_omega < 1
    whole = Profile.of("character", max_size=2000)
    found = labels.measure(
        chunk_analysed(Analysis(document), whole.strategy, whole.parameters, whole.model)
    )
    assert (found.count(Fate.WHOLE), found.whole_share) == (2, 1.0)
