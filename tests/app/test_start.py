"""start.py sets up once, says what it cannot do, and repairs what was interrupted."""

from __future__ import annotations

import ast
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
    monkeypatch.setattr(module, "VENV", tmp_path / "venv")
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


def test_what_is_never_loaded_is_removed(
    start: ModuleType, calls: list[tuple[str, ...]], tmp_path: Path
) -> None:
    layout = "Lib/site-packages" if os.name == "nt" else "lib/python3.11/site-packages"
    packages = tmp_path / "venv" / layout
    kept = ("PySide6/Qt/lib/libQt6Widgets.so.6", "openvino/libs/libopenvino_intel_cpu_plugin.so")
    dropped = ("PySide6/Qt/lib/libQt6Quick.so.6", "PySide6/Qt/qml/QtQml/qmldir",
               "openvino/libs/libopenvino_intel_gpu_plugin.so")  # fmt: skip
    for name in (*kept, *dropped):
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        (packages / name).touch()
    start.set_up(set())
    left = {str(path.relative_to(packages).as_posix()) for path in packages.rglob("*.*")}
    assert left.issuperset(kept)
    assert not left.intersection(dropped)


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


@pytest.mark.parametrize(
    ("arguments", "extras", "command"),
    [
        (["test", "-x"], {"dev", "models"}, ["-m", "pytest", "-n", "auto", "-x"]),
        (["--with", "models", "load", "test"], {"models"}, ["-P", "-m", "chunkscope", "load"]),
        (["bundle"], {"bundle"}, ["-m", "PyInstaller"]),
    ],
)
def test_subcommands_install_what_they_need(
    start: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    extras: set[str],
    command: list[str],
) -> None:
    installed: list[set[str]] = []
    ran: list[list[str]] = []
    monkeypatch.setattr(start, "set_up", lambda wanted: bool(installed.append(wanted)))
    monkeypatch.setattr(start, "run", lambda given: ran.append(given) or 0)
    monkeypatch.setattr(sys, "argv", ["start.py", *arguments])
    assert start.main() == 0
    assert installed == [extras]
    assert ran[0][: len(command)] == command


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


def test_a_folder_of_somebody_else_gives_a_sentence(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(sys, "argv", ["start.py", "--version"])
    assert start.main() == 1
    assert "cannot be written; run this as the owner of" in capsys.readouterr().err


def test_an_interruption_is_no_traceback(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: set[str]) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(start, "set_up", interrupted)
    monkeypatch.setattr(sys, "argv", ["start.py"])
    assert start.main() == 130
    assert "the next start goes on" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="apt is Debian's")
@pytest.mark.parametrize(("arguments", "is_told"), [([], True), (["--version"], False)])
def test_each_start_of_the_window_names_missing_libraries(
    start: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    is_told: bool,
) -> None:
    monkeypatch.setattr(start, "set_up", lambda _: False)
    monkeypatch.setattr(start, "missing_libraries", lambda: ["libegl1"])
    monkeypatch.setattr(start, "run", lambda _: 0)
    monkeypatch.setattr(sys, "argv", ["start.py", *arguments])
    assert start.main() == 0
    assert ("--no-install-recommends libegl1" in capsys.readouterr().err) is is_told


def test_without_venv_and_without_root_the_set_up_stops(
    start: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "PYTHON", tmp_path / "none")
    monkeypatch.setattr(start, "VENV", tmp_path / "venv")
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(start.SetUpError, match="venv module"):
        start.create_environment()


@pytest.mark.skipif(os.name == "nt", reason="writes a shell script")
def test_a_python_that_is_switched_off_is_passed_over(
    start: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shim = tmp_path / "python3.13"
    shim.write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))
    monkeypatch.setattr(sys, "argv", ["start.py"])
    assert start.main() == 1
    assert "needs Python 3.11, 3.12 or 3.13" in capsys.readouterr().err


def test_old_pythons_can_parse_it_to_say_what_is_needed() -> None:
    source = (ROOT / "start.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 7))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        for argument in function.args.args:
            assert not isinstance(argument.annotation, ast.Subscript), function.name
        assert not isinstance(function.returns, ast.Subscript), function.name
