"""Unusable values are reported and do not become facts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from build_pipeline.normalize.homebrew.orcbrew import drafts
from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.snapshot.orcbrew.reader import read_orcbrew
from build_pipeline.snapshot.raw import RawLayer


def read(tmp_path: Path, kind: str, fields: str) -> tuple[dict[str, Any], list[str]]:
    """The facts of an entity with these fields, and the remarks on them."""
    path = tmp_path / "x.orcbrew"
    path.write_text(f'{{:orcpub.dnd.e5/{kind} {{:a {{:key :a :name "A" {fields}}}}}}}')
    found = read_orcbrew([path])
    (draft,) = drafts(RawLayer.of(found.objects), Problems())
    return draft.facts, [finding.message for finding in found.findings]


@pytest.mark.parametrize(
    ("kind", "fields", "column", "value"),
    [
        ("classes", ":hit-die 1e30", "hit_dice", None),
        ("classes", ":hit-die -8", "hit_dice", None),
        ("classes", ':hit-die "d10"', "hit_dice", "d10"),
        ("classes", ':multiclass-prereqs {:str "x"}', "multiclassing", None),
        ("monsters", ":challenge ##NaN", "challenge_rating", None),
        ("monsters", ":challenge nil", "challenge_rating", 0.0),
    ],
)
def test_an_unusable_value_is_unknown(tmp_path: Path, kind: str, fields: str, column: str, value: object) -> None:
    assert read(tmp_path, kind, fields)[0].get(column) == value


def test_scores_out_of_range_are_unknown(tmp_path: Path) -> None:
    facts, said = read(tmp_path, "monsters", ":dex 1000 :str 10")
    assert (facts["ability_scores"]["dexterity"], facts["ability_scores"]["strength"]) == (None, 10)
    assert said == [":dex is 1000, not a number from 0 to 30"]


@pytest.mark.parametrize("level", ["-2", "25", "1000"])
def test_levels_are_those_of_a_character(tmp_path: Path, level: str) -> None:
    trait = f':traits [{{:name "Ward" :description "You ward." :level {level}}}]'
    facts, (said,) = read(tmp_path, "classes", trait)
    assert [feature["levels"] for feature in facts["features"]] == [[1]]
    assert "levels from 1 to 20" in said


def test_increases_come_at_levels_of_a_character(tmp_path: Path) -> None:
    facts, (said,) = read(tmp_path, "classes", ":ability-increase-levels [-1 4 21]")
    assert [feature["levels"] for feature in facts["features"]] == [[4]]
    assert "levels from 1 to 20" in said


def test_impossible_numbers_do_not_become_sentences(tmp_path: Path) -> None:
    facts, _ = read(tmp_path, "classes", ":level-modifiers [{:type :num-attacks :value 99999 :level 5}]")
    assert not facts["features"]
    facts, _ = read(tmp_path, "encounters", ":creatures [{:creature {:monster :goblin :num -5}}]")
    assert facts["description"] == "- 1 × Goblin"
    facts, _ = read(tmp_path, "classes", ":spellcasting {:level-factor 1 :cantrips-known {1 -5}}")
    assert not any(column["name"] == "Cantrips Known" for row in facts["progression"] for column in row["columns"])
