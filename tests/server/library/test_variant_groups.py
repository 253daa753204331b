"""Which names of magic items are variants of one thing."""

import pytest

from server.library.variant_groups import BaseItems

BASES = BaseItems(
    weapons={"longsword", "greatsword", "club", "crossbow, light", "war pick"},
    armor={"chain mail", "plate armor", "shield"},
)


@pytest.mark.parametrize(
    "names",
    [
        {"flame tongue", "flame tongue (greatsword)", "flame tongue longsword", "flame tongue (light crossbow)"},
        {"+1 longsword", "longsword (+2)", "weapon, +3", "war pick +1"},
        {"armor of resistance", "armor of resistance (plate)", "chain mail of resistance"},
        {"sword of sharpness", "sword of sharpness (longsword)", "greatsword of sharpness"},
        {"adamantine armor", "adamantine armor (chain mail)", "adamantine plate"},
        {"shield +1", "shield (+2)", "shield, +1, +2, or +3"},
        {"ring of cold resistance", "ring of fire resistance", "ring of resistance"},
        {"ammunition of giant slaying", "ammunition of slaying", "ammunition of dragon slaying"},
        {"wand of the war mage, +1", "wand of the war mage (+3)"},
    ],
)
def test_variants_are_one_group(names: set[str]) -> None:
    assert len({BASES.group_key(name) for name in names}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("demon armor", "demon sword"),
        ("+1 longsword", "+1 chain mail"),
        ("shield +1", "armor +1"),
        ("animated shield", "animated longsword"),
        ("ring of fire", "ring of frost"),
        ("weapon of warning", "weapon of warning (+1)"),
        ("ring of resistance", "potion of resistance"),
        ("ring of fire resistance", "ring of fire elemental command"),
        ("clubfoot boots", "foot boots"),
    ],
)
def test_different_things_are_different_groups(one: str, other: str) -> None:
    assert BASES.group_key(one) != BASES.group_key(other)
