"""A chat log is the file, cut into turns; what only looks like a chat is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope import paths
from chunkscope.core.blocks import BlockKind
from chunkscope.core.loaders.base import LoadOptions
from chunkscope.core.loaders.chat.loader import is_chat
from support.parsing import parse_one, texts

CHATS = {
    "names": "Ada: hello there\nBob: hi\nAda: how are you?\nfine day\nBob: yes\n",
    "clock": "[12:01] Ada: hello\n[12:02] Bob: hi\n[12:03] Ada: bye\n",
    "clock in round brackets": "(12:01:07) Ada: hello\n(12:02:00) Bob: hi\n(12:03:00) Ada: bye\n",
    "nicks": "<ada> hello\n<bob> hi\n<ada> bye\n",
    "ranks": "12:01 <@ada> hello\n12:02 <+bob> hi\n12:03 < ada> bye\n",
    "iso": "[2024-05-01T12:00:01Z] <ada> a\n[2024-05-01T12:00:02.25Z] <bob> b\n"
    "[2024-05-01T12:00:03+02:00] <ada> c\n",
    "phone": "12/31/23, 9:41\u202fPM - Ada: hello\n12/31/23, 9:42\u202fPM - Bob: hi\n"
    "12/31/23, 9:43\u202fPM - Ada: bye\n",
    "other phone": "[31.12.23, 21:41:07] \u200eAda: \u200eimage omitted\n"
    "\u200e[31.12.23, 21:42:07] Bob: hi\n[31.12.23, 21:43:07] Ada: bye\n",
    "numbers": "31/12/23, 21:41 - +44 7700 900123: a\n31/12/23, 21:42 - Bob: b\n"
    "31/12/23, 21:43 - +44 7700 900123: c\n",
    "Japanese": "2023/12/31 21:41 - 田中: こんにちは\n2023/12/31 21:42 - 佐藤: はい\n"
    "2023/12/31 21:43 - 田中: また\n",
    "calls": "00:01:02\tAda: can you hear me\n00:01:05\tBob: yes\n00:01:09\tAda: good\n"
    "00:01:12\tBob: go on\n",
    "tabs": "2024-05-01 12:00:01\tada\thello there\n2024-05-01 12:00:02\t@bob\thi\n"
    "2024-05-01 12:00:03\tada\tand more\n2024-05-01 12:00:04\t@bob\tyes\n",
    "months": "Jan 01 10:00:01 <ada>\thello\nJan 01 10:00:02 <bob>\thi\n"
    "Jan 01 10:00:09 <ada>\tmore\n",
    "months of Russia": "янв 01 10:00:01 <ada>\thello\nянв 01 10:00:02 <bob>\thi\n"
    "янв  1 10:00:09 <ada>\tmore\n",
    "like levels": "[12:01] Tracey: a\n[12:02] Info Desk: b\n[12:03] Tracey: c\n",
}
SPEAKERS = {
    "months": ["ada", "bob", "ada"],
    "months of Russia": ["ada", "bob", "ada"],
    "names": ["Ada", "Bob", "Ada", "Bob"],
    "nicks": ["ada", "bob", "ada"],
    "ranks": ["ada", "bob", "ada"],
    "iso": ["ada", "bob", "ada"],
    "numbers": ["+44 7700 900123", "Bob", "+44 7700 900123"],
    "Japanese": ["田中", "佐藤", "田中"],
    "calls": ["Ada", "Bob", "Ada", "Bob"],
    "tabs": ["ada", "bob", "ada", "bob"],
    "like levels": ["Tracey", "Info Desk", "Tracey"],
}


@pytest.mark.parametrize("form", CHATS)
def test_every_form_gives_its_speakers(form: str) -> None:
    draft = parse_one(CHATS[form], "a.txt")
    assert draft.media_type == "text/x-chat"
    assert draft.text == CHATS[form]
    turns = draft.blocks.of_kind(BlockKind.TURN)
    assert [turn.name for turn in turns] == SPEAKERS.get(form, ["Ada", "Bob", "Ada"])
    assert len(turns) == len(draft.blocks)
    assert not draft.missing
    assert not draft.warnings


OTHERS = {
    "readings": "".join(f"2024-05-01 12:00:0{n}\tsensor{n % 2}\t3.{n}\n" for n in range(8)),
    "prose": "It rained.\nNote: it always did.\nThe end: nobody knew.\n",
    "keys": "name: a\nversion: b\nlicence: c\nauthor: d\n",
    "yaml": "- name: a\n  age: 1\n- name: b\n  age: 2\n- name: c\n  age: 3\n",
    "yaml parts": "name: a\nage: 1\n---\nname: b\nage: 2\n---\nname: c\nage: 3\n",
    "robots": "User-agent: a\nDisallow: /\nUser-agent: b\nDisallow: /x\n",
    "csv": "time,name,text\n12:00,ada,b: c\n12:01,bob,c\n12:02,ada,d\n",
    "code": "def f():\n    return 1\n\n\nclass A:\n    pass\n",
    "log": "2024-05-01 12:00:01 INFO starting: x\n2024-05-01 12:00:02 ERROR failed: y\n"
    "2024-05-01 12:00:03 INFO stopping: z\n",
    "log with milliseconds": "2024-05-01 12:00:01,123 INFO root: a\n"
    "2024-05-01 12:00:02,124 ERROR root: b\n2024-05-01 12:00:03,125 INFO db: c\n",
    "log in UTC": "2024-05-01T12:00:01Z INFO main: x\n2024-05-01T12:00:02Z WARN db: y\n"
    "2024-05-01T12:00:03Z INFO http: z\n",
    "log in brackets": "[2024-05-01 12:00:01] local.ERROR: a\n[2024-05-01 12:00:02] local.INFO: b\n"
    "[2024-05-01 12:00:03] production.DEBUG: c\n",
    "log of one program": "2024/05/01 12:00:01 server: a\n2024/05/01 12:00:02 server: b\n"
    "2024/05/01 12:00:03 server: c\n",
    "levels": "info: a b\nerror: c\ninfo: d\nerror: e\n",
    "compiler": "warning: x is not used\nnote: here\nwarning: y is not used\nnote: there\n"
    "error: z\nnote: what\nhint: none\n",
    "mail header": "From: a\nTo: b\nReceived: c\nReceived: d\nReceived: e\nSubject: f\n",
    "readme": "# Tool\n\n- Fast: yes\n- Small: yes\n- Fast: no\n- Small: no\n",
    "list": "* one thing\n* two things\n* three things\n",
    "tags": "<li> one\n<li> two\n<li> three\n",
    "addresses": "<a@example.org> one\n<b@example.org> two\n<c@example.org> three\n",
    "programme": "09:00 Opening: welcome\n10:00 Talk: clocks\n11:00 Break: tea\n12:00 Talk: x\n",
    "verses": "3:16 For so loved: x\n3:17 For he: y\n3:18 He: z\n",
    "subtitles": "1\n00:00:01,000 --> 00:00:02,000\nhey\n\n2\n00:00:03,000 --> 00:00:04,000\nhi\n",
    "syslog": "Jan  1 10:00:01 host kernel: a b\nJan  1 10:00:02 host cron: c d\n"
    "Jan  1 10:00:03 host kernel: e f\nJan  1 10:00:04 host cron: g h\n",
    "syslog with tabs": "Jan 01 10:00:01 host\tkernel\ta b\nJan 01 10:00:02 host\tcron\tc d\n"
    "Jan 01 10:00:03 host\tkernel\te f\n",
    "syslog with tags": "Jan 01 10:00:01 <main> a b\nJan 01 10:00:02 <pool> c d\n"
    "Jan 01 10:00:03 <main> e f\n",
    "levels between tabs": "Jan 01 10:00:01 <info>\ta\nJan 01 10:00:02 <warning>\tb\n"
    "Jan 01 10:00:03 <info>\tc\n",
    "log with tabs": "2024-01-01 10:00:01\tINFO\ta b\n2024-01-01 10:00:02\tERROR\tc d\n"
    "2024-01-01 10:00:03\tINFO\te f\n2024-01-01 10:00:04\tERROR\tg h\n",
    "orders": "2024-01-01 10:00:01\tAda\tblue lamp\n2024-01-01 10:00:02\tBob\tred lamp\n"
    "2024-01-01 10:00:03\tCy\tgreen lamp\n2024-01-01 10:00:04\tDee\twhite lamp\n",
    "orders and a gap": "2024-01-01 10:00:01\tAda\tblue lamp\n2024-01-01 10:00:02\t--\tnone\n"
    "2024-01-01 10:00:03\tCy\tgreen lamp\n2024-01-01 10:00:04\tDee\twhite lamp\n",
    "diary": "Jan 01 10:00 we met.\nJan 02 11:00 it rained.\nJan 03 12:00 we left.\n",
    "sessions": "Session Start: 10:00\nWe spoke of this and that.\nSession Start: 11:00\n"
    "And of more.\nSession Close: noon\n",
    "session of a program": "Session Start: Mon Jan 01 2024\n10:00 open: a\n10:01 read: b\n"
    "10:02 close: c\n",
    "two turns": "[12:01] Ada: hello\n[12:02] Bob: hi\n",
    "nothing": "",
}


@pytest.mark.parametrize("kind", OTHERS)
def test_other_texts_are_no_chat(kind: str) -> None:
    assert not is_chat(OTHERS[kind])


def test_a_log_with_a_few_odd_lines_is_no_chat() -> None:
    lines = [f"2024-05-01 12:00:{second:02} [INFO] step" for second in range(50)]
    lines += [f"2024-05-01 12:01:{second:02} - worker: done" for second in range(4)]
    assert not is_chat("\n".join(lines))


def test_lines_that_go_on_belong_to_the_turn() -> None:
    text = (
        "31/12/23, 21:41 - Ada: to buy:\n- eggs\n\n- flour: 2 kg\n   \n"
        "31/12/23, 21:42 - Bob: ok\n31/12/23, 21:43 - Ada: and\nthen\nsome\nmore\nthings\n\n"
    )
    draft = parse_one(text, "a.txt")
    assert draft.text == text
    assert texts(draft, BlockKind.TURN) == [
        "31/12/23, 21:41 - Ada: to buy:\n- eggs\n\n- flour: 2 kg",
        "31/12/23, 21:42 - Bob: ok",
        "31/12/23, 21:43 - Ada: and\nthen\nsome\nmore\nthings",
    ]


def test_lines_of_the_system_have_no_speaker() -> None:
    text = (
        "--- Log opened Wed May 01 12:00:00 2024\n12:01 -!- cy [c@example.org] has joined #x\n"
        "12:01 <ada> hi\n12:02 * bob waves\n"
        "=== dee is now known as d\n12:03 <bob> bye\n12:04 <ada> x"
    )
    draft = parse_one(text, "irc.log")
    assert [(block.kind, block.name) for block in draft.blocks] == [
        (BlockKind.PARAGRAPH, ""),
        (BlockKind.PARAGRAPH, ""),
        (BlockKind.TURN, "ada"),
        (BlockKind.TURN, "bob"),
        (BlockKind.PARAGRAPH, ""),
        (BlockKind.TURN, "bob"),
        (BlockKind.TURN, "ada"),
    ]
    assert texts(draft)[3] == "12:02 * bob waves"


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        (
            "2024-01-01 10:00:00\t-->\tada (a@b) has joined #x\n2024-01-01 10:00:01\tada\thello\n"
            "2024-01-01 10:00:05\t@bob\thi there\n2024-01-01 10:00:06\t *\tbob waves\n"
            "2024-01-01 10:00:09\tada\tmore\n",
            ["", "ada", "bob", "bob", "ada"],
        ),
        (
            "Session Start: Mon Jan 01 10:00:00 2024\n10:00 -!- Irssi: #x: Total of 3 nicks\n"
            "10:01 < ada> hello\n10:02 <@bob> hi\n10:03  * bob waves\n",
            ["", "", "ada", "bob", "bob"],
        ),
        (
            "--- Log opened Mon Jan 01 10:00:00 2024\n10:01 < ada> hello\n10:02 <@bob> hi\n",
            ["", "ada", "bob"],
        ),
        (
            "**** BEGIN LOGGING AT Mon Jan 01 10:00:00 2024\n\nJan 01 10:00:01 <ada>\thello\n"
            "Jan 01 10:00:03 -bot-\tbeep\nJan 01 10:00:04 *\tbob waves\n"
            "Jan 01 10:00:09 <bob>\tbye\n**** ENDING LOGGING AT Mon Jan 01 11:00:00 2024\n",
            ["", "ada", "", "bob", "bob", ""],
        ),
    ],
)
def test_a_short_log_is_told_by_what_its_program_wrote(text: str, speakers: list[str]) -> None:
    draft = parse_one(text, "a.txt")
    assert draft.media_type == "text/x-chat"
    assert [block.name for block in draft.blocks] == speakers


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_newlines_become_plain_and_the_mark_of_order_goes(newline: str) -> None:
    raw = "\ufeff" + CHATS["clock"].replace("\n", newline)
    draft = parse_one(raw, "a.txt")
    assert draft.text == CHATS["clock"]
    assert texts(draft)[0] == "[12:01] Ada: hello"


def test_text_that_is_said_to_be_a_chat_but_has_no_turns_is_paragraphs() -> None:
    draft = parse_one("one\n\ntwo", "a.txt", LoadOptions(format="chat"))
    assert [block.kind for block in draft.blocks] == [BlockKind.PARAGRAPH] * 2


@pytest.mark.parametrize("name", ["chat.txt", "irc.log"])
def test_the_samples(name: str) -> None:
    path = paths.sample_docs() / name
    draft = parse_one(path.read_bytes(), name)
    turns = draft.blocks.of_kind(BlockKind.TURN)
    systems = draft.blocks.of_kind(BlockKind.PARAGRAPH)
    assert draft.media_type == "text/x-chat"
    assert draft.text == path.read_text("utf-8")
    assert len(turns) > 10
    assert len({turn.name for turn in turns}) in (3, 4)
    assert systems
    assert not draft.missing


PIECES = st.sampled_from(
    [
        "Ada: ",
        "[12:01] ",
        "<bob> ",
        "12/31/23, 9:41\u202fPM - ",
        "* ada ",
        "=== ",
        "\n",
        " ",
        "\u200e",
    ]
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=40).map("".join))
def test_any_text_stays_as_it_is_with_every_word_in_a_block(text: str) -> None:
    text = text.replace("\x00", "").replace("\r", "").removeprefix("\ufeff")
    draft = parse_one(text, "a", LoadOptions(format="chat", encoding="utf-8"))
    assert draft.text == text
    at = 0
    for block in draft.blocks:
        assert not text[at : block.start].strip()
        at = block.end
    assert not text[at:].strip()
