"""Which indexed profile is searched, and whether it is the one that the preview shows."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.profile import Profile
from chunkscope.core.store.model import StoredProfile
from chunkscope.core.workspace import Standing
from chunkscope.gui.changes import Change, IndexChange, SearchChange
from chunkscope.gui.state import AppState
from chunkscope.gui.theme import Theme, mixed


def is_same_profile(stored: StoredProfile, profile: Profile) -> bool:
    """Whether a stored profile is this one, whatever it is called."""
    try:
        other = Profile.from_toml(stored.toml, stored.name)
    except ChunkscopeError:  # written by a program that knew other strategies or models
        return False
    return replace(other, name=profile.name) == profile


class ProfileChoice(QComboBox):
    """The profiles under which something is indexed."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.setAccessibleName("Indexed profile that is searched")
        self.setToolTip("The indexed profile that is searched, and its number of chunks")
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(10)
        self.activated.connect(self._on_chosen)
        state.index.changed.connect(self._on_index)
        state.search.changed.connect(self._on_search)
        self.fill()

    def _on_index(self, change: IndexChange) -> None:
        if (IndexChange.PROFILES | IndexChange.WORKSPACE) & change:
            self.fill()

    def _on_search(self, change: SearchChange) -> None:
        if SearchChange.OPTIONS in change:
            self._show_chosen()

    def _on_chosen(self, at: int) -> None:
        self._state.search.set_profile(str(self.itemData(at)))

    def fill(self) -> None:
        with QSignalBlocker(self):
            self.clear()
            for stored in self._state.index.profiles:
                self.addItem(f"{stored.name} ({stored.chunks:,})", stored.id)
        self.setEnabled(self.count() > 0)
        self._show_chosen()

    def _show_chosen(self) -> None:
        at = self.findData(self._state.search.profile)
        with QSignalBlocker(self):
            self.setCurrentIndex(max(at, 0) if self.count() else -1)


class ScopeBanner(QFrame):
    """Tells when what is searched is not what is shown, and offers to change that."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.setObjectName("scope")
        self.text = QLabel()
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.button = QPushButton()
        self.button.setAccessibleName("Search what the preview shows")
        self.button.clicked.connect(self._on_clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 8, 6)
        row.addWidget(self.text, 1)
        row.addWidget(self.button)
        self._target: StoredProfile | None = None
        state.changed.connect(self._on_changed)
        state.index.changed.connect(lambda _: self.look())
        state.search.changed.connect(self._on_search)
        self.look()

    def set_theme(self, theme: Theme) -> None:
        ground, edge = mixed(theme.base, theme.warning, 0.13).name(), theme.warning.name()
        self.setStyleSheet(
            f"QFrame#scope {{ background: {ground}; border-left: 3px solid {edge}; }}"
        )

    def _on_changed(self, change: Change) -> None:
        if (Change.PROFILE | Change.DOCUMENTS) & change:
            self.look()

    def _on_search(self, change: SearchChange) -> None:
        if SearchChange.OPTIONS in change:
            self.look()

    def look(self) -> None:
        """Compare what is searched with what the preview shows."""
        text, button = self._judge()
        self.text.setText(text)
        self.button.setText(button)
        self.setVisible(bool(text))

    def _judge(self) -> tuple[str, str]:
        index, profile = self._state.index, self._state.profile
        self._target = None
        if not index.profiles or index.run is not None:
            return "", ""
        behind = [s for s in index.stands.values() if s.standing is not Standing.INDEXED]
        if behind and not index.is_read_only:
            every = len(index.stands)
            count = "The library is" if len(behind) == every else f"{len(behind)} of {every} are"
            return f"{count} not indexed as the preview shows: {profile.name}.", "Update index"
        searched = self._state.search.searched_profile
        same = next((each for each in index.profiles if is_same_profile(each, profile)), None)
        if same is not None and searched is not None and same.id != searched.id:
            self._target = same
            return f"Searched is {searched.name}; the preview shows {profile.name}.", "Search that"
        return "", ""

    def _on_clicked(self) -> None:
        if self._target is not None:
            self._state.search.set_profile(self._target.id)
        else:
            self._state.index.index_all()
