"""What is asked of the workspace and what came back; the search panels listen to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from chunkscope.core.job import Job
from chunkscope.core.model import Document
from chunkscope.core.search.context import DEFAULT_BUDGET, Context
from chunkscope.core.search.heat import Passage, WordHeat
from chunkscope.core.search.model import Hit, SearchResult
from chunkscope.core.search.options import Mode, SearchOptions
from chunkscope.core.search.stitch import part_text
from chunkscope.core.search.templates import DEFAULT_TEMPLATE
from chunkscope.core.search.why_not import WhyNot
from chunkscope.core.store.model import StoredProfile
from chunkscope.gui.changes import IndexChange, SearchChange
from chunkscope.gui.tasks import Latest

if TYPE_CHECKING:
    from chunkscope.gui.state import AppState

_PAUSE = 120  # milliseconds without a key before what was typed so far is searched
_REMEMBERED = 100


@dataclass(frozen=True, slots=True)
class ContextWish:
    """How the context is to be made."""

    budget: int = DEFAULT_BUDGET
    template: str = DEFAULT_TEMPLATE


class SearchState(QObject):
    """One question at a time; only the newest answer is shown."""

    changed = Signal(SearchChange)
    told = Signal(str)

    def __init__(self, state: AppState) -> None:
        super().__init__(state)
        self._state = state
        self._index = state.index
        self.query = ""
        self.options = SearchOptions()
        self.profile = ""  # the id of the one searched; empty: the newest
        self.result: SearchResult | None = None
        self.problem = ""
        self.selected: int | None = None
        self.wish = ContextWish()
        self.context: Context | None = None
        self.why_not: WhyNot | None = None
        self.history: list[str] = []
        self._asking = Latest(state.tasks, "search", "Searching")
        self._loading = Latest(state.tasks, "stored")
        self._assembling = Latest(state.tasks, "context")
        self.shows_heat = False
        self.heat: tuple[WordHeat, ...] = ()
        self._heating = Latest(state.tasks, "heat")
        self._explaining = Latest(state.tasks, "why not", "Looking for the reason")
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_PAUSE)
        self._typing.timeout.connect(self._ask_typed)
        self._index.changed.connect(self._on_index_changed)

    # asking

    def type(self, query: str) -> None:
        """Each key: words are searched after a short pause, meaning waits for Enter."""
        self.query = query
        self._typing.start()

    def _ask_typed(self) -> None:
        if self._index.workspace is not None:
            self._ask(replace(self.options, mode=Mode.LEXICAL))

    def ask(self, query: str | None = None) -> None:
        """Enter: the whole search, in the chosen mode."""
        self._typing.stop()
        if query is not None:
            self.query = query
        if self.query.strip():
            older = [each for each in self.history if each != self.query]
            self.history[:] = [self.query, *older][:_REMEMBERED]
        self._index.open(None, then=lambda: self._ask(self.options, selects=True))

    def _ask(self, options: SearchOptions, *, selects: bool = False) -> None:
        workspace, query, profile = self._index.workspace, self.query, self.profile
        if workspace is None:
            return
        if not query.strip():
            self._show(None)
            return

        def work(job: Job) -> SearchResult:
            return workspace.search(query, profile, options, job)

        self._asking.request(work, partial(self._show, selects=selects), self._fail)

    def _show(self, result: SearchResult | None, *, selects: bool = False) -> None:
        if result is not None and result.query != self.query:
            return  # an older question
        self.result, self.problem = result, ""
        self.selected = None
        self.changed.emit(SearchChange.RESULT | SearchChange.SELECTION)
        if selects and result is not None and result.hits:
            self.select(0)
        if selects:
            self.refresh_context()
        else:  # typed so far: the context waits for Enter
            self._assembling.drop()
            self._show_context(None)

    def _fail(self, problem: Exception) -> None:
        self.result, self.problem, self.selected = None, str(problem), None
        self.changed.emit(SearchChange.RESULT | SearchChange.SELECTION)

    def set_options(self, options: SearchOptions) -> None:
        """Other options; what is asked is asked again."""
        if options != self.options:
            self.options = options
            self.changed.emit(SearchChange.OPTIONS)
            self._again()

    def set_profile(self, identity: str) -> None:
        """Search under another indexed profile."""
        if identity != self.profile:
            self.profile = identity
            self.changed.emit(SearchChange.OPTIONS)
            self._again()

    def _again(self) -> None:
        if self.query.strip() and self._index.workspace is not None:
            self._ask(self.options, selects=self.selected is not None)

    @property
    def searched_profile(self) -> StoredProfile | None:
        """The one that is searched, as far as it is known."""
        every = self._index.profiles
        return next(
            (each for each in every if each.id == self.profile), every[0] if every else None
        )

    def _on_index_changed(self, change: IndexChange) -> None:
        """Another workspace has other profiles; what was just indexed is what is searched next."""
        if IndexChange.WORKSPACE in change:
            self.result, self.selected, self.profile, self.problem = None, None, "", ""
            self.changed.emit(SearchChange.RESULT | SearchChange.SELECTION | SearchChange.OPTIONS)
        elif IndexChange.RUN in change and self._index.run is None and self._index.report:
            self.set_profile(self._index.report.profile_id)
            self._again()

    # results

    @property
    def hit(self) -> Hit | None:
        """The selected result."""
        hits = self.result.hits if self.result else ()
        at = self.selected
        return hits[at] if at is not None and 0 <= at < len(hits) else None

    def select(self, at: int | None) -> None:
        """Choose a result and bring its document into the preview."""
        if at == self.selected:
            return
        self.selected = at
        if self.hit is not None:
            self._show_document(self.hit.chunk.document_id, self._tell_selection)
        self.heat = ()
        self.changed.emit(SearchChange.SELECTION)
        self._refresh_heat()

    def _tell_selection(self) -> None:
        self.changed.emit(SearchChange.SELECTION)

    def show_span(self, document_id: str, start: int, end: int) -> None:
        """Bring any passage into the preview, marked."""
        self._show_document(document_id, lambda: self._state.reveal(start, end))

    def _show_document(self, document_id: str, then: Callable[[], None]) -> None:
        """From the library, or else as the workspace has kept it."""
        workspace = self._index.workspace
        if self._state.show_by_id(document_id):
            then()
        elif workspace is not None:
            self._loading.request(
                lambda _job: workspace.document(document_id),
                lambda document: self._on_loaded(document, then),
                self._tell,
            )

    def _on_loaded(self, document: Document, then: Callable[[], None]) -> None:
        self._state.add_document(document)
        self._state.show_by_id(document.id)
        then()

    # which words carried the similarity

    def set_heat(self, is_shown: bool) -> None:
        """Colour the selected passage by late interaction, or no longer."""
        if is_shown != self.shows_heat:
            self.shows_heat, self.heat = is_shown, ()
            self.changed.emit(SearchChange.HEAT)
            self._refresh_heat()

    def _refresh_heat(self) -> None:
        workspace, hit, result = self._index.workspace, self.hit, self.result
        if not self.shows_heat or workspace is None or hit is None or result is None:
            return
        stitched, markers = hit.stitched, result.options.boundary_markers
        passages = [Passage(p.start, part_text(stitched, p, markers)) for p in stitched.parts]

        def work(job: Job) -> tuple[WordHeat, ...]:
            return workspace.heat(result.query, passages, result.profile, job)

        self._heating.request(work, partial(self._show_heat, hit), self._tell)

    def _show_heat(self, hit: Hit, heat: tuple[WordHeat, ...]) -> None:
        if self.shows_heat and self.hit is hit:
            self.heat = heat
            self.changed.emit(SearchChange.HEAT)

    # context

    def set_wish(self, wish: ContextWish) -> None:
        if wish != self.wish:
            self.wish = wish
            self.refresh_context()

    def refresh_context(self) -> None:
        """Make the context of the results anew."""
        workspace, result, wish = self._index.workspace, self.result, self.wish
        if workspace is None or result is None:
            self._show_context(None)
            return

        def work(_job: Job) -> Context:
            return workspace.context(result, budget=wish.budget, template=wish.template)

        self._assembling.request(work, self._show_context, self._tell)

    def _show_context(self, context: Context | None) -> None:
        self.context = context
        self.changed.emit(SearchChange.CONTEXT)

    # why not

    def ask_why_not(self, document_id: str, start: int, end: int) -> None:
        """Why a passage is not among the results of the question that was asked last."""
        workspace, query = self._index.workspace, self.query
        if workspace is None or not query.strip():
            self.told.emit("Search for something first; then a passage can be asked about.")
            return
        profile, options = self.profile, self.options

        def work(job: Job) -> WhyNot:
            return workspace.why_not(query, document_id, start, end, profile, options, job)

        self._explaining.request(work, self._show_why_not, self._tell)

    def _show_why_not(self, found: WhyNot) -> None:
        self.why_not = found
        self.changed.emit(SearchChange.WHY_NOT)

    def _tell(self, problem: Exception) -> None:
        self.told.emit(str(problem))
