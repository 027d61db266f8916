"""Which parts of a message are its text, and which are attached to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from chunkscope.core.loaders.mail.headers import decode_words
from chunkscope.core.loaders.mail.parts import Part

_MAX_NAME = 150
_BODY_TYPES = ("text/plain", "text/html", "text/enriched", "text/richtext", "text/markdown")
_REPORT_TYPES = (
    "message/delivery-status",
    "message/global-delivery-status",
    "message/disposition-notification",
    "message/feedback-report",
    "text/rfc822-headers",
)
MESSAGE_TYPES = ("message/rfc822", "message/global", "message/news")
_SIGNATURE_TYPES = (
    "application/pgp-signature",
    "application/pkcs7-signature",
    "application/x-pkcs7-signature",
)
_SMIME_TYPES = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_TNEF_TYPES = ("application/ms-tnef", "application/vnd.ms-tnef")
_EXTENSIONS = {
    "text/plain": ".txt",
    "text/html": ".html",
    "text/csv": ".csv",
    "text/markdown": ".md",
    "text/calendar": ".ics",
    "application/json": ".json",
    "application/pdf": ".pdf",
    "application/zip": ".zip",
    "image/gif": ".gif",
    "image/jpeg": ".jpg",
    "image/png": ".png",
}
_VIEW_AS_HTML = re.compile(
    r"\b(?:html|view|display|browser|online)\b.{0,120}"
    r"\b(?:html|e-?mail|message|newsletter|client|viewer|browser|version)\b",
    re.IGNORECASE | re.DOTALL,
)
_POINTER_LENGTH = 300
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True, slots=True)
class Attached:
    """A part that is not text of the message; `reason` says why it will not be opened."""

    part: Part
    name: str
    reason: str = ""


@dataclass(slots=True)
class Body:
    """The parts to show in order, the parts attached, and what stays closed."""

    texts: list[Part] = field(default_factory=list)
    attached: list[Attached] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def visit(self, part: Part) -> None:
        """Sort a part, and all below it, into the lists."""
        if not part.is_multipart:
            self._visit_leaf(part)
        elif part.type == "multipart/alternative":
            self._visit_alternative(part)
        elif part.type == "multipart/related":
            self._visit_related(part)
        elif part.type == "multipart/encrypted":
            self.missing.append("the message is encrypted (PGP): its text cannot be read")
            self._attach_all(part.children, "encrypted")
        else:
            for child in part.children:
                self.visit(child)

    def _visit_leaf(self, part: Part) -> None:
        if part.type in _SIGNATURE_TYPES:
            self._attach(part, "a digital signature")
        elif part.type in _SMIME_TYPES:
            self._visit_smime(part)
        elif part.type in _TNEF_TYPES or file_name(part).lower() == "winmail.dat":
            self.missing.append(
                "winmail.dat holds text or files in Outlook's own format, which is not read; "
                "ask for the message as HTML or plain text"
            )
            self._attach(part, "Outlook's own format")
        elif part.type == "message/external-body":
            self._attach(part, "it is kept elsewhere and nothing is fetched")
        elif part.type == "message/partial":
            self.missing.append("is one piece of a message that was sent in several")
            self.texts.append(part)
        elif self._is_body(part):
            self.texts.append(part)
        else:
            self._attach(part)

    def _is_body(self, part: Part) -> bool:
        disposition = part.headers.disposition()
        if disposition == "attachment":
            return False
        if part.type in _REPORT_TYPES:
            return True
        if part.type not in _BODY_TYPES:
            # Text of some kind with no name to attach it by.
            return (
                part.type.startswith("text/")
                and part.type != "text/calendar"
                and (not file_name(part))
            )
        return disposition == "inline" or not self.texts or not file_name(part)

    def _visit_smime(self, part: Part) -> None:
        if "signed" in part.headers.param("smime-type").lower():
            self.missing.append(
                "the text is inside an S/MIME signature, which is not opened; "
                "ask for the message with a detached signature"
            )
        else:
            self.missing.append("the message is encrypted (S/MIME): its text cannot be read")
        self._attach(part, "encrypted or signed (S/MIME)")

    def _visit_alternative(self, part: Part) -> None:
        best = _best_alternative(part.children)
        self.visit(best)
        for child in part.children:
            if child is not best:
                self._visit_rest(child)

    def _visit_rest(self, part: Part) -> None:
        """Of an alternative that is not shown, only what is attached to it counts."""
        for leaf in _leaves(part):
            is_attachment = leaf.headers.disposition() == "attachment"
            is_file = not leaf.type.startswith(("text/", "image/")) or leaf.type == "text/calendar"
            if is_attachment or is_file:
                self._attach(leaf)

    def _visit_related(self, part: Part) -> None:
        """A page and what it shows; the page is named, or the first text."""
        start = part.headers.param("start").strip("<> ")
        root = next(
            (child for child in part.children if start and _content_id(child) == start), None
        ) or next((child for child in part.children if _has_text(child)), None)
        if root:
            self.visit(root)
        frames = 0
        for child in part.children:
            if child is root:
                continue
            is_attachment = child.headers.disposition() == "attachment"
            if child.is_multipart:
                self.visit(child)
            elif is_attachment or not (root and _is_shown_by_page(child)):
                self._attach(child)
            else:
                frames += child.type == "text/html"
        if frames:
            noun = "frame" if frames == 1 else "frames"
            self.warnings.append(f"{frames} {noun} inside the page left out")

    def _attach_all(self, parts: list[Part], reason: str) -> None:
        for part in parts:
            for leaf in _leaves(part):
                self._attach(leaf, reason)

    def _attach(self, part: Part, reason: str = "") -> None:
        name = file_name(part) or self._default_name(part)
        self.attached.append(Attached(part, name, reason))

    def _default_name(self, part: Part) -> str:
        number = len(self.attached) + 1
        if part.type in MESSAGE_TYPES:
            return f"message {number}.eml"
        return f"part {number}{_EXTENSIONS.get(part.type, '')}"


def _best_alternative(children: list[Part]) -> Part:
    plain = next((child for child in children if child.type == "text/plain"), None)
    plain_text = plain.text()[0].strip() if plain else ""
    html = [child for child in children if any(leaf.type == "text/html" for leaf in _leaves(child))]
    if plain and plain_text and not (html and _is_pointer(plain_text)):
        return plain
    if html:
        return html[-1]
    texts = [child for child in children if _has_text(child)]
    return texts[-1] if texts else children[0]


def _is_pointer(text: str) -> bool:
    """Whether a text only says that the message is to be read as HTML."""
    return len(text) < _POINTER_LENGTH and bool(_VIEW_AS_HTML.search(text))


def _has_text(part: Part) -> bool:
    return any(
        leaf.type in _BODY_TYPES and leaf.headers.disposition() != "attachment"
        for leaf in _leaves(part)
    )


def _is_shown_by_page(part: Part) -> bool:
    kinds = ("image/", "text/", "font/", "audio/", "video/", "application/javascript")
    return part.type.startswith(kinds) or bool(part.headers.raw("content-location"))


def _content_id(part: Part) -> str:
    return part.headers.raw("content-id").strip("<> ")


def _leaves(part: Part) -> Iterator[Part]:
    if not part.is_multipart:
        yield part
    for child in part.children:
        yield from _leaves(child)


def file_name(part: Part) -> str:
    """The name that a part gives itself, without folders and control characters."""
    name = part.headers.param("filename", "content-disposition") or part.headers.param("name")
    return clean_name(decode_words(name))


def clean_name(name: str) -> str:
    """A file name that is safe to show and to look at: its last component, shortened."""
    name = _UNSAFE.sub(" ", name).replace("\\", "/").rpartition("/")[2].strip(" .\"'")
    if len(name) <= _MAX_NAME:
        return name
    stem, dot, suffix = name.rpartition(".")
    if not dot or len(suffix) > 10:
        return name[:_MAX_NAME]
    return f"{stem[: _MAX_NAME - len(suffix) - 1]}.{suffix}"
