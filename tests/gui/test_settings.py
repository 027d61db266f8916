"""Settings are found by a word, take effect at once, and survive a restart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from chunkscope.core.profile import Profile
from chunkscope.core.sandbox import Sandbox
from chunkscope.gui import theme as themes
from chunkscope.gui.actions import settings as actions
from chunkscope.gui.forms import ChoiceField, NumberField
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.preferences import DECLARED, GROUPS, Preferences, from_texts
from chunkscope.gui.settings import Settings
from chunkscope.gui.settings_dialog import FolderField, SettingsDialog


@pytest.fixture
def dialog(window: MainWindow, sandbox: Sandbox) -> Iterator[SettingsDialog]:
    limits = sandbox.limits
    made = actions.show(window)
    yield made
    actions.take(window, Preferences())
    sandbox.limits = limits
    made.close()


def test_every_setting_has_a_row_and_its_help(dialog: SettingsDialog) -> None:
    assert set(dialog.rows) == set(DECLARED)
    assert [name for names in GROUPS.values() for name in names] == list(DECLARED)
    for name, row in dialog.rows.items():
        assert DECLARED[name].param.help.casefold() in row.words


def test_a_word_finds_settings(dialog: SettingsDialog) -> None:
    def shown() -> set[str]:
        return {name for name, row in dialog.rows.items() if not row.field.isHidden()}

    dialog.search.setText("MEMORY")
    assert shown() == {"memory_limit"}
    dialog.search.setText("seconds progress")
    assert shown() == {"stall_limit"}
    dialog.search.setText("no such thing")
    assert shown() == set()
    assert not dialog._nothing.isHidden()
    dialog.search.clear()
    assert shown() == set(DECLARED)


def test_limits_reach_the_workers(dialog: SettingsDialog, sandbox: Sandbox) -> None:
    for name, value in (("memory_limit", 2_000), ("stall_limit", 45), ("time_limit", 90)):
        field = dialog.rows[name].field
        assert isinstance(field, NumberField)
        field.spin.setValue(value)
    limits = sandbox.limits
    assert (limits.memory_bytes, limits.stall_seconds, limits.total_seconds) == (2e9, 45.0, 90.0)


def test_high_contrast_is_shown_and_kept(
    dialog: SettingsDialog, window: MainWindow, settings: Settings
) -> None:
    theme = dialog.rows["theme"].field
    assert isinstance(theme, ChoiceField)
    theme.box.setCurrentText("contrast")
    theme.box.textActivated.emit("contrast")
    assert QApplication.palette().window().color() == QColor("#000000")
    assert window.menus.actions["Theme contrast"].isEnabled()
    assert settings.theme() == "contrast"


def test_fonts_change_what_is_shown_and_what_comes_later(
    dialog: SettingsDialog, window: MainWindow
) -> None:
    actions.take(window, Preferences(reading_size=20.0, window_size=15.0))
    assert window.preview.view._font.pointSizeF() == 20.0
    assert QApplication.font().pointSizeF() == 15.0
    assert themes.reading_font().pointSizeF() == 20.0
    actions.take(window, Preferences())
    assert QApplication.font() == window.usual_font


def test_a_new_profile_starts_from_the_settings(window: MainWindow) -> None:
    wanted = Preferences(tokenizer="cl100k_base", language="de", embedder="instant")
    window.settings.set_preferences(wanted)
    actions.new_profile(window)
    profile = window.state.profile
    values = dict(profile.parameters.values())
    assert (values["tokenizer"], values["language"]) == ("cl100k_base", "de")
    assert profile.embedder == "instant"
    window.state.undo_stack.undo()
    assert window.state.profile == Profile.preset("auto-256")


def test_a_model_that_has_gone_does_not_stop_a_new_profile() -> None:
    gone = Preferences(embedder="sentence-transformers:/nowhere/at/all")
    assert gone.new_profile() == Profile.preset("auto-256")


def test_settings_survive_a_restart(tmp_path: Path) -> None:
    def opened() -> Settings:
        store = QSettings(str(tmp_path / "kept.ini"), QSettings.Format.IniFormat)
        return Settings(store)

    wanted = Preferences(
        theme="dark",
        workspace_folder=str(tmp_path / "ä b, c"),
        workers=3,
        stall_limit=7.5,
        embedder="instant",
    )
    opened().set_preferences(wanted)
    assert opened().preferences() == wanted
    opened().set_theme("light")
    assert opened().preferences() == replace(wanted, theme="light")


def test_damaged_settings_fall_back_one_by_one() -> None:
    found = from_texts({"workers": "many", "theme": "pink", "stall_limit": "-1", "language": "fr"})
    assert found == Preferences(language="fr")


def test_a_folder_is_taken_when_typed(
    dialog: SettingsDialog, window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    field = dialog.rows["workspace_folder"].field
    assert isinstance(field, FolderField)
    field.line.setText(str(tmp_path))
    field.line.editingFinished.emit()
    assert window.settings.preferences().workspace() == tmp_path
    assert window.state.index.folder == tmp_path


def test_another_workspace_is_opened_at_once(
    dialog: SettingsDialog, window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    index = window.state.index

    def is_open(name: str) -> bool:
        return index.workspace is not None and index.workspace.folder == tmp_path / name

    actions.take(window, Preferences(workspace_folder=str(tmp_path / "one")))
    assert index.workspace is None, "a workspace is made when it is needed"
    index.open()
    qtbot.waitUntil(lambda: is_open("one"), timeout=30_000)
    actions.take(window, Preferences(workspace_folder=str(tmp_path / "two")))
    qtbot.waitUntil(lambda: is_open("two"), timeout=30_000)
    index.close()


def test_every_part_has_a_name_for_screen_readers(dialog: SettingsDialog) -> None:
    for line in dialog.findChildren(QLineEdit):
        is_inner = line.objectName().startswith("qt_")  # of a spin box, which has the name
        assert is_inner or line.accessibleName() or line.parentWidget().accessibleName()
