"""Questions drafted from the documents: ticked ones are taken, each can be reworded first."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.evaluation.drafts import Draft
from chunkscope.core.evaluation.query_set import Question
from chunkscope.gui.panels.tuning.question_dialog import hint

_DRAFT = Qt.ItemDataRole.UserRole
_HINT = (
    "Made from headings, definitions and telling sentences, without a language model. Tick what "
    "somebody might really ask; double click (F2) to say it in other words."
)


class DraftsDialog(QDialog):
    """`questions` are those that were ticked."""

    def __init__(
        self, drafts: list[Draft], titles: dict[str, str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Drafts of questions")
        self.resize(900, 520)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Drafts")
        self.tree.setHeaderLabels(["Question", "Answer", "From"])
        self.tree.setRootIsDecorated(False)
        self.tree.setAlternatingRowColors(True)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        for draft in drafts:
            self._add(draft, titles)
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self.tree.itemChanged.connect(lambda *_: self._check())
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(10)
        for part in (hint(_HINT), self.tree, self._buttons):
            column.addWidget(part)
        self._check()

    def _add(self, draft: Draft, titles: dict[str, str]) -> None:
        passage = draft.question.expected[0]
        where = titles.get(passage.document, passage.document)
        answer = " ".join(passage.text.split())
        item = QTreeWidgetItem([draft.question.text, answer[:200], f"{where}, {draft.origin}"])
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(0, Qt.CheckState.Unchecked)
        item.setData(0, _DRAFT, draft)
        self.tree.addTopLevelItem(item)

    def _ticked(self) -> list[QTreeWidgetItem]:
        every = (self.tree.topLevelItem(at) for at in range(self.tree.topLevelItemCount()))
        return [each for each in every if each and each.checkState(0) == Qt.CheckState.Checked]

    def _check(self) -> None:
        count = len(self._ticked())
        ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setText(f"Add {count:,}" if count else "Add")
        ok.setEnabled(count > 0)

    def questions(self) -> list[Question]:
        """A reworded draft is one no longer: its tag goes."""
        found = []
        for item in self._ticked():
            draft: Draft = item.data(0, _DRAFT)
            question, text = draft.question, item.text(0).strip()
            if text == question.text:
                found.append(question)
            elif text:
                found.append(Question.new(text, question.expected))
        return found
