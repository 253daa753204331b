"""Classes and subclasses, found by names."""

import pytest

from server.library.library import Library
from server.library.requests.request import RequestError
from server.play.classes import Classes


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
    chosen = Classes(library, None).with_subclass(of, name)
    assert chosen.subclass["id"] == subclass
    assert chosen.of["id"] == Classes(library, None).named(of)["id"]


@pytest.mark.parametrize("name", ["School of Evocation", "subclass/srd-2014/school-of-evocation"])
def test_a_whole_name_of_another_edition_changes_it_and_says_so(library: Library, name):
    chosen = Classes(library, None).with_subclass("wizard", name)
    assert chosen.of["id"] == "class/srd-2014/wizard"
    assert chosen.said == (
        'class/srd-2024/wizard has no subclass "School of Evocation", so this is class/srd-2014/wizard with '
        "subclass/srd-2014/school-of-evocation."
    )


def test_a_name_of_another_edition_is_understood_within_the_documents(library: Library):
    chosen = Classes(library, ["5e-2024"]).with_subclass("wizard", "evocation")
    assert (chosen.of["id"], chosen.subclass["id"]) == ("class/srd-2024/wizard", "subclass/srd-2024/evoker")


def test_a_subclass_called_otherwise_is_named(library: Library):
    assert Classes(library, None).with_subclass("wizard", "evocation").said == (
        'Read "evocation" as Evoker (subclass/srd-2024/evoker).'
    )
    assert Classes(library, None).with_subclass("wizard", "evoker").said is None


@pytest.mark.parametrize("name", ["b", "*", "%r%"])
def test_an_ambiguous_class_is_refused(library: Library, name):
    with pytest.raises(RequestError, match=r"may be any of .* classes: give one name or id, such as Barbarian, Bard"):
        Classes(library, None).named(name)
    assert Classes(library, None).named("wizards")["name"] == "Wizard"


def test_an_ambiguous_subclass_is_refused(library: Library):
    with pytest.raises(RequestError, match=r"may be any of .* subclasses: .*Storm Keeper"):
        Classes(library, None).with_subclass("barbarian", "*")


def test_an_unknown_class_lists_the_known_ones(library: Library):
    with pytest.raises(RequestError, match=r"\(class, Eberron.*\) is not open content\. .*: Barbarian, Bard, Cleric"):
        Classes(library, None).named("artificer")
    with pytest.raises(RequestError, match=r"Similar names: Wizard\. The classes with"):
        Classes(library, None).named("wizrd")
    with pytest.raises(
        RequestError, match=r'is a subclass of Barbarian: class_key="Barbarian", subclass="Path of the Storm Keeper"'
    ):
        Classes(library, None).named("storm keeper")
    with pytest.raises(RequestError, match=r"No class in these books has one, only classes in srd-2014"):
        Classes(library, ["the-lantern-coast"]).named("wizard")


@pytest.mark.parametrize("name", ["paladin 5 / warlock 1", "Paladin and Warlock", "level 2 paladin, warlock lvl 3"])
def test_several_classes_must_be_requested_one_by_one(library: Library, name):
    with pytest.raises(RequestError, match=r"takes one class: make one call for each of Paladin, Warlock\."):
        Classes(library, None).named(name)
    with pytest.raises(RequestError, match="there is no class"):
        Classes(library, None).named("paladin / tea")


def test_a_subclass_that_none_has_is_refused_with_those_of_every_edition_and_what_is_closed(library: Library):
    with pytest.raises(RequestError) as refused:
        Classes(library, None).with_subclass("wizard", "bladesinging")
    assert str(refused.value) == (
        'subclass: Wizard (class/srd-2024/wizard) has no subclass "bladesinging". Bladesinging (subclass, Sword '
        "Coast Adventurer's Guide) is not open content. Its subclasses: Evoker. Those of class/srd-2014/wizard: "
        "School of Evocation."
    )
    for own_words, closed in (("divination", "School of Divination"), ("illusionist", "Illusionist")):
        with pytest.raises(RequestError, match=rf"{closed} \(subclass, Player's Handbook\) is not open content\. Its"):
            Classes(library, None).with_subclass("wizard", own_words)
    with pytest.raises(RequestError, match=r"Its subclasses: Evoker\.$"):
        Classes(library, ["5e-2024"]).with_subclass("wizard", "cook")
