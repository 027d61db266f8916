"""Load a file, cut a document: what a script needs without a workspace."""

from __future__ import annotations

import atexit
import os
from functools import cache
from pathlib import Path

from chunkscope.core.analyses import Analyses
from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.chunking.engine import chunk_analysed
from chunkscope.core.errors import LoadError
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.loaders.base import LoadOptions
from chunkscope.core.loaders.files import load_file
from chunkscope.core.model import Document
from chunkscope.core.profile import Profile
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.segmenting import segment
from chunkscope.core.text.codepoints import Offsets
from chunkscope.core.text.graphemes import Clusters


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


@cache
def shared_analyses() -> Analyses:
    """What is known of the documents that were chunked last."""
    return Analyses(segmented)


def segmented(
    text: str,
    paragraphs: Offsets,
    segmenter: str,
    language: str,
    job: Job,
    clusters: Clusters,
) -> Offsets:
    """Where sentences start; large or suspicious texts are cut by the shared workers."""
    sandbox = shared_sandbox()
    return segment(text, paragraphs, segmenter, language, sandbox, job, clusters=clusters)


def chunk(document: Document, profile: Profile | None = None, *, job: Job = NO_JOB) -> Chunking:
    """The chunks of a document; without a profile by the preset auto-256."""
    profile = (profile or Profile.preset("auto-256")).checked()
    how = profile.parameters
    analysis = shared_analyses().get(document, how.segmenter, how.language, job)
    return chunk_analysed(analysis, profile.strategy, how, profile.model, profile.id_form)
