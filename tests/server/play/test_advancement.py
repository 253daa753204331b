"""What classes gain, compared with their tables and features."""

import pytest

from server.library.library import Library
from server.library.requests.request import RequestError
from server.play.advancement import features, gains, numbers
from server.play.classes import Classes
from server.play.experience import points_by_level
from server.tools.registry import tool_named

NOTHING = {None, "", "—", "-"}


@pytest.mark.parametrize("name", ["barbarian", "bard", "cleric", "fighter", "monk", "paladin", "warlock", "wizard"])
def test_gains_add_up_to_the_class_table(library: Library, name):
    row = Classes(library, None).named(name)
    reached: dict[str, str] = {}
    for level in gains([row], 1, 20):
        for column, change in level["numbers"].items():
            assert reached.get(column) == change["before"] or change["before"] in NOTHING
            assert change["of"] == row["id"]
            reached[column] = change["after"]
        table = numbers(row, level["level"])
        assert {column: value for column, value in table.items() if value not in NOTHING} == {
            column: reached[column] for column, value in table.items() if value not in NOTHING
        }


def test_every_feature_is_gained_at_its_levels(library: Library):
    row = Classes(library, None).named("class/srd-2014/paladin")
    gained = [(f["name"], level["level"], f["again"]) for level in gains([row], 1, 20) for f in level["features"]]
    levels = {feature["name"]: feature["levels"] or [feature["level"]] for feature in row["features"]}
    expected = [(name, at, at > min(own)) for name, own in levels.items() for at in own if at is not None]
    assert sorted(gained) == sorted(expected)


def test_a_subclass_of_the_class(library: Library):
    chosen = Classes(library, None).with_subclass("barbarian", "storm keeper")
    barbarian, keeper = chosen.of, chosen.subclass
    assert chosen.said is None
    assert keeper["subclass_of"]["id"] == barbarian["id"]
    (third,) = gains([barbarian, keeper], 3, 3)
    assert {feature["of"] for feature in third["features"]} == {barbarian["id"], keeper["id"]}
    with pytest.raises(RequestError, match=r"no subclass \"thief\".*Path of the Berserker"):
        Classes(library, None).with_subclass("barbarian", "thief")


def test_what_has_no_level_comes_with_the_first_of_its_features():
    above = {"description": None, "levels": None}
    source = {
        "id": "subclass/x/mole",
        "features": [
            {"name": "Dig", "level": 3, **above} | {"levels": [3, 7]},
            {"name": "Dive", "level": 6, **above},
            {"name": "Only for Moles", "level": None, **above},
        ],
    }
    gained = {level: [each["name"] for each in features(source, level)] for level in (1, 3, 6, 7)}
    assert gained == {1: [], 3: ["Dig", "Only for Moles"], 6: ["Dive"], 7: ["Dig"]}
    restricted = {"id": "class/x/mole", "features": [{"name": "Burrows", "level": None, **above}]}
    assert [each["name"] for each in features(restricted, 1)] == ["Burrows"]
    assert list(features(restricted, 2)) == []


def test_an_edition_in_the_name_of_a_class_is_understood(library: Library):
    answer = tool_named("level_up").call(library, {"class_key": "wizard (2014)", "level": 2})
    assert answer["rules"][0]["id"] == "class/srd-2014/wizard"
    assert answer["message"].startswith('Read as documents=["2014"], the edition named in the text.')


def test_the_experience_points_of_a_level_are_of_its_edition_and_documents(book_library: Library):
    level_up = tool_named("level_up")
    answer = level_up.call(book_library, {"class_key": "class/srd-2024/wizard", "level": 3, "from_level": 1})
    assert [level["experience_points"] for level in answer["results"]] == [400, 1100]
    assert answer["rules"][-1] == {
        "id": "rule/srd-2024/traps",
        "name": "Character Advancement",
        "document": "srd-2024",
        "says": "experience points by level",
    }
    other = level_up.call(book_library, {"class_key": "class/srd-2014/wizard", "level": 3})
    assert other["results"][0]["experience_points"] is None
    assert points_by_level(book_library, "5e-2024", ["5e-2014"]) == ({}, None)
