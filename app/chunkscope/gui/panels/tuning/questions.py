"""The query-set editor: a table of questions, what is wrong with labels, how to mend it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.evaluation.corpus import Corpus, UnknownDocument
from chunkscope.core.evaluation.query_set import Question
from chunkscope.core.evaluation.validate import Finding
from chunkscope.gui.changes import TuningChange
from chunkscope.gui.panels.tuning.question_dialog import QuestionDialog, hint
from chunkscope.gui.panels.tuning.tables import ROW_ROLE, SORT_ROLE, Column, TableModel, dress

if TYPE_CHECKING:
    from chunkscope.gui.state import AppState

_WIDTH = 560
_EMPTY = (
    "A question with the passage that answers it is what tells a good cut from a bad one. "
    "Select an answer in the text and press Ctrl+L, mark a search result as right, import a "
    "file, let drafts be made from your documents, or begin with the samples."
)


class QuestionModel(TableModel[Question]):
    """Each row with the sign of its worst finding."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._findings: dict[str, list[Finding]] = {}
        columns = (
            Column[Question]("", self._sign, self._order, "✓ fine, ! doubtful, ✗ cannot be asked"),
            Column[Question]("Question", lambda each: " ".join(each.text.split())),
            Column[Question]("Class", lambda each: each.kind.value),
            Column[Question]("Tags", lambda each: ", ".join(each.tags)),
            Column[Question]("Labels", lambda each: f"{len(each.expected)}",
                             lambda each: len(each.expected)),
            Column[Question]("Documents", _documents),
        )  # fmt: skip
        self.set_columns(columns)

    def set_findings(self, findings: list[Finding]) -> None:
        self._findings = defaultdict(list)
        for finding in findings:
            self._findings[finding.question].append(finding)
        if self.rows:
            last = self.index(len(self.rows) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def findings_of(self, question: Question) -> list[Finding]:
        return self._findings.get(question.id, [])

    def _order(self, question: Question) -> int:
        return 0 if not (found := self.findings_of(question)) else 2 if _blocks(found) else 1

    def _sign(self, question: Question) -> str:
        return "✓!✗"[self._order(question)]

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:  # type: ignore[override]
        if index.isValid() and role in (
            Qt.ItemDataRole.ToolTipRole,
            Qt.ItemDataRole.AccessibleDescriptionRole,
        ):
            found = self.findings_of(self.rows[index.row()])
            return "\n".join(each.sentence for each in found) or None
        if index.isValid() and index.column() == 0:
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignCenter
            if role == Qt.ItemDataRole.AccessibleTextRole:
                return ("fine", "doubtful", "cannot be asked")[self._order(self.rows[index.row()])]
        return super().data(index, role)


def _blocks(findings: list[Finding]) -> bool:
    return any(each.blocks for each in findings)


def _documents(question: Question) -> str:
    return ", ".join(dict.fromkeys(each.document for each in question.expected))


class QuestionsPanel(QWidget):
    """Everything that can be done to the working set."""

    shown_in_text = Signal()
    import_asked = Signal()
    export_asked = Signal()
    drafts_asked = Signal()

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._labels = state.tuning.labels
        self.model = QuestionModel(self)
        self.proxy = QSortFilterProxyModel(self)
        self.proxy.setSourceModel(self.model)
        self.proxy.setSortRole(SORT_ROLE)
        self.proxy.setFilterKeyColumn(-1)
        self.proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.table = QTableView()
        self.table.setModel(self.proxy)
        dress(self.table, "Questions")
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.table.doubleClicked.connect(self.edit)
        self.table.selectionModel().selectionChanged.connect(self._on_selected)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Filter questions, classes, tags")
        self.search.setAccessibleName("Filter questions")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self.proxy.setFilterFixedString)
        self.summary, self.problem = QLabel(), hint("")
        self.problem.setObjectName("problem")
        self._make_buttons()
        self._lay_out()
        self._labels.changed.connect(self._on_changed)
        self._refresh()

    def _make_buttons(self) -> None:
        self.samples = self._button("Use the &sample questions", self._use_samples)
        self.import_ = self._button("&Import…", self.import_asked.emit)
        self.export = self._button("E&xport…", self.export_asked.emit)
        self.drafts = self._button("&Drafts…", self.drafts_asked.emit)
        self.show_label = self._button("Show in &text", self.show_in_text)
        self.edit_button = self._button("&Edit…", self.edit)
        self.delete = self._button("Delete", self.delete_chosen)
        self.repair = self._button("Accept &repairs", self._repair)
        for key, slot in (("Del", self.delete_chosen), ("Return", self.edit)):
            shortcut = QShortcut(QKeySequence(key), self.table, slot)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)

    def _button(self, text: str, slot: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.clicked.connect(lambda _=False: slot())
        return button

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.search, 1)
        head.addStretch(0)
        for part in (self.drafts, self.import_, self.export):
            head.addWidget(part)
        foot = QHBoxLayout()
        for part in (self.show_label, self.edit_button, self.delete):
            foot.addWidget(part)
        foot.addStretch(1)
        self.summary.setObjectName("quiet")
        foot.addWidget(self.summary)
        mend = QHBoxLayout()
        mend.addWidget(self.problem, 1)
        mend.addWidget(self.repair, 0, Qt.AlignmentFlag.AlignTop)
        self.empty = QWidget()
        welcome = QVBoxLayout(self.empty)
        welcome.addStretch(1)
        text = hint(_EMPTY)
        text.setFixedWidth(_WIDTH)
        text.setMinimumHeight(text.heightForWidth(_WIDTH))
        welcome.addWidget(text, 0, Qt.AlignmentFlag.AlignHCenter)
        welcome.addSpacing(8)
        welcome.addWidget(self.samples, 0, Qt.AlignmentFlag.AlignHCenter)
        welcome.addStretch(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.addLayout(head)
        column.addWidget(self.table, 1)
        column.addWidget(self.empty, 1)
        column.addLayout(mend)
        column.addLayout(foot)

    def _on_changed(self, change: TuningChange) -> None:
        if TuningChange.QUERIES in change:
            self._refresh()
        if TuningChange.FINDINGS in change:
            self.model.set_findings(self._labels.findings)
            self._tell_problems()

    def _refresh(self) -> None:
        queries = self._labels.queries
        self.model.set_rows(queries.questions)
        self.model.set_findings(self._labels.findings)
        is_empty = not len(queries)
        self.empty.setVisible(is_empty)
        self.table.setVisible(not is_empty)
        for part in (self.search, self.export, self.show_label, self.edit_button, self.delete):
            part.setVisible(not is_empty)
        self._fit()
        self._tell_problems()
        self._on_selected()

    def _fit(self) -> None:
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        for column, width in ((0, 34), (2, 100), (3, 130), (4, 64), (5, 190)):
            self.table.setColumnWidth(column, width)

    def _tell_problems(self) -> None:
        findings, count = self._labels.findings, len(self._labels.queries)
        blocked = len({each.question for each in findings if each.blocks})
        mendable = [each for each in findings if each.proposal is not None]
        said = f"{count:,} questions" if count != 1 else "1 question"
        self.summary.setText(said + (f" · {blocked:,} cannot be asked" if blocked else ""))
        self.summary.setVisible(count > 0)
        self.repair.setVisible(bool(mendable))
        self.repair.setText(f"Accept {len(mendable):,} &repairs")
        self._on_selected()

    def chosen(self) -> list[Question]:
        return [index.data(ROW_ROLE) for index in self.table.selectionModel().selectedRows()]

    def _on_selected(self) -> None:
        chosen = self.chosen()
        findings = self.model.findings_of(chosen[0]) if len(chosen) == 1 else []
        first = findings or [each for each in self._labels.findings if each.blocks]
        self.problem.setText(first[0].sentence if first else "")
        self.problem.setVisible(bool(first))
        self.edit_button.setEnabled(len(chosen) == 1)
        self.show_label.setEnabled(len(chosen) == 1 and bool(chosen[0].expected))
        self.delete.setEnabled(bool(chosen))

    # what can be done

    def _use_samples(self) -> None:
        self._labels.add_samples()

    def edit(self) -> None:
        chosen = self.chosen()
        if len(chosen) != 1:
            return
        dialog = QuestionDialog(self, question=chosen[0])
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._labels.replace(chosen[0], dialog.edited()))
        dialog.open()

    def delete_chosen(self) -> None:
        chosen = self.chosen()
        if chosen:
            self._labels.delete(each.id for each in chosen)

    def show_in_text(self) -> None:
        """The first label of the chosen question, in the preview."""
        chosen = self.chosen()
        if not chosen or not chosen[0].expected:
            return
        passage = chosen[0].expected[0]
        documents = self._labels.documents()
        corpus = Corpus(documents)
        try:
            document = documents[corpus.find(passage.document)]
        except UnknownDocument as problem:
            self._labels.told.emit(str(problem))
            return
        key = next(each.key for each in self._state.entries if each.document is document)
        self._state.show_document(key)
        self.shown_in_text.emit()
        self._state.reveal(passage.start, passage.end)

    def _repair(self) -> None:
        self._labels.accept_repairs(
            [each for each in self._labels.findings if each.proposal is not None]
        )
