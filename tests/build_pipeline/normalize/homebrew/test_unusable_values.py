"""Unusable values are reported and do not become facts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from build_pipeline.normalize.homebrew.orcbrew import drafts
from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.snapshot.orcbrew.fields import FIELDS, known_fields
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
    assert said == [":dex is 1000: left out; it should be a whole number from 0 to 30"]


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


@pytest.mark.parametrize(
    ("kind", "field", "done"),
    [
        ("monsters", ":hit-points 22", "read as 22 hit points; it should be a map of dice, such as"),
        ("monsters", ':hit-points "4d8 + 4"', "read as dice; it should be a map of dice, such as"),
        ("monsters", ":con 1.5", "left out; it should be a whole number from 0 to 30"),
        ("monsters", ":skills {:stealth 1.5}", "only the skills with whole numbers in it are read; it should be a map"),
        ("monsters", ":skills {:athletic 3}", "only the skills with whole numbers in it are read; it should be a map"),
        ("monsters", ":speed 30", 'read as 30 ft.; it should be a text such as "30 ft., fly 60 ft."'),
        ("races", ':speed "25 ft."', "read as 25; it should be a whole number"),
        ("races", ':languages "Elvish"', "read as one language; it should be a set or vector"),
        ("spells", ":range 60", "read as 60 feet; it should be a text such as"),
        ("classes", ':hit-die "d12"', "read as 12; it should be a whole number"),
        ("classes", ":hit-die :d8", "read as 8; it should be a whole number"),
        ("monsters", ':languages ["Elvish"]', "read as a list; it should be a text in quotes"),
        ("monsters", ":alignment :evil", "its words are read; it should be a text in quotes"),
        ("spells", ':components "V, S"', "read as its letters; it should be a map"),
        ("spells", ":spell-lists [:wizard]", "all that it lists is read as true; it should be a map of true and false"),
    ],
)
def test_a_remark_says_what_was_done_and_what_would_be_right(tmp_path: Path, kind: str, field: str, done: str) -> None:
    _, said = read(tmp_path, kind, field)
    assert [message.startswith(f"{field.split(maxsplit=1)[0]} is ") and done in message for message in said] == [True]


ODD = (
    "#{:x}",
    "5",
    "1.5",
    '"text"',
    '"7 of them"',
    ":key",
    ":d8",
    "true",
    "[1]",
    '["a" "b"]',
    "{:x 1}",
    "{:x true}",
    "[{:x 1}]",
)


_TELLING = ("challenge", "spellcasting", "school")
"""Fields whose absence is a fact (no spells; as in OrcPub a challenge of 0), or that a later check takes out."""


@pytest.mark.parametrize("kind", FIELDS)
def test_what_is_said_to_be_left_out_is(tmp_path: Path, kind: str) -> None:
    for field in sorted(known_fields(kind) - {"key", *_TELLING}):
        built = ":dex 10" if field == "str" else ":str 10"
        without, _ = read(tmp_path, kind, built)
        for value in ODD:
            facts, said = read(tmp_path, kind, f"{built} :{field} {value}")
            if any(message.startswith(f":{field} is ") and ": left out;" in message for message in said):
                assert facts == without, (field, value)


def test_what_nobody_defines_is_a_problem_of_the_build(tmp_path: Path) -> None:
    path = tmp_path / "x.orcbrew"
    path.write_text(
        '{:orcpub.dnd.e5/subclasses {:a {:key :a :name "A" :class :cleric\n'
        " :level-selections [{:type :knots :level 3}]}}\n"
        ' :orcpub.dnd.e5/encounters {:e {:key :e :name "E" :creatures [{:creature {:monster :nobody}}]}}}'
    )
    problems = Problems()
    list(drafts(RawLayer.of(read_orcbrew([path]).objects), problems))
    lack = "the homebrew and SRD 5.1 (built into OrcPub) lack among their"
    assert problems.entries == [
        {
            "raw": "orcbrew/subclasses/x/a",
            "reason": "x.orcbrew:1: :level-selections refers to :knots, "
            f"which {lack} selections: the choice is left out",
        },
        {
            "raw": "orcbrew/encounters/x/e",
            "reason": f"x.orcbrew:3: :creatures refers to :nobody, which {lack} monsters: the name is kept as text",
        },
    ]


def test_a_stat_block_in_another_language_keeps_its_lines(tmp_path: Path) -> None:
    facts, _ = read(tmp_path, "monsters", ':str 10 :speed "9 m, schwimmen 6 m" :senses "Dunkelsicht 18 m"')
    assert facts["speed"] is None
    assert facts["description"] == "**Speed.** 9 m, schwimmen 6 m\n\n**Senses.** Dunkelsicht 18 m"
