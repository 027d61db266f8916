"""The facade that the window, the command line and scripts call."""

from __future__ import annotations

import atexit
import os
from functools import cache
from pathlib import Path

from chunkscope.core.errors import LoadError
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.loaders.base import LoadOptions
from chunkscope.core.loaders.files import Loaded, load_file, load_paths, load_text
from chunkscope.core.model import Document
from chunkscope.core.sandbox import Limits, Sandbox

__all__ = ["Limits", "LoadOptions", "Loaded", "Sandbox", "load", "load_paths", "load_text"]


@cache
def shared_sandbox() -> Sandbox:
    """The workers that scripts share; they end with the program."""
    sandbox = Sandbox(workers=min(os.cpu_count() or 1, 4))
    atexit.register(sandbox.close)
    return sandbox


def load(
    path: str | Path,
    *,
    password: str = "",
    encoding: str = "",
    format: str = "",
    job: Job = NO_JOB,
) -> Document:
    """The document in a file; a mailbox comes as one document, its threads in order."""
    options = LoadOptions(encoding=encoding, password=password, format=format, mail_view="thread")
    loaded = load_file(path, shared_sandbox(), options, job)
    if loaded.error:
        raise loaded.error
    if not loaded.documents:
        raise LoadError(loaded.source, "holds no document")
    return loaded.documents[0]
