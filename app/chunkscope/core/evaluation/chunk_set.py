"""The chunks of all documents under a profile, ready to be searched and measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chunkscope.core.analyses import Analyses
from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.chunking.engine import chunk_analysed
from chunkscope.core.evaluation.corpus import Corpus
from chunkscope.core.evaluation.measures import Cuts
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.profile import Profile
from chunkscope.core.text.codepoints import Offsets
from chunkscope.core.text.units import Unit


@dataclass(frozen=True, slots=True, eq=False)
class ChunkSet:
    """Columns of chunks, by their number on the line."""

    cuts: Cuts
    document: Offsets
    titles: list[str]  # by document
    chains: list[tuple[str, ...]]
    texts: list[str]
    embedded: list[str]  # what the model gets: with what is put before the text
    sizes: Offsets
    model_tokens: Offsets
    read_ends: Offsets  # on the line: where the model stops reading

    def __len__(self) -> int:
        return len(self.cuts)

    def widened(self, neighbours: int) -> Cuts:
        """Each chunk with its neighbours in the same document."""
        if not neighbours:
            return self.cuts
        first, last = self.around(neighbours)
        return Cuts(self.cuts.starts[first], self.cuts.ends[last])

    def around(self, neighbours: int) -> tuple[Offsets, Offsets]:
        """The first and the last chunk that each is stitched together from."""
        numbers = np.arange(len(self))
        first = np.searchsorted(self.document, self.document, side="left")
        last = np.searchsorted(self.document, self.document, side="right") - 1
        return np.maximum(numbers - neighbours, first), np.minimum(numbers + neighbours, last)


def cut_all(
    corpus: Corpus, profile: Profile, analyses: Analyses, job: Job = NO_JOB
) -> list[Chunking]:
    """The chunkings of all documents."""
    how = profile.parameters
    found = []
    for document in corpus.documents:
        job.check()
        analysis = analyses.get(document, how.segmenter, how.language, job)
        found.append(
            chunk_analysed(analysis, profile.strategy, how, profile.model, profile.id_form)
        )
    return found


def chunk_set(corpus: Corpus, chunkings: Sequence[Chunking]) -> ChunkSet:
    """All that retrieval and measures need of chunkings."""
    pairs = [(each, at) for each in chunkings for at in range(len(each))]
    none = [np.zeros(0, np.int64)]
    counts = [len(each) for each in chunkings]
    return ChunkSet(
        corpus.cuts(chunkings),
        np.repeat(np.arange(len(chunkings)), counts),
        [document.title for document in corpus.documents],
        [each.heading_chain(at) for each, at in pairs],
        [each.text(at) for each, at in pairs],
        [each.prefix(at) + each.text(at) for each, at in pairs],
        np.concatenate([*(each.sizes for each in chunkings), *none]),
        np.concatenate([*(each.model_tokens for each in chunkings), *none]),
        np.concatenate(
            [base + _read_ends(e) for base, e in zip(corpus.bases, chunkings, strict=True)] + none
        ),
    )


def _read_ends(chunking: Chunking) -> Offsets:
    """Where the model stops reading each chunk: its end, unless it is truncated."""
    ends = chunking.ends.copy()
    ruler = chunking.analysis.ruler(Unit.TOKENS, chunking.model.tokenizer)
    for at in np.flatnonzero(chunking.truncated).tolist():
        start, end = chunking.span(at)
        raw = ruler.raw(np.array([start]), np.array([end]))
        added = int(chunking.model_tokens[at] - raw[0])
        room = chunking.model.max_tokens - added
        ends[at] = ruler.fit(start, end, room) if room > 0 else start
    return ends
