"""The facade that the window, the command line and scripts call."""

from __future__ import annotations

from chunkscope.core.indexing.report import Failure, IndexReport
from chunkscope.core.loaders.base import LoadOptions
from chunkscope.core.loaders.files import Loaded, load_paths, load_text
from chunkscope.core.profile import Profile
from chunkscope.core.sandbox import Limits, Sandbox
from chunkscope.core.search.searcher import warm_up_search
from chunkscope.core.store.check import CheckReport
from chunkscope.core.workspace.basics import chunk, load, shared_analyses, shared_sandbox
from chunkscope.core.workspace.duplicates import Duplicate
from chunkscope.core.workspace.standing import Stand, Standing
from chunkscope.core.workspace.workspace import Rebuilt, Workspace, default_folder

__all__ = [
    "CheckReport", "Duplicate", "Failure", "IndexReport", "Limits", "LoadOptions", "Loaded",
    "Profile", "Rebuilt", "Sandbox", "Stand", "Standing", "Workspace", "chunk", "default_folder",
    "load", "load_paths", "load_text", "shared_analyses", "shared_sandbox",
    "warm_up_search",
]  # fmt: skip
