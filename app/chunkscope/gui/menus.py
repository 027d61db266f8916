"""Menus and the tool bar: every action, with its key and what it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QDialog, QLabel, QMenu, QMessageBox, QScrollArea, QVBoxLayout

from chunkscope import __version__

if TYPE_CHECKING:
    from chunkscope.gui.main_window import MainWindow

Key = QKeySequence.StandardKey | str | None


class Menus:
    """Makes the menus of a window and keeps their actions by name."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.actions: dict[str, QAction] = {}
        self._file()
        self._edit()
        self._view()
        self._chunk()
        self._profile()
        self._help()
        self._tool_bar()

    def _add(
        self, menu: QMenu, text: str, key: Key, slot: Callable[[], object], tip: str = ""
    ) -> QAction:
        action = QAction(text, self._window)
        if key is not None:
            action.setShortcut(QKeySequence(key))
        action.triggered.connect(lambda _checked=False: slot())
        action.setStatusTip(tip or text.replace("&", "").rstrip("…"))
        menu.addAction(action)
        self.actions[text.replace("&", "").rstrip("…")] = action
        return action

    def _menu(self, title: str) -> QMenu:
        return self._window.menuBar().addMenu(title)

    def _file(self) -> None:
        window, menu = self._window, self._menu("&File")
        self._add(menu, "&Open…", QKeySequence.StandardKey.Open, window.open_files)
        self._add(menu, "Open &folder…", "Ctrl+Shift+O", window.open_folder)
        self._add(menu, "&Paste as document", "Ctrl+Shift+V", window.paste)
        self._recent = menu.addMenu("Open &recent")
        self._recent.aboutToShow.connect(self._fill_recent)
        self._add(menu, "Open &samples", None, window.open_samples)
        menu.addSeparator()
        self._add(menu, "&Remove from library", None, window.library.remove_selected)
        menu.addSeparator()
        self._add(menu, "&Quit", QKeySequence.StandardKey.Quit, window.close)

    def _fill_recent(self) -> None:
        self._recent.clear()
        for path in self._window.settings.recent():
            action = self._recent.addAction(path.replace("&", "&&"))
            action.triggered.connect(lambda _=False, path=path: self._window.open_paths([path]))
        self._recent.setEnabled(True)
        if self._recent.isEmpty():
            self._recent.addAction("nothing yet").setEnabled(False)

    def _edit(self) -> None:
        window, menu = self._window, self._menu("&Edit")
        stack = window.state.undo_stack
        for action, key in (
            (stack.createUndoAction(window, "Undo"), QKeySequence.StandardKey.Undo),
            (stack.createRedoAction(window, "Redo"), QKeySequence.StandardKey.Redo),
        ):
            action.setShortcut(QKeySequence(key))
            menu.addAction(action)
            self.actions[action.text().split()[0]] = action
        menu.addSeparator()
        preview = window.preview
        self._add(menu, "&Find in text…", QKeySequence.StandardKey.Find, preview.open_find)
        self._add(menu, "Find &next", "F3", lambda: preview.find_bar.moved.emit(1))
        self._add(menu, "Find &previous", "Shift+F3", lambda: preview.find_bar.moved.emit(-1))

    def _view(self) -> None:
        window, menu = self._window, self._menu("&View")
        for number, (name, dock) in enumerate(window.docks.items(), start=1):
            action = dock.toggleViewAction()
            action.setShortcut(QKeySequence(f"Ctrl+{number}"))
            menu.addAction(action)
            self.actions[name] = action
        menu.addSeparator()
        self._add(menu, "Zoom &in", QKeySequence.StandardKey.ZoomIn, lambda: window.zoom(1))
        self._add(menu, "Zoom &out", QKeySequence.StandardKey.ZoomOut, lambda: window.zoom(-1))
        self._add(menu, "&Normal size", "Ctrl+0", lambda: window.zoom(0))
        wrap = QAction("&Wrap lines", window)
        wrap.setCheckable(True)
        wrap.setChecked(window.settings.wraps())
        wrap.toggled.connect(window.set_wrap)
        menu.addAction(wrap)
        self.actions["Wrap lines"] = wrap
        self._themes(menu.addMenu("&Theme"))

    def _themes(self, menu: QMenu) -> None:
        group = QActionGroup(self._window)
        for name in ("system", "light", "dark"):
            action = menu.addAction(name.capitalize())
            action.setCheckable(True)
            action.setChecked(name == self._window.settings.theme())
            action.triggered.connect(lambda _=False, name=name: self._window.set_theme(name))
            group.addAction(action)
            self.actions[f"Theme {name}"] = action

    def _chunk(self) -> None:
        window, menu = self._window, self._menu("&Chunks")
        view = window.preview.view
        self._add(menu, "&Next chunk", "Alt+Down", view.next_chunk)
        self._add(menu, "&Previous chunk", "Alt+Up", view.previous_chunk)
        self._add(menu, "&Go to chunk…", "Ctrl+G", window.go_to_chunk)
        self._add(menu, "Go to &offset…", "Ctrl+Shift+G", window.go_to_offset)
        menu.addSeparator()
        self._add(
            menu, "&Compare: add this profile", "Ctrl+D", window.add_lane,
            "Show the profile beside others on the same document",
        )  # fmt: skip
        self._add(menu, "&Try all presets…", "Ctrl+T", window.try_presets)

    def _profile(self) -> None:
        window, menu = self._window, self._menu("&Profile")
        self._add(menu, "&Save profile…", QKeySequence.StandardKey.Save, window.save_profile)
        self._add(menu, "&Open profile…", None, window.open_profile)
        self._add(menu, "&Reset profile", None, window.reset_profile)
        self._add(menu, "&Copy profile as TOML", None, window.copy_profile)

    def _help(self) -> None:
        menu = self._menu("&Help")
        self._add(menu, "&Keyboard shortcuts", "F1", self.show_keys)
        self._add(menu, "&About Chunkscope", None, self.show_about)

    def _tool_bar(self) -> None:
        bar = self._window.addToolBar("Tools")
        bar.setObjectName("tool bar")
        bar.setMovable(False)
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        names = ("Open", "Open samples", "Undo", "Redo", "Find in text", "Try all presets")
        for name in (*names, "Compare: add this profile"):
            bar.addAction(self.actions[name])

    def shortcuts(self) -> list[tuple[str, str]]:
        """Every action that has a key, with the key as this system writes it."""
        return [
            (name, action.shortcut().toString(QKeySequence.SequenceFormat.NativeText))
            for name, action in self.actions.items()
            if not action.shortcut().isEmpty()
        ]

    def show_keys(self) -> None:
        dialog = QDialog(self._window)
        dialog.setWindowTitle("Keyboard shortcuts")
        dialog.resize(420, 460)
        text = QLabel("\n".join(f"{key:<16}\t{name}" for name, key in self.shortcuts()))
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setContentsMargins(14, 12, 14, 12)
        area = QScrollArea()
        area.setWidget(text)
        column = QVBoxLayout(dialog)
        column.addWidget(area)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def show_about(self) -> None:
        box = QMessageBox(self._window)
        box.setWindowTitle("About Chunkscope")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(
            f"Chunkscope {__version__}\n\nSee how every chunking strategy cuts your documents, "
            "tune the cut while you watch, and measure which one retrieves best.\n\nMIT licence."
        )
        box.open()
