"""Searches that name a thing and ask for one of its parts or facts."""

from typing import Any

import pytest

from server.library.library import Library
from server.library.requests.request import Request


def _first(library: Library, query: str, **asked: Any) -> dict[str, Any]:
    found = library.find(Request("all", search=query, limit=3, **asked))
    return dict(found["results"][0])


@pytest.mark.parametrize(
    ("query", "name", "part", "field"),
    [
        ("what's the AC of an ancient red dragon", "Ancient Red Dragon", "armor_class", "armor_class"),
        ("ancient red dragon fire breath", "Ancient Red Dragon", "Fire Breath", "actions"),
        ("what does a level 3 rogue get?", "Rogue", "Level 3", "features"),
        ("Rogues at 3rd level", "Rogue", "Level 3", "features"),
        ("rogue sneak attack", "Rogue", "Sneak Attack", "features"),
        ("saving throw proficiencies of a rogue", "Rogue", "proficiencies.saving_throws", "proficiencies"),
        ("does fireball need a save", "Fireball", "forces_saves", "forces_saves"),
        ("price of plate armor", "Plate Armor", "cost_gp", "cost_gp"),
        ("how much is plate?", "Plate Armor", "cost_gp", "cost_gp"),
        ("an ancient red dragon's hp", "Ancient Red Dragon", "hit_points", "hit_points"),
        ("ancient red dragon bite attack bonus", "Ancient Red Dragon", "Bite", "actions"),
        ("fifth level rogue abilities", "Rogue", "Level 5", "progression"),
        ("lvl 5 rogue", "Rogue", "Level 5", "progression"),
        ("fireball spell level", "Fireball", "level", "level"),
        ("who can cast fireball", "Fireball", "classes", "classes"),
        ("fireball damage die", "Fireball", "damage_dice, damage_average, damage_types", "damage_dice"),
        ("how many cantrips does a wizard know", "Wizard", "Progression", "progression"),
        ("what armor can a rogue wear", "Rogue", "proficiencies.armor", "proficiencies"),
    ],
)
def test_the_thing_comes_first_with_what_is_asked(
    library: Library, query: str, name: str, part: str, field: str
) -> None:
    first = _first(library, query)
    assert (first["name"], first["part"]) == (name, part)
    assert first[field]
    assert "license" not in first  # the part, and not the record around it


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("AC of an ancient red dragon", "Armor Class: "),
        ("rogue level 3", "Level 3: "),
        ("how much does a longsword cost", "Cost: 15 gp"),
        ("how much rage damage does a barbarian get", "Rage Damage: +2 at level 1, +3 at 9, +4 at 16"),
        ("barbarian proficiency bonus", "Proficiency Bonus: +2 at level 1, +3 at 5"),
        ("when does a wizard get 3rd level spells", "Spell Slots 3rd: "),
        ("what level does a rogue get sneak attack", "Sneak Attack (level 1): "),
        ("rogue sneak attack damage at level 7", "Level 7: "),
        ("what damage is an ancient red dragon immune to", "Damage Immunities: fire"),
        ("can an ancient red dragon swim", "Speed: walk "),
    ],
)
def test_summaries_say_it_in_a_few_words(library: Library, query: str, said: str) -> None:
    first = _first(library, query, detail="summary")
    assert first["matched"].startswith(said)


@pytest.mark.parametrize(
    "query",
    ["mage armor", "acid damage", "wizard spells", "wizard cantrips", "3rd level wizard spells", "rogue", "costs"],
)
def test_names_and_facts_ask_for_no_part(library: Library, query: str) -> None:
    found = library.find(Request("all", search=query, limit=5, detail="summary"))["results"]
    assert found
    assert not any("_" in record.get("part", "") or record.get("part", "").startswith("Level") for record in found)


def test_words_that_are_no_part_of_the_thing_ask_for_nothing(library: Library) -> None:
    for query in ("rogue potions at level 3", "what is the hit die of fireball", "rogue level 33"):
        assert _first(library, query).get("part") not in {"Level 3", "hit_dice"}


def test_what_is_answered_is_not_sought_among_other_kinds(library: Library) -> None:
    found = library.find(Request("character_option", search="rogue saving throws", limit=1))
    assert "Other kinds" not in (found["message"] or "")
