"""Magic items that are variants of one thing, and the one that is shown."""

import numpy as np
import pytest
from tiny_dataset import DOCUMENT_NAMES

from server.dataset.dataset import Dataset
from server.library.catalogue import Catalogue
from server.library.ranking.variant_groups import BaseItems, VariantGroups

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
def test_variants_are_in_one_group(names: set[str]) -> None:
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
def test_different_things_are_in_different_groups(one: str, other: str) -> None:
    assert BASES.group_key(one) != BASES.group_key(other)


def test_a_preferred_copy_near_the_best_one_is_shown(tiny: Dataset) -> None:
    catalogue = Catalogue(tiny.tables, DOCUMENT_NAMES)
    groups = VariantGroups(catalogue)
    of_srd = np.array([key == "srd-2014" for key in catalogue.document_keys])
    blade, copy, other, wolf = (
        catalogue.row_of[each]
        for each in (
            "magic-item/hearth/flame-tongue-longsword",
            "magic-item/srd-2014/flame-tongue-longsword",
            "magic-item/srd-2014/flame-tongue-greatsword",
            "creature/srd-2014/wolf",
        )
    )
    ranked = np.array([blade, other, wolf, copy])

    def shown(*scores: float) -> list[int]:
        return ranked[groups.to_show(ranked, np.array(scores), of_srd)].tolist()

    assert shown(0.9, 0.88, 0.87, 0.86) == [wolf, copy]  # in its own place
    assert shown(0.9, 0.88, 0.86, 0.84) == [blade, wolf]  # it answers less well
    nothing_preferred = np.zeros_like(of_srd)
    assert groups.to_show(ranked, np.array([0.9, 0.88, 0.87, 0.86]), nothing_preferred).tolist() == [0, 2]
