"""The sentences of large texts: found in a worker, so that no paragraph can freeze the program."""

from __future__ import annotations

import faulthandler
import logging
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.sandbox import Item, Sandbox, WorkerFailed
from chunkscope.core.sandbox.shared import as_bytes
from chunkscope.core.sandbox.watch import Watch
from chunkscope.core.text.graphemes import Clusters
from chunkscope.core.text.sentences import segmenters, sentence_starts
from chunkscope.core.text.sentences.memory import key_of
from chunkscope.core.text.sentences.pysbd_rules import LONGEST
from chunkscope.core.text.sentences.starts import (
    NOTE,
    check_language,
    flatten,
    gather,
    memory,
    tidy,
)

log = logging.getLogger(__name__)

TASK = "chunkscope.core.segmenting:cut_paragraphs"
PARAGRAPH_SECONDS = 2.0
# Below this a worker's start costs more than it saves.
_SMALL = 200_000
_BATCH = 1_000_000
_GROUP = 20_000
# Each costs its time limit and a worker; a text with more of them is not prose.
_MAX_STALLS = 5
# Long runs of one mark, or of what might be a reference, are what regular expressions choke on.
_SUSPICIOUS = re.compile(r"\[[\d,\s-]{20,}|([^\w\s])\1{49,}")


@dataclass(slots=True)
class _Work:
    """The paragraphs that are still to be cut, and what is known of all of them."""

    text: str
    spans: list[list[int]]
    segmenter: str
    language: str
    seconds: float
    found: list[Sequence[int] | None] = field(default_factory=list)
    stalls: int = 0

    def paragraph(self, index: int) -> str:
        start, end = self.spans[index]
        return flatten(self.text[start:end])

    def missing(self) -> list[int]:
        return [index for index, starts in enumerate(self.found) if starts is None]

    def recall(self, job: Job) -> None:
        for index in range(len(self.spans)):
            if index % 1_000 == 0:
                job.check()
            paragraph = self.paragraph(index)
            self.found.append(memory.recall(key_of(paragraph, self.segmenter, self.language)))

    def record(self, index: int, starts: Sequence[int]) -> None:
        self.found[index] = starts
        memory.remember(key_of(self.paragraph(index), self.segmenter, self.language), starts)

    def give_up(self, index: int) -> None:
        """Cut a paragraph by the segmenter that always comes back."""
        paragraph = self.paragraph(index)
        self.record(index, tidy(paragraph, segmenters["unicode"].cut(paragraph, self.language)))


def segment(
    text: str,
    paragraphs: NDArray[np.int64],
    segmenter: str,
    language: str,
    sandbox: Sandbox,
    job: Job = NO_JOB,
    seconds: float = PARAGRAPH_SECONDS,
    clusters: Clusters | None = None,
) -> NDArray[np.int64]:
    """`sentence_starts`, but what is large or suspicious is cut in a worker with a time limit.

    A paragraph over the limit is cut by the segmenter "unicode" instead.
    """
    check_language(segmenter, language)
    if not segmenters[segmenter].is_slow:
        return sentence_starts(text, paragraphs, segmenter, language, job, clusters)
    work = _Work(text, paragraphs.tolist(), segmenter, language, seconds)
    work.recall(job)
    missing = work.missing()
    if missing and _is_harmless(work, missing):
        return sentence_starts(text, paragraphs, segmenter, language, job, clusters)
    groups = list(_groups(work, missing, _GROUP))
    while groups:
        job.step(len(work.spans) - sum(map(len, groups)), len(work.spans), NOTE)
        groups = _advance(work, groups, sandbox, job)
    return gather(text, paragraphs, [starts or [0] for starts in work.found], clusters)


def _is_harmless(work: _Work, missing: list[int]) -> bool:
    if sum(work.spans[index][1] - work.spans[index][0] for index in missing) >= _SMALL:
        return False
    paragraphs = map(work.paragraph, missing)
    return not any(len(one) > LONGEST or _SUSPICIOUS.search(one) for one in paragraphs)


def _groups(work: _Work, indexes: list[int], size: int) -> Iterator[list[int]]:
    """Neighbouring paragraphs that share a time limit, which ordinary ones never need."""
    group: list[int] = []
    length = 0
    for index in indexes:
        start, end = work.spans[index]
        if group and length + end - start > size:
            yield group
            group, length = [], 0
        group.append(index)
        length += end - start
    if group:
        yield group


def _advance(work: _Work, groups: list[list[int]], sandbox: Sandbox, job: Job) -> list[list[int]]:
    """Send one batch to a worker; the groups that remain, the guilty one taken apart."""
    count = max(1, _BATCH // _GROUP)
    batch, rest = groups[:count], groups[count:]
    done = 0
    try:
        for item in _run(work, batch, sandbox, job):
            for index, starts in zip(batch[done], _unpack(item), strict=True):
                work.record(index, starts)
            done += 1
            job.step(batch[done - 1][-1] + 1, len(work.spans), NOTE)
    except WorkerFailed as problem:
        return _blame(work, batch[done:], problem) + rest
    return batch[done:] + rest


def _blame(work: _Work, groups: list[list[int]], problem: WorkerFailed) -> list[list[int]]:
    """What to do after a worker was lost: its first open group had it at work."""
    if not groups:
        return []
    guilty, rest = groups[0], groups[1:]
    if len(guilty) > 1:
        return [[index] for index in guilty] + rest
    log.warning("a paragraph at %d is too hard (%s)", work.spans[guilty[0]][0], problem.reason)
    work.give_up(guilty[0])
    work.stalls += 1
    if work.stalls < _MAX_STALLS:
        return rest
    log.warning("%d paragraphs were too hard: the rest is cut by simpler rules", work.stalls)
    for index in work.missing():
        work.give_up(index)
    return []


def _run(work: _Work, batch: list[list[int]], sandbox: Sandbox, job: Job) -> Iterator[Item]:
    # A flat paragraph holds no line end.
    lines = "\n".join(work.paragraph(index) for group in batch for index in group)
    args = {
        "segmenter": work.segmenter,
        "language": work.language,
        "seconds": work.seconds,
        "groups": [len(group) for group in batch],
    }
    kept = {"paragraphs": bytearray(lines.encode("utf-8", "surrogatepass"))}
    return sandbox.run(TASK, args, kept=kept, job=job)


def _unpack(item: Item) -> Iterator[list[int]]:
    counts, starts = (np.frombuffer(as_bytes(blob), np.int64) for blob in item.blobs)
    return (part.tolist() for part in np.split(starts, np.cumsum(counts)[:-1]))


def cut_paragraphs(args: dict[str, Any], watch: Watch) -> None:
    """The worker's part: cut group after group, or end the process when one takes too long."""
    blob = bytes(watch.kept("paragraphs") or b"")
    lines = iter(blob.decode("utf-8", "surrogatepass").split("\n"))
    cut = segmenters[args["segmenter"]].cut
    with open(os.devnull, "w") as nowhere:
        for size in args["groups"]:
            # No thread of Python's can interrupt a regular expression; this one is not Python's.
            faulthandler.dump_traceback_later(args["seconds"], exit=True, file=nowhere)
            try:
                group = [next(lines) for _ in range(size)]
                found = [tidy(line, cut(line, args["language"])) for line in group]
            finally:
                faulthandler.cancel_dump_traceback_later()
            counts = np.array([len(starts) for starts in found], np.int64)
            starts = np.array([start for starts in found for start in starts], np.int64)
            watch.item({}, [counts.tobytes(), starts.tobytes()])
