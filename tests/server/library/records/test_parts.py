"""Look-ups of a part of a record: a trait, action, feature, level or table."""

from typing import Any

import pytest

from server.library.library import Library
from server.library.records.parts import _Entry, _has_words
from server.library.requests.request import Request

PALADIN: dict[str, Any] = {"family": "character_option", "kind": "class", "name": "paladin"}
DRAGON: dict[str, Any] = {"family": "creature", "name": "adult red dragon", "documents": ("srd-2014",)}
IDENTITY = {"id", "entity_type", "name", "document", "document_key", "document_name", "document_source", "game_system"}


def _one(library: Library, **asked: Any) -> dict[str, Any]:
    (record,) = library.find(Request(**asked))["results"]
    return dict(record)


def test_a_part_has_only_the_identity_of_its_record(tiny_library: Library) -> None:
    found = _one(tiny_library, **PALADIN, part="Divine Health")
    assert found.keys() == IDENTITY | {"part", "features"}
    assert found["part"] == "Divine Health"
    whole = _one(tiny_library, **PALADIN)
    assert found["features"] == [whole["features"][1]]
    assert all(found[field] == whole[field] for field in IDENTITY)


@pytest.mark.parametrize(
    ("asked", "part"),
    [
        ("DIVINE  health", "Divine Health"),
        ("health", "Divine Health"),
        ("divine", "Divine Sense"),
        ("heal div", "Divine Health"),
        ("auras", "Aura"),
        ("paladin table", "The Paladin Table"),
        ("level 3", "Level 3"),
        ("3rd level", "Level 3"),
        ("18", "Level 18"),
    ],
)
def test_names_match_as_people_write_them(tiny_library: Library, asked: str, part: str) -> None:
    assert _one(tiny_library, **PALADIN, part=asked)["part"] == part


@pytest.mark.parametrize("asked", ["Fire Breath (Recharge 5-6)", "fire breath (recharge 5–6)", "Fire Breath"])
def test_a_printed_heading_finds_the_part(library: Library, asked: str) -> None:
    assert _one(library, **DRAGON | {"name": "ancient red dragon"}, part=asked)["part"] == "Fire Breath"


def test_parentheses_distinguish_parts_with_the_same_name(library: Library) -> None:
    asked = Request("creature", part="Legendary Resistance (4/Day, or 5/Day in Lair)", detail="names")
    assert {record["id"] for record in library.find(asked)["results"]} == {"creature/srd-2024/ancient-red-dragon"}
    ancient = DRAGON | {"name": "ancient red dragon"}
    assert _one(library, **ancient, part="Legendary Resistance (9/Day)")["part"] == "Legendary Resistance (3/Day)"


def test_a_level_is_its_table_row_and_features(tiny_library: Library) -> None:
    third = _one(tiny_library, **PALADIN, part="level 3")
    assert [feature["name"] for feature in third["features"]] == ["Divine Health"]
    assert third["progression"].splitlines()[-1] == "| 3rd | +2 | Divine Health | 3 |"
    assert "| 2nd |" not in third["progression"]
    assert [f["name"] for f in _one(tiny_library, **PALADIN, part="level 18")["features"]] == ["Aura"]


def test_a_section_gives_all_its_parts(tiny_library: Library) -> None:
    whole = _one(tiny_library, **DRAGON)
    found = _one(tiny_library, **DRAGON, part="Actions")
    assert found.keys() == IDENTITY | {"part", "actions"}
    assert len(found["actions"]) > 1
    assert found["actions"] == whole["actions"]
    assert _one(tiny_library, **PALADIN, part="features")["part"] == "Features"


def test_a_feature_has_the_columns_of_the_level_table_that_it_refers_to(library: Library) -> None:
    (sneak,) = _one(library, family="character_option", name="rogue", part="sneak attack")["features"]
    assert sneak["by_level"] == {
        "Sneak Attack": "1d6 at level 1, 2d6 at 3, 3d6 at 5, 4d6 at 7, 5d6 at 9, 6d6 at 11, 7d6 at 13, 8d6 at 15, "
        "9d6 at 17, 10d6 at 19"
    }
    (expertise,) = _one(library, family="character_option", name="rogue", part="expertise")["features"]
    assert "by_level" not in expertise
    whole = _one(library, family="character_option", name="rogue")  # which has the table itself
    assert "by_level" not in next(feature for feature in whole["features"] if feature["name"] == "Sneak Attack")
    at_first = _one(library, family="character_option", name="rogue", part="level 1")
    assert "Sneak Attack" in at_first["progression"]
    assert not any("by_level" in feature for feature in at_first["features"])


