"""How much a winner's figures hang on its exact size and on where the text begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from chunkscope.core.blocks import Blocks
from chunkscope.core.errors import WrongUsage
from chunkscope.core.evaluation.bench import Bench
from chunkscope.core.evaluation.configuration import Configuration
from chunkscope.core.evaluation.corpus import Corpus, Gold
from chunkscope.core.evaluation.plan import Settings
from chunkscope.core.evaluation.scores import Row
from chunkscope.core.evaluation.spans import Spans
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.model import Document, content_hash

_SHARES = (0.9, 1.1)


@dataclass(frozen=True, slots=True)
class Variation:
    """A configuration changed a little, and what became of its figures."""

    name: str
    row: Row


@dataclass(frozen=True, slots=True)
class Robustness:
    """A row, and its variations on the questions that all of them can be asked."""

    row: Row
    variations: tuple[Variation, ...]

    def values(self, measure: str) -> dict[str, float]:
        """The means by variation, the unchanged one first, over the questions that all have."""
        rows = {"unchanged": self.row, **{each.name: each.row for each in self.variations}}
        common = set.intersection(
            *({each.id for each in row.questions if each.values} for row in rows.values())
        )
        return {
            name: float(
                np.mean([each.values[measure] for each in row.questions if each.id in common])
            )
            if common
            else 0.0
            for name, row in rows.items()
        }

    def spread(self, measure: str) -> float:
        """Between the best and the worst."""
        values = self.values(measure).values()
        return max(values) - min(values)


def vary(
    bench: Bench, configuration: Configuration, settings: Settings, job: Job = NO_JOB
) -> Robustness:
    """Score a configuration again with its size ±10 %, and with the start of the text shifted."""
    row = bench.evaluate(configuration, settings, job)
    found = []
    for name, other in _sizes(configuration):
        found.append(Variation(name, bench.evaluate(other, settings, job)))
    for share in (1 / 3, 2 / 3):
        shift = int(share * _typical_length(row, bench))
        moved = shifted(bench, shift)
        name = f"start shifted by {shift:,} characters"
        found.append(Variation(name, moved.evaluate(configuration, settings, job)))
    return Robustness(row, tuple(found))


def _typical_length(row: Row, bench: Bench) -> float:
    total = sum(len(document.text) for document in bench.corpus.documents)
    return total / max(row.chunks, 1)


def _sizes(configuration: Configuration) -> Iterator[tuple[str, Configuration]]:
    size = getattr(configuration.profile.parameters, "max_size", 0)
    for share in _SHARES if size else ():
        changed = round(size * share)
        if changed == size:
            continue
        try:
            profile = configuration.profile.with_values({"max_size": changed})
        except WrongUsage:  # an overlap or a least size stands in the way
            continue
        yield f"max_size {changed:,}", replace(configuration, profile=profile)


def shifted(bench: Bench, shift: int) -> Bench:
    """The bench with the first characters of every document cut off, at a word's start.

    Questions with a passage in what is cut off are not asked.
    """
    starts = [_word_start(document.text, shift) for document in bench.corpus.documents]
    corpus = Corpus(
        [_without(d, start) for d, start in zip(bench.corpus.documents, starts, strict=True)]
    )
    gold = _kept_gold(bench.gold, bench.corpus, starts)
    number = bench.corpus.document_at(gold.labels.starts)
    offsets = corpus.bases[number] - bench.corpus.bases[number] - np.array(starts)[number]
    return Bench(corpus, gold.moved(offsets), bench.caches, bench.analyses)


def _kept_gold(gold: Gold, corpus: Corpus, starts: Sequence[int]) -> Gold:
    labels: Spans = gold.labels
    number = corpus.document_at(labels.starts)
    lost = labels.starts < corpus.bases[number] + np.array(starts)[number]
    gone = np.bincount(labels.group[lost], minlength=len(gold)) > 0
    return gold.take(np.flatnonzero(~gone))


def _word_start(text: str, at: int) -> int:
    at = min(at, max(len(text) - 1, 0))
    blank = text.find(" ", at)
    return blank + 1 if 0 <= blank < len(text) - 1 else at


def _without(document: Document, start: int) -> Document:
    text = document.text[start:]
    blocks = document.blocks
    inside = blocks.end > start
    moved = Blocks(
        blocks.kind[inside],
        np.maximum(blocks.start[inside] - start, 0),
        blocks.end[inside] - start,
        blocks.level[inside],
        blocks.page[inside],
        blocks.chain[inside],
        blocks.name[inside],
        blocks.chains,
        blocks.names,
    )
    return replace(
        document,
        id=f"{document.id}+{start}",
        text=text,
        blocks=moved,
        content_hash=content_hash(text.encode()),
        _line_starts=[],
    )
