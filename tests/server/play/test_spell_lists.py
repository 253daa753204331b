"""Spell lists with slots."""

import pytest

from server.library.library import Library
from server.play.advancement import class_named
from server.play.spell_lists import COLUMNS, arcana, by_level, slots, spells_of


def test_slots_of_the_class_table(library: Library):
    wizard = class_named(library, "class/srd-2014/wizard", None)
    assert slots(wizard, 5) == {1: 4, 2: 3, 3: 2}
    assert slots(class_named(library, "fighter", None), 5) == {}


def test_pact_slots_are_of_one_level(library: Library):
    assert slots(class_named(library, "class/srd-2014/warlock", None), 5) == {3: 2}


def test_an_arcanum_of_the_next_level_with_each_gain():
    warlock = {"features": [{"name": "Mystic Arcanum", "level": 11, "levels": [11, 13, 15, 17]}]}
    assert [arcana(warlock, level) for level in (10, 11, 12, 15, 20)] == [[], [6], [6], [6, 7, 8], [6, 7, 8, 9]]
    assert arcana({"features": None}, 20) == []


def test_the_spells_of_the_class_in_its_own_book(library: Library):
    wizard = class_named(library, "class/srd-2014/wizard", None)
    found = spells_of(library, wizard, None)
    assert {row["document_key"] for row in found} == {"srd-2014"}
    levels = [row["level"] for row in found]
    assert levels == sorted(levels)
    assert "Fireball" in {row["name"] for row in found}


def test_a_spell_of_several_books_stands_once(library: Library):
    wizard = class_named(library, "wizard", None)
    names = [row["name"] for row in spells_of(library, wizard, ["srd-2014", "srd-2024"])]
    assert len(names) == len(set(names))


OPTION = dict.fromkeys(("slot_level", "character_level", "damage", "healing", "targets"))
FLARE = dict.fromkeys(COLUMNS) | {
    "id": "spell/x/flare",
    "name": "Flare",
    "level": 1,
    "description": "Each creature takes 2d6 fire damage, or half of 2d6.",
    "higher_level": "The fire damage increases by 1d6 for each slot level above 1.",
    "casting_options": [OPTION | {"slot_level": 2, "damage": "3d6"}, OPTION | {"character_level": 5}],
}


def with_slot(spell, slot):
    (level,) = by_level([FLARE | spell], [1], {}, slot=slot)
    return level["spells"][0].get("with_slot")


def test_what_a_slot_makes_of_a_spell():
    spell = FLARE
    (first,) = by_level([spell], [1], {1: 4}, slot=2)
    assert first["spells"] == [{"name": "Flare", "id": "spell/x/flare", "with_slot": {"damage": "3d6"}}]
    (third,) = by_level([spell], [1], {}, slot=3)
    assert third == {"level": 1, "slots": None, "count": 1, "spells": [{"name": "Flare", "id": "spell/x/flare"}]}
    (without,) = by_level([spell], [1, 2], {}, slot=None)
    assert "with_slot" not in without["spells"][0]


@pytest.mark.parametrize(
    "further",
    ["Then it takes 1d4 cold damage.", "Then it takes 2d6 cold damage.", "The blade deals 2d6 + your level."],
)
def test_dice_that_are_not_all_of_the_damage_are_said_to_be_part_of_it(further):
    spell = {"description": f"{FLARE['description']} {further}"}
    assert with_slot(spell, 2) == {"part_of_damage": "3d6", "higher_level": FLARE["higher_level"]}


@pytest.mark.parametrize("options", [None, [], [OPTION | {"character_level": 5, "damage": "3d6"}]])
def test_where_no_numbers_were_read_the_book_says_what_a_slot_makes_of_a_spell(options):
    assert with_slot({"casting_options": options}, 2) == {"higher_level": FLARE["higher_level"]}
    assert with_slot({"casting_options": options}, 1) is None
    assert with_slot({"casting_options": options, "higher_level": None}, 2) is None
