"""What docs/security.md promises beside the parsers: no code from data, no network, no markup."""

from __future__ import annotations

import ast
import os
import re
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from chunkscope import paths
from chunkscope.core.embedding.facts import needed_folder
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.store.store import Store
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.settings import Settings
from chunkscope.gui.state import Status

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "app").rglob("*.py"))

# Modules that make programs of data, and those that reach the network.
CODE_LOADERS = {"pickle", "cPickle", "dill", "joblib", "marshal", "shelve", "code", "runpy"}
NETWORK = {"http", "requests", "urllib.request", "urllib3", "httpx", "aiohttp", "ftplib", "smtplib",
           "xmlrpc", "ssl", "webbrowser", "PySide6.QtNetwork"}  # fmt: skip
# Descriptors between processes, and the name of this computer.
SOCKETS = {"core/sandbox/shared.py", "core/store/lock.py"}
CALLS = {"eval", "exec", "compile", "__import__"}
OPTIONS = {"shell", "trust_remote_code", "allow_pickle", "resolve_entities"}
LINKS = {"openUrl", "setOpenExternalLinks", "setOpenLinks", "setHtml", "insertHtml", "appendHtml"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT / "app" / "chunkscope").as_posix()


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_among(name: str, banned: set[str]) -> bool:
    return any(name == each or name.startswith(each + ".") for each in banned)


def faults(source: str, may_use_sockets: bool = False) -> Iterator[str]:
    """What a source file does that none may do."""
    tree = ast.parse(source)
    for name in imports(tree):
        is_socket = name == "socket" and not may_use_sockets
        if is_socket or is_among(name, CODE_LOADERS | NETWORK):
            yield f"imports {name}"
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in CALLS:
            yield f"calls {node.func.id}"
        if isinstance(node.func, ast.Attribute) and node.func.attr in LINKS:
            yield f"calls {node.func.attr}: documents are shown as text, links are not followed"
        for word in node.keywords:
            is_true = isinstance(word.value, ast.Constant) and word.value.value is True
            if word.arg in OPTIONS and is_true:
                yield f"sets {word.arg}"


def test_no_code_comes_from_data_and_nothing_calls_out() -> None:
    assert len(SOURCES) > 200
    found = [
        f"{name_of(path)} {fault}"
        for path in SOURCES
        for fault in faults(path.read_text(encoding="utf-8"), name_of(path) in SOCKETS)
    ]
    assert found == []


def test_the_search_for_faults_finds_them() -> None:
    code = "import pickle\nfrom urllib import request\nf(shell=True)\nw.setHtml(t)\neval(t)\n"
    assert len(list(faults(code))) == 5


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps a home private by itself")
def test_a_workspace_is_private_to_its_owner(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = Store.open(tmp_path / "workspace")
        with store.transaction() as connection:
            connection.execute("CREATE TABLE temporary_test (x)")
        kept = [store.folder, *store.folder.rglob("*")]
        for path in kept:
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path.name
        assert len(kept) > 3
        store.close()
    finally:
        os.umask(before)


def test_sqlite_is_opened_defensively(tmp_path: Path) -> None:
    import apsw

    store = Store.open(tmp_path / "workspace")
    try:
        with store.transaction() as connection:
            assert connection.pragma("trusted_schema") == 0
            assert connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, -1) == 1
            assert connection.pragma("foreign_keys") == 1
            connection.pragma("writable_schema", True)  # has no effect
            with pytest.raises(apsw.SQLError):
                connection.execute("UPDATE sqlite_schema SET sql = sql")
    finally:
        store.close()


def test_models_with_pickled_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}", "utf-8")
    (tmp_path / "tokenizer.json").write_text("{}", "utf-8")
    (tmp_path / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    with pytest.raises(ChunkscopeError, match="may run code when it is read"):
        needed_folder(str(tmp_path)).check()


def test_models_with_code_of_their_own_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"")
    (tmp_path / "config.json").write_text("{}", "utf-8")
    modules = '[{"idx": 0, "name": "0", "path": "", "type": "custom_st.Transformer"}]'
    (tmp_path / "modules.json").write_text(modules, "utf-8")
    with pytest.raises(ChunkscopeError, match="wants to run code of its own"):
        needed_folder(str(tmp_path)).check()


def test_modules_beside_the_documents_are_not_imported(tmp_path: Path) -> None:
    """Workers run where the user stands, and so does start.py, which has the same flag."""
    for name in ("random", "json", "chunkscope"):
        (tmp_path / f"{name}.py").write_text("open('taken over', 'w')", "utf-8")
    command = [*paths.worker_command()]
    subprocess.run(command, cwd=tmp_path, stdin=subprocess.DEVNULL, check=True)
    assert not (tmp_path / "taken over").exists()
    command.remove("-P")
    subprocess.run(
        command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    assert (tmp_path / "taken over").exists(), "without the flag this would be no test"


HOSTILE = "<img src='file:///etc/passwd'><b>HOSTILE</b>"


def test_a_document_is_never_rich_text(
    qtbot: QtBot, sandbox: Sandbox, tmp_path: Path, settings: Settings
) -> None:
    """Title, headings, text, file name and error: wherever they are shown, they are letters."""
    (tmp_path / "<b>HOSTILE<b>.md").write_text(f"# {HOSTILE}\n\n{HOSTILE} one.\n", "utf-8")
    (tmp_path / "<i>HOSTILE<i>.pdf").write_bytes(b"%PDF-1.4\nnothing")
    window = MainWindow(sandbox, settings)
    qtbot.addWidget(window)
    window.show()
    window.state.open_paths([str(tmp_path)])
    qtbot.waitUntil(
        lambda: window.state.preview is not None and not window.tasks.is_busy, timeout=30_000
    )
    assert {entry.status for entry in window.state.entries} >= {Status.READY}
    window.state.select_chunk(0)
    qtbot.waitUntil(lambda: window.inspector.chunk is not None, timeout=5_000)
    labels = [label for label in window.findChildren(QLabel) if "HOSTILE" in label.text()]
    assert labels
    for label in labels:
        assert label.textFormat() is Qt.TextFormat.PlainText, label.text()
    for widget in window.findChildren(QWidget):
        if "HOSTILE" in widget.toolTip():
            assert "<img" not in widget.toolTip()
            assert "<b>" not in widget.toolTip()
    window.close()


@pytest.fixture
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    from PySide6.QtCore import QSettings

    file = tmp_path_factory.mktemp("settings") / "settings.ini"
    return Settings(QSettings(str(file), QSettings.Format.IniFormat))


def test_every_test_that_the_document_names_exists() -> None:
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", text)
    assert len(named) > 25
    for file, test in named:
        source = (ROOT / "tests" / file).read_text(encoding="utf-8")
        assert f"def {test}(" in source, f"{file}::{test}"
