"""Other forms of names: reordered, without a wizard's name, and by sound."""

import pytest

from server.library.names.other_names import (
    around_comma,
    each_bonus,
    one_spelling,
    open_names,
    other_names,
    sound_of,
    without_wizard,
)


@pytest.mark.parametrize(
    ("name", "turned"),
    [
        ("rope, hempen (50 feet)", "hempen rope (50 feet)"),
        ("angel, chained", "chained angel"),
        ("rope", None),
        ("armor, +1, +2, or +3", None),
        ("net (small, torn)", None),
        (", ", None),
    ],
)
def test_a_name_with_one_comma_is_reordered(name, turned):
    assert around_comma(name) == turned


@pytest.mark.parametrize(
    ("names", "one"),
    [
        (("ammunition +1", "ammunition, +1", "ammunition (+1)", "+1 ammunition"), "ammunition +1"),
        (("rope, hempen (50 feet)", "hempen rope (50 feet)"), "hempen rope (50 feet)"),
        (("armor, +1, +2, or +3",), "armor, +1, +2, or +3"),
        (("net (small, torn)",), "net (small, torn)"),
    ],
)
def test_spellings_of_a_name_are_the_same(names, one):
    assert {one_spelling(name) for name in names} == {one}


def test_an_entry_with_several_bonuses_names_each():
    assert (
        each_bonus("armor, +1, +2, or +3") == each_bonus("armor +1, +2 or +3") == ["armor +1", "armor +2", "armor +3"]
    )
    assert each_bonus("armor +1") == []


@pytest.mark.parametrize(
    ("name", "keys", "others"),
    [
        ("hempen rope (50 feet)", ["srd_rope-hempen-50-feet", "hempen-rope"], {"rope hempen 50 feet"}),
        ("ammunition, +1", ["ammunition-1"], {"+1 ammunition"}),
        ("hunter's mark", ["srd_hunters-mark", "mark-of-the-hunter"], set()),
    ],
)
def test_a_key_in_another_order_is_another_name(name, keys, others):
    assert set(other_names(name, keys)) == others


@pytest.mark.parametrize(
    ("name", "rest"),
    [
        ("melf's acid arrow", "acid arrow"),
        ("melfs acid arrow", "acid arrow"),
        ("otiluke' freezing sphere", "freezing sphere"),
        ("hunter's mark", None),
        ("ottoman rug", None),
        ("melf's", None),
    ],
)
def test_a_wizards_name_is_dropped(name, rest):
    assert without_wizard(name) == rest


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("plate mail", ["plate armor"]),
        ("splintmail", ["splint armor"]),
        ("full plate", ["plate armor"]),
        ("attacks of opportunity", ["opportunity attack", "opportunity attacks"]),
        ("tenser's floating disk", ["floating disk"]),
        ("mail", []),
        ("mailbox", []),
        ("death saves", ["death saving throws"]),
        ("death save", ["death saving throw", "death saving throws"]),
    ],
)
def test_names_in_open_books_are_found(name, found):
    assert [there for there, _ in open_names(name)] == found


@pytest.mark.parametrize(
    ("heard", "name"), [("tarask", "tarrasque"), ("sfinx", "sphinx"), ("gobblin", "goblin"), ("zentaur", "centaur")]
)
def test_names_that_sound_alike_have_the_same_sound(heard, name):
    assert sound_of(heard) == sound_of(name)


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("bigby's hand", "arcane hand"),
        ("bigbys hand", "arcane hand"),
        ("mordenkainen's sword", "arcane sword"),
        ("nystul's magic aura", "arcanist's magic aura"),
    ],
)
def test_a_replaced_wizards_name_is_understood(name, there):
    assert next(open_names(name)) == (there, "which replace the wizard's name")
