"""PDF: the text of its pages in reading order, every character with its page."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError, PasswordNeeded
from chunkscope.core.loaders.base import Draft, Source, register
from chunkscope.core.loaders.builder import PARAGRAPH_BREAK, TextBuilder
from chunkscope.core.loaders.pdf.headings import mark_headings, title_key
from chunkscope.core.loaders.pdf.layout import (
    LARGER,
    Page,
    PageLayout,
    Paragraph,
    Style,
    lay_out,
    runs_on,
)
from chunkscope.core.loaders.pdf.mending import mend
from chunkscope.core.loaders.pdf.pages import Damage, page_from_json, page_to_json, read_page
from chunkscope.core.sandbox.watch import Watch
from chunkscope.core.text.canonical import replace_broken

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

NO_TEXT_LAYER = "no text layer: this looks like a scan; run OCR on it first"
IMAGES_ONLY = "images only, no text layer"
_MOST_SENTENCES = 50
_MOST_OUTLINE_ENTRIES = 20_000
_FIELD_LENGTH = 1000
_FIELDS = {"/Title": "title", "/Author": "author", "/Subject": "subject", "/Keywords": "keywords"}
_FILE_NAME = re.compile(
    r"\.(?:docx?|pdf|tex|dvi|indd|qxd|p65|odt|pptx?|xlsx?|rtf|fm|ps|html?)$", re.IGNORECASE
)
_NO_TITLE = re.compile(r"(?:microsoft \w+ - .*|untitled.*|title|document\s?\d*)$", re.IGNORECASE)

Gap = tuple[int, str]  # a page, and why it is missing


@register("pdf", "PDF", ".pdf")
def load_pdf(source: Source, watch: Watch) -> Iterable[Draft]:
    from pypdf import apply_configuration

    watch.progress(0, 1, "opening")
    entries = max(100_000, 2 * source.limits.pages)
    with (
        Damage() as damage,
        # Looking at pictures with another program is not what a loader should do.
        apply_configuration(page_tree_maximum_entries=entries, jbig2dec_binary=None),
    ):
        draft = _load(source, watch, damage)
    yield draft


def _load(source: Source, watch: Watch, damage: Damage) -> Draft:
    missing: list[str] = []
    reader = _open(source, missing)
    found = _find_pages(reader, missing)
    pages, gaps = _read_pages(found, source, watch, damage)
    outline = _outline(reader, watch)
    style, pending = lay_out(pages)
    layouts: list[PageLayout] = []
    for layout in pending:
        layouts.append(layout)
        watch.progress(len(layouts), len(pages), "paragraphs")
    paragraphs = [paragraph for layout in layouts for paragraph in layout.body]
    mark_headings(paragraphs, style.body_size, outline)
    builder = TextBuilder(source.limits.allowed_characters(len(source.data)))
    _write(layouts, style, builder, watch)
    text, blocks, warnings = builder.finish()
    metadata = _metadata(reader)
    draft = Draft(text, blocks, "application/pdf", metadata=metadata, warnings=warnings)
    draft.title = _title(metadata.get("title", ""), paragraphs, style.body_size)
    draft.missing = missing + _missing(pages, gaps) + _unread(reader)
    draft.warnings += _warnings(reader, pages, text, damage, bool(draft.missing))
    return draft


def _open(source: Source, missing: list[str]) -> PdfReader:
    # Offsets count from the header, whatever a mail gateway put before it.
    data = source.data[max(source.data.find(b"%PDF-", 0, 4096), 0) :]
    try:
        reader, is_open = _reader(data)
    except Exception as problem:  # noqa: BLE001  damaged files raise whatever Python has
        if (mended := mend(data)) is None:
            raise _unreadable(problem) from None
        try:
            reader, is_open = _reader(mended)
        except Exception:  # noqa: BLE001
            raise _unreadable(problem) from None
        missing.append("all that was not in the file any more: it is cut off or badly damaged")
    if not is_open:
        _decrypt(reader, source.options.password)
    return reader


def _reader(data: bytes) -> tuple[PdfReader, bool]:
    """A reader, and whether it can read without a password."""
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(data), strict=False)
    return reader, not reader.is_encrypted or bool(reader.decrypt(""))


def _decrypt(reader: PdfReader, password: str) -> None:
    if not password:
        raise PasswordNeeded(
            "", "is encrypted; give its password with --password (password= in scripts)"
        )
    try:
        is_open = bool(reader.decrypt(password))
    except Exception as problem:  # noqa: BLE001
        raise _unreadable(problem) from None
    if not is_open:
        raise PasswordNeeded("", "is encrypted, and the password given does not open it")


def _unreadable(problem: Exception) -> LoadError:
    return LoadError(
        "",
        f"cannot be read as PDF ({_reason(problem)}); it may be cut off or damaged: get a new copy",
    )


def _reason(problem: Exception) -> str:
    text = " ".join(str(problem).split())[:200]
    return text.rstrip(".") or type(problem).__name__


def _find_pages(reader: PdfReader, missing: list[str]) -> Sequence[PageObject]:
    """The pages in order; where the list of pages is lost, those that lie about in the file."""
    try:
        pages: Sequence[PageObject] = list(reader.pages)
    except Exception as problem:  # noqa: BLE001
        pages = list(_stray_pages(reader))
        if not pages:
            raise _unreadable(problem) from None
        missing.append(
            f"the list of pages is damaged ({_reason(problem)}): "
            f"{len(pages)} found by searching, others may be lost"
        )
    if not pages:
        raise LoadError("", "has no pages; it may be damaged: get a new copy")
    return pages


def _stray_pages(reader: PdfReader) -> Iterator[PageObject]:
    from pypdf import PageObject
    from pypdf.generic import DictionaryObject, IndirectObject

    numbers = {number for entries in reader.xref.values() for number in entries}
    for number in sorted(numbers | set(reader.xref_objStm)):
        try:
            found = reader.get_object(number)
            is_page = isinstance(found, DictionaryObject) and found.get("/Type") == "/Page"
        except Exception:  # noqa: BLE001
            continue
        if is_page and isinstance(found, DictionaryObject):
            page = PageObject(reader, IndirectObject(number, 0, reader))
            page.update(found)
            yield page


def _read_pages(
    found: Sequence[PageObject], source: Source, watch: Watch, damage: Damage
) -> tuple[list[Page], list[Gap]]:
    pages: list[Page] = []
    gaps: list[Gap] = []
    limit = source.limits.pages
    for number, page in enumerate(found[:limit], start=1):
        key = f"page {number}"
        if (kept := watch.kept(key)) is not None:
            pages.append(page_from_json(number, kept))
        elif why := watch.skipped(key):
            gaps.append((number, why))
        else:
            watch.begin(key)
            try:
                pages.append(read_page(page, number, damage))
                watch.keep(key, page_to_json(pages[-1]))
            except Exception as problem:  # noqa: BLE001  one bad page must not cost the others
                gaps.append((number, f"cannot be read ({_reason(problem)})"))
        watch.progress(number, len(found), key)
    why = f"over the limit of {limit:,} pages (it can be raised)"
    gaps += [(number, why) for number in range(limit + 1, len(found) + 1)]
    return pages, gaps


def _outline(reader: PdfReader, watch: Watch) -> dict[str, int]:
    """Levels by title; a title at two levels has the higher one."""
    levels: dict[str, int] = {}
    if watch.skipped("outline"):
        return levels
    watch.begin("outline")
    try:
        stack: list[tuple[Iterator[Any], int]] = [(iter(reader.outline), 1)]
        while stack and len(levels) < _MOST_OUTLINE_ENTRIES:
            entry = next(stack[-1][0], None)
            if entry is None:
                stack.pop()
            elif isinstance(entry, list):
                stack.append((iter(entry), stack[-1][1] + 1))
            elif key := title_key(str(entry.title or "")):
                levels[key] = min(stack[-1][1], levels.get(key, 99))
    except Exception:  # noqa: BLE001  levels can be told from the type as well
        levels.clear()
    watch.keep("outline", b"")
    return levels


def _write(layouts: Sequence[PageLayout], style: Style, builder: TextBuilder, watch: Watch) -> None:
    """Add all pages to the text; page blocks tile it."""
    starts: list[tuple[int, int]] = []
    glue = PARAGRAPH_BREAK
    is_continuing = False
    for index, layout in enumerate(layouts):
        below = layouts[index + 1] if index + 1 < len(layouts) else None
        is_continued = below is not None and _goes_on(layout, below, is_continuing)
        order = _reading_order(layout, is_continuing, is_continued)
        next_glue = PARAGRAPH_BREAK
        if below is not None and is_continued:
            order[-1].text, next_glue = style.seam(order[-1].text, below.body[0].text)
        for at, paragraph in enumerate(order):
            start = _add(builder, paragraph, PARAGRAPH_BREAK if at else glue)
            if not at:
                starts.append((layout.number, start))
        if order:
            glue, is_continuing = next_glue, is_continued
        watch.progress(index, len(layouts), "text")
    ends = [*(start for _, start in starts), builder.length][1:]
    for (number, start), end in zip(starts, ends, strict=True):
        builder.mark(BlockKind.PAGE, start, end, page=number)


def _goes_on(layout: PageLayout, below: PageLayout, is_continuing: bool) -> bool:
    """Whether the page's last paragraph is finished on the next page."""
    if not layout.body or not below.body or below.number != layout.number + 1:
        return False
    last, first = layout.body[-1], below.body[0]
    if last.kind is not BlockKind.PARAGRAPH or first.kind is not BlockKind.PARAGRAPH:
        return False
    if is_continuing and len(layout.body) == 1 and (layout.header or layout.footer):
        return False  # header and footer would have no place but between the parts
    if abs(last.size - first.size) > 0.1 * max(last.size, first.size):
        return False
    is_broken = re.search(r"\w[-\u2010\u00ad]$", last.text) is not None
    return is_broken or runs_on(last.text, first.text)


