"""start.py sets up once, says what it cannot do, and repairs what was interrupted."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module, with its environment in an empty folder."""
    spec = importlib.util.spec_from_file_location("start", ROOT / "start.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(module, "STAMP", tmp_path / "stamp.json")
    return module


@pytest.fixture
def calls(start: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What pip would have installed."""
    made: list[tuple[str, ...]] = []
    monkeypatch.setattr(start, "pip", lambda *what: made.append(what))
    monkeypatch.setattr(start, "install_system_libraries", lambda: None)
    monkeypatch.setattr(start, "create_environment", lambda: None)
    return made


def test_a_second_start_installs_nothing(start: ModuleType, calls: list[tuple[str, ...]]) -> None:
    start.set_up(set())
    start.set_up(set())
    assert calls == [("--editable", str(ROOT))]


def test_extras_are_added_and_kept(start: ModuleType, calls: list[tuple[str, ...]]) -> None:
    start.set_up({"dev"})
    start.set_up({"models"})
    start.set_up({"dev"})
    assert calls[1] == ("torch==2.13.0",), "torch comes first and pinned"
    assert calls[2] == ("--editable", f"{ROOT}[dev,models]")
    assert len(calls) == 3


def test_an_interrupted_set_up_is_done_again(
    start: ModuleType, calls: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: str) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(start, "pip", interrupted)
        with pytest.raises(KeyboardInterrupt):
            start.set_up(set())
    start.set_up(set())
    start.STAMP.write_text("{damaged", encoding="utf-8")
    start.set_up(set())
    assert len(calls) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="apt is Debian's")
def test_without_root_the_exact_command_is_printed(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(start.shutil, "which", lambda _: "/usr/bin/apt-get")
    monkeypatch.setattr(start, "can_load", lambda library: library != "libEGL.so.1")
    start.install_system_libraries()
    command = "sudo apt-get install --yes --no-install-recommends libegl1"
    assert command in capsys.readouterr().err
