"""What classes gain, against their tables and features."""

import pytest

from server.library.library import Library
from server.library.request import RequestError
from server.play.advancement import class_named, gains, numbers, with_subclass

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
    barbarian, keeper = with_subclass(library, "barbarian", "storm keeper", None)
    assert keeper["subclass_of"]["id"] == barbarian["id"]
    (third,) = gains([barbarian, keeper], 3, 3)
    assert {feature["of"] for feature in third["features"]} == {barbarian["id"], keeper["id"]}
    with pytest.raises(RequestError, match=r"no subclass \"thief\".*Path of the Berserker"):
        with_subclass(library, "barbarian", "thief", None)


@pytest.mark.parametrize("name", ["b", "*", "%r%"])
def test_what_may_be_several_classes_is_refused(library: Library, name):
    with pytest.raises(RequestError, match=r"may be any of .* classes: give one name or id, such as Barbarian, Bard"):
        class_named(library, name, None)
    assert class_named(library, "wizards", None)["name"] == "Wizard"


def test_what_may_be_several_subclasses_is_refused(library: Library):
    with pytest.raises(RequestError, match=r"may be any of .* subclasses: .*Storm Keeper"):
        with_subclass(library, "barbarian", "*", None)


def test_an_unknown_class_lists_those_there_are(library: Library):
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
def test_several_classes_are_asked_for_one_by_one(library: Library, name):
    with pytest.raises(RequestError, match=r"takes one class: make one call for each of Paladin, Warlock\."):
        class_named(library, name, None)
    with pytest.raises(RequestError, match="there is no class"):
        class_named(library, "paladin / tea", None)