def _reading_order(layout: PageLayout, is_continuing: bool, is_continued: bool) -> list[Paragraph]:
    body, at = layout.body, 1 if is_continuing else 0
    order = body[:at] + layout.header + body[at:]
    end = len(order) - 1 if is_continued else len(order)
    return order[:end] + layout.footer + order[end:]


def _add(builder: TextBuilder, paragraph: Paragraph, separator: str) -> int:
    start, _ = builder.add(
        paragraph.kind,
        paragraph.text,
        level=paragraph.level,
        page=paragraph.page,
        separator=separator,
    )
    if paragraph.kind is BlockKind.TABLE:
        at = start
        for row in paragraph.text.split("\n"):
            builder.mark(BlockKind.TABLE_ROW, at, at + len(row), page=paragraph.page)
            at += len(row) + 1
    return start


def _missing(pages: Sequence[Page], gaps: list[Gap]) -> list[str]:
    has_text = any(page.lines for page in pages)
    scans = [(page.number, IMAGES_ONLY) for page in pages if page.has_images and not page.lines]
    damaged = [(p.number, f"part of it cannot be read ({p.lost})") for p in pages if p.lost]
    if scans and not has_text and not gaps:
        return [NO_TEXT_LAYER, *_sentences(damaged)]
    return _sentences(sorted(gaps + scans + damaged))


