"""`lorekeeper-build orcbrew check`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from brew import STARTER

from build_pipeline.commands.orcbrew import check
from build_pipeline.snapshot.orcbrew.reader import OrcbrewError

DAMAGED = '{"P" {:orcpub.dnd.e5/languages\n {:a {:key :a :name "A"}\n  :b {:key :b :name "B}}}}'


def test_a_sound_file_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert check((STARTER,)) == 0
    out = capsys.readouterr().out
    assert "3 spells, 2 monsters" in out
    assert "The Lantern Coast (the-lantern-coast)" in out


def test_damage_is_reported_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.orcbrew"
    path.write_text(DAMAGED)
    assert check((path, STARTER), as_json=True) == 1
    damaged, sound = json.loads(capsys.readouterr().out)
    assert damaged["file"] == str(path)
    assert damaged["books"] == ["P"]
    assert damaged["entities"] == {"languages": ["a"]}
    finding = damaged["findings"][0]
    message = finding.pop("message")
    assert finding == {"line": 3, "column": 3, "kind": "languages", "key": "b"}
    assert message.startswith("damage: ")
    assert "never closed" in message
    assert sound["entities"]["subraces"] == ["reef-elf"]
    assert sound["findings"] == []


def test_damage_is_reported_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.orcbrew"
    path.write_text(DAMAGED)
    check((path,))
    out = capsys.readouterr().out
    assert f"{path}:3:3: damage: " in out
    assert "⟦here⟧:b {:key :b" in out


def test_a_missing_file_is_reported_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(OrcbrewError, match="no such file"):
        check((tmp_path / "missing.orcbrew",))
