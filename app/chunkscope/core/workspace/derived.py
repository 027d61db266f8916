"""Files that are made from the database and can always be made again."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator
from pathlib import Path

from chunkscope.core.search.dense_files import Stamp
from chunkscope.core.store import profiles, selection
from chunkscope.core.store.check_documents import Problem
from chunkscope.core.store.model import StoredProfile
from chunkscope.core.store.store import Store

log = logging.getLogger(__name__)

FOLDER = "derived"
# What a process that was killed while it wrote a file left behind.
_LEFTOVERS = ("*.new", "backups/*.new", "derived/*.new")


def clean(folder: Path) -> None:
    """Remove what a killed process left; for the one that holds the writer's lock."""
    for pattern in _LEFTOVERS:
        for path in folder.glob(pattern):
            try:
                path.unlink(missing_ok=True)
            except OSError as problem:  # it is in nobody's way
                log.info("what a killed process left stays: %s", problem)


def remove(folder: Path, profile_id: str) -> int:
    """Remove the files of one profile; how many there were."""
    found = list((folder / FOLDER).glob(f"{profile_id}.*"))
    for path in found:
        path.unlink(missing_ok=True)
    return len(found)


def remove_stale(store: Store) -> None:
    """Remove files of another state than the database's: they may hold what was removed."""
    for stored in profiles.rows(store.reader()):
        stamp = _stamp(store.folder, stored.id)
        if stamp is None or stamp.generation != stored.generation:
            remove(store.folder, stored.id)


def remove_all(store: Store) -> int:
    """Remove every derived file; how many there were."""
    found = list((store.folder / FOLDER).glob("*"))
    for path in found:
        path.unlink(missing_ok=True)
    return len(found)


def problems(store: Store) -> Iterator[Problem]:
    """Files of profiles that are gone, and files that say what the database does not."""
    every = {stored.id: stored for stored in profiles.rows(store.reader())}
    for path in sorted((store.folder / FOLDER).glob("*")):
        if path.name.split(".")[0] not in every:
            yield Problem("derived file", f"{path.name} belongs to no profile")
    for stored in every.values():
        yield from _vectors(store, stored)


def _vectors(store: Store, stored: StoredProfile) -> Iterator[Problem]:
    """A file that is behind is harmless: it is made anew when it is needed."""
    stamp = _stamp(store.folder, stored.id)
    if stamp is None or stamp.generation < stored.generation:
        return
    name = f"{stored.id}.faiss"
    if stamp.generation > stored.generation:
        yield Problem("derived file", f"{name} is ahead of the database")
    elif stamp.state != selection.state(store.reader(), stored.key):
        yield Problem("derived file", f"{name} holds another state than the database")
    elif _sha256(store.folder / FOLDER / name) != stamp.sha256:
        yield Problem("derived file", f"{name} was altered")


def _stamp(folder: Path, profile_id: str) -> Stamp | None:
    try:
        text = (folder / FOLDER / f"{profile_id}.json").read_text("utf-8")
        return Stamp(**json.loads(text))
    except (OSError, ValueError, TypeError):
        return None


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
