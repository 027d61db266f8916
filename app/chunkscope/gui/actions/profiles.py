"""The profile: use, save, open, rename, reset, copy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QInputDialog

from chunkscope.core.export.settings import as_command
from chunkscope.core.profile import Profile
from chunkscope.gui.errors import attempt

if TYPE_CHECKING:
    from chunkscope.gui.main_window import MainWindow

_FILTER = "Profiles (*.toml)"


def use(window: MainWindow, profile: Profile) -> None:
    window.state.set_profile(profile, f"Profile {profile.name}")


def save(window: MainWindow) -> None:
    suggestion = f"{window.state.profile.name}.toml"
    chosen, _ = QFileDialog.getSaveFileName(window, "Save the profile", suggestion, _FILTER)
    if chosen:
        path = Path(chosen)
        attempt(window, lambda: save_to(window, path if path.suffix else path.with_suffix(".toml")))


def save_to(window: MainWindow, path: Path) -> None:
    """Save under a file's name, which becomes the profile's."""
    named = replace(window.state.profile, name=path.stem)
    named.save(path)
    use(window, named)
    window.state.mark_saved()
    window.tell(f"Saved as {path}.")


def open_(window: MainWindow) -> None:
    chosen, _ = QFileDialog.getOpenFileName(window, "Open a profile", "", _FILTER)
    if chosen:
        attempt(window, lambda: open_from(window, chosen))


def open_from(window: MainWindow, path: str) -> None:
    use(window, Profile.read(path))
    window.state.mark_saved()


def rename(window: MainWindow) -> None:
    name, is_ok = QInputDialog.getText(
        window, "Rename the profile", "Name", text=window.state.profile.name
    )
    if is_ok and name.strip():
        use(window, replace(window.state.profile, name=name.strip()))


def reset(window: MainWindow) -> None:
    """Back to what was last saved or opened."""
    use(window, window.state.saved_profile)


def copy_toml(window: MainWindow) -> None:
    QGuiApplication.clipboard().setText(window.state.profile.to_toml())
    window.tell("The profile is on the clipboard as TOML.")


def copy_command(window: MainWindow) -> None:
    document = window.state.document
    paths = [document.source] if document is not None and document.source else ["PATH"]
    QGuiApplication.clipboard().setText(as_command(window.state.profile, paths))
    window.tell("The command that gives the same chunks is on the clipboard.")
