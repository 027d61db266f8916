"""tiktoken's rank files, verified before tiktoken sees them."""

from __future__ import annotations

import hashlib
import os
from base64 import b64decode
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from chunkscope import paths
from chunkscope.core.errors import ChunkscopeError, DamagedResource

if TYPE_CHECKING:
    import tiktoken

# name of the encoding: (the file that tiktoken looks for in its cache, the SHA-256 it expects)
RANK_FILES = {
    "cl100k_base": (
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
    "o200k_base": (
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
}


@cache
def encoding(name: str, folder: Path | None = None) -> tiktoken.Encoding:
    """tiktoken's encoding from the rank file that comes with the program."""
    folder = folder or _folder()
    _verify(name, folder)
    # tiktoken reads the variable at each load; what a person had set is put back.
    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    try:
        import tiktoken

        return tiktoken.get_encoding(name)
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before


@cache
def rank_file(name: str) -> Path:
    """The verified file that comes with the program."""
    _verify(name, _folder())
    return _folder() / RANK_FILES[name][0]


def token_bytes(name: str) -> list[bytes]:
    """What each token stands for, by its id (0, 1, 2 … without gaps); no special ones."""
    return [b64decode(line.split()[0]) for line in rank_file(name).read_bytes().splitlines()]


def _folder() -> Path:
    return paths.resources() / "tiktoken"


def _verify(name: str, folder: Path) -> None:
    """Check the hash ourselves: tiktoken deletes a file that differs and goes to the network."""
    if name not in RANK_FILES:
        raise ChunkscopeError(f"no tokenizer is called {name!r}; known: {', '.join(RANK_FILES)}")
    file_name, expected = RANK_FILES[name]
    path = folder / file_name
    try:
        found = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as problem:
        raise DamagedResource(
            f"the rank file of {name} cannot be read ({problem}): reinstall Chunkscope"
        ) from None
    if found != expected:
        raise DamagedResource(f"the rank file of {name} is damaged ({path}): reinstall Chunkscope")
