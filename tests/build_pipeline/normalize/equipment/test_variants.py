"""Facts that variants of magic items take from their generic, with invented items."""

from __future__ import annotations

from typing import Any

import pytest

from build_pipeline.normalize.equipment.variants import with_generics
from build_pipeline.normalize.merging.draft import Draft, Reference

TEXT = "A hum runs through this blade whenever rain is near, and its edge glows like a coal."


def item(name: str, source: str = "open5e_v2", document: str = "srd-2014", **facts: Any) -> Draft:
    whole = {"description": TEXT, "rarity": "rare", "requires_attunement": False, **facts}
    return Draft(source, (f"{source}/{name}",), "magic-item", document, name, facts=whole)


def related(*drafts: Draft) -> Draft:
    """The last of the drafts, after relating."""
    return list(with_generics(list(drafts)))[-1]


def test_a_variant_is_recognised_by_its_name():
    generic = item("Storm Blade", "srd", rarity="legendary", requires_attunement=True, attunement_detail="by a bard")
    variant = related(
        generic, item("Storm Blade (Dagger)", base_item=Reference(("weapon",), "Dagger", document_key="srd-2014"))
    )
    assert variant.facts["rarity"] == "legendary"
    assert (variant.facts["requires_attunement"], variant.facts["attunement_detail"]) == (True, "by a bard")
    assert variant.raw == ("open5e_v2/Storm Blade (Dagger)", "srd/Storm Blade")
    assert variant.taken == dict.fromkeys(("rarity", "requires_attunement", "attunement_detail"), "srd")


def test_a_variant_is_recognised_by_its_text():
    generic = item("Rain Blade", "open5e_v1", rarity="uncommon")
    variant = related(generic, item("Rain Dagger", base_item=Reference(("weapon",), "Dagger", document_key="srd-2014")))
    assert variant.facts["rarity"] == "uncommon"


@pytest.mark.parametrize(
    ("made_from", "facts", "stays"),
    [
        ("Any Melee Weapon", {"is_ranged": True}, False),
        ("Any Melee Weapon", {"is_ranged": False}, True),
        ("Any Melee Weapon", {"is_ranged": None}, True),
        ("Any Simple or Martial weapon", {"is_ranged": True}, True),
        ("any sword that deals slashing damage", {"damage_type": "piercing"}, False),
        ("any sword that deals slashing damage", {"damage_type": "slashing"}, True),
    ],
)
def test_variants_that_the_book_excludes_are_dropped(made_from, facts, stays):
    generic = item("Storm Blade", "srd", description=f"{TEXT}\n\nMade from: {made_from}.")
    base = {"base_item": Reference(("weapon",), "Spoon", document_key="srd-2014")}
    kept = list(with_generics([generic, item("Storm Blade (Spoon)", **{**base, **facts})]))
    assert len(kept) == 1 + stays
    assert kept[0].raw == ("srd/Storm Blade", *([] if stays else ["open5e_v2/Storm Blade (Spoon)"]))


@pytest.mark.parametrize(("bonus", "rarity"), [("+1", "uncommon"), ("+3", "very rare")])
def test_the_rarity_follows_from_the_bonus(bonus, rarity):
    printed = f"{TEXT}\n\nRarity: uncommon (+1), rare (+2), or very rare (+3)."
    generic = item("Blade, +1, +2, or +3", "srd", rarity="varies", description=printed)
    variant = related(
        generic, item(f"Dagger ({bonus})", base_item=Reference(("weapon",), "Dagger", document_key="srd-2014"))
    )
    assert variant.facts["rarity"] == rarity


def test_a_kind_of_an_item_keeps_its_own_rarity():
    generic = item("Horn of Rain", "srd", rarity="varies", requires_attunement=True)
    kind = related(generic, item("Tin Horn of Rain", rarity="common"))
    assert kind.facts["rarity"] == "common"
    assert kind.facts["requires_attunement"] is True


def test_a_variant_has_the_whole_text_of_the_book():
    whole = f"{TEXT}\n\nIt hums in tune with others of its kind, if they are near."
    generic = item("Storm Blade", "srd", description=whole)
    shortened = whole.replace("\n\n", " ")
    variant = related(
        generic,
        item(
            "Storm Blade (Dagger)",
            description=shortened,
            base_item=Reference(("weapon",), "Dagger", document_key="srd-2014"),
        ),
    )
    assert variant.facts["description"] == whole


def test_a_variant_of_another_text_keeps_its_own():
    generic = item("Storm Blade", "srd", description="Quite another thing is told of this one here.")
    variant = related(
        generic, item("Storm Blade (Dagger)", base_item=Reference(("weapon",), "Dagger", document_key="srd-2014"))
    )
    assert variant.facts["description"] == TEXT


def test_variants_of_different_documents_are_separate():
    generic = item("Storm Blade", document="red-book", rarity="legendary")
    variant = related(
        generic, item("Storm Blade (Dagger)", base_item=Reference(("weapon",), "Dagger", document_key="srd-2014"))
    )
    assert variant.facts["rarity"] == "rare"


def test_a_base_that_the_book_leaves_open_is_unknown():
    book = item("Storm Blade", "srd", base_item=None)
    dagger = Reference(("weapon",), "Dagger", document_key="srd-2014")
    other = item("Storm Blade", base_item=dagger, damage_dice="1d4", weight_lb=1.0)
    drafts = list(with_generics([book, other]))
    assert drafts[1].facts["weight_lb"] is None
    assert drafts[1].facts["base_item"] is None
    assert drafts[1].facts["damage_dice"] is None


def test_an_item_has_the_weight_of_its_base_in_the_book():
    base = Reference(("weapon",), "Mace", document_key="srd-2014")
    book = Draft("srd", ("srd/mace",), "weapon", "srd-2014", "Mace", facts={"weight_lb": 4.0})
    other = Draft("dnd5e_api", ("dnd5e_api/mace",), "weapon", "srd-2014", "Mace", facts={"weight_lb": 2.0})
    assert related(book, other, item("Mace of Rain", base_item=base, weight_lb=2.0)).facts["weight_lb"] == 4.0
    assert related(other, item("Mace of Rain", base_item=base, weight_lb=2.0)).facts["weight_lb"] == 2.0
