"""Menus and the tool bar: every action in one table, with its key and what it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from chunkscope.gui.actions import chunks, documents, export, profiles, view
from chunkscope.gui.actions import help as help_actions
from chunkscope.gui.actions import index as index_actions
from chunkscope.gui.actions import search as search_actions
from chunkscope.gui.actions import settings as settings_actions
from chunkscope.gui.actions import tuning as tuning_actions
from chunkscope.gui.icons import icon
from chunkscope.gui.layouts import LAYOUTS, arrange
from chunkscope.gui.preferences import THEMES
from chunkscope.gui.theme import Theme

if TYPE_CHECKING:
    from chunkscope.gui.main_window import MainWindow

Keys = QKeySequence.StandardKey
Key = QKeySequence.StandardKey | str | None


@dataclass(frozen=True, slots=True)
class Command:
    """One line of a menu; a text of `-` is a separator."""

    menu: str
    text: str
    run: Callable[[MainWindow], object]
    key: Key = None
    tip: str = ""

    @property
    def name(self) -> str:
        return self.text.replace("&", "").rstrip("…")


def _line(menu: str) -> Command:
    return Command(menu, "-", lambda _: None)


FILE, EDIT, VIEW, CHUNKS, PROFILE, HELP = "&File", "&Edit", "&View", "&Chunks", "&Profile", "&Help"
INDEX, SEARCH, TUNE = "&Index", "&Search", "&Tune"
MENUS = (FILE, EDIT, VIEW, CHUNKS, PROFILE, INDEX, SEARCH, TUNE, HELP)  # from left to right

COMMANDS = (
    Command(FILE, "&Open…", documents.open_files, Keys.Open, "Open documents of any format"),
    Command(FILE, "Open &folder…", documents.open_folder, "Ctrl+Shift+O",
            "Open every document in a folder"),
    Command(FILE, "&Paste as document", documents.paste, "Ctrl+Shift+V",
            "Open the text or the files on the clipboard"),
    Command(FILE, "Open &samples", documents.open_samples, None,
            "Open the documents that come with the program"),
    _line(FILE),
    Command(FILE, "&Export…", export.show_dialog, "Ctrl+E",
            "Write chunks, a page of the preview, statistics or the profile to a file"),
    _line(FILE),
    Command(FILE, "&Remove from library", documents.remove, "Ctrl+Del",
            "Take the chosen documents out of the library; the files stay"),
    _line(FILE),
    Command(FILE, "&Quit", lambda window: window.close(), Keys.Quit, "Close the window"),
    Command(EDIT, "&Find in text…", lambda window: window.preview.open_find(), Keys.Find,
            "Find text in the document; all hits are marked"),
    Command(EDIT, "Find &next", lambda window: window.preview.go_to_hit(1), "F3"),
    Command(EDIT, "Find &previous", lambda window: window.preview.go_to_hit(-1), "Shift+F3"),
    _line(EDIT),
    Command(EDIT, "&Settings…", settings_actions.show, "Ctrl+,",
            "Theme, fonts, tokenizer, model, limits, folders"),
    Command(VIEW, "Zoom &in", lambda window: view.zoom(window, 1), Keys.ZoomIn),
    Command(VIEW, "Zoom &out", lambda window: view.zoom(window, -1), Keys.ZoomOut),
    Command(VIEW, "&Normal size", lambda window: view.zoom(window, 0), "Ctrl+0"),
    Command(CHUNKS, "&Next chunk", lambda window: window.preview.view.next_chunk(), "Alt+Down"),
    Command(CHUNKS, "&Previous chunk", lambda window: window.preview.view.previous_chunk(),
            "Alt+Up"),
    Command(CHUNKS, "&Go to chunk…", chunks.go_to_chunk, "Ctrl+G"),
    Command(CHUNKS, "Go to &offset…", chunks.go_to_offset, "Ctrl+Shift+G"),
    _line(CHUNKS),
    Command(CHUNKS, "&Compare", chunks.add_lane, "Ctrl+D",
            "Show the profile beside others on the same document"),
    Command(CHUNKS, "&Try all presets…", chunks.try_presets, "Ctrl+T",
            "Cut this document by every preset and compare the figures"),
    Command(PROFILE, "&New profile", settings_actions.new_profile, Keys.New,
            "Start from the tokenizer, language and model of the settings"),
    Command(PROFILE, "&Save profile…", profiles.save, Keys.Save),
    Command(PROFILE, "&Open profile…", profiles.open_, None, "Use a profile from a TOML file"),
    Command(PROFILE, "Re&name profile…", profiles.rename, "F2"),
    Command(PROFILE, "&Reset profile", profiles.reset, "Ctrl+R",
            "Back to the profile that was last saved or opened"),
    _line(PROFILE),
    Command(PROFILE, "&Copy profile as TOML", profiles.copy_toml),
    Command(PROFILE, "Copy profile as command &line", profiles.copy_command, None,
            "Copy the command that gives the same chunks in a terminal"),
    Command(INDEX, "&Index library", index_actions.index_library, "Ctrl+I",
            "Make the library searchable under the current profile"),
    Command(INDEX, "&Retry what failed", index_actions.retry_failed),
    _line(INDEX),
    Command(INDEX, "&Pause or resume indexing", index_actions.toggle_pause, "Ctrl+Shift+I"),
    Command(INDEX, "&Stop indexing", index_actions.stop, None,
            "What is committed stays, the rest is as before"),
    _line(INDEX),
    Command(INDEX, "&Open workspace…", index_actions.open_workspace, None,
            "Open an index, or make one in an empty folder"),
    Command(INDEX, "Usual &workspace", index_actions.open_default, None,
            "The workspace of the settings, or the one in your data folder"),
    Command(SEARCH, "&Search the index", search_actions.focus_box, "Ctrl+K",
            "Go to the query box"),
    Command(SEARCH, "&Next result", lambda window: search_actions.step(window, 1), "F4"),
    Command(SEARCH, "&Previous result", lambda window: search_actions.step(window, -1), "Shift+F4"),
    _line(SEARCH),
    Command(SEARCH, "Search for the s&election", search_actions.ask_selection, "Ctrl+Shift+F"),
    Command(SEARCH, "&Why is this not found?", search_actions.why_not, "Ctrl+Shift+K",
            "Explain why the selected text is not among the results"),
    Command(SEARCH, "&Heat of the words", search_actions.toggle_heat, "Ctrl+H",
            "Colour the passage by the words that carried the similarity"),
    Command(TUNE, "&Tuning page", tuning_actions.toggle, "Ctrl+Shift+T",
            "Questions, sweep and leaderboard instead of the text, and back"),
    Command(TUNE, "&Answers a question…", tuning_actions.label_selection, "Ctrl+L",
            "What is selected in the text answers a question"),
    _line(TUNE),
    Command(TUNE, "Use the &sample questions", tuning_actions.use_samples, None,
            "Questions about the sample documents, with the passages that answer them"),
    Command(TUNE, "&Draft questions…", tuning_actions.draft, None,
            "Questions made from headings and telling sentences, to choose from"),
    Command(TUNE, "&Import questions…", tuning_actions.import_questions, None,
            "From JSON lines, or the CSV of the public chunking evaluation"),
    Command(TUNE, "&Export questions…", tuning_actions.export_questions),
    _line(TUNE),
    Command(TUNE, "Start or &resume the sweep", tuning_actions.start, "Ctrl+Return",
            "Try every configuration on the questions"),
    Command(TUNE, "St&op the sweep", tuning_actions.stop, None,
            "What is done stays; a start goes on from there"),
    Command(TUNE, "Check ro&bustness", tuning_actions.check_robustness, None,
            "Score the chosen row again with small changes"),
    Command(TUNE, "Write the re&port…", tuning_actions.write_report, None,
            "Everything that the sweep found as one HTML file"),
    Command(HELP, "&Keyboard shortcuts", help_actions.show_keys, "F1"),
    Command(HELP, "&Log", help_actions.show_log, None, "What the program did, and what went wrong"),
    Command(HELP, "&About Chunkscope", help_actions.show_about),
)  # fmt: skip

# The tool bar: names of actions and their icons; an empty name is a gap.
TOOLS = (
    ("Open", "open"), ("Open samples", "samples"), ("", ""), ("Undo", "undo"), ("Redo", "redo"),
    ("", ""), ("Index library", "index"), ("Search the index", "search"),
    ("", ""), ("Find in text", "find"), ("Try all presets", "presets"), ("Compare", "compare"),
    ("", ""), ("Export", "export"),
)  # fmt: skip


class Menus:
    """The menus of a window, made from the table; its actions by name."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.actions: dict[str, QAction] = {}
        self._menus = {title: window.menuBar().addMenu(title) for title in MENUS}
        self._undo(self._menus[EDIT])
        self._docks(self._menus[VIEW])
        for command in COMMANDS:
            if command.text == "-":
                self._menus[command.menu].addSeparator()
            else:
                self._add(command)
        self._recent = QMenu("Open &recent", window)
        self._menus[FILE].insertMenu(self.actions["Open samples"], self._recent)
        self._recent.aboutToShow.connect(self._fill_recent)
        self._indexing(self._menus[INDEX])
        self._looks(self._menus[VIEW])
        self._tool_bar()

    def _add(self, command: Command) -> None:
        action = QAction(command.text, self._window)
        if command.key is not None:
            action.setShortcut(QKeySequence(command.key))
        action.triggered.connect(lambda _checked=False: command.run(self._window))
        _explain(action, command.tip or command.name)
        self._menus[command.menu].addAction(action)
        self.actions[command.name] = action

    def _fill_recent(self) -> None:
        self._recent.clear()
        for path in self._window.settings.recent():
            action = self._recent.addAction(path.replace("&", "&&"))
            action.triggered.connect(partial(documents.open_paths, self._window, [path]))
        if self._recent.isEmpty():
            self._recent.addAction("nothing yet").setEnabled(False)

    def _indexing(self, menu: QMenu) -> None:
        """The switch for what is dropped, and the workspaces of late."""
        window = self._window
        at_once = QAction("Index &what is dropped", window)
        at_once.setCheckable(True)
        at_once.setChecked(window.settings.indexes_at_once())
        at_once.toggled.connect(partial(index_actions.set_at_once, window))
        _explain(at_once, "Index documents as soon as they are opened")
        menu.insertAction(self.actions["Retry what failed"], at_once)
        self.actions["Index what is dropped"] = at_once
        self._workspaces = QMenu("&Recent workspaces", window)
        menu.insertMenu(self.actions["Usual workspace"], self._workspaces)
        self._workspaces.aboutToShow.connect(self._fill_workspaces)

    def _fill_workspaces(self) -> None:
        self._workspaces.clear()
        for folder in self._window.settings.recent_workspaces():
            action = self._workspaces.addAction(folder.replace("&", "&&"))
            action.triggered.connect(
                lambda _=False, folder=folder: index_actions.open_folder(self._window, folder)
            )
        if self._workspaces.isEmpty():
            self._workspaces.addAction("nothing yet").setEnabled(False)

    def _undo(self, menu: QMenu) -> None:
        window, stack = self._window, self._window.state.undo_stack
        for name, action, key in (
            ("Undo", stack.createUndoAction(window, "Undo"), Keys.Undo),
            ("Redo", stack.createRedoAction(window, "Redo"), Keys.Redo),
        ):
            action.setShortcut(QKeySequence(key))
            action.setIconText(name)  # the menu says what is undone, the tool bar stands still
            menu.addAction(action)
            self.actions[name] = action
        menu.addSeparator()

    def _docks(self, menu: QMenu) -> None:
        for number, (name, dock) in enumerate(self._window.docks.items(), start=1):
            action = dock.toggleViewAction()
            if number < 10:
                action.setShortcut(QKeySequence(f"Ctrl+{number}"))
            _explain(action, f"Show or hide {name}")
            menu.addAction(action)
            self.actions[name] = action
        menu.addSeparator()
        for number, layout in enumerate(LAYOUTS, start=1):
            action = menu.addAction(f"Layout: {layout.name}")
            action.setShortcut(QKeySequence(f"Ctrl+Alt+{number}"))
            action.triggered.connect(lambda _=False, name=layout.name: arrange(self._window, name))
            _explain(action, f"Show what is needed to {layout.name.lower()}")
            self.actions[f"Layout {layout.name}"] = action
        menu.addSeparator()

    def _looks(self, menu: QMenu) -> None:
        window = self._window
        wrap = QAction("&Wrap lines", window)
        wrap.setCheckable(True)
        wrap.setChecked(window.settings.wraps())
        wrap.setShortcut(QKeySequence("Alt+Z"))
        wrap.toggled.connect(partial(view.set_wrap, window))
        menu.addAction(wrap)
        self.actions["Wrap lines"] = wrap
        themes = menu.addMenu("&Theme")
        group = QActionGroup(window)
        for name in THEMES:
            action = themes.addAction("High contrast" if name == "contrast" else name.capitalize())
            action.setCheckable(True)
            action.setChecked(name == window.settings.theme())
            action.triggered.connect(lambda _=False, name=name: view.set_theme(window, name))
            group.addAction(action)
            self.actions[f"Theme {name}"] = action

    def _tool_bar(self) -> None:
        bar = self._window.addToolBar("Tools")
        bar.setObjectName("tool bar")
        bar.setMovable(False)
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        bar.setIconSize(QSize(16, 16))
        for name, _ in TOOLS:
            if name:
                bar.addAction(self.actions[name])
            else:
                bar.addSeparator()

    def set_theme(self, theme: Theme) -> None:
        for name, picture in TOOLS:
            if name:
                self.actions[name].setIcon(icon(picture, theme))

    def shortcuts(self) -> list[tuple[str, str]]:
        """Every action that has a key, with the key as this system writes it."""
        return [
            (name, action.shortcut().toString(QKeySequence.SequenceFormat.NativeText))
            for name, action in self.actions.items()
            if not action.shortcut().isEmpty()
        ]


def _explain(action: QAction, text: str) -> None:
    action.setStatusTip(text)
    key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    action.setToolTip(f"{text} ({key})" if key else text)
