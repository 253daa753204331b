"""The list of things with other names in other editions."""

import pytest

from server.dataset.names import normalize_name
from server.dataset.schema import TABLE_OF
from server.library.messages import called
from server.library.name_index import Instead
from server.library.renamed import counterparts, declared, told_aside

PAIRS = [
    (entity_type, old, new)
    for types in declared().values()
    for entity_type, names in types.items()
    for old, listed in names.items()
    for new in ([listed] if isinstance(listed, str) else listed)
]


def test_every_entry_has_a_type_and_two_names():
    assert set(declared()) == {"renamed", "merged"}
    assert {entity_type for entity_type, _, _ in PAIRS} <= TABLE_OF.keys()
    assert all(normalize_name(old) != normalize_name(new) for _, old, new in PAIRS)


def test_no_name_means_different_things_in_two_editions():
    assert not {(each, old) for each, old, _ in PAIRS} & {(each, new) for each, _, new in PAIRS}


@pytest.mark.parametrize(
    ("name", "there", "whole"),
    [
        ("orb of dragonkind", [("dragon orb", "5e-2024")], True),
        ("dragon orb", [("orb of dragonkind", "5e-2014")], True),
        ("shove", [("unarmed strike", "5e-2024")], False),
        ("unarmed strike", [], None),
        ("hempen rope", [("rope", "5e-2024")], True),
        ("hempen rope (50 feet)", [("rope", "5e-2024")], True),
        ("rope", [("hempen rope (50 feet)", "5e-2014"), ("silk rope (50 feet)", "5e-2014")], True),
        ("acid", [("acid (vial)", "5e-2014")], True),
        ("succubus/incubus", [("succubus", "5e-2024"), ("incubus", "5e-2024")], True),
    ],
)
def test_names_have_counterparts_in_the_other_edition(name, there, whole):
    found = counterparts(name)
    assert [(each.name, each.game_system) for each in found] == there
    assert all(each.whole is whole for each in found)


def test_what_has_a_thing_as_a_part_is_told_apart_from_the_thing() -> None:
    assert called("thug", Instead(("Tough",), "the 2024 rules")) == '"thug" is Tough in the 2024 rules.'
    part = Instead(("Owl", "Newt"), "the 2024 rules", whole=False)
    assert called("hoot", part) == '"hoot" is part of Owl and Newt in the 2024 rules.'


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("potion of healing (greater)", "potion of greater healing"),
        ("belt of giant strength (hill)", "belt of hill giant strength"),
        ("feather token (swan boat)", "swan boat feather token"),
        ("flame tongue (light hammer)", "flame tongue light hammer"),
        ("vicious weapon (light hammer)", "vicious light hammer"),
        ("sword of life stealing (greatsword)", "greatsword of life stealing"),
        ("berserker axe (battleaxe)", "berserker battleaxe"),
    ],
)
def test_what_a_name_tells_in_parentheses_may_be_among_the_words(name, other):
    assert other in told_aside(name)


@pytest.mark.parametrize("name", ["", "fireball", "potion of greater healing", "(aside)"])
def test_other_names_tell_nothing_in_parentheses(name):
    assert list(told_aside(name)) == []
