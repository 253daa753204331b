"""Spell lists with slots."""

import pytest

from server.library.library import Library
from server.library.requests.request import RequestError
from server.play.advancement import numbers
from server.play.classes import Classes
from server.play.spell_lists import (
    COLUMNS,
    arcana,
    by_level,
    granted_by,
    learnable,
    slots,
    spells_of,
    with_common_slots,
)
from server.tools.registry import tool_named


def test_slots_come_from_the_class_table(library: Library):
    wizard = Classes(library, None).named("class/srd-2014/wizard")
    assert slots(numbers(wizard, 5)) == {1: 4, 2: 3, 3: 2}
    assert slots(numbers(Classes(library, None).named("fighter"), 5)) == {}


def test_pact_slots_are_of_one_level(library: Library):
    assert slots(numbers(Classes(library, None).named("class/srd-2014/warlock"), 5)) == {3: 2}


def test_each_gain_adds_an_arcanum_of_the_next_level():
    warlock = {"features": [{"name": "Mystic Arcanum", "level": 11, "levels": [11, 13, 15, 17]}]}
    assert [arcana(warlock, level) for level in (10, 11, 12, 15, 20)] == [[], [6], [6], [6, 7, 8], [6, 7, 8, 9]]
    assert arcana({"features": None}, 20) == []


@pytest.mark.parametrize(
    ("names", "casters"),
    [
        (["Paladin", "Warlock"], ["Paladin"]),
        (["Fighter", "Wizard"], ["Wizard"]),
        (["Paladin", "Warlock", "Wizard"], ["Paladin", "Wizard"]),
    ],
)
def test_only_classes_with_spellcasting_have_common_slots(library: Library, names: list[str], casters: list[str]):
    found = [Classes(library, None).named(name) for name in names]
    assert [row["name"] for row in with_common_slots(found)] == casters


def test_cantrips_are_for_who_learns_them(library: Library):
    paladin, wizard = (Classes(library, None).named(f"class/srd-2014/{name}") for name in ("paladin", "wizard"))
    spark, flare = ({"id": f"spell/x/{level}", "level": level, "document_key": "x"} for level in (0, 1))
    assert learnable([spark, flare], [paladin], ()) == [flare]
    assert learnable([spark, flare], [paladin], {spark["id"]}) == [spark, flare]
    assert learnable([spark, flare], [paladin, wizard], ()) == [spark, flare]
    assert learnable([spark, flare], [paladin | {"document_key": "x"}], ()) == [spark, flare]


def test_the_spells_come_from_the_class_and_its_book(library: Library):
    wizard = Classes(library, None).named("class/srd-2014/wizard")
    found = spells_of(library, [wizard], None)
    assert {row["document_key"] for row in found} == {"srd-2014"}
    levels = [row["level"] for row in found]
    assert levels == sorted(levels)
    assert "Fireball" in {row["name"] for row in found}


def test_a_spell_of_several_books_is_listed_once(library: Library):
    wizard = Classes(library, None).named("wizard")
    names = [row["name"] for row in spells_of(library, [wizard], ["srd-2014", "srd-2024"])]
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


def test_a_slot_changes_the_numbers_of_a_spell():
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
def test_dice_for_part_of_the_damage_are_marked(further):
    spell = {"description": f"{FLARE['description']} {further}"}
    assert with_slot(spell, 2) == {"part_of_damage": "3d6", "higher_level": FLARE["higher_level"]}


@pytest.mark.parametrize("options", [None, [], [OPTION | {"character_level": 5, "damage": "3d6"}]])
def test_without_numbers_the_books_sentence_on_higher_slots_is_given(options):
    assert with_slot({"casting_options": options}, 2) == {"higher_level": FLARE["higher_level"]}
    assert with_slot({"casting_options": options}, 1) is None
    assert with_slot({"casting_options": options, "higher_level": None}, 2) is None


def test_the_caster_s_level_makes_more_of_a_spell():
    cantrip = FLARE | {
        "level": 0,
        "casting_options": [
            OPTION | {"character_level": 5, "damage": "2d8"},
            OPTION | {"character_level": 11, "damage": "3d8", "targets": 2},
        ],
    }
    found = {
        level: by_level([cantrip], [0], {}, slot=None, character_level=level)[0]["spells"][0].get("at_level")
        for level in (None, 4, 5, 10, 20)
    }
    more, most = {"damage": "2d8"}, {"damage": "3d8", "targets": 2}
    assert found == {None: None, 4: None, 5: more, 10: more, 20: most}
    several = cantrip | {"description": "It takes 1d8 fire damage and 1d8 cold damage."}
    (level,) = by_level([several], [0], {}, slot=None, character_level=5)
    assert level["spells"][0]["at_level"] == {"part_of_damage": "2d8", "higher_level": FLARE["higher_level"]}


