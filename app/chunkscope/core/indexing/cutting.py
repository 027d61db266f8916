"""One document cut for the index: by the profile's strategy, or whole where it is short."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunkscope.core.chunking.analysis import Analysis, Segment
from chunkscope.core.chunking.chunks import Chunk, Chunking
from chunkscope.core.chunking.engine import chunk_analysed
from chunkscope.core.chunking.packed import Packed
from chunkscope.core.chunking.strategies.base import Cut
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.model import Document
from chunkscope.core.profile import Profile
from chunkscope.core.store.commit import Prepared

# Design A: below this a document is a passage by itself.
WHOLE_CHARACTERS = 200


def prepare(
    document: Document, origin: str, profile: Profile, segment: Segment, job: Job = NO_JOB
) -> Prepared:
    """All that will be written of a document, but its vectors."""
    how = profile.parameters
    # Not from a cache: every document passes here once, and its tables are large.
    analysis = Analysis(
        document, segmenter=how.segmenter, language=how.language, segment=segment, job=job
    )
    chunks, is_whole = cut(analysis, profile)
    return Prepared.of(document, origin, chunks, is_whole)


def cut(analysis: Analysis, profile: Profile) -> tuple[Sequence[Chunk], bool]:
    """The chunks, and whether the document stands there as one."""
    chunking = chunk_analysed(
        analysis, profile.strategy, profile.parameters, profile.model, profile.id_form
    )
    is_short = len(analysis.text) < WHOLE_CHARACTERS and not chunking.left_out
    if is_short and len(chunking) > 1:
        chunking = _whole(chunking, profile)
    return list(chunking), len(chunking) <= 1


def _whole(chunking: Chunking, profile: Profile) -> Chunking:
    """One chunk from the first character of the first to the last of the last."""
    start, end = chunking.starts[:1], chunking.ends[-1:]
    ruler = chunking.strategy.ruler(chunking.analysis)
    one = Cut(Packed(start, end, np.asarray(ruler.raw(start, end))))
    return Chunking(
        chunking.analysis, profile.strategy, chunking.strategy, one, profile.model, profile.id_form
    )
