"""Writes resources/THIRD_PARTY_NOTICES.md: the licences of all that is installed or bundled.

`python tools/third_party.py` reads the base dependencies of pyproject.toml and, through the
metadata of the installed packages, what those need in turn. Texts that several packages share
stand there once.
"""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
NOTICES = ROOT / "resources" / "THIRD_PARTY_NOTICES.md"
TEXTS = ROOT / "resources" / "licenses"
# Wheels without a licence text: the text that their metadata names.
NAMED_TEXTS = {
    "Apache-2.0": ("Apache-2.0.txt",),
    "MIT OR Apache-2.0": ("Apache-2.0.txt",),
    "LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only": ("LGPL-3.0.txt", "GPL-3.0.txt"),
}
# What older metadata says in other words, or only in a classifier.
SPDX = {
    "Apache Software License": "Apache-2.0",
    "MIT License": "MIT",
    "BSD License": "BSD-3-Clause",
    "Apache": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
}
_TEXT_NAME = re.compile(r"(LICEN[CS]E|COPYING|NOTICE|THIRD.PARTY|third-party)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that comes with the program."""

    name: str
    version: str
    licence: str
    home: str
    texts: tuple[str, ...]


def main() -> int:
    text = notices()
    NOTICES.write_text(text, encoding="utf-8")
    print(
        f"wrote {NOTICES.relative_to(ROOT)}: {len(base_packages())} packages, {len(text):,} bytes"
    )
    return 0


def base_packages() -> list[Distribution]:
    """What a base installation brings on this system, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    waiting = [Requirement(line) for line in project["dependencies"]]
    found: dict[str, Distribution] = {}
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if name in found or not (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            raise SystemExit(f"error: {name} is not installed; run this after a set-up") from None
        waiting += [Requirement(line) for line in found[name].requires or ()]
    return [found[name] for name in sorted(found)]


def part_of(package: Distribution) -> Part:
    meta = package.metadata
    licence = licence_of(package)
    texts = tuple(_text(path) for path in _licence_files(package))
    if not texts:
        if licence not in NAMED_TEXTS:
            raise SystemExit(f"error: {meta['Name']} ({licence}) comes without its licence's text")
        texts = tuple(_text(TEXTS / name) for name in NAMED_TEXTS[licence])
    return Part(meta["Name"], package.version, licence, _home(package), texts)


def licence_of(package: Distribution) -> str:
    """The licence as its metadata names it, as an SPDX expression where that is known."""
    meta = package.metadata
    told = meta.get("License-Expression") or meta.get("License") or ""
    if not told or "\n" in told or len(told) > 80:  # a whole text, or nothing
        kinds = [line for line in meta.get_all("Classifier", []) if line.startswith("License ::")]
        told = " OR ".join(line.rsplit(" :: ", 1)[1] for line in kinds) or _first_line(package)
    told = told.removeprefix("OSI Approved :: ")
    return SPDX.get(told, told)


def _first_line(package: Distribution) -> str:
    """How a licence's text begins, which is often its name."""
    files = _licence_files(package)
    return _text(files[0]).splitlines()[0].strip() if files else "unknown"


def _licence_files(package: Distribution) -> list[Path]:
    inside = [file for file in package.files or () if ".dist-info" in file.parts[0]]
    chosen = [
        file
        for file in inside
        if file.parts[1:2] in (("licenses",), ("license_files",)) or _TEXT_NAME.match(file.name)
    ]
    return [Path(str(package.locate_file(file))) for file in sorted(chosen, key=str)]


def _text(path: Path) -> str:
    text = path.read_text(encoding="utf-8", errors="replace")
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def _home(package: Distribution) -> str:
    meta = package.metadata
    urls = dict(line.split(", ", 1) for line in meta.get_all("Project-URL", []))
    known = {name.lower(): url for name, url in urls.items()}
    for name in ("homepage", "home", "source", "repository", "source code", "code", "github"):
        if name in known:
            return known[name]
    return meta.get("Home-page") or next(iter(known.values()), "").partition("/blob/")[0]


def other_parts() -> list[Part]:
    """What a bundle holds beside packages."""
    resources = ROOT / "resources"
    model, ranks = resources / "models" / "all-MiniLM-L6-v2", resources / "tiktoken"
    return [
        Part("Python", "3.11 to 3.13", "PSF-2.0", "https://www.python.org",
             (_text(TEXTS / "Python.txt"),)),
        Part("all-MiniLM-L6-v2", "model weights", "Apache-2.0",
             "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
             (_text(model / "LICENSE"), _text(model / "NOTICE"))),
        Part("cl100k_base, o200k_base", "token ranks", "MIT", "https://github.com/openai/tiktoken",
             (_text(ranks / "LICENSE"),)),
    ]  # fmt: skip


def notices() -> str:
    """The whole file."""
    parts = [*other_parts(), *map(part_of, base_packages())]
    numbers: dict[str, int] = {}
    users: dict[int, list[str]] = {}
    for part in parts:
        for text in part.texts:
            number = numbers.setdefault(text, len(numbers) + 1)
            users.setdefault(number, []).append(part.name)
    texts = [_section(number, users[number], text) for text, number in numbers.items()]
    return "\n".join([_head(), *(_row(part, numbers) for part in parts), "", *texts])


def _head() -> str:
    return (
        "# Third-party notices\n\n"
        "Made by tools/third_party.py. Chunkscope itself is under the MIT licence. It comes with,\n"
        "or installs, the parts below. Qt and PySide6 are used under the LGPL 3: a bundle keeps\n"
        "them as separate shared libraries that may be replaced. apsw contains SQLite (public\n"
        "domain).\n\n"
        "| part | version | licence | texts | home |\n|---|---|---|---|---|"
    )


def _row(part: Part, numbers: dict[str, int]) -> str:
    texts = ", ".join(str(numbers[text]) for text in dict.fromkeys(part.texts))
    return f"| {part.name} | {part.version} | {part.licence} | {texts} | {part.home} |"


def _section(number: int, users: list[str], text: str) -> str:
    names = ", ".join(dict.fromkeys(users))
    return f"## Text {number}: {names}\n\n~~~~~~text\n{text}\n~~~~~~\n"


if __name__ == "__main__":
    sys.exit(main())
