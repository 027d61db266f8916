"""Chat exports in JSON (Slack, Discord, Telegram) as transcripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from chunkscope.core.blocks import BlockKind
from chunkscope.core.loaders.base import Draft
from chunkscope.core.loaders.builder import TextBuilder
from chunkscope.core.loaders.chat.rich import discord_embeds, slack_message, slack_text, with_new
from chunkscope.core.registry import Registry

MEDIA_TYPE = "text/x-chat"
_SAMPLE = 20


@dataclass(frozen=True, slots=True)
class Turn:
    """One message."""

    speaker: str
    text: str
    time: str = ""


services: Registry[Callable[[dict[str, Any]], Turn | None]] = Registry("chat service")


def is_chat_json(value: object) -> bool:
    return _service(value) != ""


def _service(value: object) -> str:
    """Which program exported this value, if one did."""
    messages = [entry for entry in _entries(value)[:_SAMPLE] if isinstance(entry, dict)]
    if not messages:
        return ""
    if all(entry.get("type") == "message" and "ts" in entry for entry in messages):
        return "slack"
    if isinstance(value, dict) and "messages" in value:
        if all(isinstance(entry.get("author"), dict) and "content" in entry for entry in messages):
            return "discord"
        if all("date" in entry and "text" in entry and "id" in entry for entry in messages):
            return "telegram"
    return ""


def _entries(value: object) -> list[Any]:
    if isinstance(value, dict):
        value = value.get("messages")
    return value if isinstance(value, list) else []


def draft_from_json(value: object) -> Draft:
    """The transcript of an export: one paragraph a message."""
    service = _service(value)
    read = services[service]
    builder = TextBuilder()
    unread = empty = 0
    for entry in _entries(value):
        turn = _read_safely(read, entry)
        if turn is None:
            unread += 1
        elif turn.text.strip():
            lead = f"[{turn.time}] " if turn.time else ""
            builder.add(BlockKind.TURN, f"{lead}{turn.speaker}: {turn.text}", name=turn.speaker)
        else:
            empty += 1
    text, blocks, warnings = builder.finish()
    draft = Draft(text, blocks, MEDIA_TYPE, _title(value), warnings=warnings)
    draft.metadata["service"] = service
    if empty:
        draft.warnings.append(f"messages without text, left out: {empty:,}")
    if unread:
        draft.missing.append(f"{unread} entries are not in the form of a {service} message")
    return draft


def _read_safely(read: Callable[[dict[str, Any]], Turn | None], entry: object) -> Turn | None:
    return read(entry) if isinstance(entry, dict) else None


def _title(value: object) -> str:
    if not isinstance(value, dict):
        return ""
    channel = value.get("channel")
    name = channel.get("name") if isinstance(channel, dict) else channel or value.get("name")
    return str(name)[:200] if isinstance(name, str) else ""


@services.register("slack")
def _read_slack(entry: dict[str, Any]) -> Turn | None:
    text = entry.get("text", "")
    if not isinstance(text, str):
        return None
    profile = entry.get("user_profile")
    named = profile if isinstance(profile, dict) else {}
    speaker = _first_text(
        named.get("real_name"), named.get("display_name"), entry.get("username"),
        entry.get("user"), entry.get("bot_id"),
    )  # fmt: skip
    whole = slack_message(entry, slack_text(text))
    return Turn(speaker, _with_files(whole, entry.get("files"), "name"), _unix(entry.get("ts")))


@services.register("discord")
def _read_discord(entry: dict[str, Any]) -> Turn | None:
    content, author = entry.get("content"), entry.get("author")
    if not isinstance(content, str) or not isinstance(author, dict):
        return None
    speaker = _first_text(author.get("nickname"), author.get("name"), author.get("username"))
    whole = with_new(content, list(discord_embeds(entry.get("embeds"))))
    text = _with_files(whole, entry.get("attachments"), "fileName")
    return Turn(speaker, text, _iso(entry.get("timestamp")))


@services.register("telegram")
def _read_telegram(entry: dict[str, Any]) -> Turn | None:
    text = entry.get("text")
    if isinstance(text, list):
        text = "".join(_telegram_pieces(text))
    if not isinstance(text, str):
        return None
    speaker = _first_text(entry.get("from"), entry.get("actor"))
    if entry.get("type") == "service" and isinstance(entry.get("action"), str):
        text = text or entry["action"].replace("_", " ")
    files = [{"name": entry.get(key)} for key in ("file", "photo")]
    return Turn(speaker, _with_files(text, files, "name"), _iso(entry.get("date")))


def _telegram_pieces(pieces: list[Any]) -> Iterator[str]:
    for piece in pieces:
        found = piece.get("text") if isinstance(piece, dict) else piece
        if isinstance(found, str):
            yield found


def _first_text(*values: object) -> str:
    return next((value for value in values if isinstance(value, str) and value), "unknown")


def _with_files(text: str, files: object, key: str) -> str:
    names = [
        str(file[key])
        for file in (files if isinstance(files, list) else [])
        if isinstance(file, dict) and isinstance(file.get(key), str)
    ]
    return "\n".join([text, *(f"[file: {name}]" for name in names)]).strip()


def _unix(value: object) -> str:
    try:
        moment = datetime.fromtimestamp(float(str(value)), UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return moment.strftime("%Y-%m-%d %H:%M")


def _iso(value: object) -> str:
    try:
        moment = datetime.fromisoformat(str(value))
        if moment.tzinfo:
            moment = moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return ""
    return moment.strftime("%Y-%m-%d %H:%M")
