"""Search: the question, its settings, and the results as cards or as a table."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from chunkscope import paths
from chunkscope.core.search.model import Hit, SearchResult
from chunkscope.core.search.options import Group, Mode, SearchOptions
from chunkscope.gui.changes import Change, IndexChange, SearchChange
from chunkscope.gui.icons import icon
from chunkscope.gui.panels.search.box import QueryBox
from chunkscope.gui.panels.search.copies import COPIES
from chunkscope.gui.panels.search.hints import HintPage, hint_of
from chunkscope.gui.panels.search.lists import CardList, ResultTable
from chunkscope.gui.panels.search.options_form import OptionsPopup
from chunkscope.gui.panels.search.results import ResultModel
from chunkscope.gui.panels.search.scope import ProfileChoice, ScopeBanner
from chunkscope.gui.state import AppState
from chunkscope.gui.theme import Theme


class SearchPanel(QWidget):
    """Asks the state, and shows what came back."""

    left = Signal()  # Esc: back to the text
    opened = Signal()  # Enter on a result: to the passage

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._search = state.search
        self.box = QueryBox(self._search.history)
        self.popup = OptionsPopup(self._search, self)
        self.profile = ProfileChoice(state)
        self.banner = ScopeBanner(state)
        self.summary = QLabel()
        self.summary.setObjectName("quiet")
        self.summary.setTextFormat(Qt.TextFormat.PlainText)
        self.summary.setWordWrap(True)
        self.summary.setContentsMargins(4, 0, 4, 0)
        self.model = ResultModel(self)
        self.cards = CardList(self.model)
        self.table = ResultTable(self.model)
        self.hint = HintPage()
        self.stack = QStackedWidget()
        for page in (self.hint, self.cards, self.table):
            self.stack.addWidget(page)
        self._is_dense = False
        self._make_switches()
        self._lay_out()
        self._connect()
        self._show_result()

    def _make_switches(self) -> None:
        self.mode = QComboBox()
        self.mode.addItems([str(mode) for mode in Mode])
        self.mode.setAccessibleName("Mode of the search")
        self.mode.setToolTip("Words, meaning, both, or words first and meaning where they fail")
        self.options = QToolButton()
        self.options.setText("Options")
        self.options.setAccessibleName("Options of the search")
        self.options.setToolTip("Results, neighbours, reranking, filters, weights")
        self.options.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.groups = self._switch("Group", "Group the passages by document")
        self.dense = self._switch("Table", "A dense table instead of cards")

    def _switch(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setCheckable(True)
        return button

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.mode)
        row.addWidget(self.profile, 1)
        for button in (self.options, self.groups, self.dense):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 4)
        column.setSpacing(6)
        column.addWidget(self.box)
        column.addLayout(row)
        column.addWidget(self.banner)
        column.addWidget(self.summary)
        column.addWidget(self.stack, 1)

    def _connect(self) -> None:
        state, search = self._state, self._search
        self.box.textEdited.connect(search.type)
        self.box.returnPressed.connect(lambda: self.ask(self.box.text()))
        self.box.left_down.connect(self.enter_results)
        self.box.left.connect(self.left)
        self.hint.asked.connect(self.ask)
        self.mode.textActivated.connect(self._on_mode)
        self.options.clicked.connect(lambda: self.popup.drop_from(self.options))
        self.groups.toggled.connect(self._on_grouped)
        self.dense.toggled.connect(self.set_dense)
        for view in (self.cards, self.table):
            view.selectionModel().currentChanged.connect(self._on_current)
            view.keys.to_box.connect(self.focus_box)
            view.keys.opened.connect(self.opened)
            view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            view.customContextMenuRequested.connect(partial(self._show_menu, view))
        search.changed.connect(self._on_changed)
        state.changed.connect(self._on_state)
        state.index.changed.connect(self._on_index)

    def set_theme(self, theme: Theme) -> None:
        self.banner.set_theme(theme)
        self.cards.set_theme(theme)
        self.table.set_theme(theme)
        self.options.setIcon(icon("sliders", theme))

    # what is asked

    def ask(self, query: str) -> None:
        """Search for something, as if it had been typed."""
        self.box.setText(query)
        self._search.ask(query)

    def focus_box(self) -> None:
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()

    def _on_mode(self, text: str) -> None:
        self._search.set_options(replace(self._search.options, mode=Mode(text)))

    def _on_grouped(self, is_on: bool) -> None:
        group = Group.GROUPED if is_on else Group.CHUNK
        self._search.set_options(replace(self._search.options, group=group))

    def set_dense(self, is_dense: bool) -> None:
        self._is_dense = is_dense
        self._show_page()
        self._show_selection()

    # what came back

    def _on_changed(self, change: SearchChange) -> None:
        if SearchChange.OPTIONS in change:
            self._show_options(self._search.options)
        if SearchChange.RESULT in change:
            self._show_result()
        if SearchChange.SELECTION in change:
            self._show_selection()

    def _on_state(self, change: Change) -> None:
        if Change.DOCUMENTS in change:
            self._show_page()

    def _on_index(self, change: IndexChange) -> None:
        if (IndexChange.WORKSPACE | IndexChange.PROFILES | IndexChange.RUN) & change:
            self._show_page()

    def _show_options(self, options: SearchOptions) -> None:
        with QSignalBlocker(self.mode), QSignalBlocker(self.groups):
            self.mode.setCurrentText(str(options.mode))
            self.groups.setChecked(options.group == Group.GROUPED)
        plain = replace(options, mode=Mode.HYBRID, group=Group.CHUNK)
        self.options.setText("Options" if plain == SearchOptions() else "Options •")

    def _show_result(self) -> None:
        self._show_options(self._search.options)
        result = self._search.result
        self.cards.set_result(result)
        self.model.set_result(result)
        self.table.show_columns(result)
        self.summary.setText(summary_of(result))
        self._show_page()

    def _show_page(self) -> None:
        has_hits = bool(self._search.result and self._search.result.hits)
        self.summary.setVisible(has_hits)
        if has_hits:
            self.stack.setCurrentWidget(self.table if self._is_dense else self.cards)
            return
        open_samples = partial(self._state.open_paths, [str(paths.sample_docs())])
        self.hint.show_hint(hint_of(self._state, self._state.index.index_all, open_samples))
        self.stack.setCurrentWidget(self.hint)

    @property
    def view(self) -> QAbstractItemView:
        """The results as they are shown now."""
        return self.table if self._is_dense else self.cards

    def enter_results(self) -> None:
        """From the box into the results."""
        if self.model.rowCount():
            self.view.setFocus(Qt.FocusReason.TabFocusReason)
            hit = self._search.hit
            self._search.select(0 if hit is None else hit.rank - 1)
            self._show_selection()

    def _on_current(self, index: QModelIndex) -> None:
        row = self.model.row(index.row())
        if isinstance(row, Hit):
            self._search.select(row.rank - 1)

    def _show_selection(self) -> None:
        hit = self._search.hit
        for view in (self.cards, self.table):
            with QSignalBlocker(view.selectionModel()):
                if hit is None:
                    view.selectionModel().clear()
                else:
                    view.setCurrentIndex(self.model.index(self.model.row_of(hit.rank), 0))
            view.viewport().update()
        if hit is not None:
            self.view.scrollTo(self.model.index(self.model.row_of(hit.rank), 0))

    # the menu of a result

    def _show_menu(self, view: QAbstractItemView, place: QPoint) -> None:
        row = self.model.row(view.indexAt(place).row())
        if isinstance(row, Hit):
            self.menu_of(row).popup(view.viewport().mapToGlobal(place))

    def menu_of(self, hit: Hit) -> QMenu:
        """What can be done with a result."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name, made in COPIES:
            action = menu.addAction(name)
            action.triggered.connect(partial(_copy, made(hit)))
        menu.addSeparator()
        for name, is_right in (("Right: an answer to the question", True), ("Wrong", False)):
            menu.addAction(name).triggered.connect(partial(self._mark, hit, is_right))
        return menu

    def _mark(self, hit: Hit, is_right: bool, _checked: bool = False) -> None:
        chunk = hit.chunk
        self._state.tuning.labels.mark_result(
            self._search.query, chunk.document_id, chunk.start, chunk.end, is_right=is_right
        )


def _copy(text: str, _checked: bool = False) -> None:
    QGuiApplication.clipboard().setText(text)


def summary_of(result: SearchResult | None) -> str:
    """A line about an answer: how many of how many, how fast, which way it went."""
    if result is None or not result.hits:
        return ""
    every, count = len(result.waterfall.candidates), len(result.hits)
    parts = [f"{count:,} of {every:,} candidates", f"{result.milliseconds:,.0f} ms"]
    if result.options.mode == Mode.LEXICAL:
        parts.append("words only")
    if result.route:
        parts.append(f"routed to {'words' if result.route == 'lexical' else 'meaning'}")
    return " · ".join(parts) + "".join(f"\n{note}" for note in result.notes)
