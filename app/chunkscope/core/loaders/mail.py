"""E-mail."""

from __future__ import annotations


def is_message(head: bytes) -> bool:
    return False


def is_mailbox(head: bytes) -> bool:
    return False
