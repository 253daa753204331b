"""The workflows and what they publish agree with the rest of the repository."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[3]
RELEASE = REPOSITORY / ".github" / "release"
WORKFLOWS = sorted((REPOSITORY / ".github" / "workflows").glob("*.yml"))


def toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def test_one_version_everywhere() -> None:
    version = toml(REPOSITORY / "pyproject.toml")["project"]["version"]
    server = json.loads((RELEASE / "server.json").read_text(encoding="utf-8"))
    bundle = json.loads((RELEASE / "mcpb" / "manifest.json").read_text(encoding="utf-8"))
    project = toml(RELEASE / "mcpb" / "pyproject.toml")["project"]

    assert {server["version"], server["packages"][0]["version"], bundle["version"], project["version"]} == {version}
    assert project["dependencies"] == [f"lorekeeper-offline=={version}"]
    assert len(server["description"]) <= 100  # the registry takes no more


def test_the_registrys_package_can_be_started_by_its_name() -> None:
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
    assert "github.event." not in text  # what strangers write never reaches a shell
