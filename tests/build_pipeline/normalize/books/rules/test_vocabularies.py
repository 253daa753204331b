"""Abilities, skills, damage types and schools from tables of an invented book."""

from __future__ import annotations

import pytest
from books import book_layer

from build_pipeline.normalize.books.rules.vocabularies import vocabulary_drafts
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference

SKILLS = """
# Playing the Game

## Proficiency

### Skill Proficiencies

Train them.

#### Skills

| Skill | Ability | Example Uses |
|---|---|---|
| Whittling | Dexterity | Carve a gull out of driftwood. |
| Tidelore | Wisdom | |
"""
TYPES = """
# Rules Glossary

## Damage Types

Each attack has one.

### Damage Types

| Type | Examples |
|---|---|
| Brine | Spray, pickling |
"""


def read(text: str) -> tuple[list[Draft], list[dict[str, str]]]:
    problems = Problems()
    return list(vocabulary_drafts(book_layer("srd-2024", text), problems)), problems.entries


def test_each_row_is_an_entry_of_its_vocabulary_with_its_place() -> None:
    [whittling, tidelore], problems = read(SKILLS)

    assert (whittling.entity_type, whittling.name, whittling.document_key) == ("skill", "Whittling", "srd-2024")
    assert whittling.facts["ability"] == "dexterity"
    assert whittling.facts["description"] == "Carve a gull out of driftwood."
    assert whittling.facts["section"] == "Playing the Game"
    assert whittling.facts["parent"] == Reference(("rule",), "Skills", whittling.raw[0])
    assert tidelore.facts["description"] is None
    assert problems == []


def test_only_skills_have_an_ability() -> None:
    [brine], _ = read(TYPES)

    assert (brine.entity_type, brine.facts["description"], brine.facts["ability"]) == (
        "damage-type",
        "Spray, pickling",
        None,
    )


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ("Nothing is here.", "'Skills' has no table"),
        ("| Skill |\n|---|\n| Whittling |", "not shaped like the other objects of its endpoint"),
    ],
)
def test_a_section_without_such_a_table_is_a_problem(table: str, reason: str) -> None:
    drafts, [problem] = read(SKILLS[: SKILLS.index("| Skill |")] + table)

    assert drafts == []
    assert reason in problem["reason"]
