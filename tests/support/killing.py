"""What the kill campaign runs in its children: an indexing run, with or without a seeded bug."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from chunkscope.core.indexing import pipeline
from chunkscope.core.indexing.pipeline import Indexer
from chunkscope.core.loaders.files import load_file
from chunkscope.core.model import content_hash
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.search.dense import DenseIndex
from chunkscope.core.search.dense_files import DenseIndexes
from chunkscope.core.store import commit, profiles
from chunkscope.core.workspace import Workspace, chunk
from chunkscope.core.workspace import workspace as facade
from support.documents import plain_document
from support.hashing import provide
from support.stored import SMALL

PROFILE = SMALL
Tell = Callable[[str], object]
_WORDS = ("harbour", "lamp", "keeper", "gull", "tide", "stone", "bell", "rope", "sail", "net")


class Library:
    """A folder of files in versions: some change, some come, some go."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.folder = folder
        self._random = chance
        self._texts: dict[str, str] = {}
        self._hashes: dict[str, list[str]] = {}
        folder.mkdir(parents=True)

    def write_next_version(self) -> int:
        """Change the folder; how many files there are to be indexed now."""
        count = 0
        for name in (f"file{number:02d}.txt" for number in range(24)):
            if name in self._texts and self._random.random() < 0.1:
                del self._texts[name]
                (self.folder / name).unlink()
            elif name not in self._texts or self._random.random() < 0.8:
                self._write(name)
                count += 1
        return count

    def _write(self, name: str) -> None:
        text = self._texts.get(name, "")
        lines = [self._sentence() for _ in range(self._random.randrange(4, 40))]
        # A changed file keeps its first half: those chunks' vectors are used again.
        self._texts[name] = text[: len(text) // 2] + "\n\n".join(lines)
        path = self.folder / name
        path.write_text(self._texts[name], "utf-8")
        digest = content_hash(self._texts[name].encode())
        self._hashes.setdefault(str(path), []).append(digest)

    def _sentence(self) -> str:
        words = self._random.choices(_WORDS, k=self._random.randrange(5, 20))
        return " ".join(words).capitalize() + "."

    def known_hashes(self, source: str) -> list[str]:
        return self._hashes.get(source, [])

    def present_hash(self, source: str) -> str:
        return self._hashes[source][-1]


class CommitsBeforeChunks(Indexer):
    """The document is committed when it arrives, its chunks later."""

    def _collect(self, prepared, source):  # type: ignore[no-untyped-def]
        with self._store.transaction() as connection:
            commit._put_document(connection, self._key, prepared)
        super()._collect(prepared, source)


class AcknowledgesBeforeCommit(Indexer):
    """A document is reported as done when it is cut."""

    def _collect(self, prepared, source):  # type: ignore[no-untyped-def]
        self._tools.acknowledge(prepared.document.id, self.report.profile_id)
        super()._collect(prepared, source)


class _Undone(Exception):
    pass


class SavesVectorsBeforeCommit(Indexer):
    """The file of vectors is written as soon as they are there, before the rows are committed."""

    def _flush(self) -> None:
        full = self._slice
        if not full.prepared:
            return
        fresh = self._embed(full.texts, [prepared for prepared, _ in full.prepared])
        try:
            with self._store.transaction() as connection:
                for prepared, _ in full.prepared:
                    commit.put(connection, self._key, self._version, prepared, fresh)
                stored = profiles.find(connection, self.report.profile_id)
                DenseIndexes(self._store).rebuild(connection, stored)
                raise _Undone
        except _Undone:
            super()._flush()


BUGS: dict[str, type[Indexer]] = {
    "commit-before-chunks": CommitsBeforeChunks,
    "acknowledge-before-commit": AcknowledgesBeforeCommit,
    "vectors-before-commit": SavesVectorsBeforeCommit,
}


def preload() -> None:
    """What every child needs, loaded once before they are forked."""
    chunk(plain_document("Warm the tables. " * 40), PROFILE)
    DenseIndex(8)


def open_workspace(folder: Path) -> Workspace:
    return Workspace.open(folder, embedders=provide)


def index_all(folder: Path, files: Path, tell: Tell, bug: str = "") -> None:
    """Index a folder and say what is committed; small slices, so that many instants differ."""
    pipeline.SLICE = 24
    if bug:
        facade.Indexer = BUGS[bug]
    with Sandbox(workers=1) as sandbox:
        load_file(next(files.iterdir()), sandbox)  # the worker is up before the clock runs
        with Workspace.open(folder, embedders=provide, sandbox=sandbox) as workspace:
            tell("ready")
            workspace.index(
                [files],
                PROFILE,
                prune=True,
                acknowledge=lambda identity, _: tell(f"ack {identity}"),
            )
