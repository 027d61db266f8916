"""What stands where results would: what to do next, or why nothing was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from chunkscope.core.blocks import BlockKind
from chunkscope.core.model import Document
from chunkscope.core.search.model import SearchResult
from chunkscope.gui.search_state import SearchState
from chunkscope.gui.state import AppState

_SUGGESTED = 3
_SHORTEST, _LONGEST = 12, 60


@dataclass(frozen=True, slots=True)
class Hint:
    """A heading, a sentence, and buttons: what they say and what they do."""

    title: str
    text: str
    primary: str = ""
    do: Callable[[], None] | None = None
    questions: tuple[str, ...] = ()


class HintPage(QWidget):
    """Shows one hint; `asked` carries a suggested question that was clicked."""

    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("What to do next")
        self.title, self.text, self.try_ = QLabel(), QLabel(), QLabel("Try one of these:")
        for label in (self.title, self.text, self.try_):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        for label in (self.text, self.try_):
            label.setObjectName("quiet")
        font = self.title.font()
        font.setPointSizeF(font.pointSizeF() * 1.35)
        font.setWeight(font.Weight.DemiBold)
        self.title.setFont(font)
        self.button = QPushButton()
        self.button.setDefault(True)
        self.button.setMinimumHeight(34)
        self.button.clicked.connect(self._on_clicked)
        self._do: Callable[[], None] | None = None
        self.questions = [QPushButton() for _ in range(_SUGGESTED)]
        self._lay_out()

    def _lay_out(self) -> None:
        middle = Qt.AlignmentFlag.AlignHCenter
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(8)
        column.addStretch(2)
        column.addWidget(self.title)
        column.addWidget(self.text)
        column.addSpacing(8)
        column.addWidget(self.button, 0, middle)
        column.addWidget(self.try_)
        for number, button in enumerate(self.questions):
            button.setAccessibleName("Suggested question")
            button.clicked.connect(partial(self._on_asked, number))
            column.addWidget(button, 0, middle)
        column.addStretch(3)

    def _on_clicked(self) -> None:
        if self._do is not None:
            self._do()

    def _on_asked(self, number: int) -> None:
        self.asked.emit(str(self.questions[number].property("question")))

    def show_hint(self, hint: Hint) -> None:
        self.title.setText(hint.title)
        self.text.setText(hint.text)
        self.button.setText(hint.primary)
        self.button.setVisible(bool(hint.primary))
        self._do = hint.do
        self.try_.setVisible(bool(hint.questions))
        for number, button in enumerate(self.questions):
            is_there = number < len(hint.questions)
            button.setVisible(is_there)
            if is_there:
                button.setText(hint.questions[number].replace("&", "&&"))
                button.setProperty("question", hint.questions[number])
                button.setAccessibleName(f"Search for {hint.questions[number]}")


def questions_from(documents: Iterable[Document]) -> tuple[str, ...]:
    """Headings of different documents: something that will surely be found."""
    found: list[str] = []
    for document in documents:
        heading = next(_headings(document), "")
        if heading and heading not in found:
            found.append(heading)
        if len(found) == _SUGGESTED:
            break
    return tuple(found)


def _headings(document: Document) -> Iterator[str]:
    blocks = document.blocks
    for at in blocks.where(BlockKind.HEADING).tolist()[:50]:
        text = document.text[int(blocks.start[at]) : int(blocks.end[at])]
        text = " ".join(text.strip("#=- \n").split())
        if _SHORTEST <= len(text) <= _LONGEST and " " in text:
            yield text


def _nothing_fits(search: SearchState, result: SearchResult) -> Hint:
    """Why; and the nearest all the same, where there are some that were held back."""
    text = " ".join(result.notes) or "No passage was found."
    if not any(each.stage == "floor" for each in result.waterfall.candidates):
        return Hint("Nothing fits", text)
    without = replace(search.options, similarity_floor=0.0, lexical_floor=0.0)
    return Hint("Nothing fits", text, "Show the nearest", lambda: search.set_options(without))


def hint_of(
    state: AppState, index_all: Callable[[], None], open_samples: Callable[[], None]
) -> Hint:
    """What a person who has no results should know."""
    index, search = state.index, state.search
    documents: Sequence[Document] = [each.document for each in state.entries if each.document]
    if search.problem and index.profiles:
        return Hint("That did not work", search.problem)
    if search.result is not None:
        return _nothing_fits(search, search.result)
    if index.problem:
        return Hint("The workspace could not be opened", index.problem)
    if index.run is not None and not index.profiles:
        return Hint("Indexing…", "You can search as soon as the first documents are in.")
    if index.profiles:
        text = "Type words for a first look; Enter searches by meaning as well."
        return Hint("Ask your documents", text, questions=questions_from(documents))
    if documents:
        count = "one document" if len(documents) == 1 else f"{len(documents):,} documents"
        text = (
            f"{count.capitalize()} can be searched once they are indexed. "
            "It happens on this computer; nothing is sent anywhere."
        )
        return Hint("Make them searchable", text, "Index the library", index_all)
    text = "Drop files or folders on the window, or begin with the documents that come with it."
    return Hint("Nothing to search yet", text, "Open the sample documents", open_samples)
