"""A plug-in for workers: whoever opens a connection is stopped by an error."""

from __future__ import annotations

import sys

FORBIDDEN = {"socket.connect", "socket.getaddrinfo", "socket.sendto", "urllib.Request"}


def _guard(event: str, _: tuple[object, ...]) -> None:
    if event in FORBIDDEN:
        raise RuntimeError(f"a worker tried to reach the network: {event}")


sys.addaudithook(_guard)
