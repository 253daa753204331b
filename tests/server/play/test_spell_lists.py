"""Spell lists with slots."""

from server.library.library import Library
from server.play.advancement import class_named
from server.play.spell_lists import by_level, slots, spells_of


def test_slots_of_the_class_table(library: Library):
    wizard = class_named(library, "class/srd-2014/wizard", None)
    assert slots(wizard, 5) == {1: 4, 2: 3, 3: 2}
    assert slots(class_named(library, "fighter", None), 5) == {}


def test_pact_slots_are_of_one_level(library: Library):
    assert slots(class_named(library, "class/srd-2014/warlock", None), 5) == {3: 2}


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


def test_what_a_slot_makes_of_a_spell():
    option = dict.fromkeys(("slot_level", "character_level", "damage", "healing", "targets"))
    spell = {
        **dict.fromkeys(("id", "name", "school", "casting_time", "concentration", "ritual", "components")),
        "id": "spell/x/flare",
        "name": "Flare",
        "level": 1,
        "casting_options": [option | {"slot_level": 2, "damage": "3d6"}, option | {"character_level": 5}],
    }
    (first,) = by_level([spell], [1], {1: 4}, slot=2)
    assert first["spells"] == [{"name": "Flare", "id": "spell/x/flare", "with_slot": {"damage": "3d6"}}]
    (third,) = by_level([spell], [1], {}, slot=3)
    assert third == {"level": 1, "slots": None, "count": 1, "spells": [{"name": "Flare", "id": "spell/x/flare"}]}
    (without,) = by_level([spell], [1, 2], {}, slot=None)
    assert "with_slot" not in without["spells"][0]
