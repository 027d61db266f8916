"""The vectors of a workspace in memory, kept in step with the database, and their files.

A file is derived and never trusted: its stamp says which state of the database it holds and which
bytes it has; whatever differs, it is made anew from the rows, with no text embedded again.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.search.dense import EXACT_UP_TO, DenseIndex, Kind
from chunkscope.core.store import selection, vectors
from chunkscope.core.store.model import StoredProfile
from chunkscope.core.store.store import Store

if TYPE_CHECKING:
    import apsw

log = logging.getLogger(__name__)
_FORMAT = 1
_FOLDER = "derived"


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a file says of itself."""

    format: int
    profile: str
    generation: int
    embedding_version: str
    dimensions: int
    count: int
    kind: str
    state: str
    sha256: str


@dataclass(slots=True)
class _Open:
    index: DenseIndex
    generation: int
    is_saved: bool


class DenseIndexes:
    """One index for each profile that was searched."""

    def __init__(self, store: Store, exact_up_to: int = EXACT_UP_TO) -> None:
        self._store = store
        self._exact_up_to = exact_up_to
        self._open: dict[str, _Open] = {}
        self._lock = threading.RLock()

    def get(
        self, connection: apsw.Connection, profile: StoredProfile, job: Job = NO_JOB
    ) -> DenseIndex:
        """The index of a profile as the database has it now."""
        with self._lock:
            found = self._open.get(profile.id)
            if found is None:
                found = self._open[profile.id] = self._load(connection, profile, job)
            elif profile.generation > found.generation:
                _catch_up(connection, profile, found)
            return found.index

    def refresh(
        self, connection: apsw.Connection, profile: StoredProfile, job: Job = NO_JOB
    ) -> None:
        """Bring an index up to date after indexing, as the graph that its size asks for, and save.

        A search never waits for a graph to be built; it takes exact search until this was called.
        """
        with self._lock:
            index = self.get(connection, profile, job)
            wants_graph = len(index) > self._exact_up_to
            if (wants_graph and index.kind != Kind.GRAPH) or index.is_worn:
                self._open[profile.id] = self._build(connection, profile, self._exact_up_to, job)
            self.save(connection, profile)

    def rebuild(
        self, connection: apsw.Connection, profile: StoredProfile, job: Job = NO_JOB
    ) -> DenseIndex:
        """Make an index anew from the rows, whatever there is, and save it."""
        with self._lock:
            self._open[profile.id] = self._build(connection, profile, self._exact_up_to, job)
            self.save(connection, profile)
            return self._open[profile.id].index

    def forget(self, profile_id: str) -> None:
        """Drop the index of a profile that is gone, with its files."""
        with self._lock:
            self._open.pop(profile_id, None)
            if not self._store.is_read_only:
                for path in self.paths(profile_id):
                    path.unlink(missing_ok=True)

    def paths(self, profile_id: str) -> tuple[Path, Path]:
        """The file of a profile, and its stamp."""
        folder = self._store.folder / _FOLDER
        return folder / f"{profile_id}.faiss", folder / f"{profile_id}.json"

    def save(self, connection: apsw.Connection, profile: StoredProfile) -> None:
        """Write the file where it is worth it; a failure is logged, the rows remain."""
        found = self._open.get(profile.id)
        if found is None or found.is_saved or self._store.is_read_only:
            return
        if found.generation != profile.generation:
            return
        data = found.index.serialised()
        stamp = Stamp(
            _FORMAT,
            profile.id,
            profile.generation,
            profile.embedding_version,
            found.index.dimensions,
            len(found.index),
            found.index.kind,
            selection.state(connection, profile.key),
            hashlib.sha256(data).hexdigest(),
        )
        try:
            _write(self.paths(profile.id), data, json.dumps(asdict(stamp), indent=1).encode())
            found.is_saved = True
        except OSError as problem:
            log.warning("the vectors of %s were not saved: %s", profile.name, problem)

    def _load(self, connection: apsw.Connection, profile: StoredProfile, job: Job) -> _Open:
        try:
            index = _read(self.paths(profile.id), profile, connection)
        except FileNotFoundError:
            index = None
        except (OSError, ValueError, KeyError, TypeError, RuntimeError) as problem:
            log.warning("the vectors of %s are read from the rows: %s", profile.name, problem)
            index = None
        if index is not None:
            return _Open(index, profile.generation, True)
        built = self._build(connection, profile, max(self._exact_up_to, profile.chunks), job)
        self._open[profile.id] = built
        self.save(connection, profile)
        return built

    def _build(
        self, connection: apsw.Connection, profile: StoredProfile, exact_up_to: int, job: Job
    ) -> _Open:
        keys, rows = vectors.matrix(connection, profile.key)
        rows = rows.reshape(len(keys), profile.dimensions)
        index = DenseIndex.build(keys, rows, exact_up_to=exact_up_to, job=job)
        return _Open(index, profile.generation, False)


def _catch_up(connection: apsw.Connection, profile: StoredProfile, found: _Open) -> None:
    """Add and remove what changed; keys are never given out twice."""
    now, then = selection.keys(connection, profile.key), found.index.keys
    found.index.remove(np.setdiff1d(then, now, assume_unique=True))
    new = np.setdiff1d(now, then, assume_unique=True)
    if len(new):
        found.index.add(new, vectors.of_chunks(connection, new.tolist()))
    found.generation = profile.generation
    found.is_saved = False


def _read(
    paths: tuple[Path, Path], profile: StoredProfile, connection: apsw.Connection
) -> DenseIndex | None:
    """The index in a file, or an error that says why it cannot be used."""
    stamp = Stamp(**json.loads(paths[1].read_text("utf-8")))
    expected = (_FORMAT, profile.id, profile.embedding_version, profile.dimensions, profile.chunks)
    if expected != (
        stamp.format, stamp.profile, stamp.embedding_version, stamp.dimensions, stamp.count,
    ):  # fmt: skip
        raise ValueError("the file is of another state")
    data = paths[0].read_bytes()
    if hashlib.sha256(data).hexdigest() != stamp.sha256:
        raise ValueError("the file is damaged")
    if selection.state(connection, profile.key) != stamp.state:
        raise ValueError("the file is of another state")
    return DenseIndex.from_bytes(data, stamp.dimensions, Kind(stamp.kind))


def _write(paths: tuple[Path, Path], data: bytes, stamp: bytes) -> None:
    """Both beside their place, then renamed: the stamp last, so that it never promises too much."""
    paths[0].parent.mkdir(mode=0o700, exist_ok=True)
    for path, content in zip(paths, (data, stamp), strict=True):
        beside = path.with_name(f"{path.name}.{os.getpid()}.new")
        beside.write_bytes(content)
        beside.replace(path)
