"""pysbd's languages, without importing pysbd before it is needed."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

LANGUAGES = (
    "en", "hi", "mr", "zh", "es", "am", "ar", "hy", "bg", "ur", "ru", "pl",
    "fa", "nl", "da", "fr", "my", "el", "it", "ja", "de", "kk", "sk",
)  # fmt: skip


@cache
def language_module(language: str) -> Any:
    """pysbd's class of rules and abbreviations for a language, or None."""
    with warnings.catch_warnings():
        # It writes patterns without r"", of which newer Pythons warn while compiling.
        warnings.simplefilter("ignore")
        from pysbd.languages import LANGUAGE_CODES  # type: ignore[import-untyped]
    return LANGUAGE_CODES.get(language)
