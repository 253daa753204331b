"""The workflows and what they publish agree with the rest of the repository."""

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from build_pipeline.snapshot.orcbrew.reader import read_orcbrew
from server.dataset.names import slugify

REPOSITORY = Path(__file__).parents[3]
RELEASE = REPOSITORY / ".github" / "release"
WORKFLOWS = sorted((REPOSITORY / ".github" / "workflows").glob("*.yml"))


def toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def test_the_version_is_the_same_everywhere() -> None:
    version = toml(REPOSITORY / "pyproject.toml")["project"]["version"]
    server = json.loads((RELEASE / "server.json").read_text(encoding="utf-8"))
    bundle = json.loads((RELEASE / "mcpb" / "manifest.json").read_text(encoding="utf-8"))
    project = toml(RELEASE / "mcpb" / "pyproject.toml")["project"]

    assert {server["version"], server["packages"][0]["version"], bundle["version"], project["version"]} == {version}
    assert project["dependencies"] == [f"lorekeeper-offline=={version}"]
    assert len(server["description"]) <= 100  # the registry's maximum


def test_the_registrys_package_has_a_script_of_its_name() -> None:
    """`uvx lorekeeper-offline` runs the script of that name."""
    server = json.loads((RELEASE / "server.json").read_text(encoding="utf-8"))
    scripts = toml(REPOSITORY / "pyproject.toml")["project"]["scripts"]

    assert scripts[server["packages"][0]["identifier"]] == scripts["lorekeeper"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_and_targets_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", (REPOSITORY / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))

    assert re.findall(r"uses: (?!\S+@[0-9a-f]{40} # v)\S+", text) == []
    assert set(re.findall(r"\bmake ([a-z-]+)", text)) <= targets
    assert "\npermissions: {}\n" in text
    assert "github.event." not in text  # text of outsiders never reaches a shell


def test_every_published_book_is_declared() -> None:
    """The books in data/homebrew and the starter's, which `make snapshot` adds."""
    declared = toml(REPOSITORY / "data" / "allowed_documents.toml")["documents"]
    files = sorted((REPOSITORY / "data" / "homebrew").glob("*.orcbrew*"))
    read = read_orcbrew([REPOSITORY / "data" / "starter" / "lantern-coast.orcbrew", *files])
    keys = {slugify(book.name) for file in read.files for book in file.books}

    assert keys
    assert {key for key, entry in declared.items() if entry.get("homebrew")} == keys


def test_make_adds_the_books_to_snapshot_and_dataset() -> None:
    for target in ("snapshot", "dataset"):
        for given, taken in (
            ([], "data/starter/lantern-coast.orcbrew"),
            (["HOMEBREW=a.orcbrew b.zip"], "a.orcbrew b.zip"),
        ):
            told = subprocess.run(
                ["make", "-n", target, "READY=", *given], cwd=REPOSITORY, capture_output=True, text=True, check=True
            )
            assert f"--orcbrew {taken}" in told.stdout
        none = subprocess.run(
            ["make", "-n", target, "READY=", "HOMEBREW="], cwd=REPOSITORY, capture_output=True, text=True, check=True
        )
        assert "--orcbrew" not in none.stdout
