"""What goes out with the program: licences, icon, menu entry, the list of what is bundled."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtGui import QImage
from PySide6.QtSvg import QSvgRenderer

from chunkscope import paths
from chunkscope.core.loaders.every import formats

ROOT = Path(__file__).resolve().parents[2]
LINUX = ROOT / "packaging" / "linux"
MIME_TYPES = {
    "text": ("text/plain",),
    "chat": ("text/plain", "application/json"),
    "code": ("text/x-python", "text/javascript", "text/x-java", "text/x-csrc", "text/x-c++src",
             "text/x-go", "text/rust", "application/typescript"),
    "json": ("application/json",),
    "jsonl": ("application/x-ndjson",),
    "csv": ("text/csv", "text/tab-separated-values"),
    "docx": ("application/vnd.openxmlformats-officedocument.wordprocessingml.document",),
    "html": ("text/html", "application/xhtml+xml"),
    "epub": ("application/epub+zip",),
    "mail": ("message/rfc822", "application/x-mimearchive"),
    "mbox": ("application/mbox",),
    "markdown": ("text/markdown",),
    "odt": ("application/vnd.oasis.opendocument.text",),
    "pdf": ("application/pdf",),
    "rtf": ("application/rtf",),
}  # fmt: skip


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def entry() -> dict[str, str]:
    lines = (LINUX / "chunkscope.desktop").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines[1:])


def test_notices_name_every_base_package_at_the_version_that_is_set_up() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if "==" in line)
    names = {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in pinned.items()}
    told = dict(re.findall(r"^\| ([\w.-]+) \| ([\w.]+) \|", notices(), re.MULTILINE))
    told = {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in told.items()}
    base = {package.name for package in tool("third_party").base_packages()}
    for name in sorted(re.sub(r"[-_.]+", "-", each).lower() for each in base):
        assert told.get(name) == names[name], "run: python tools/third_party.py"


def notices() -> str:
    return (paths.resources() / "THIRD_PARTY_NOTICES.md").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems need other packages")
def test_notices_hold_the_texts_of_the_installed_packages() -> None:
    module = tool("third_party")
    text = notices()
    for part in [*module.other_parts(), *map(module.part_of, module.base_packages())]:
        for each in part.texts:
            assert each in text, f"{part.name}: run python tools/third_party.py"


def test_nothing_bundled_forbids_selling_or_closing_it() -> None:
    licences = re.findall(r"^\| [^|]+ \| [^|]+ \| ([^|]+) \| [\d, ]+ \|", notices(), re.MULTILINE)
    assert len(licences) > 50
    for licence in licences:
        if "GPL" in licence:
            assert "LGPL-3.0-only OR" in licence
        assert "AGPL" not in licence


def test_the_icon_is_drawn_by_its_script() -> None:
    module = tool("make_icon")
    folder = paths.resources() / "icons"
    assert module.svg() == (folder / "chunkscope.svg").read_text(encoding="utf-8")
    assert QSvgRenderer(str(folder / "chunkscope.svg")).isValid()
    for size in module.PNG_SIZES:
        kept, fresh = QImage(), QImage()
        assert kept.load(str(folder / f"chunkscope-{size}.png"))
        assert fresh.loadFromData(module.png(size))
        assert (kept.width(), kept) == (size, fresh)
    for name in ("chunkscope.ico", "chunkscope.icns"):
        assert QImage(str(folder / name)).width() >= 16, name


def test_the_menu_entry_opens_every_format() -> None:
    kinds = set(entry()["MimeType"].strip(";").split(";"))
    assert set(MIME_TYPES) == set(formats), "name the new format's MIME type here and there"
    for name, expected in MIME_TYPES.items():
        assert set(expected) <= kinds, name
    assert entry()["Exec"] == "chunkscope-window open %F"


@pytest.mark.skipif(sys.platform != "linux", reason="desktop entries are Linux's")
def test_the_menu_entry_is_installed_and_removed(tmp_path: Path) -> None:
    bundle = tmp_path / 'my "best" $programs & 100%'
    bundle.mkdir()
    shutil.copy("/bin/true", bundle / "chunkscope-window")
    data = tmp_path / "share"
    environment = {**os.environ, "XDG_DATA_HOME": str(data)}

    def install(argument: str) -> None:
        command = [str(LINUX / "install.sh"), argument]
        subprocess.run(command, env=environment, check=True, capture_output=True)

    install(str(bundle))
    written = (data / "applications" / "chunkscope.desktop").read_text(encoding="utf-8")
    quoted = str(bundle / "chunkscope-window").replace("%", "%%")
    for sign in '"$':
        quoted = quoted.replace(sign, f"\\\\{sign}")  # once for the string, once for Exec
    assert f'\nExec="{quoted}" open %F\n' in written
    assert (data / "icons/hicolor/48x48/apps/chunkscope.png").exists()
    install("--remove")
    assert not [file for file in data.rglob("chunkscope*") if file.is_file()]


def test_every_grammar_is_in_the_bundle() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    needed = set(re.findall(r'"tree-sitter-(\w+)', project))
    listed = re.search(r"GRAMMARS = \(([^)]*)\)", (ROOT / "build.spec").read_text("utf-8"))
    assert listed is not None
    assert set(re.findall(r'"(\w+)"', listed[1])) == needed


def test_the_architecture_page_has_the_layers_that_are_enforced() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = project["tool"]["importlinter"]["contracts"][0]
    enforced = [
        name for layer in contract["layers"] for name in re.findall(r"\w+(?:\.\w+)*", layer)
    ]
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("## Layers")[2].partition("## Five")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    shown = [name for row in rows for name in re.findall(r"`([\w/]+)`", row)]
    assert [f"chunkscope.{name.replace('/', '.')}" for name in shown] == enforced
