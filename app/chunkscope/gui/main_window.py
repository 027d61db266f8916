"""The window: pages, docks and menus, wired to the state; actions/ holds what they do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from platformdirs import user_cache_path
from PySide6.QtCore import QByteArray, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QStackedWidget, QWidget

from chunkscope.core.sandbox import Sandbox
from chunkscope.gui.actions import documents, profiles
from chunkscope.gui.actions import index as index_actions
from chunkscope.gui.actions import search as search_actions
from chunkscope.gui.actions import settings as settings_actions
from chunkscope.gui.actions import tuning as tuning_actions
from chunkscope.gui.docks import make_docks
from chunkscope.gui.gold_marks import GoldMarks
from chunkscope.gui.index_strip import IndexStrip
from chunkscope.gui.log_viewer import LogMemory
from chunkscope.gui.menus import Menus
from chunkscope.gui.panels.comparison import ComparisonPanel
from chunkscope.gui.panels.inspector import InspectorPanel
from chunkscope.gui.panels.library import LibraryPanel
from chunkscope.gui.panels.parameters import ParametersPanel
from chunkscope.gui.panels.preview import PreviewPanel
from chunkscope.gui.panels.search.panel import SearchPanel
from chunkscope.gui.panels.statistics import StatisticsPanel
from chunkscope.gui.panels.welcome import WelcomePanel
from chunkscope.gui.passage_marks import PassageMarks
from chunkscope.gui.settings import Settings
from chunkscope.gui.state import AppState, Change
from chunkscope.gui.status import StatusLine
from chunkscope.gui.tasks import Tasks
from chunkscope.gui.theme import Theme
from chunkscope.gui.tuning_state import FOLDER

if TYPE_CHECKING:
    from chunkscope.gui.panels.tuning.page import TuningPage

Panel = TypeVar("Panel", bound=QWidget)


@runtime_checkable
class Themed(Protocol):
    """A part that draws with colours of ours."""

    def set_theme(self, theme: Theme) -> None: ...


class MainWindow(QMainWindow):
    """Everything that a person sees; the state does the work."""

    preview: PreviewPanel

    def __init__(
        self, sandbox: Sandbox, settings: Settings, log_memory: LogMemory | None = None
    ) -> None:
        super().__init__()
        self.settings = settings
        self.sandbox = sandbox
        self.log_memory = log_memory or LogMemory()
        self.usual_font = QApplication.font()
        self.tasks = Tasks(self)
        self.state = AppState(self.tasks, sandbox, self)
        self.setWindowTitle("Chunkscope")
        self.setAcceptDrops(True)
        self.resize(1280, 800)
        self._make_pages()
        self.docks = make_docks(self, self.state)
        self.library = self.panel(LibraryPanel)
        self.parameters = self.panel(ParametersPanel)
        self.statistics = self.panel(StatisticsPanel)
        self.inspector = self.panel(InspectorPanel)
        self.search = self.panel(SearchPanel)
        self.search.left.connect(partial(search_actions.leave, self))
        self.search.opened.connect(partial(search_actions.show_passage, self))
        self.preview.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.preview.view.customContextMenuRequested.connect(
            partial(search_actions.text_menu, self)
        )
        self.marks = PassageMarks(self.state.search, self.preview)
        self.menus = Menus(self)
        self.status = StatusLine(self.state, self.statusBar())
        self.index_strip = IndexStrip(self.state.index)
        self.statusBar().addPermanentWidget(self.index_strip)
        self.state.changed.connect(self._on_changed)
        self.state.failed.connect(self.tell)
        self.state.index.told.connect(self.tell)
        self.state.search.told.connect(self.tell)
        self.state.tuning.told.connect(self.tell)
        self._restore()

    def _make_pages(self) -> None:
        self.preview = PreviewPanel(self.state)
        self.comparison = ComparisonPanel(self.state)
        self.comparison.chosen.connect(partial(profiles.use, self))
        self.comparison.closed.connect(self.show_preview)
        self.welcome = WelcomePanel()
        self.welcome.open_asked.connect(partial(documents.open_files, self))
        self.welcome.samples_asked.connect(partial(documents.open_samples, self))
        self.tuning: TuningPage | None = None  # made when it is first shown
        self.before_tuning: QByteArray | None = None
        self.gold = GoldMarks(self.state.tuning.labels, self.preview)
        self.pages = QStackedWidget()
        for page in (self.welcome, self.preview, self.comparison):
            self.pages.addWidget(page)
        self.setCentralWidget(self.pages)

    def _restore(self) -> None:
        geometry, layout = self.settings.geometry()
        if geometry is not None:
            self.restoreGeometry(geometry)
        if layout is not None:
            self.restoreState(layout)
        preferences = self.settings.preferences()
        profile = self.settings.profile() or preferences.first_profile()
        self.state.apply_profile(profile)
        self.state.saved_profile = profile
        self.preview.view.set_wrap(self.settings.wraps())
        self.preview.view.set_zoom(self.settings.zoom())
        self.state.index.folder = preferences.workspace()
        self.state.index.indexes_at_once = self.settings.indexes_at_once()
        self.state.search.history[:] = self.settings.questions()
        QTimer.singleShot(0, self, partial(index_actions.open_existing, self))
        self.state.tuning.open_folder(
            self.state.index.folder / FOLDER, user_cache_path("chunkscope") / "vectors"
        )
        settings_actions.apply(self, preferences)
        self._on_changed(Change.DOCUMENTS | Change.PROFILE)

    # parts

    def panel(self, kind: type[Panel]) -> Panel:
        """The panel of a kind that sits in a dock."""
        found = (dock.widget() for dock in self.docks.values())
        return next(panel for panel in found if isinstance(panel, kind))

    def themed(self) -> Iterator[Themed]:
        """All that draws with colours of ours."""
        yield self.menus
        yield self.marks
        yield self.gold
        pages = (self.pages.widget(at) for at in range(self.pages.count()))
        for part in (*pages, *(dock.widget() for dock in self.docks.values())):
            if isinstance(part, Themed):
                yield part

    def show_preview(self) -> None:
        self.pages.setCurrentWidget(self.preview if self.state.entries else self.welcome)

    def tell(self, text: str) -> None:
        """A sentence in the status bar, for as long as it takes to read."""
        self.statusBar().showMessage(text, 10_000)

    # state

    def _on_changed(self, change: Change) -> None:
        if Change.DOCUMENTS in change and self.pages.currentWidget() in (
            self.welcome,
            self.preview,
        ):
            self.show_preview()
        if (Change.PROFILE | Change.CURRENT) & change:
            self._show_title()

    def _show_title(self) -> None:
        document = self.state.document
        name = f"{document.title} — " if document else ""
        mark = " •" if self.state.is_profile_changed else ""
        self.setWindowTitle(f"{name}{self.state.profile.name}{mark} — Chunkscope")

    # events

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        is_ours = event.source() is not None  # a result that is dragged out of the list
        if not is_ours and (event.mimeData().hasUrls() or event.mimeData().hasText()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if documents.take(self, event.mimeData()):
            event.acceptProposedAction()
        else:
            self.tell("Only files on this computer and text can be dropped.")

    def sizeHint(self) -> QSize:
        return QSize(1280, 800)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing asks nothing and loses nothing: work is stopped, settings are kept."""
        tuning_actions.leave(self)  # its page hides the docks; the next start has them again
        self.settings.save_geometry(self.saveGeometry(), self.saveState())
        self.settings.set_profile(self.state.profile)
        self.settings.set_questions(self.state.search.history)
        self.tasks.shutdown()
        self.state.tuning.close()
        self.state.index.close()
        event.accept()
