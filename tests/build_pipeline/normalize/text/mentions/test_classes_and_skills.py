"""Classes and skills in texts about characters, distinguished from plain words."""

from __future__ import annotations

import pytest

from build_pipeline.normalize.text.mentions.classes_and_skills import capitalised_names, classes_named, skills_named


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You learn a spell from the Bard, Cleric, or Druid spell list.", ["Bard", "Cleric", "Druid"]),
        ("Choose a class: bard, cleric, or druid.", ["bard", "cleric", "druid"]),
        ("You have three levels in wizard and two in fighter.", ["wizard", "fighter"]),
        ("It is like the Fury feature of the barbarian.", ["barbarian"]),
        ("Roll more for the rogue's Sneak Attack.", ["rogue"]),
        ("As a cleric 6/paladin 4, you pray.", ["cleric", "paladin"]),
        ("A 7th-level fighter and a level 3 Wizard meet.", ["fighter", "Wizard"]),
        ("Bards and warlocks use Charisma as their spellcasting ability.", ["Bards", "warlocks"]),
        ("A druid can use such an object as a spellcasting focus.", ["druid"]),
        ("It grants *Magic Initiate* (Cleric).", ["Cleric"]),
        ("A wizard's tower stands where the druids sing.", []),
    ],
)
def test_a_class_is_meant_beside_its_spells_levels_or_features(text: str, expected: list[str]) -> None:
    named = {name for mention in classes_named(text) for name in mention.names}
    assert set(expected) <= named if expected else not named


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Choose either Acrobatics or Stealth.", ["Acrobatics", "Stealth"]),
        ("The skills are these:\n\n- Arcana\n- Commune with Nature", ["Arcana"]),
        ("| Domain | God |\n|---|---|\n| Nature | Pan |", []),
        ("Nature is kind.", []),
        ("It keeps its Wet Skin and Immortal Nature traits; its INT is 12.", []),
        ("The block has a Passive Perception score; Stealth checks go against it.", ["Stealth"]),
        ("Insight (Very Rare). Your eyes glow.", []),
        ("The newt's Stealth is 14, and it gains +2 to Perception.", ["Stealth", "Perception"]),
    ],
)
def test_words_called_skills_are_skills(text: str, expected: list[str]) -> None:
    assert [mention.names[0] for mention in skills_named(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two Clerics sing of an *Invisible* newt.", ["Clerics", "Invisible"]),
        ("A Cleric, or a newt, sings.", ["Cleric"]),
        ("so says the Wizard of wines", []),
        ("brought to you by Wizards of the Coast, and by Wizards alone", ["Coast"]),
        ("Druid in a hat, as if Petrified. Prone it lies.", []),
    ],
)
def test_a_word_capitalised_within_a_sentence_is_a_name(text: str, expected: list[str]) -> None:
    assert list(dict.fromkeys(mention.names[0] for mention in capitalised_names(text))) == expected
