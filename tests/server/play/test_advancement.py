"""What classes gain, compared with their tables and features."""

import pytest

from server.library.library import Library
from server.library.requests.request import RequestError
from server.play.advancement import class_named, features, gains, numbers, with_subclass
from server.play.experience import points_by_level
from server.tools.registry import tool_named

NOTHING = {None, "", "—", "-"}


@pytest.mark.parametrize("name", ["barbarian", "bard", "cleric", "fighter", "monk", "paladin", "warlock", "wizard"])
def test_gains_add_up_to_the_class_table(library: Library, name):
    row = class_named(library, name, None)
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
    row = class_named(library, "class/srd-2014/paladin", None)
    gained = [(f["name"], level["level"], f["again"]) for level in gains([row], 1, 20) for f in level["features"]]
    levels = {feature["name"]: feature["levels"] or [feature["level"]] for feature in row["features"]}
    expected = [(name, at, at > min(own)) for name, own in levels.items() for at in own if at is not None]
    assert sorted(gained) == sorted(expected)


def test_a_subclass_of_the_class(library: Library):
    chosen = with_subclass(library, "barbarian", "storm keeper", None)
    barbarian, keeper = chosen.of, chosen.subclass
    assert chosen.said is None
    assert keeper["subclass_of"]["id"] == barbarian["id"]
    (third,) = gains([barbarian, keeper], 3, 3)
    assert {feature["of"] for feature in third["features"]} == {barbarian["id"], keeper["id"]}
    with pytest.raises(RequestError, match=r"no subclass \"thief\".*Path of the Berserker"):
        with_subclass(library, "barbarian", "thief", None)


def test_a_subclass_that_none_has_is_refused_with_those_of_every_edition_and_what_is_closed(library: Library):
    with pytest.raises(RequestError) as refused:
        with_subclass(library, "wizard", "bladesinging", None)
    assert str(refused.value) == (
        'subclass: Wizard (class/srd-2024/wizard) has no subclass "bladesinging". Bladesinging (subclass, Sword '
        "Coast Adventurer's Guide) is not open content. Its subclasses: Evoker. Those of class/srd-2014/wizard: "
        "School of Evocation."
    )
    with pytest.raises(RequestError, match=r"Its subclasses: Evoker\.$"):
        with_subclass(library, "wizard", "cook", ["5e-2024"])


@pytest.mark.parametrize(
    ("of", "name", "subclass"),
    [
        ("paladin", "devotion", "subclass/srd-2024/oath-of-devotion"),
        ("paladin", "oath of devotion", "subclass/srd-2024/oath-of-devotion"),
        ("warlock", "fiend", "subclass/srd-2024/fiend-patron"),
        ("wizard", "evocation", "subclass/srd-2024/evoker"),
        ("class/srd-2024/wizard", "evocation", "subclass/srd-2024/evoker"),
        ("class/srd-2024/wizard", "school of evocation", "subclass/srd-2024/evoker"),
        ("class/srd-2014/wizard", "evocation", "subclass/srd-2014/school-of-evocation"),
        ("wizard", "evoker", "subclass/srd-2024/evoker"),
    ],
)
def test_a_short_name_does_not_change_the_edition_of_the_class(library: Library, of, name, subclass):
    chosen = with_subclass(library, of, name, None)
    assert chosen.subclass["id"] == subclass
    assert chosen.of["id"] == class_named(library, of, None)["id"]


@pytest.mark.parametrize("name", ["School of Evocation", "subclass/srd-2014/school-of-evocation"])
def test_a_whole_name_of_another_edition_changes_it_and_says_so(library: Library, name):
    chosen = with_subclass(library, "wizard", name, None)
    assert chosen.of["id"] == "class/srd-2014/wizard"
    assert chosen.said == (
        'class/srd-2024/wizard has no subclass "School of Evocation", so this is class/srd-2014/wizard with '
        "subclass/srd-2014/school-of-evocation."
    )


def test_a_name_of_another_edition_is_understood_within_the_documents(library: Library):
    chosen = with_subclass(library, "wizard", "evocation", ["5e-2024"])
    assert (chosen.of["id"], chosen.subclass["id"]) == ("class/srd-2024/wizard", "subclass/srd-2024/evoker")


def test_a_subclass_called_otherwise_is_named(library: Library):
    assert with_subclass(library, "wizard", "evocation", None).said == (
        'Read "evocation" as Evoker (subclass/srd-2024/evoker).'
    )
    assert with_subclass(library, "wizard", "evoker", None).said is None


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


@pytest.mark.parametrize("name", ["b", "*", "%r%"])
def test_an_ambiguous_class_is_refused(library: Library, name):
    with pytest.raises(RequestError, match=r"may be any of .* classes: give one name or id, such as Barbarian, Bard"):
        class_named(library, name, None)
    assert class_named(library, "wizards", None)["name"] == "Wizard"


def test_an_ambiguous_subclass_is_refused(library: Library):
    with pytest.raises(RequestError, match=r"may be any of .* subclasses: .*Storm Keeper"):
        with_subclass(library, "barbarian", "*", None)


def test_an_unknown_class_lists_the_known_ones(library: Library):
    with pytest.raises(RequestError, match=r"\(class, Eberron.*\) is not open content\. .*: Barbarian, Bard, Cleric"):
        class_named(library, "artificer", None)
    with pytest.raises(RequestError, match=r"Similar names: Wizard\. The classes with"):
        class_named(library, "wizrd", None)
    with pytest.raises(
        RequestError, match=r'is a subclass of Barbarian: class_key="Barbarian", subclass="Path of the Storm Keeper"'
    ):
        class_named(library, "storm keeper", None)
    with pytest.raises(RequestError, match=r"No class in these books has one, only classes in srd-2014"):
        class_named(library, "wizard", ["the-lantern-coast"])


@pytest.mark.parametrize("name", ["paladin 5 / warlock 1", "Paladin and Warlock", "level 2 paladin, warlock lvl 3"])
def test_several_classes_must_be_requested_one_by_one(library: Library, name):
    with pytest.raises(RequestError, match=r"takes one class: make one call for each of Paladin, Warlock\."):
        class_named(library, name, None)
    with pytest.raises(RequestError, match="there is no class"):
        class_named(library, "paladin / tea", None)
