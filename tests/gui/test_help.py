"""Help: licences of everything, a log without anybody's text, and the self-test."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from chunkscope import __version__
from chunkscope.gui import theme as themes
from chunkscope.gui.about import AboutDialog, notices
from chunkscope.gui.actions import documents
from chunkscope.gui.actions import help as actions
from chunkscope.gui.icons import app_icon
from chunkscope.gui.log_viewer import KEPT, LogMemory, LogViewer
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.state import Status


@pytest.fixture
def memory() -> Iterator[LogMemory]:
    """Listening, as in the running program."""
    made = LogMemory()
    before = logging.getLogger("chunkscope").level
    made.install()
    yield made
    logging.getLogger().removeHandler(made)
    logging.getLogger("chunkscope").setLevel(before)


def test_about_shows_the_licence_of_every_part(qtbot: QtBot) -> None:
    dialog = AboutDialog()
    qtbot.addWidget(dialog)
    assert dialog.parts.count() == len(notices()) > 50
    for row in range(dialog.parts.count()):
        dialog.parts.setCurrentRow(row)
        assert len(dialog.text.toPlainText()) > 200, dialog.parts.item(row).text()
    dialog.filter.setText("lgpl")
    shown = [
        dialog.parts.item(row).text()
        for row in range(dialog.parts.count())
        if not dialog.parts.item(row).isHidden()
    ]
    assert [name.split()[0] for name in shown] == ["PySide6_Essentials", "shiboken6"]
    qt = next(notice for notice in notices() if notice.name == "PySide6_Essentials")
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in qt.texts[0]


def test_about_copies_the_versions(window: MainWindow, qtbot: QtBot) -> None:
    actions.show_about(window)
    dialog = window.findChild(AboutDialog)
    assert dialog is not None
    copy = next(each for each in dialog.buttons.buttons() if each.text() == "Copy versions")
    copy.click()
    assert f"Chunkscope {__version__}" in QGuiApplication.clipboard().text()
    dialog.close()


def test_the_icon_has_every_size(qtbot: QtBot) -> None:
    sizes = {size.width() for size in app_icon().availableSizes()}
    assert sizes == {16, 24, 32, 48, 64, 128, 256, 512}


def test_the_log_keeps_the_last_lines_only(memory: LogMemory) -> None:
    log = logging.getLogger("chunkscope.test")
    for number in range(KEPT + 10):
        log.info("line %d", number)
    log.info("x" * 100_000)
    log.debug("not this")
    lines = memory.lines()
    assert len(lines) == KEPT
    assert len(lines[-1].text) < 3_000
    assert not memory.lines(word="not this")


def test_the_log_is_filtered_and_copied(qtbot: QtBot, memory: LogMemory) -> None:
    viewer = LogViewer(memory, themes.light())
    qtbot.addWidget(viewer)
    log = logging.getLogger("chunkscope.test")
    log.info("<b>loaded</b> %s", "100%")
    log.warning("the disk is full")
    qtbot.waitUntil(lambda: "full" in viewer.text.toPlainText(), timeout=5_000)
    viewer.level.setCurrentText("Warnings and errors")
    assert "loaded" not in viewer.text.toPlainText()
    viewer.level.setCurrentText("Everything")
    viewer.filter.setText("LOADED")
    assert viewer.text.toPlainText().endswith("<b>loaded</b> 100%")
    viewer.copy.click()
    assert QGuiApplication.clipboard().text() == viewer.text.toPlainText()
    viewer.clear.click()
    assert viewer.text.toPlainText() == ""


def test_no_text_of_a_document_is_logged(
    window: MainWindow, qtbot: QtBot, memory: LogMemory, tmp_path_factory: pytest.TempPathFactory
) -> None:
    secret = "Rosebud"
    folder = tmp_path_factory.mktemp("private")
    (folder / "good.md").write_text(f"# {secret}\n\n{secret} was his sledge.\n", "utf-8")
    (folder / "bad.pdf").write_bytes(b"%PDF-1.7\n" + secret.encode() * 50)
    (folder / "bad.json").write_text('{"a": "' + secret, "utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(folder))])
    documents.take(window, data)
    qtbot.waitUntil(lambda: bool(window.state.entries) and not window.tasks.is_busy, timeout=30_000)
    assert any(entry.status is Status.READY for entry in window.state.entries)
    assert memory.lines(word="bad.pdf was not loaded")
    assert not memory.lines(word=secret)


def test_the_log_opens_from_the_menu(window: MainWindow) -> None:
    window.menus.actions["Log"].trigger()
    viewer = window.findChild(LogViewer)
    assert viewer is not None
    assert viewer.isVisible()
    viewer.close()


def test_the_program_passes_its_own_test() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chunkscope", "--self-test"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    steps = [line.split(":")[0] for line in done.stdout.splitlines()]
    assert steps[1:7] == ["load", "chunk", "count", "embed", "index", "search"]
    assert steps[-1] == "self-test passed"
