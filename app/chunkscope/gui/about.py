"""What this program is, and the licences of everything that comes with it."""

from __future__ import annotations

import platform
import re
from dataclasses import dataclass
from functools import cache

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from chunkscope import __version__, paths
from chunkscope.gui.icons import app_icon
from chunkscope.gui.theme import code_font

_ROW = re.compile(r"^\| (.+?) \| (.+?) \| (.+?) \| ([\d, ]+) \| (.*?) \|$", re.MULTILINE)
_TEXT = re.compile(
    r"^## Text (\d+): [^\n]*\n\n~~~~~~text\n(.*?)\n~~~~~~$", re.MULTILINE | re.DOTALL
)
_WHAT = (
    "See how every chunking strategy cuts your documents, tune the cut while you watch, "
    "and measure which one retrieves best."
)
_OWN = "Chunkscope is free software under the MIT licence. It works without a network."


@dataclass(frozen=True, slots=True)
class Notice:
    """A part that comes with the program, and the texts of its licence."""

    name: str
    version: str
    licence: str
    home: str
    texts: tuple[str, ...]


@cache
def notices() -> tuple[Notice, ...]:
    """Every part in the notices, in their order."""
    whole = (paths.resources() / "THIRD_PARTY_NOTICES.md").read_text(encoding="utf-8")
    texts = dict(_TEXT.findall(whole))
    head = whole.partition("\n## Text ")[0]
    return tuple(
        Notice(name, version, licence, home, tuple(texts[each] for each in numbers.split(", ")))
        for name, version, licence, numbers, home in _ROW.findall(head)
    )


def versions() -> str:
    """What to say when asking for help."""
    return (
        f"Chunkscope {__version__}, Python {platform.python_version()}, PySide6 {pyside_version}, "
        f"{platform.platform()}"
    )


class AboutDialog(QDialog):
    """Name and version above, parts and their licences below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("About Chunkscope")
        self.resize(760, 600)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Find a part or a licence")
        self.filter.setAccessibleName("Find a part or a licence")
        self.filter.setClearButtonEnabled(True)
        self.parts = QListWidget()
        self.parts.setAccessibleName("Parts that come with the program")
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFont(code_font(9))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName("Licence")
        self.parts.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.parts.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for notice in notices():
            item = QListWidgetItem(f"{notice.name} {notice.version}")
            item.setData(Qt.ItemDataRole.UserRole, notice)
            item.setToolTip(notice.licence)
            self.parts.addItem(item)
        self._lay_out()
        self.parts.currentItemChanged.connect(self._show)
        self.filter.textChanged.connect(self._filter)
        self.parts.setCurrentRow(0)
        self.buttons.button(QDialogButtonBox.StandardButton.Close).setFocus()

    def _lay_out(self) -> None:
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = self.buttons.addButton("Copy versions", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(versions()))
        self.buttons.rejected.connect(self.reject)
        left = QWidget()
        under = QVBoxLayout(left)
        under.setContentsMargins(0, 0, 0, 0)
        under.addWidget(self.filter)
        under.addWidget(self.parts, 1)
        split = QSplitter()
        split.addWidget(left)
        split.addWidget(self.text)
        split.setSizes([230, 500])
        split.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 14)
        column.setSpacing(12)
        column.addLayout(_head())
        column.addWidget(QLabel("What comes with it, and under which licence:"))
        column.addWidget(split, 1)
        column.addWidget(self.buttons)

    def _show(self, item: QListWidgetItem | None) -> None:
        notice = item.data(Qt.ItemDataRole.UserRole) if item else None
        if isinstance(notice, Notice):
            head = f"{notice.name} {notice.version}\n{notice.licence}\n{notice.home}\n"
            self.text.setPlainText("\n\n".join([head, *notice.texts]))

    def _filter(self, text: str) -> None:
        word = text.casefold()
        for row in range(self.parts.count()):
            item = self.parts.item(row)
            item.setHidden(word not in f"{item.text()} {item.toolTip()}".casefold())


def _head() -> QHBoxLayout:
    picture = QLabel()
    picture.setPixmap(app_icon().pixmap(72, 72))
    name = QLabel(f"Chunkscope {__version__}")
    font = name.font()
    font.setPointSizeF(font.pointSizeF() * 1.6)
    font.setWeight(QFont.Weight.DemiBold)
    name.setFont(font)
    what, own = QLabel(_WHAT), QLabel(_OWN)
    own.setObjectName("quiet")
    column = QVBoxLayout()
    column.setSpacing(4)
    for label in (name, what, own):
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        column.addWidget(label)
    row = QHBoxLayout()
    row.setSpacing(18)
    row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
    row.addLayout(column, 1)
    return row
