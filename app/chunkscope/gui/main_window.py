"""The window: docks, menus and actions, wired to the state."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QSize, Qt
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
)
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QFileDialog,
    QInputDialog,
    QLabel,
    QMainWindow,
    QMessageBox,
    QStackedWidget,
    QWidget,
)

from chunkscope import paths
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.profile import Profile
from chunkscope.core.sandbox import Sandbox
from chunkscope.gui import theme as themes
from chunkscope.gui.menus import Menus
from chunkscope.gui.panels.comparison import ComparisonPanel
from chunkscope.gui.panels.inspector import InspectorPanel
from chunkscope.gui.panels.library import LibraryPanel
from chunkscope.gui.panels.outline import OutlinePanel
from chunkscope.gui.panels.parameters import ParametersPanel
from chunkscope.gui.panels.presets_table import PresetsDialog
from chunkscope.gui.panels.preview import PreviewPanel
from chunkscope.gui.panels.statistics import StatisticsPanel
from chunkscope.gui.panels.welcome import WelcomePanel
from chunkscope.gui.settings import Settings
from chunkscope.gui.state import AppState, Change
from chunkscope.gui.tasks import Tasks

_FILTER = "Profiles (*.toml)"


class MainWindow(QMainWindow):
    """Everything that a person sees; the state does the work."""

    def __init__(self, sandbox: Sandbox, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.tasks = Tasks(self)
        self.state = AppState(self.tasks, sandbox, self)
        self.setWindowTitle("Chunkscope")
        self.setAcceptDrops(True)
        self.resize(1280, 800)
        self._make_panels()
        self._make_docks()
        self.menus = Menus(self)
        self._make_status()
        self.state.changed.connect(self._on_changed)
        self.state.failed.connect(self.tell)
        self._restore()

    # making

    def _make_panels(self) -> None:
        self.preview = PreviewPanel(self.state)
        self.comparison = ComparisonPanel(self.state)
        self.comparison.chosen.connect(self.use_profile)
        self.comparison.closed.connect(self.close_comparison)
        self.welcome = WelcomePanel()
        self.welcome.open_asked.connect(self.open_files)
        self.welcome.samples_asked.connect(self.open_samples)
        self.pages = QStackedWidget()
        for page in (self.welcome, self.preview, self.comparison):
            self.pages.addWidget(page)
        self.setCentralWidget(self.pages)
        self.library = LibraryPanel(self.state)
        self.outline = OutlinePanel(self.state)
        self.outline.chosen.connect(self.preview.view.go_to)
        self.parameters = ParametersPanel(self.state)
        self.statistics = StatisticsPanel(self.state)
        self.inspector = InspectorPanel(self.state)

    def _make_docks(self) -> None:
        left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
        bottom = Qt.DockWidgetArea.BottomDockWidgetArea
        self.docks = {
            name: self._dock(name, panel, area)
            for name, panel, area in (
                ("Library", self.library, left),
                ("Outline", self.outline, left),
                ("Parameters", self.parameters, right),
                ("Statistics", self.statistics, right),
                ("Chunk", self.inspector, bottom),
            )
        }
        self.setCorner(Qt.Corner.BottomLeftCorner, left)
        self.setCorner(Qt.Corner.BottomRightCorner, right)
        sides = [self.docks["Library"], self.docks["Parameters"]]
        self.resizeDocks(sides, [250, 320], Qt.Orientation.Horizontal)
        self.resizeDocks([self.docks["Chunk"]], [190], Qt.Orientation.Vertical)

    def _dock(self, name: str, panel: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(name, self)
        dock.setObjectName(f"dock {name}")
        dock.setWidget(panel)
        self.addDockWidget(area, dock)
        return dock

    def _make_status(self) -> None:
        self._summary = QLabel()
        self._summary.setTextFormat(Qt.TextFormat.PlainText)
        self._busy = QLabel()
        self.statusBar().addWidget(self._summary, 1)
        self.statusBar().addPermanentWidget(self._busy)
        self.tasks.busy_changed.connect(lambda busy: self._busy.setText("working…" if busy else ""))

    def _restore(self) -> None:
        geometry, layout = self.settings.geometry()
        if geometry is not None:
            self.restoreGeometry(geometry)
        if layout is not None:
            self.restoreState(layout)
        profile = self.settings.profile()
        if profile is not None:
            self.state.apply_profile(profile)
            self.state.saved_profile = profile
        self.preview.view.set_wrap(self.settings.wraps())
        self.preview.view.set_zoom(self.settings.zoom())
        self.set_theme(self.settings.theme())
        self._on_changed(Change.DOCUMENTS | Change.PROFILE)

    # state

    def _on_changed(self, change: Change) -> None:
        if Change.DOCUMENTS in change and self.pages.currentWidget() is not self.comparison:
            self.pages.setCurrentWidget(self.preview if self.state.entries else self.welcome)
        if (Change.PROFILE | Change.CURRENT) & change:
            self._show_title()
        if Change.CHUNKS in change:
            self._summary.setText(self._summarise())

    def _show_title(self) -> None:
        document = self.state.document
        name = f"{document.title} — " if document else ""
        mark = " •" if self.state.is_profile_changed else ""
        self.setWindowTitle(f"{name}{self.state.profile.name}{mark} — Chunkscope")

    def _summarise(self) -> str:
        preview = self.state.preview
        if preview is None:
            return ""
        bands = preview.bands
        return f"{len(bands):,} chunks by {preview.profile.strategy} · {preview.profile.name}"

    def tell(self, text: str) -> None:
        """A sentence in the status bar, for as long as it takes to read."""
        self.statusBar().showMessage(text, 10_000)

    # documents

    def open_files(self) -> None:
        chosen, _ = QFileDialog.getOpenFileNames(self, "Open documents")
        self.open_paths(chosen)

    def open_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Open a folder")
        self.open_paths([chosen] if chosen else [])

    def open_samples(self) -> None:
        self.state.open_paths([str(paths.sample_docs())])

    def open_paths(self, chosen: list[str]) -> None:
        if chosen:
            self.settings.add_recent(chosen)
            self.state.open_paths(chosen)

    def paste(self) -> None:
        """Open what the clipboard holds: files, or text."""
        if not self._take(QGuiApplication.clipboard().mimeData()):
            self.tell("The clipboard holds no text and no files.")

    def _take(self, data: QMimeData) -> bool:
        files = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
        if files:
            self.open_paths(files)
        elif data.hasText() and data.text().strip():
            self.state.open_text(data.text())
        else:
            return False
        return True

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() or event.mimeData().hasText():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if self._take(event.mimeData()):
            event.acceptProposedAction()
        else:
            self.tell("Only files on this computer and text can be dropped.")

    # profile

    def use_profile(self, profile: Profile) -> None:
        self.state.set_profile(profile, f"Profile {profile.name}")

    def save_profile(self) -> None:
        suggestion = f"{self.state.profile.name}.toml"
        chosen, _ = QFileDialog.getSaveFileName(self, "Save the profile", suggestion, _FILTER)
        if chosen:
            self._attempt(lambda: self._save_profile(Path(chosen)))

    def _save_profile(self, path: Path) -> None:
        from dataclasses import replace

        self.state.apply_profile(replace(self.state.profile, name=path.stem))
        self.state.profile.save(path)
        self.state.mark_saved()

    def open_profile(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, "Open a profile", "", _FILTER)
        if chosen:
            self._attempt(lambda: self._open_profile(chosen))

    def _open_profile(self, path: str) -> None:
        self.use_profile(Profile.read(path))
        self.state.mark_saved()

    def reset_profile(self) -> None:
        self.use_profile(self.state.saved_profile)

    def copy_profile(self) -> None:
        QGuiApplication.clipboard().setText(self.state.profile.to_toml())
        self.tell("The profile is on the clipboard as TOML.")

    def _attempt(self, action: object) -> None:
        try:
            action()  # type: ignore[operator]
        except ChunkscopeError as problem:
            box = QMessageBox(self)
            box.setIcon(QMessageBox.Icon.Warning)
            box.setTextFormat(Qt.TextFormat.PlainText)
            box.setText(str(problem))
            box.open()

    # comparison

    def add_lane(self) -> None:
        """Put the current profile beside others on the same document."""
        if self.state.document is None:
            self.tell("Open a document first.")
            return
        self.comparison.add_lane(self.state.profile)
        self.pages.setCurrentWidget(self.comparison)

    def close_comparison(self) -> None:
        self.pages.setCurrentWidget(self.preview if self.state.entries else self.welcome)

    def try_presets(self) -> None:
        if self.state.document is None:
            self.tell("Open a document first.")
            return
        dialog = PresetsDialog(self.state, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(self.use_profile)
        dialog.open()

    # view

    def set_theme(self, name: str) -> None:
        self.settings.set_theme(name)
        is_dark = name == "dark" or (name == "system" and themes.system_is_dark())
        theme = themes.dark() if is_dark else themes.light()
        QApplication.setPalette(themes.palette(theme))
        for panel in (self.preview, self.comparison, self.library, self.statistics, self.inspector):
            panel.set_theme(theme)
        self.parameters.setStyleSheet(f"QLabel#problem {{ color: {theme.error.name()}; }}")
        self.statistics.proof_button.setStyleSheet(f"color: {theme.good.name()}; text-align: left;")

    def zoom(self, steps: int) -> None:
        view = self.preview.view
        {0: view.zoom_reset, 1: view.zoom_in, -1: view.zoom_out}[steps]()
        self.settings.set_zoom(view.zoom())

    def set_wrap(self, wraps: bool) -> None:
        self.preview.view.set_wrap(wraps)
        self.settings.set_wraps(wraps)

    def go_to_chunk(self) -> None:
        preview = self.state.preview
        if preview is None or not len(preview.bands):
            return
        last = len(preview.bands) - 1
        chosen, is_ok = QInputDialog.getInt(self, "Go to chunk", f"Chunk (0–{last:,})", 0, 0, last)
        if is_ok:
            self.state.select_chunk(chosen)

    def go_to_offset(self) -> None:
        document = self.state.document
        if document is None:
            return
        last = max(len(document.text) - 1, 0)
        label = f"Offset (0–{last:,})"
        chosen, is_ok = QInputDialog.getInt(self, "Go to offset", label, 0, 0, last)
        if is_ok:
            self.preview.view.go_to(chosen)

    def sizeHint(self) -> QSize:
        return QSize(1280, 800)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing asks nothing and loses nothing: work is stopped, settings are kept."""
        self.settings.save_geometry(self.saveGeometry(), self.saveState())
        self.settings.set_profile(self.state.profile)
        self.tasks.shutdown()
        event.accept()
