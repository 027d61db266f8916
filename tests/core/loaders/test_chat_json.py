"""Exports of chat services become transcripts; other JSON stays JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope import paths
from chunkscope.core.blocks import BlockKind
from chunkscope.core.loaders.base import Draft
from chunkscope.core.loaders.chat.json import draft_from_json, is_chat_json
from support.parsing import check_draft, parse_one, texts


def load(value: object) -> Draft:
    return parse_one(json.dumps(value), "export.json")


def slack(text: object, **more: object) -> dict[str, Any]:
    return {"type": "message", "ts": "1712905200.0001", "user": "U1", "text": text, **more}


def discord(content: object, **more: object) -> dict[str, Any]:
    return {"author": {"name": "ada"}, "content": content, **more}


def telegram(text: object, **more: object) -> dict[str, Any]:
    return {"id": 1, "date": "2024-05-01T12:00:00", "from": "Ada", "text": text, **more}


def test_a_slack_export_is_a_transcript() -> None:
    draft = load([slack("hi 🌱", user_profile={"real_name": "Ada L"}), slack("two\nlines")])
    assert draft.text == "[2024-04-12 07:00] Ada L: hi 🌱\n\n[2024-04-12 07:00] U1: two\nlines"
    assert draft.media_type == "text/x-chat"
    assert draft.metadata["service"] == "slack"
    assert [(block.kind, block.name) for block in draft.blocks] == [
        (BlockKind.TURN, "Ada L"),
        (BlockKind.TURN, "U1"),
    ]
    assert texts(draft)[1] == "[2024-04-12 07:00] U1: two\nlines"
    assert not draft.missing


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("<@U2> look", "@U2 look"),
        ("<@U2|bob> look", "@bob look"),
        ("in <#C1|general>", "in #general"),
        ("<!here> now", "@here now"),
        ("<https://example.org/a?b=1&amp;c=2>", "https://example.org/a?b=1&c=2"),
        ("<https://example.org|the report>", "the report"),
        ("<mailto:a@example.org>", "a@example.org"),
        ("1 &lt; 2 &amp;&amp; 3 &gt; 2", "1 < 2 && 3 > 2"),
    ],
)
def test_marks_of_slack_are_shown_as_people_see_them(written: str, shown: str) -> None:
    assert load([slack(written)]).text == f"[2024-04-12 07:00] U1: {shown}"


def rich(*sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
    rows = [{"type": "rich_text_section", "elements": pieces} for pieces in sections]
    return [{"type": "rich_text", "elements": rows}]


PIECES = [
    {"type": "user", "user_id": "U2"},
    {"type": "text", "text": " see "},
    {"type": "link", "url": "https://example.org", "text": "this"},
    {"type": "text", "text": " & "},
    {"type": "link", "url": "https://example.net"},
    {"type": "emoji", "name": "wave"},
]
TEXTLESS: dict[str, tuple[dict[str, object], str]] = {
    "sections": (
        {"blocks": rich(PIECES, [{"type": "broadcast", "range": "here"}])},
        "@U2 see this & https://example.net:wave:\n@here",
    ),
    "a list": (
        {"blocks": [{"type": "rich_text", "elements": [
            {"type": "rich_text_list", "elements": rich(
                [{"type": "text", "text": "a"}], [{"type": "text", "text": "b"}],
            )[0]["elements"]},
        ]}]},
        "a\nb",
    ),
    "blocks of a program": (
        {"blocks": [
            {"type": "header", "text": {"type": "plain_text", "text": "Built"}},
            {"type": "section", "text": {"type": "mrkdwn", "text": "by <@U2|bo> &amp; me"},
             "fields": [{"type": "mrkdwn", "text": "*took* 3 s"}]},
            {"type": "divider"},
            {"type": "context", "elements": [
                {"type": "image", "alt_text": "green"}, {"type": "mrkdwn", "text": "at noon"},
            ]},
        ]},
        "Built\nby @bo & me\n*took* 3 s\ngreen\nat noon",
    ),
    "an attachment": (
        {"attachments": [{"pretext": "before", "title": "T", "text": "<https://e.org|body>",
                          "fallback": "all of it", "fields": [{"title": "a", "value": "b"}]}]},
        "before\nT\nbody\na: b",
    ),
    "a fallback": ({"attachments": [{"fallback": "only this"}]}, "only this"),
    "an attachment with blocks": ({"attachments": [{"fallback": "no preview", "blocks": rich(
        [{"type": "text", "text": "inside"}])}]}, "inside"),
}  # fmt: skip


@pytest.mark.parametrize("kind", TEXTLESS)
def test_text_of_slack_beside_the_text_is_read(kind: str) -> None:
    more, shown = TEXTLESS[kind]
    draft = load([slack("", **more)])
    assert draft.text == f"[2024-04-12 07:00] U1: {shown}"
    assert not draft.warnings


def test_text_of_slack_stands_once() -> None:
    blocks = rich([{"type": "text", "text": "so bold"}])
    attached = [{"title": "bold", "text": "and more", "fallback": "and"}]
    more = [{"type": "section", "text": {"type": "mrkdwn", "text": "took 3 s"}}]
    draft = load(
        [
            slack("so *bold*", blocks=blocks, attachments=attached),
            slack("rebuilt", attachments=[{"text": "built"}]),
            slack("built", blocks=[{"type": "header", "text": {"text": "built"}}, *more]),
        ]
    )
    assert [text.partition(": ")[2] for text in texts(draft)] == [
        "so *bold*\nand more",
        "rebuilt\nbuilt",
        "built\ntook 3 s",
    ]


def test_blocks_without_end_do_no_harm() -> None:
    part: dict[str, object] = {"text": "deep"}
    for _ in range(50_000):
        part = {"elements": [part]}
    draft = draft_from_json([slack("a"), slack("", blocks=[part])])
    assert texts(draft) == ["[2024-04-12 07:00] U1: a"]


def test_embeds_of_discord_are_read() -> None:
    embed = {
        "author": {"name": "News"},
        "title": "Frost",
        "description": "cover the beds",
        "fields": [{"name": "when", "value": "tonight"}, {"name": "where"}, 7],
        "footer": {"text": "weather desk"},
    }
    draft = load({"messages": [discord("", embeds=[embed]), discord("Frost!", embeds=[embed])]})
    rest = "cover the beds\nwhen: tonight\nwhere\nweather desk"
    assert texts(draft) == [f"ada: News\nFrost\n{rest}", f"ada: Frost!\nNews\n{rest}"]
    assert not draft.warnings


@pytest.mark.parametrize("time", ["nan", "inf", "1e400", "-1e15", "yesterday", None, [], ""])
def test_a_slack_time_that_is_none_is_left_out(time: object) -> None:
    assert load([slack("hi", ts=time)]).text == "U1: hi"


def test_a_discord_export_is_a_transcript() -> None:
    draft = load(
        {
            "guild": {"name": "Garden"},
            "channel": {"name": "general"},
            "messages": [
                discord("hi", timestamp="2024-05-01T12:00:00+02:00"),
                discord("", author={"nickname": "Bo"}, attachments=[{"fileName": "bed.jpg"}]),
                discord("old", timestamp="0001-01-01T00:00:00+14:00"),
            ],
        }
    )
    assert draft.text == "[2024-05-01 10:00] ada: hi\n\nBo: [file: bed.jpg]\n\nada: old"
    assert draft.title == "general"
    assert draft.metadata["service"] == "discord"
    assert not draft.missing


def test_a_telegram_export_is_a_transcript() -> None:
    action = {"type": "service", "action": "pin_message", "actor": "Bo", "from": None}
    draft = load(
        {
            "name": "Group",
            "messages": [
                telegram(["see ", {"type": "link", "text": "x.org"}, "!"]),
                telegram("", **action),
                telegram("", photo="photos/1.jpg"),
            ],
        }
    )
    assert draft.text == (
        "[2024-05-01 12:00] Ada: see x.org!\n\n[2024-05-01 12:00] Bo: pin message\n\n"
        "[2024-05-01 12:00] Ada: [file: photos/1.jpg]"
    )
    assert draft.title == "Group"
    assert draft.metadata["service"] == "telegram"


@pytest.mark.parametrize(
    ("value", "service"),
    [
        ([slack("a"), slack(5), slack(["b"])], "slack"),
        ({"messages": [discord("a"), discord(5), discord(None)]}, "discord"),
        ({"messages": [telegram("a"), telegram(5), telegram({})]}, "telegram"),
    ],
)
def test_messages_of_a_wrong_type_are_told(value: object, service: str) -> None:
    draft = load(value)
    assert len(draft.blocks) == 1
    assert draft.missing == [f"2 entries are not in the form of a {service} message"]


def test_entries_that_are_no_messages_are_told() -> None:
    draft = load([slack("a"), 7, None, "text", []])
    assert texts(draft) == ["[2024-04-12 07:00] U1: a"]
    assert draft.missing == ["4 entries are not in the form of a slack message"]


def test_messages_without_text_are_told() -> None:
    draft = load([slack("a"), slack("  "), slack("", files=[{"name": 7}])])
    assert texts(draft) == ["[2024-04-12 07:00] U1: a"]
    assert draft.warnings == ["messages without text, left out: 2"]


@pytest.mark.parametrize(
    "value",
    [
        None,
        7,
        "text",
        [],
        {},
        [1, 2, 3],
        {"messages": []},
        {"messages": "none"},
        {"messages": {"a": 1}},
        {"name": "tool", "version": 1},
        [{"type": "message", "text": "no time"}],
        [{"type": "Feature", "ts": 1}, {"type": "message", "ts": 1}],
        [{"id": 1, "date": "2024", "text": "a list, no export"}],
        {"messages": [{"role": "user", "content": "hi"}]},
        {"messages": {"greeting": {"text": "hi"}}},
    ],
)
def test_ordinary_json_is_no_chat(value: object) -> None:
    assert not is_chat_json(value)
    assert load(value).media_type == "application/json"


def test_broken_characters_are_replaced_and_told() -> None:
    draft = load([slack("a\r\nb\x00\ud800")])
    assert draft.text == "[2024-04-12 07:00] U1: a\nb\ufffd\ufffd"
    assert draft.warnings == ["2 characters (NUL or lone surrogates) shown as U+FFFD"]


def test_the_sample() -> None:
    draft = parse_one((paths.sample_docs() / "standup.json").read_bytes(), "standup.json")
    turns = draft.blocks.of_kind(BlockKind.TURN)
    assert len(turns) == len(draft.blocks) >= 5
    assert {turn.name for turn in turns} >= {"Ines Okafor", "Rolf Lindqvist", "Petra Nováková"}
    assert "<@" not in draft.text
    assert "&amp;" not in draft.text
    assert not draft.missing


ANYTHING = st.recursive(
    st.none() | st.integers() | st.floats() | st.text(max_size=5) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
KEYS = [
    "text", "ts", "user", "user_profile", "files", "username", "author", "content", "timestamp",
    "attachments", "blocks", "embeds", "from", "actor", "date", "action", "photo", "type",
]  # fmt: skip


@given(
    st.sampled_from([slack, discord, telegram]),
    st.dictionaries(st.sampled_from(KEYS), ANYTHING),
    ANYTHING,
)
def test_values_of_any_type_never_stop_the_transcript(
    make: Any, changes: dict[str, object], channel: object
) -> None:
    good = [make("a")] * 20
    value = {"channel": channel, "messages": [*good, {**make("b"), **changes}]}
    assert is_chat_json(value)
    draft = draft_from_json(value)
    check_draft(draft)
    assert len(draft.blocks) + len(draft.missing) + ("left out" in str(draft.warnings)) == 21