def _sentences(gaps: Sequence[Gap]) -> list[str]:
    """One sentence for each stretch of pages with the same reason."""
    stretches: list[tuple[int, int, str]] = []
    for number, why in gaps:
        if stretches and stretches[-1][1:] == (number - 1, why):
            stretches[-1] = (stretches[-1][0], number, why)
        else:
            stretches.append((number, number, why))
    told = [
        f"page {first}: {why}" if first == last else f"pages {first}-{last}: {why}"
        for first, last, why in stretches[:_MOST_SENTENCES]
    ]
    if len(stretches) > _MOST_SENTENCES:
        rest = sum(last - first + 1 for first, last, _ in stretches[_MOST_SENTENCES:])
        told.append(f"{rest} more pages cannot be read")
    return told


def _unread(reader: PdfReader) -> list[str]:
    """Text that a viewer shows and that is no part of the pages' own."""
    try:
        fields = reader.get_form_text_fields() if "/AcroForm" in reader.root_object else {}
        filled = sum(1 for value in fields.values() if value and str(value).strip())
    except Exception:  # noqa: BLE001
        return []
    noun = "form field" if filled == 1 else "form fields"
    return [f"what is written in {filled} {noun}"] if filled else []


def _warnings(
    reader: PdfReader, pages: Sequence[Page], text: str, damage: Damage, is_partial: bool
) -> list[str]:
    told: list[str] = []
    if damage.first and not is_partial:
        told.append(f"damaged, but could be read ({damage.first})")
    if pages and not text and not is_partial:
        told.append("has no text: its pages are blank or drawn")
    unknown = text.count("\ufffd")
    if unknown > 0.02 * max(len(text), 1):
        told.append(f"{unknown:,} characters are unknown in the file's fonts, shown as U+FFFD")
    try:
        names = reader.root_object.get("/Names")
        if names is not None and "/EmbeddedFiles" in names.get_object():
            told.append("files attached inside the PDF are not loaded")
    except Exception:  # noqa: BLE001
        told.append("the list of attached files is damaged")
    return told


def _metadata(reader: PdfReader) -> dict[str, str]:
    found: dict[str, str] = {}
    try:
        info: Any = reader.metadata or {}
        for key, name in _FIELDS.items():
            value = info.get(key)
            text = " ".join(str(value.get_object()).split()) if value is not None else ""
            if text := text.strip("\0 "):
                found[name] = replace_broken(text[:_FIELD_LENGTH])[0]
        if created := _date(info.get("/CreationDate")):
            found["created"] = created
    except Exception:  # noqa: BLE001  a document is worth reading without it
        pass
    return found


def _date(value: Any) -> str:
    """A PDF date like D:20240131120000+01'00' as 2024-01-31T12:00:00."""
    text = str(value.get_object()) if value is not None else ""
    match = re.match(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)(\d\d))?", text)
    if not match:
        return ""
    year, month, day, hour, minute, second = match.groups()
    date = "-".join(part for part in (year, month, day) if part)
    return f"{date}T{hour}:{minute}:{second}" if hour and day else date


def _title(title: str, paragraphs: Sequence[Paragraph], body_size: float) -> str:
    """What the file says if it makes sense, else its first large heading."""
    is_sensible = re.search(r"[^\W\d_]{2}", title) and len(title) <= 300
    if is_sensible and not _FILE_NAME.search(title) and not _NO_TITLE.match(title):
        return title
    for paragraph in paragraphs:
        is_large = paragraph.size >= LARGER * body_size
        if paragraph.kind is BlockKind.HEADING and is_large and paragraph.page <= 2:
            return replace_broken(paragraph.text)[0][:300]
    return ""
