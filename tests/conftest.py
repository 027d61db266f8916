"""Fixtures for every test; no test may reach the network."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from chunkscope.core.sandbox import Limits, Sandbox

TESTS = Path(__file__).resolve().parent
SHARED = TESTS.parents[1] / "shared" / "data"

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Workers find the tests' plug-ins here.
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])]
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")


@pytest.fixture(autouse=True)
def _closed_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a test tried to reach the network")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """Workers with the usual limits, which cannot open a socket."""
    with Sandbox(workers=2, plugins=["support.no_network", "support.mock_loader"]) as pool:
        yield pool


@pytest.fixture
def strict_sandbox() -> Iterator[Sandbox]:
    """Workers with limits that a test can wait for."""
    limits = Limits(stall_seconds=2.0, total_seconds=8.0, memory_bytes=700_000_000)
    plugins = ["support.no_network", "support.mock_loader"]
    with Sandbox(workers=1, limits=limits, plugins=plugins) as pool:
        yield pool


@pytest.fixture
def shared_data() -> Path:
    if not SHARED.is_dir():
        pytest.skip("the shared evaluation data is not beside this checkout")
    return SHARED
