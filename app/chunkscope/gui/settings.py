"""What changes the window and not the results: remembered between starts."""

from __future__ import annotations

from dataclasses import asdict, replace

from PySide6.QtCore import QByteArray, QSettings

from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.profile import Profile
from chunkscope.gui.preferences import Preferences, from_texts

_RECENT = 12


class Settings:
    """Geometry, theme, zoom, recent files, the last profile."""

    def __init__(self, store: QSettings | None = None) -> None:
        self._store = store or QSettings("Chunkscope", "Chunkscope")

    def geometry(self) -> tuple[QByteArray | None, QByteArray | None]:
        found = self._store.value("window/geometry"), self._store.value("window/state")
        geometry, state = (value if isinstance(value, QByteArray) else None for value in found)
        return geometry, state

    def save_geometry(self, geometry: QByteArray, state: QByteArray) -> None:
        self._store.setValue("window/geometry", geometry)
        self._store.setValue("window/state", state)

    def preferences(self) -> Preferences:
        """What was set in the settings."""
        self._store.beginGroup("settings")
        texts = {name: str(self._store.value(name)) for name in self._store.childKeys()}
        self._store.endGroup()
        return from_texts(texts)

    def set_preferences(self, wanted: Preferences) -> None:
        for name, value in asdict(wanted).items():
            self._store.setValue(f"settings/{name}", str(value))

    def theme(self) -> str:
        """One of `preferences.THEMES`."""
        return self.preferences().theme

    def set_theme(self, name: str) -> None:
        if name != self.theme():
            self.set_preferences(replace(self.preferences(), theme=name))

    def zoom(self) -> float:
        try:
            return float(str(self._store.value("preview/zoom", 1.0)))
        except ValueError:
            return 1.0

    def set_zoom(self, zoom: float) -> None:
        self._store.setValue("preview/zoom", zoom)

    def wraps(self) -> bool:
        return str(self._store.value("preview/wrap", "true")) == "true"

    def set_wraps(self, wraps: bool) -> None:
        self._store.setValue("preview/wrap", "true" if wraps else "false")

    def recent(self) -> list[str]:
        return self._texts("files/recent")

    def add_recent(self, paths: list[str]) -> None:
        kept = [path for path in self.recent() if path not in paths]
        self._store.setValue("files/recent", [*paths, *kept][:_RECENT])

    def recent_workspaces(self) -> list[str]:
        return self._texts("workspaces/recent")

    def add_recent_workspace(self, folder: str) -> None:
        kept = [each for each in self.recent_workspaces() if each != folder]
        self._store.setValue("workspaces/recent", [folder, *kept][:_RECENT])

    def indexes_at_once(self) -> bool:
        """Whether documents are indexed as they come."""
        return str(self._store.value("index/at_once", "false")) == "true"

    def set_indexes_at_once(self, is_on: bool) -> None:
        self._store.setValue("index/at_once", "true" if is_on else "false")

    def questions(self) -> list[str]:
        """What was searched for, the newest first."""
        return self._texts("search/history")

    def set_questions(self, questions: list[str]) -> None:
        self._store.setValue("search/history", questions)

    def _texts(self, key: str) -> list[str]:
        found = self._store.value(key, [])
        if isinstance(found, str):  # a list of one comes back as text
            return [found]
        return [str(each) for each in found] if isinstance(found, list) else []

    def profile(self) -> Profile | None:
        """The last profile, unless it can no longer be."""
        try:
            return (
                Profile.from_toml(str(self._store.value("profile", "")))
                if self._store.contains("profile")
                else None
            )
        except ChunkscopeError:
            return None

    def set_profile(self, profile: Profile) -> None:
        self._store.setValue("profile", profile.to_toml())