def test_parts_with_the_same_name_are_returned_together(tiny_library: Library) -> None:
    assert len(_one(tiny_library, **DRAGON, part="Fire Breath")["actions"]) == 4


def test_tables_of_rules_are_parts(tiny_library: Library) -> None:
    for name in ("kinds of cover", "table"):
        found = _one(tiny_library, family="rule", kind="rule", name="cover", part=name)
        assert found["tables"] == [{"title": "Kinds of Cover", "columns": ["Cover", "AC"], "rows": [["half", "+2"]]}]


def test_records_without_the_part_are_left_out(tiny_library: Library) -> None:
    response = tiny_library.find(Request("creature", part="fire breath", limit=2))
    assert (response["total"], response["count"], response["next_offset"]) == (6, 2, 2)
    assert all(record["part"] == "Fire Breath" for record in response["results"])
    names = tiny_library.find(Request("creature", part="fire breath", detail="names"))["results"]
    assert len(names) == 6
    assert all(record.keys() == {"name", "document", "id"} for record in names)


def test_an_unknown_part_lists_the_existing_ones_similar_names_first(tiny_library: Library) -> None:
    response = tiny_library.find(Request(**PALADIN, part="Auras of Courage"))
    assert (response["results"], response["total"]) == ([], 0)
    assert response["message"] == (
        'Paladin has no part "Auras of Courage". The parts: Aura, Divine Sense, Divine Health, The Paladin Table. '
        'Levels 1 to 18 are parts too, e.g. part="Level 1".'
    )
    assert "Did you mean" not in tiny_library.find(Request(**PALADIN, part="level 25"))["message"]
    response = tiny_library.find(Request("spell", name="fireball", part="ash"))
    assert response["message"] == 'Fireball has no part "ash", nor any other: leave out part.'
    response = tiny_library.find(Request("creature", part="Fire Breach", documents=("srd-2014",)))
    assert response["message"].startswith("None of Adult Red Dragon, Ancient Red Dragon,")
    assert response["message"].endswith(
        ' has a part "Fire Breach". Did you mean "Fire Breath"? The parts: Fire Breath.'
    )


def test_a_look_up_names_the_records_without_the_part_and_the_parts_with_a_longer_name(library: Library) -> None:
    one = library.find(Request("creature", name="giant spider", part="web", documents=("srd-2014",)))
    assert one["message"] == 'Further parts named "web": Web Walker.'
    names = ("giant spider", "aboleth")
    several = library.find(Request("creature", name=names, part="web walker", documents=("srd-2014",)))
    assert [record["name"] for record in several["results"]] == ["Giant Spider"]
    assert several["message"] == 'No part "web walker": creature/srd-2014/aboleth.'
    by_words = library.find(Request("creature", name="giant spider", part="walker", documents=("srd-2014",)))
    assert (by_words["results"][0]["part"], by_words["message"]) == ("Web Walker", None)


@pytest.mark.parametrize(
    ("singular", "plural"),
    [("weakness", "weaknesses"), ("sense", "senses"), ("ability", "abilities"), ("action", "actions")],
)
def test_a_part_is_found_by_its_plural(singular: str, plural: str) -> None:
    entry = _Entry("traits", 0, f"Vampire {singular}", None, ())
    assert _has_words(entry, ["vampire", plural])
    assert not _has_words(entry, ["vampire", f"un{plural}"])


