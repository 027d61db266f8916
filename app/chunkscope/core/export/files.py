"""Exports into files that appear whole or not at all, and as text."""

from __future__ import annotations

import codecs
import io
import os
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path

from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.export.base import ExportError, TargetExists, export_formats
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.profile import Profile


def save(
    path: str | Path,
    to: str,
    chunkings: Iterable[Chunking],
    profile: Profile,
    *,
    force: bool = False,
    job: Job = NO_JOB,
) -> None:
    """Write a neighbour and rename it; cancelled or failed, nothing is left and nothing changed."""
    target = Path(os.path.realpath(path))
    how = export_formats[to]
    beside = target.with_name(f".chunkscope-{secrets.token_hex(8)}.part")
    try:
        _check_target(target, force)
        with beside.open("xb") as out:
            out.write(codecs.BOM_UTF8 if how.has_bom else b"")
            how.write(chunkings, profile, out, job)
            out.flush()
            os.fsync(out.fileno())
        job.check()
        _check_target(target, force)
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise ExportError(f"{path} cannot be written: {reason}") from None
    finally:
        beside.unlink(missing_ok=True)


def as_text(to: str, chunkings: Iterable[Chunking], profile: Profile, *, job: Job = NO_JOB) -> str:
    """What a text format would write, for the clipboard."""
    how = export_formats[to]
    if not how.is_text:
        raise ExportError(f"{how.label} is no text; save it in a file")
    out = io.BytesIO()
    how.write(chunkings, profile, out, job)
    return out.getvalue().decode()


def _check_target(target: Path, force: bool) -> None:
    if target.exists() and not target.is_file():
        raise ExportError(f"{target} is no file that can be replaced")
    if target.exists() and not force:
        raise TargetExists(f"{target} exists already")