def test_a_subclass_casts_the_spells_of_the_class_that_it_names(library: Library):
    fighter = Classes(library, None).named("class/srd-2014/fighter")
    told = [
        {"name": "Cunning", "description": None},
        {"name": "Spellcasting", "description": "On the Wizard spell list."},
    ]
    subclass = fighter | {"id": "subclass/x/sly", "name": "Sly", "features": told}
    wizard = Classes(library, None).named("class/srd-2014/wizard")
    assert spells_of(library, [fighter], None) == []
    assert spells_of(library, [fighter, subclass], None) == spells_of(library, [wizard], None)
    assert spells_of(library, [fighter, subclass | {"features": None}], None) == []


def homebrew_class(library: Library, **facts):
    """A class of a book that has no spells that name it."""
    fighter = Classes(library, None).named("class/srd-2014/fighter")
    return fighter | {"id": "class/x/stoker", "name": "Stoker", "document_key": "the-lantern-coast"} | facts


def test_a_class_casts_the_spells_of_the_class_that_it_names_from_the_book_of_that(library: Library):
    told = [{"name": "Spellcasting", "description": "Your spells are those of the Wizard spell list."}]
    stoker = homebrew_class(library, features=told, caster_type="half")
    found = spells_of(library, [stoker], None)
    wizard = Classes(library, None).named("class/srd-2014/wizard")
    assert {row["document_key"] for row in found} == {"srd-2014", "the-lantern-coast"}
    assert {row["name"] for row in spells_of(library, [wizard], None)} <= {row["name"] for row in found}
    assert {row["document_key"] for row in spells_of(library, [stoker], ["srd-2014"])} == {"srd-2014"}
    assert spells_of(library, [stoker | {"caster_type": "none"}], None) == []


def test_a_class_has_the_spells_that_its_list_names_in_other_books(library: Library):
    listed = [
        {"level": 0, "spells": ["spell/srd-2014/light"]},
        {"level": 1, "spells": ["spell/srd-2014/bless", "Zap"]},
    ]
    stoker = homebrew_class(library, spell_list=listed)
    found = spells_of(library, [stoker], None)
    assert [row["name"] for row in found] == ["Light", "Bless"]
    assert learnable(found, [stoker], ()) == found
    assert spells_of(library, [stoker], ["srd-2024"]) == []


def test_a_subclass_gives_spells_of_other_books(library: Library):
    stoker = homebrew_class(library)
    granted = {"spell/srd-2014/bless"}
    assert [row["id"] for row in spells_of(library, [stoker], None, granted)] == ["spell/srd-2014/bless"]
    assert spells_of(library, [stoker], ["the-lantern-coast"], granted) == []


def of_its_own(*spells):
    return {"id": "subclass/x/hill", "name": "Hill", "subclass_spells": [*spells] or None}


def its_spell(name, class_level, choice=None):
    return {"name": name, "id": f"spell/x/{name}", "level": 1, "class_level": class_level, "choice": choice}


def test_a_subclass_gives_its_spells_at_their_levels_and_adds_the_others():
    hill = of_its_own(its_spell("bless", 1), its_spell("fly", 5), its_spell("wish", None))
    found = {level: granted_by([OPTION, hill], level).keys() for level in (1, 4, 5, None)}
    first, every = {"spell/x/bless", "spell/x/wish"}, {"spell/x/bless", "spell/x/fly", "spell/x/wish"}
    assert found == {1: first, 4: first, 5: every, None: every}
    assert set(granted_by([OPTION, hill], None).values()) == {"Hill"}
    assert granted_by([hill], None) == granted_by([OPTION, of_its_own()], None) == {}


def test_choices_that_have_the_same_spell_are_named_together():
    hill = of_its_own(its_spell("web", 3, "Wood"), its_spell("web", 3, "Cave"), its_spell("fog", 3, "Cave"))
    unknown = its_spell("unheard-of", 3) | {"id": None}
    hill["subclass_spells"].append(unknown)
    assert granted_by([OPTION, hill], 3) == {"spell/x/web": "Wood, Cave", "spell/x/fog": "Cave"}


def test_spells_that_only_the_subclass_gives_are_in_its_list(library: Library):
    asked = {"class_key": "warlock", "subclass": "fiend"}
    spell_list = tool_named("spell_list")
    with_it, without = (
        {spell["id"]: spell for level in answer["results"] for spell in level["spells"]}
        for answer in (spell_list.call(library, asked), spell_list.call(library, {"class_key": "warlock"}))
    )
    further = with_it.keys() - without.keys()
    assert further
    assert all("granted_by" in with_it[identity] for identity in further)


def test_the_message_on_a_subclass_can_be_followed(library: Library):
    spell_list = tool_named("spell_list")
    with pytest.raises(RequestError, match=r'class_key="Cleric", subclass="Life Domain"\.'):
        spell_list.call(library, {"class_key": "life domain"})
    answer = spell_list.call(library, {"class_key": "Cleric", "subclass": "Life Domain", "level": 3})
    assert [rule["id"] for rule in answer["rules"]] == ["class/srd-2014/cleric", "subclass/srd-2014/life-domain"]
    assert [rule["says"] for rule in answer["rules"]] == [
        "spell slots, cantrips and numbers of the class table",
        "its spells",
    ]
    assert answer["slots"] == {"1": 4, "2": 2}
