"""Every command of the README and docs/, run as written in a checkout after `make demo`.

A comment that says what a command needs besides (`# needs a network`, `# needs docker`) leaves it out here. `make` only
tells what it would run. What a page exports or unsets holds to its end.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from mirror import pack

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
STARTER: Final = ROOT / "data" / "starter"

_BLOCK: Final = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND: Final = re.compile(r"^\$ (?P<words>(?:.*\\\n)*.*?)(?:\s+# (?P<comment>.*))?$", re.MULTILINE)
_VARIABLE: Final = re.compile(r"LOREKEEPER_[A-Z]+(?:_[A-Z]+)*")
_LINK: Final = re.compile(r"\]\((?!https?:)(?P<path>[^)#]*)(?:#(?P<anchor>[^)]+))?\)")
_HEADING: Final = re.compile(r"^#+ (?P<text>.+)$", re.MULTILINE)


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """(language, text) of the code on a page."""
    yield from ((found["language"], found["text"]) for found in _BLOCK.finditer(page.read_text(encoding="utf-8")))


def commands(page: Path) -> Iterator[tuple[str, str]]:
    """(command, comment) on a page."""
    for language, text in blocks(page):
        if language == "console":
            yield from ((found["words"], found["comment"] or "") for found in _COMMAND.finditer(text))


def links_of(page: Path) -> Iterator[re.Match[str]]:
    """The links of a page to others and to its own headings."""
    return _LINK.finditer(page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    texts = (found["text"].lower() for found in _HEADING.finditer(_BLOCK.sub("", page.read_text(encoding="utf-8"))))
    return {re.sub(r"[^\w -]", "", text).replace(" ", "-") for text in texts}


@pytest.fixture
def checkout(tmp_path: Path, starter_dataset: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout as `make demo` leaves it, with the files that the pages mention."""
    folder = tmp_path / "lorekeeper"
    folder.mkdir()
    for entry in ("Makefile", "pyproject.toml", "constraints.txt", "data", "docs", "server", "build_pipeline"):
        (folder / entry).symlink_to(ROOT / entry)
    (folder / "out").mkdir()
    for name in ("out/demo", "out/dataset", "DIR", "OLD", "NEW"):
        shutil.copytree(starter_dataset, folder / name, copy_function=os.link)
    shutil.copytree(STARTER, folder / "out" / "snapshot")
    shutil.copy(STARTER / "lantern-coast.orcbrew", folder / "my-library.orcbrew")
    (folder / "packs").mkdir()
    shutil.copy(STARTER / "lantern-coast.orcbrew", folder / "packs")
    archive, _ = pack(starter_dataset, folder, "2026.11.01")
    archive.rename(folder / "lorekeeper-dataset-VERSION.tar.zst")
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name, module in (("lorekeeper", "server.cli"), ("lorekeeper-build", "build_pipeline.cli")):
        start = f"import sys; sys.argv[0] = {name!r}; from {module} import main; main()"
        (programs / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c "{start}" "$@"\n')
        (programs / name).chmod(0o755)
    (folder / ".venv" / ".ready").touch()
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LOREKEEPER_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LOREKEEPER_DATASET", raising=False)
    return folder


def test_the_pages_have_commands() -> None:
    assert {page.name for page in PAGES if any(commands(page))} >= {
        "README.md",
        "air-gap.md",
        "orcbrew.md",
        "releases.md",
    }
    assert sum(1 for page in PAGES for _ in commands(page)) > 15


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_are_in_blocks_with_a_language(page: Path) -> None:
    """A block without a language could contain untested commands."""
    assert [text for language, text in blocks(page) if not language] == []


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="the pages are written for a POSIX shell")
@pytest.mark.parametrize("page", [page for page in PAGES if any(commands(page))], ids=lambda page: page.name)
def test_commands_work_as_written(page: Path, checkout: Path) -> None:
    before = ""
    for command, comment in commands(page):
        if command.startswith(("export ", "unset ")):
            before += f"{command}\n"
        dry = command.startswith("make ")
        if "needs " in comment and not dry:
            continue
        environment = os.environ | ({"MAKEFLAGS": "-n"} if dry else {})
        done = subprocess.run(
            ["bash", "-c", f"{before}{command}"],
            cwd=checkout,
            env=environment,
            capture_output=True,
            text=True,
            timeout=280,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_are_valid(page: Path) -> None:
    links = [(page.parent / found["path"] if found["path"] else page, found["anchor"]) for found in links_of(page)]
    assert [target for target, _ in links if not target.exists()] == []
    assert [(target.name, anchor) for target, anchor in links if anchor and anchor not in anchors(target)] == []


def test_make_help_lists_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):(?!=)", makefile, re.MULTILINE))
    done = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    listed = dict(re.findall(r"^make ([a-z-]+) +(\S.*)$", done.stdout, re.MULTILINE))
    assert set(listed) == targets
    assert subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout == done.stdout


def test_every_variable_is_on_the_page_of_settings() -> None:
    code = "".join(
        path.read_text(encoding="utf-8")
        for part in ("server", "build_pipeline")
        for path in (ROOT / part).rglob("*.py")
    )
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert set(_VARIABLE.findall(page)) == set(_VARIABLE.findall(code))
