"""What makes two indexings the same: all that decides chunks and vectors, and never a name."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict

from chunkscope.core.loaders.base import LoadOptions
from chunkscope.core.profile import Profile

# Raised when strategies cut, or loaders read, in another way: what was made before is made anew.
ENGINE = 1
LOADERS = 1


def profile_id(profile: Profile, embedding_version: str) -> str:
    """The id of a profile with the exact model that its vectors come from."""
    decisive = {
        "engine": ENGINE,
        "strategy": profile.strategy,
        "parameters": [[name, _plain(value)] for name, value in profile.parameters.values()],
        "id_form": profile.id_form,
        "reads": profile.model.max_tokens,
        "embedding": embedding_version,
    }
    text = json.dumps(decisive, sort_keys=True)
    return "profile_" + hashlib.sha256(text.encode()).hexdigest()[:16]


def loaded_with(options: LoadOptions) -> str:
    """How a file was read; a password changes nothing of what is in it."""
    said = {name: value for name, value in asdict(options).items() if name != "password"}
    return json.dumps({"loaders": LOADERS, **said}, sort_keys=True)


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
