"""A question and its labels: typed for a selection, or edited."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QCompleter,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.evaluation.query_set import Passage, QueryClass, Question

_MOST_QUOTE = 600
_HELP = {
    QueryClass.KEYWORD: "shares words with its answer",
    QueryClass.PARAPHRASE: "says it in other words",
    QueryClass.NEGATIVE: "has no answer in the documents",
}


class QuestionDialog(QDialog):
    """For a new label `quote` is what was selected; else a question is edited."""

    def __init__(
        self,
        parent: QWidget,
        *,
        quote: str = "",
        question: Question | None = None,
        known: tuple[str, ...] = (),
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Answers a question" if question is None else "Edit the question")
        self.resize(560, 320)
        self._question = question
        self.text = QLineEdit(question.text if question else "")
        self.text.setPlaceholderText("What would somebody ask who is looking for this?")
        self.text.setAccessibleName("Question")
        if known:
            completer = QCompleter(list(known), self)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            self.text.setCompleter(completer)
        self.kind = QComboBox()
        self.kind.setAccessibleName("Class")
        self.tags = QLineEdit(", ".join(question.tags) if question else "")
        self.tags.setPlaceholderText("separated by commas; may stay empty")
        self.tags.setAccessibleName("Tags")
        self.passages = QListWidget()
        self.quote = quote
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self._lay_out()
        self.text.textChanged.connect(self._check)
        self._check()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow("&Question", self.text)
        form.addRow("&Class", self.kind)
        form.addRow("&Tags", self.tags)
        if self.quote:
            form.addRow("Answer", _quoted(self.quote))
        elif self._question is not None and self._question.expected:
            form.addRow("&Labels", self._passages(self._question.expected))
        self._fill_kinds()
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(10)
        column.addLayout(form, 1)
        column.addWidget(self._buttons)
        self.text.setFocus()

    def _passages(self, expected: tuple[Passage, ...]) -> QWidget:
        """The labels, to look at and to take away."""
        self.passages.setAccessibleName("Labels")
        self.passages.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        for passage in expected:
            shown = " ".join(passage.text.split())[:200]
            self.passages.addItem(f"{passage.document} {passage.start:,}–{passage.end:,}: {shown}")
            item = self.passages.item(self.passages.count() - 1)
            item.setData(Qt.ItemDataRole.UserRole, passage)
        remove = QPushButton("Remove label")
        remove.clicked.connect(self._remove)
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.passages)
        column.addWidget(remove, 0, Qt.AlignmentFlag.AlignLeft)
        return box

    def _remove(self) -> None:
        self.passages.takeItem(self.passages.currentRow())
        self._fill_kinds()

    def _labels(self) -> tuple[Passage, ...]:
        items = (self.passages.item(at) for at in range(self.passages.count()))
        return tuple(item.data(Qt.ItemDataRole.UserRole) for item in items)

    def _fill_kinds(self) -> None:
        """With an answer the question cannot be negative, without one it must be."""
        has_answer = bool(self.quote) or self.passages.count() > 0
        wanted = self.kind.currentData() or (self._question.kind if self._question else None)
        self.kind.clear()
        for kind in QueryClass:
            if (kind is QueryClass.NEGATIVE) != has_answer:
                self.kind.addItem(f"{kind} · {_HELP[kind]}", kind)
        if wanted is None and has_answer:
            wanted = QueryClass.PARAPHRASE
        self.kind.setCurrentIndex(max(self.kind.findData(wanted), 0))

    def _check(self) -> None:
        ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(bool(self.text.text().strip()))

    @property
    def chosen_kind(self) -> QueryClass:
        return QueryClass(self.kind.currentData())

    @property
    def chosen_tags(self) -> tuple[str, ...]:
        return tuple(filter(None, (tag.strip() for tag in self.tags.text().split(","))))

    def edited(self) -> Question:
        """What is in the form."""
        text = self.text.text().strip()
        made = Question.new(text, self._labels(), self.chosen_kind, self.chosen_tags)
        return replace(made, id=self._question.id) if self._question else made


def _quoted(text: str) -> QWidget:
    """Text of a document, as text."""
    shown = QPlainTextEdit()
    shown.setReadOnly(True)
    shown.setAccessibleName("Answer")
    rest = f" … ({len(text):,} characters)" if len(text) > _MOST_QUOTE else ""
    shown.setPlainText(text[:_MOST_QUOTE] + rest)
    shown.setMaximumHeight(130)
    return shown


def hint(text: str) -> QLabel:
    """A quiet sentence that wraps."""
    label = QLabel(text)
    label.setObjectName("quiet")
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label
