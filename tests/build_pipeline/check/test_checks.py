"""Counts, exceptions with reasons, and the command that prints them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from build_pipeline import cli
from build_pipeline.check.checks import Excused, check, read_exceptions
from build_pipeline.declared import DeclaredError
from build_pipeline.resources import DATA
from server.dataset.manifest import MANIFEST_FILE

OGRES = [{"id": f"creature/red-book/ogre-{n}", "entity_type": "creature", "armor_class": n} for n in (0, 11, 40)]


def test_exceptions_are_counted_separately_with_their_reason() -> None:
    excused = Excused("armor-class", ("creature/red-book/ogre-4*",), "so printed")
    idle = Excused("hit-points", ("creature/*",), "was once wrong")
    found = check({"creatures": OGRES}, [excused, idle])
    assert [finding.entity for finding in found.broken] == ["creature/red-book/ogre-0"]
    (row,) = [row for row in found.rows() if row["rule"] == "armor-class"]
    assert (row["checked"], row["broken"], row["excepted"], row["reasons"]) == (3, 1, 1, ["so printed"])
    assert found.idle == [idle]


def test_an_invalid_file_of_exceptions_is_named(tmp_path: Path) -> None:
    path = tmp_path / "exceptions.toml"
    with pytest.raises(DeclaredError, match=r"exceptions\.toml is not a list of \[\[exception\]\]: FileNotFound"):
        read_exceptions(path)
    path.write_text('[[exception]]\nrule = "armor-class"\nentities = ["creature/*"]\nreason = "so printed"\n')
    assert read_exceptions(path) == [Excused("armor-class", ("creature/*",), "so printed")]
    for text, says in (
        (
            '[[exception]]\nrule = "armour"\nentities = []\nreason = ""\n',
            "unknown rule 'armour'; the rules are ability-scores",
        ),
        ('[[exception]]\nrule = "armor-class"\n', "exception 1: entities Field required; reason Field required"),
        (
            '[[exception]]\nrule = "armor-class"\nentities = "creature/*"\nreason = ""\n',
            "entities Input should be a valid tuple",
        ),
        ("[[exception", "Expected"),
    ):
        path.write_text(text)
        with pytest.raises(DeclaredError, match=says):
            read_exceptions(path)


def test_the_shipped_exceptions_can_be_read() -> None:
    assert all(excused.reason for excused in read_exceptions(DATA / "check_exceptions.toml"))


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["lorekeeper-build", "check", *map(str, arguments)])
    with pytest.raises(SystemExit) as exit_:
        cli.main()
    return int(exit_.value.code or 0)


def test_the_command_gives_the_same_result_as_the_build(
    starter_dataset: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    built = json.loads((starter_dataset / MANIFEST_FILE).read_text(encoding="utf-8"))["checks"]
    assert sum(row["checked"] for row in built) > 1000
    code = run(monkeypatch, starter_dataset, "--json")
    told = json.loads(capsys.readouterr().out)
    assert told["rules"] == built
    assert code == int(any(row["broken"] for row in built)) == 0
    assert run(monkeypatch, starter_dataset, "--rule", "armor-class") == 0
    assert run(monkeypatch, starter_dataset, "--rule", "armour") == 1
    assert "the rules are ability-scores, " in capsys.readouterr().err
    assert run(monkeypatch, starter_dataset, "--previous", starter_dataset) == 0
