"""Questions and their labels in the window: kept, undoable, checked, laid over the cut."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand

from chunkscope import paths
from chunkscope.core.evaluation.corpus import Corpus, names_of
from chunkscope.core.evaluation.drafts import Draft, draft_questions
from chunkscope.core.evaluation.live import DocumentLabels, LiveMeasures
from chunkscope.core.evaluation.query_files import read_queries, write_queries
from chunkscope.core.evaluation.query_set import (
    Passage,
    QueryClass,
    QuerySet,
    Question,
    with_distinct_ids,
)
from chunkscope.core.evaluation.validate import Finding, repair, validate
from chunkscope.core.job import Job
from chunkscope.core.model import Document
from chunkscope.core.workspace import shared_analyses
from chunkscope.gui.changes import Change, TuningChange
from chunkscope.gui.tasks import Latest

if TYPE_CHECKING:
    from chunkscope.gui.state import AppState

log = logging.getLogger(__name__)

KEPT = "questions.jsonl"  # the working set, in the workspace's folder
_MOST_DRAFTS = 12  # of one document


def sample_questions() -> Path:
    """The questions that come with the sample documents."""
    return paths.resources() / "questions" / "sample_docs.jsonl"


class LabelState(QObject):
    """The working set of questions; every change is kept on disk at once, and can be undone."""

    changed = Signal(TuningChange)
    told = Signal(str)

    def __init__(self, state: AppState) -> None:
        super().__init__(state)
        self._state = state
        self.queries = QuerySet()
        self.folder: Path | None = None  # where the working set is kept; none: nowhere
        self.findings: list[Finding] = []
        self.live: LiveMeasures | None = None
        self.is_gold_shown = True
        self._checking = Latest(state.tasks, "labels")
        self._measuring = Latest(state.tasks, "live")
        self._keeping = Latest(state.tasks, "keep labels")
        self._placed: tuple[QuerySet, Document, DocumentLabels] | None = None
        state.changed.connect(self._on_state_changed)

    def _on_state_changed(self, change: Change) -> None:
        if Change.DOCUMENTS in change:
            self._check()
        if Change.CHUNKS in change:
            self._measure()

    # the working set

    def open_folder(self, folder: Path) -> None:
        """Go on with the questions that are kept in a folder."""
        if folder == self.folder:
            return
        self.folder = folder
        file = folder / KEPT

        def work(_job: Job) -> QuerySet:
            return read_queries(file) if file.exists() else QuerySet()

        before = self.queries = QuerySet()

        def done(found: QuerySet) -> None:
            if self.queries is before:
                self._show(found)
            else:  # something was labelled in the meantime
                every = (*found.questions, *self.queries.questions)
                self.apply(QuerySet(with_distinct_ids(every)))

        self._keeping.request(work, done, self._tell)

    @property
    def file(self) -> Path | None:
        """Where the working set is kept."""
        return self.folder / KEPT if self.folder else None

    def set_queries(self, queries: QuerySet, text: str) -> None:
        """Change the working set, undoably."""
        if queries.questions != self.queries.questions:
            self._state.undo_stack.push(_ChangeQueries(self, self.queries, queries, text))

    def apply(self, queries: QuerySet) -> None:
        """Show other questions and keep them."""
        self._show(queries)
        self._keep()

    def _show(self, queries: QuerySet) -> None:
        self.queries = queries
        self.changed.emit(TuningChange.QUERIES)
        self._check()
        self._measure()

    def _keep(self) -> None:
        file, queries = self.file, self.queries
        if file is None:
            return

        def work(_job: Job) -> None:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_queries(queries, file)

        self._keeping.request(work, lambda _: None, self._tell)

    def _tell(self, problem: Exception) -> None:
        self.told.emit(str(problem))

    # questions

    def label(
        self,
        text: str,
        document: Document,
        start: int,
        end: int,
        kind: QueryClass = QueryClass.PARAPHRASE,
        tags: Iterable[str] = (),
    ) -> Question:
        """A span of a document answers a question, a new one or one that is known."""
        passage = Passage(self._name_of(document), start, end, document.text[start:end])
        known = self.find(text)
        if known is None:
            question = Question.new(text.strip(), [passage], kind, tags)
        else:
            others = [e for e in known.expected if not _overlaps(e, document, start, end)]
            kind = kind if known.kind is QueryClass.NEGATIVE else known.kind
            question = replace(known, kind=kind, expected=(*others, passage))
        self.set_queries(self.queries.with_question(question), "Label an answer")
        return question

    def _name_of(self, document: Document) -> str:
        """The file's name, so that a query set can be taken along; the id where it is not clear."""
        name = Path(document.source).name
        alike = [each for each in self.documents() if name and name in names_of(each)]
        return name if len(alike) == 1 else document.id

    def find(self, text: str) -> Question | None:
        """A question by its words."""
        wanted = text.strip()
        return next((each for each in self.queries if each.text == wanted), None)

    def mark(self, text: str, document: Document, start: int, end: int, *, is_right: bool) -> None:
        """A search result answers its question, or does not: right adds a label, wrong removes it.

        What is wrong was never labelled in most cases; then there is nothing to take back.
        """
        if not text.strip():
            return
        if is_right:
            self.label(text, document, start, end)
            self.told.emit("Marked as an answer; undo takes it back.")
            return
        known = self.find(text)
        labels = known.expected if known else ()
        kept = [each for each in labels if not _overlaps(each, document, start, end)]
        if known is None or len(kept) == len(labels):
            self.told.emit("No label says that this is an answer; nothing is to be taken back.")
            return
        kind = known.kind if kept else QueryClass.NEGATIVE
        changed = replace(known, kind=kind, expected=tuple(kept))
        self.set_queries(self.queries.with_question(changed), "Take a label back")
        self.told.emit("The label is taken back." if kept else "The question has no answer now.")

    def mark_result(
        self, text: str, document_id: str, start: int, end: int, *, is_right: bool
    ) -> None:
        """The same for a result of the search, whose document may not be open."""
        found = next((each for each in self.documents() if each.id == document_id), None)
        if found is None:
            self.told.emit("Open the result's document first: a label quotes its text.")
        else:
            self.mark(text, found, start, end, is_right=is_right)

    def replace(self, before: Question, after: Question) -> None:
        """An edited question, in the place of the one before."""
        self.set_queries(
            self.queries.with_question(replace(after, id=before.id)), "Edit a question"
        )

    def delete(self, ids: Iterable[str]) -> None:
        gone = set(ids)
        kept = tuple(each for each in self.queries if each.id not in gone)
        what = "a question" if len(gone) == 1 else f"{len(gone):,} questions"
        self.set_queries(QuerySet(kept), f"Delete {what}")

    def add(self, questions: Iterable[Question], text: str) -> None:
        """Questions that are not there yet, by their words."""
        known = {each.text for each in self.queries}
        fresh = [each for each in questions if each.text not in known]
        every = with_distinct_ids((*self.queries.questions, *fresh))
        self.set_queries(QuerySet(every), text)

    # files

    def import_file(self, path: str | Path) -> None:
        """Add the questions of a file."""

        def done(found: QuerySet) -> None:
            before = len(self.queries)
            self.add(found, f"Import {Path(path).name}")
            added = len(self.queries) - before
            skipped = f"; {len(found.problems)} rows could not be read" if found.problems else ""
            self.told.emit(f"{added:,} questions added from {Path(path).name}{skipped}.")

        self._state.tasks.run("labels", lambda _job: read_queries(path), done, self._tell)

    def export_file(self, path: str | Path) -> None:
        queries = self.queries
        self._state.tasks.run(
            "labels",
            lambda _job: write_queries(queries, path),
            lambda _: self.told.emit(f"{len(queries):,} questions written to {path}."),
            self._tell,
        )

    def add_samples(self) -> None:
        """The questions about the sample documents."""
        self.import_file(sample_questions())

    # checks

    def documents(self) -> list[Document]:
        return [entry.document for entry in self._state.entries if entry.document is not None]

    def _check(self) -> None:
        queries, documents = self.queries, self.documents()
        if not queries.questions:
            self._on_checked([])
            return
        self._checking.request(
            lambda job: validate(queries, Corpus(documents), job), self._on_checked, self._tell
        )

    def _on_checked(self, findings: list[Finding]) -> None:
        if findings != self.findings:
            self.findings = findings
            self.changed.emit(TuningChange.FINDINGS)

    def accept_repairs(self, findings: Iterable[Finding]) -> None:
        """Move labels to where their text stands now."""
        self.set_queries(repair(self.queries, findings), "Repair labels")

    # drafts

    def draft(self, done: Callable[[list[Draft]], None]) -> None:
        """Drafts from every document of the library; `done` gets them."""
        documents = self.documents()
        how = self._state.profile.parameters
        known = {each.text for each in self.queries}

        def work(job: Job) -> list[Draft]:
            found: list[Draft] = []
            for number, document in enumerate(documents):
                job.step(number, len(documents), document.title)
                analysis = shared_analyses().get(document, how.segmenter, how.language, job)
                drafts = draft_questions(analysis, _MOST_DRAFTS)
                found += [each for each in drafts if each.question.text not in known]
            return found

        self._state.tasks.run("labels", work, done, self._tell, label="Drafting questions")

    # what the labels say about the cut

    def show_gold(self, is_shown: bool) -> None:
        self.is_gold_shown = is_shown
        self.changed.emit(TuningChange.LIVE)

    def _measure(self) -> None:
        preview, document, queries = self._state.preview, self._state.document, self.queries
        if preview is None or document is None or not queries.questions:
            self._measuring.drop()
            self._on_measured(None)
            return

        def work(_job: Job) -> LiveMeasures:
            return self._labels_of(queries, document).measure(preview.chunking)

        self._measuring.request(work, self._on_measured, self._tell)

    def _labels_of(self, queries: QuerySet, document: Document) -> DocumentLabels:
        """In the worker: placed once for each document and set of questions."""
        placed = self._placed
        if placed is None or placed[0] is not queries or placed[1] is not document:
            placed = self._placed = (queries, document, DocumentLabels(queries, document))
        return placed[2]

    def _on_measured(self, live: LiveMeasures | None) -> None:
        if live is not None and not live.passages:
            live = None
        if live is not None or self.live is not None:
            self.live = live
            self.changed.emit(TuningChange.LIVE)


def _overlaps(passage: Passage, document: Document, start: int, end: int) -> bool:
    is_here = passage.document in names_of(document)
    return is_here and passage.start < end and start < passage.end


class _ChangeQueries(QUndoCommand):
    """One step of undo: the query set is a value, so both ways are one call."""

    def __init__(self, labels: LabelState, before: QuerySet, after: QuerySet, text: str) -> None:
        super().__init__(text)
        self._labels = labels
        self._folder = labels.folder
        self._before = before
        self._after = after

    def redo(self) -> None:
        self._apply(self._after)

    def undo(self) -> None:
        self._apply(self._before)

    def _apply(self, queries: QuerySet) -> None:
        if self._labels.folder == self._folder:
            self._labels.apply(queries)
        else:  # another workspace is open by now, with questions of its own
            self.setObsolete(True)
