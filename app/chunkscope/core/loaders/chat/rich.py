"""Text that Slack and Discord keep beside a message: blocks, attachments, embeds."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

_SLACK_LINK = re.compile(r"<([^<>|\s]{1,2000})(?:\|([^<>]{0,500}))?>")
_STYLE = re.compile(r"[*_~`]+")
_COMPARED = 40_000  # no longer message can be written; a hostile file holds one
_MAX_DEPTH = 50  # a hostile file nests without end
_ROWS = ("rich_text_section", "rich_text_quote", "rich_text_preformatted")
_PARTS = ("title", "text", "description", "fields", "elements", "rows")
_NAMED = {"user": "user_id", "usergroup": "usergroup_id", "team": "team_id", "broadcast": "range"}


def slack_text(text: str) -> str:
    """Slack's markup as people see it."""
    return html.unescape(_SLACK_LINK.sub(_slack_link, text))


def _slack_link(match: re.Match[str]) -> str:
    target, label = match[1], match[2]
    if target[0] in "@#!":
        sign = "#" if target[0] == "#" else "@"  # <!here> is written @here
        return sign + (label or target[1:]).removeprefix(sign)
    return label or target.removeprefix("mailto:")


def slack_message(entry: dict[str, Any], text: str) -> str:
    """The text of a message with what its blocks and attachments say besides."""
    blocks = entry.get("blocks")
    if text.strip():
        # What a person writes stands in both; the blocks of a program say more than its text.
        blocks = [block for block in _dicts(blocks) if block.get("type") != "rich_text"]
    attached = (line for part in _dicts(entry.get("attachments")) for line in _attachment(part))
    return with_new(text, [*_lines(blocks, 0), *attached])


def discord_embeds(embeds: object) -> Iterator[str]:
    for embed in _dicts(embeds):
        yield from _string(_inner(embed, "author", "name"))
        yield from _string(embed.get("title"))
        yield from _string(embed.get("description"))
        for field in _dicts(embed.get("fields")):
            yield ": ".join([*_string(field.get("name")), *_string(field.get("value"))])
        yield from _string(_inner(embed, "footer", "text"))


def with_new(text: str, lines: list[str]) -> str:
    """The text, then the lines that it does not hold yet."""
    bare = _bare(text[:_COMPARED])
    kept = {bare: text} if bare else {}
    for line in lines:
        found = _bare(line)
        if found and found not in kept and not _holds(bare, found):
            kept[found] = line.strip()
    return "\n".join(kept.values())


def _bare(text: str) -> str:
    return " ".join(_STYLE.sub("", text).split())


def _holds(text: str, words: str) -> bool:
    return words in text and bool(re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text))


def _attachment(part: dict[str, Any]) -> Iterator[str]:
    lines = [
        *(line for key in ("pretext", "title", "text") for line in _marked(part.get(key))),
        *map(_pair, _dicts(part.get("fields"))),
        *_lines(part.get("blocks"), 0),
        *_lines(part.get("message_blocks"), 0),
    ]
    yield from lines or _marked(part.get("fallback"))


def _pair(field: dict[str, Any]) -> str:
    return ": ".join([*_marked(field.get("title")), *_marked(field.get("value"))])


def _lines(value: object, depth: int) -> Iterator[str]:
    """The lines of blocks, or of one part of a block."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        for part in value:
            yield from _lines(part, depth + 1)
    elif isinstance(value, dict):
        kind = value.get("type")
        if kind in _ROWS:
            yield "".join(_inline(part) for part in _dicts(value.get("elements")))
        elif isinstance(value.get("text"), str):
            yield from _string(value["text"] if kind == "plain_text" else slack_text(value["text"]))
        else:
            yield from _string(value.get("alt_text"))
            for key in _PARTS:
                yield from _lines(value.get(key), depth + 1)


def _inline(part: dict[str, Any]) -> str:
    """One piece of a line: text, a link, an emoji, somebody's name."""
    kind = part.get("type")
    if kind == "emoji":
        return "".join(f":{name}:" for name in _string(part.get("name")))
    if kind == "channel":
        return "".join(f"#{name}" for name in _string(part.get("channel_id")))
    if isinstance(kind, str) and kind in _NAMED:
        return "".join(f"@{name}" for name in _string(part.get(_NAMED[kind])))
    shown = (part.get(key) for key in ("text", "url", "fallback", "value"))
    return next((text for text in shown if isinstance(text, str) and text), "")


def _marked(value: object) -> Iterator[str]:
    return map(slack_text, _string(value))


def _string(value: object) -> Iterator[str]:
    if isinstance(value, str) and value:
        yield value


def _inner(value: dict[str, Any], key: str, name: str) -> object:
    held = value.get(key)
    return held.get(name) if isinstance(held, dict) else None


def _dicts(value: object) -> list[dict[str, Any]]:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []
