"""Chat logs."""

from __future__ import annotations


def is_chat(sample: str) -> bool:
    return False
