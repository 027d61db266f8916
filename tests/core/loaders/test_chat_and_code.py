"""Turns know their speakers, code its symbols; the text is the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope import paths
from chunkscope.core.blocks import BlockKind
from chunkscope.core.loaders.base import Draft, LoadOptions
from chunkscope.core.loaders.chat.loader import is_chat
from support.parsing import parse_one, texts

FORMS = {
    "names": "Ada: hello\nBob: hi\nAda: how are you?\nfine day\nBob: yes\n",
    "clock": "[12:01] Ada: hello\n[12:02] Bob: hi\nfine day\n[12:03] Ada: bye\n",
    "nicks": "<ada> hello\n<bob> hi\nfine day\n<ada> bye\n",
    "stamped": "[2024-05-01 12:01:03] <ada> hello\n[2024-05-01 12:01:04] <bob> hi\n"
    "[2024-05-01 12:01:05] <ada> bye\n",
    "phone": "12/31/23, 9:41\u202fPM - Ada: hello\n12/31/23, 9:42\u202fPM - Bob: hi\n"
    "12/31/23, 9:43\u202fPM - Ada: bye\n",
    "other": "\u200e[31.12.23, 21:41:07] Ada: hello\n[31.12.23, 21:42:07] Bob: hi\n"
    "[31.12.23, 21:43:07] Ada: bye\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_chat(form: str) -> None:
    draft = parse_one(FORMS[form], "a.txt")
    assert draft.media_type == "text/x-chat"
    assert draft.text == FORMS[form]
    speakers = [block.name.lower() for block in draft.blocks.of_kind(BlockKind.TURN)]
    assert speakers[:3] == ["ada", "bob", "ada"]


def test_lines_that_go_on_belong_to_the_turn() -> None:
    draft = parse_one(FORMS["clock"], "a.txt")
    assert texts(draft, BlockKind.TURN)[1] == "[12:02] Bob: hi\nfine day"


@pytest.mark.parametrize(
    "text",
    [
        "It rained.\nNote: it always did.\nThe end: nobody knew.\n",
        "name: a\nversion: b\nlicence: c\nauthor: d\n",
        "2024-05-01 12:00:01 INFO starting: x\n2024-05-01 12:00:02 ERROR failed: y\n"
        "2024-05-01 12:00:03 INFO stopping: z\n",
        "a,b,c\n1,2,3\n4,5,6\n",
        "def f():\n    return 1\n\nclass A:\n    pass\n",
        "User-Agent: a\nDisallow: /\nUser-Agent: b\nDisallow: /x\n",
    ],
)
def test_other_texts_are_no_chat(text: str) -> None:
    assert not is_chat(text)


def test_discord_and_telegram_exports() -> None:
    discord = {
        "guild": {},
        "channel": {"name": "general"},
        "messages": [
            {"author": {"name": "ada"}, "content": "hi", "timestamp": "2024-05-01T12:00:00+02:00"},
            {"author": {"name": "bob"}, "content": 7},
        ],
    }
    draft = parse_one(json.dumps(discord), "a.json")
    assert draft.text == "[2024-05-01 10:00] ada: hi"
    assert "1 entries" in draft.missing[0]
    telegram = {
        "name": "Group",
        "messages": [
            {"id": 1, "date": "2024-05-01T12:00:00", "from": "Ada", "text": ["see ", {"text": "x"}]}
        ],
    }
    assert parse_one(json.dumps(telegram), "a.json").text == "[2024-05-01 12:00] Ada: see x"


CODE = {
    "a.py": (
        "class A:\n    @property\n    def b(self):\n        return '👩\u200d🚀'\n\n\n"
        "def c():\n    pass\n",
        "A A.b c",
    ),
    "a.js": ("class A {\n  b() {}\n}\nconst c = () => 1;\nfunction d() {}\n", "A A.b c d"),
    "a.ts": ("interface I { x: number }\nexport class A { b(): void {} }\n", "I A A.b"),
    "A.java": ("class A {\n  /** doc */\n  int b() { return 1; }\n}\n", "A A.b"),
    "a.c": ("struct s { int x; };\nint f(void) { return 0; }\n", "s f"),
    "a.cpp": ("namespace n { class A { void b() {} }; }\n", "n n.A n.A.b"),
    "a.go": ("package p\n\ntype T struct{}\n\nfunc (t *T) M() {}\n\nfunc f() {}\n", "T T.M f"),
    "a.rs": ("struct S;\nimpl S {\n    fn m(&self) {}\n}\nfn f() {}\n", "S S.m f"),
}


def symbols(draft: Draft) -> list[str]:
    return [block.name for block in draft.blocks if block.name]


@pytest.mark.parametrize("name", CODE)
def test_symbols_of_each_language(name: str) -> None:
    text, expected = CODE[name]
    draft = parse_one(text, name)
    assert draft.text == text
    wanted = expected.split()
    assert [found for found in symbols(draft) if found in wanted] == wanted


def test_decorators_belong_to_their_function_and_offsets_are_code_points() -> None:
    draft = parse_one("x = '👩‍🚀 日本語'\n\n\n@cache\ndef f():\n    pass\n", "a.py")
    (block,) = [block for block in draft.blocks if block.name == "f"]
    assert draft.text[block.start : block.end] == "@cache\ndef f():\n    pass"


def test_syntax_errors_are_told() -> None:
    draft = parse_one("def f(:\n    pass\n\ndef g():\n    pass\n", "a.py")
    assert "syntax error" in draft.warnings[0]


@given(st.text(max_size=120), st.sampled_from(["a.py", "a.js", "a.c", "a.rs"]))
def test_any_text_as_code(text: str, name: str) -> None:
    text = text.replace("\x00", "").replace("\r", "").removeprefix("\ufeff")
    draft = parse_one(text, name, LoadOptions(format="code", encoding="utf-8"))
    inside = bytearray(len(draft.text))
    for block in draft.blocks:
        inside[block.start : block.end] = b"\1" * (block.end - block.start)
    assert not "".join(c for c, ok in zip(draft.text, inside, strict=True) if not ok).strip()


@given(st.text(max_size=120))
def test_any_text_as_chat(text: str) -> None:
    text = text.replace("\x00", "").replace("\r", "").removeprefix("\ufeff")
    assert parse_one(text, "a", LoadOptions(format="chat", encoding="utf-8")).text == text


def test_the_sample_module() -> None:
    path = paths.sample_docs() / "tide_clock.py"
    draft = parse_one(path.read_bytes(), path.name)
    assert "TideClock.turning_points" in symbols(draft)


def test_shared_irc_logs(shared_data: Path) -> None:
    for path in (shared_data / "documents" / "chat").iterdir():
        draft = parse_one(path.read_bytes(), path.name)
        assert draft.media_type == "text/x-chat"
        assert len(draft.blocks.of_kind(BlockKind.TURN)) > 500
