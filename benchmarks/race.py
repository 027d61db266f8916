"""Texts to race on, the race itself, and what may be wrong with chunks."""

from __future__ import annotations

import gc
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkscope import paths

_FAR_BEHIND = 8
Call = Callable[[], object]
Count = Callable[[str], int]

EVALUATION = Path(__file__).resolve().parents[2] / "shared" / "data" / "chunking-eval"
# Words that another word of the same text may stand for; tags and numbers in names stay.
_WORD = re.compile(
    r"(?<![\w<&/=\"#.])(?:[A-ZÀ-Þ]?[a-zß-ÿ]{3,}|[а-я]{4,}|[ء-ي]{3,}|[0-9]{2,})(?!\w)"
    r"|[一-鿿]{2}|[ぁ-ゖ]{2}|[가-힣]{2}"
)
# In each copy one word in so many is another one, and one in each line: no cache of a contender's
# sees many pieces twice.
_EVERY = 10
_LONGEST = 5_000
_TONGUES = (
    "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und "
    "Gewissen begabt und sollen einander z. B. im Geist der Brüderlichkeit begegnen. Dr. Müller "
    "sagte: „Jeder hat das Recht auf Leben, Freiheit und Sicherheit der Person!“ Wirklich?",
    "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de "
    "raison et de conscience ; ils doivent agir les uns envers les autres dans un esprit de "
    "fraternité. « Vraiment ? » demanda-t-elle. L'œuvre coûta 3,5 millions d'euros à l'époque.",
    "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и "
    "совестью и должны поступать в отношении друг друга в духе братства. Каждый человек имеет "
    "право на жизнь, на свободу и на личную неприкосновенность, в т. ч. в 1948 г. и позднее.",
    "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。"
    "人人有资格享受本宣言所载的一切权利和自由，不分种族、肤色、性别、语言、宗教、政治或其他见解！"
    "任何人不得使为奴隶或奴役；一切形式的奴隶制度和奴隶买卖，均应予以禁止。为什么不呢？",
    "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。"
    "人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。"
    "「本当ですか？」と彼女は言った。何人も、奴隷にされ、又は苦役に服することはない。",
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 "
    "이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다. 모든 사람은 생명과 "
    "신체의 자유와 안전에 대한 권리를 가진다.",
    "يولد جميع الناس أحراراً متساوين في الكرامة والحقوق، وقد وهبوا عقلاً وضميراً وعليهم أن يعامل "
    "بعضهم بعضاً بروح الإخاء. لكل إنسان حق التمتع بكافة الحقوق والحريات الواردة في هذا الإعلان؛ "
    "هل هذا صحيح؟ لكل فرد الحق في الحياة والحرية وسلامة شخصه.",
    "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और "
    "अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए। प्रत्येक व्यक्ति को जीवन, "
    "स्वाधीनता और वैयक्तिक सुरक्षा का अधिकार है।",
    "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม "
    "และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ ทุกคนมีสิทธิในการดำรงชีวิต",
    "Emoji 👩‍🚀👨‍👩‍👧‍👦 join letters and marks: cafe\u0301, nai\u0308ve, 🇩🇪🇫🇷, 👍🏽! Zalgo "
    "t\u0335e\u0336x\u0337t is text as well. Is it? ✈️ 10 − 12 °C … and so on 🤷🏾‍♀️.",
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk as a contender gave it; `start` is None where it tells no place."""

    text: str
    start: int | None = None
    end: int = 0


@dataclass(frozen=True, slots=True)
class Faults:
    """What is wrong with a contender's chunks."""

    chunks: int
    over_budget: int
    largest: int
    wrong_offsets: int
    are_looked_up: bool
    lost: int

    @property
    def cells(self) -> list[str]:
        offsets = f"{self.wrong_offsets}{' (looked up)' if self.are_looked_up else ''}"
        over = f"{self.over_budget} (max {self.largest})" if self.over_budget else "0"
        return [str(self.chunks), over, offsets, str(self.lost)]


def race(calls: Mapping[str, Call], rounds: int) -> tuple[dict[str, float], dict[str, Any]]:
    """The shortest time of each and what it gave; they take turns, so noise slows all of them.

    Whoever is far behind after a round is excused from the others: noise is not that large.
    """
    seconds = dict.fromkeys(calls, float("inf"))
    results: dict[str, Any] = {}
    for number in range(rounds):
        last = min(seconds.values(), default=0.0) * _FAR_BEHIND
        for name, call in calls.items():
            if number == 0 or seconds[name] <= last:
                taken, results[name] = timed(call)
                seconds[name] = min(seconds[name], taken)
    return seconds, results


def timed(call: Call) -> tuple[float, object]:
    gc.collect()
    gc.disable()
    try:
        started = time.perf_counter()
        result = call()
        return time.perf_counter() - started, result
    finally:
        gc.enable()


def find_faults(text: str, pieces: Sequence[Piece], budget: int, count: Count) -> Faults:
    """Each chunk counted by itself and compared with the text at its place."""
    sizes = [count(piece.text) for piece in pieces]
    looked_up = any(piece.start is None for piece in pieces)
    return Faults(
        len(pieces),
        sum(size > budget for size in sizes),
        max(sizes, default=0),
        _missing(text, pieces) if looked_up else _misplaced(text, pieces),
        looked_up,
        _lost(text, pieces),
    )


def _misplaced(text: str, pieces: Sequence[Piece]) -> int:
    return sum(text[piece.start : piece.end] != piece.text for piece in pieces)


def _missing(text: str, pieces: Sequence[Piece]) -> int:
    """Chunks that are not in the text, looked for from the end of the last that is."""
    missing = at = 0
    for piece in pieces:
        found = text.find(piece.text, at)
        missing += found < 0
        at = found + len(piece.text) if found >= 0 else at
    return missing


def _lost(text: str, pieces: Sequence[Piece]) -> int:
    """How many visible characters of the text are in no chunk, wherever they stand."""
    left = Counter(text)
    for piece in pieces:
        left.subtract(piece.text)
    return sum(number for character, number in left.items() if number > 0 and character.strip())


@dataclass(frozen=True, slots=True)
class Seed:
    """A line in parts: every other one is a word that may be replaced, by one of its `choices`."""

    parts: list[str]
    choices: list[list[str]]

    @classmethod
    def of(cls, line: str, known: dict[str, list[str]]) -> Seed:
        parts: list[str] = []
        done = 0
        for match in _WORD.finditer(line):
            parts += [line[done : match.start()], match[0]]
            done = match.end()
        return cls([*parts, line[done:]], [known[_script(word)] for word in parts[1::2]])

    def vary(self, rng: random.Random) -> str:
        if not self.choices:
            return self.parts[0]
        parts = self.parts.copy()
        for _ in range(len(self.choices) // _EVERY + 1):
            at = rng.randrange(len(self.choices))
            parts[2 * at + 1] = rng.choice(self.choices[at])
        return "".join(parts)


def seeds_of(text: str) -> Iterator[list[Seed]]:
    """The paragraphs of a text, line by line; a line of a very long one is a paragraph."""
    known: dict[str, list[str]] = {}
    for match in _WORD.finditer(text):
        known.setdefault(_script(match[0]), []).append(match[0])
    for paragraph in filter(str.strip, re.split(r"\n\s*\n", text)):
        lines = [Seed.of(line, known) for line in paragraph.splitlines() if line.strip()]
        yield from [lines] if len(paragraph) <= _LONGEST else [[line] for line in lines]


def _script(word: str) -> str:
    if word.isascii():
        return "0" if word.isdecimal() else "A" if word[0].isupper() else "a"
    return "a" if word < "\u0250" else chr(ord(word[0]) & ~0x7F)


def make_text(sources: Sequence[str], size: int, numbered: str = "") -> str:
    """Copies of the sources up to a size in UTF-8 bytes, each copy a little different."""
    rng = random.Random(5)
    seeds = [seed for source in sources for seed in seeds_of(source)]
    found: list[str] = []
    length = 0
    while length < size:
        for seed in seeds:
            paragraph = "\n".join(line.vary(rng) for line in seed)
            found.append(numbered.format(len(found)) + paragraph)
            length += len(found[-1].encode()) + 2
            if length >= size:
                break
    return "\n\n".join(found)


def make_prose(size: int) -> str:
    files = (
        paths.sample_docs() / "story.txt",
        EVALUATION / "state_of_the_union.md",
        EVALUATION / "wikitexts.md",
    )
    return make_text([_read(file) for file in files if file.exists()], size, "{}. ")


def make_texts(size: int) -> dict[str, str]:
    """Four kinds, the same at each run."""
    samples = paths.sample_docs()
    return {
        "prose": make_prose(size),
        "Markdown": make_text([_read(samples / "handbook.md")], size),
        "HTML": make_text([_read(samples / "article.html")], size),
        "international": make_text(_TONGUES, size, "({}) "),
    }


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")