@pytest.mark.parametrize(
    ("asked", "fields", "message"),
    [
        ("Starting Equipment", ["starting_equipment"], None),
        (
            "hit points",
            ["hit_points_first_level", "hit_points_per_level"],
            'Read "hit points" as the fields hit_points_first_level and hit_points_per_level.',
        ),
        (
            "saving throws",
            ["proficiencies.saving_throws"],
            'Read "saving throws" as the field proficiencies.saving_throws.',
        ),
        ("armor", ["proficiencies.armor"], 'Read "armor" as the field proficiencies.armor.'),
        ("proficiencies", ["proficiencies"], None),
        ("hit die", ["hit_dice"], None),
    ],
)
def test_what_is_a_field_and_no_part_is_given_alone(
    library: Library, asked: str, fields: list[str], message: str | None
) -> None:
    wizard = {"family": "character_option", "kind": "class", "name": "wizard", "documents": ("srd-2014",)}
    response = library.find(Request(**wizard, part=asked))
    (found,) = response["results"]
    whole = _one(library, **wizard)
    assert found.keys() == IDENTITY | {"part"} | {field.partition(".")[0] for field in fields}
    assert found["part"] == ", ".join(fields)
    assert response["message"] == message
    for field in fields:
        name, _, member = field.partition(".")
        assert whole[name]
        assert found[name] == ({member: whole[name][member]} if member else whole[name])


def test_fields_of_creatures_are_called_as_players_call_them(library: Library) -> None:
    dragon = DRAGON | {"name": "ancient red dragon"}
    whole = _one(library, **dragon)
    assert _one(library, **dragon, part="AC")["armor_class"] == whole["armor_class"]
    assert _one(library, **dragon, part="HP")["hit_points"] == whole["hit_points"]
    assert _one(library, **dragon, part="stats")["ability_scores"] == whole["ability_scores"]
    immune = _one(library, **dragon, part="immunities")
    assert immune.keys() == IDENTITY | {"part", "damage_immunities", "condition_immunities"}


def test_an_abbreviation_is_not_the_beginning_of_a_name() -> None:
    breath = _Entry("actions", 0, "Acid Breath", None, ())
    assert not _has_words(breath, ["ac"])
    assert _has_words(breath, ["acid"])


def test_without_part_the_whole_record_is_returned(tiny_library: Library) -> None:
    assert _one(tiny_library, **PALADIN, part="") == _one(tiny_library, **PALADIN)


def test_a_plural_finds_a_part() -> None:
    legacy = _Entry("traits", 0, "Fog Legacy", None, ())
    assert _has_words(legacy, ["fog", "legacies"])
    assert not _has_words(legacy, ["fog", "ladies"])


def test_a_name_of_parts_only_leads_to_them(tiny_library: Library) -> None:
    asked = tiny_library.find(Request("character_option", kind="class", name="divine health"))
    assert asked["message"] == (
        'Found no classes named "divine health". "divine health" is a part of Paladin: '
        'lookup_character_option(type="class", part="divine health").'
    )
    found = tiny_library.find(Request("character_option", kind="class", part="divine health"))
    assert [record["name"] for record in found["results"]] == ["Paladin"]
    breathing = tiny_library.find(Request("creature", name="Fire Breath"))
    assert "is a part of" in breathing["message"]
    other = tiny_library.find(Request("creature", name="Divine Health"))["message"]
    assert 'is a part of Paladin: lookup_character_option(type="class", part="Divine Health").' in other
    elsewhere = tiny_library.find(Request("creature", name="Divine Health", documents=("hearth",)))["message"]
    assert "Paladin" not in elsewhere
    assert "No document of this library has it" not in elsewhere


def test_a_feature_is_mentioned_even_if_another_thing_has_its_name(library: Library) -> None:
    feature = '"evasion" is a part of Monk: lookup_character_option(type="class", part="evasion"'
    by_words = library.find(Request("equipment", name="evasion"))
    assert [record["name"] for record in by_words["results"]] == ["Ring of Evasion"]
    assert by_words["message"] == f'None is called "evasion"; found by its words: Ring of Evasion. {feature}).'
    elsewhere = library.find(Request("rule", kind="rule", name="thieves' cant"))["message"]
    assert elsewhere.index('rule_type="language"') < elsewhere.index("is a part of Rogue")
    narrowed = library.find(Request("equipment", filters={"is_magic": False}, name="evasion", documents=("srd-2014",)))
    assert "Leaving out is_magic finds 1 " in narrowed["message"]
    assert f'{feature}, documents=["srd-2014"]).' in narrowed["message"]
