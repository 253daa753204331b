"""Variants that only the book names, from invented items of two editions."""

from __future__ import annotations

from typing import Any

import pytest

from build_pipeline.normalize.equipment.open_bases import bases_of
from build_pipeline.normalize.equipment.variants import with_generics
from build_pipeline.normalize.merging.draft import Draft, Reference

SPOONS = """A spoon stirs by itself, and its metal decides what it stirs.

**Care.** It wants polish.

**Tin (Common).** It stirs soup.

**Gold (Rare).** It stirs honey."""
SONGS = """A horn plays one tune, according to its tune's number in this table.

| Horn Tune | Rarity |
|---|---|
| March | Legendary |
| 1 | Common |
| 2 | Rare |
| 3 | Rare |"""
BOWLS = """A bowl fills with one thing.

### Oak Bowl

| d4 | Soup |
|---|---|
| 1 | Leek |

### Ash Bowl

| d4 | Soup |
|---|---|
| 1 | Pea |"""
BANNERS = """A banner belongs to one wind.

**Pole.** It has a pole.

**North.** It snows.

**South.** It thaws.

| Wind | Bird |
|---|---|
| North | Owl |
| South | Stork |"""


def item(name: str, text: str, document: str = "srd-2024", source: str = "srd", **facts: Any) -> Draft:
    whole = {"description": text, "rarity": "rare", "requires_attunement": True, **facts}
    return Draft(source, (f"{source}/{document}/{name}",), "magic-item", document, name, facts=whole)


def base(name: str, kind: str = "weapon", **facts: Any) -> Draft:
    return Draft("srd", (f"srd/{name}",), kind, "srd-2014", name, facts={"weight_lb": 3.0, **facts})


def added(*drafts: Draft) -> dict[str, Draft]:
    """The drafts that relating adds, by name."""
    return {draft.name: draft for draft in with_generics(list(drafts)) if not any(draft is each for each in drafts)}


def test_kinds_that_are_items_in_another_edition_become_items():
    old = [item("Spoon", SPOONS, "srd-2014", rarity="varies")]
    old += [item(f"{metal} Spoon", f"It is {metal}.", "srd-2014", "dnd5e_api") for metal in ("Tin", "Gold", "Lead")]
    old[1].keys, old[2].keys = ("spoon-of-tin",), ("spoon-of-gold", "gold_spoon")
    old.insert(1, item("Great Tin Spoon", "It is large.", "srd-2014", "dnd5e_api"))
    spoon = item("Spoon", SPOONS, rarity="varies")
    found = added(*old, spoon)
    assert list(found) == ["Tin Spoon", "Gold Spoon"]
    gold = found["Gold Spoon"]
    assert (gold.facts["rarity"], gold.facts["requires_attunement"]) == ("rare", True)
    assert "honey" in gold.facts["description"]
    assert "soup" not in gold.facts["description"]
    assert (gold.source, gold.document_key, gold.raw) == ("srd", "srd-2024", spoon.raw)
    assert gold.keys == ("gold-spoon", "spoon-of-gold")
    assert {"rarity", "description"} <= gold.from_text


@pytest.mark.parametrize(
    ("text", "kept", "left_out"),
    [(BOWLS, ["fills", "Oak", "Leek"], ["Ash", "Pea"]), (BANNERS, ["pole", "snows", "Owl"], ["thaws", "Stork"])],
)
def test_the_text_of_a_kind_excludes_other_kinds(text, kept, left_out):
    name, kinds = ("Bowl", ("Oak", "Ash")) if text is BOWLS else ("Banner", ("North", "South"))
    old = [item(name, text, "srd-2014"), *(item(f"{kind} {name}", "It is old.", "srd-2014", "v1") for kind in kinds)]
    draft = added(*old, item(name, text))[f"{kinds[0]} {name}"]
    own = draft.facts["description"]
    assert draft.facts["rarity"] == "rare", "that of the item, as the text prints none beside the kind"
    assert [word for word in kept if word not in own] == []
    assert [word for word in left_out if word in own] == []


def test_only_books_and_columns_name_further_kinds():
    text = f"{SPOONS}\n\n**Brass (Common).** It stirs tea."
    old = [item("Spoon", text, "srd-2014"), item("Tin Spoon", "It is tin.", "srd-2014", "dnd5e_api")]
    homebrew = [item(name, text, "tales", "orcbrew") for name in ("Spoon", "Brass Spoon")]
    assert list(added(*old, *homebrew, item("Spoon", text))) == ["Tin Spoon"]
    own = [item(f"{metal} Spoon", f"It is {metal}.", source="dnd5e_api") for metal in ("Tin", "Gold")]
    assert added(*own, item("Spoon", text)) == {}, "what is after a label need not be a kind"


def test_the_rest_of_a_column_whose_first_cells_are_items():
    listed = [item(f"Horn ({kind})", "It plays.", source="dnd5e_api") for kind in ("Tune 1", "March")]
    assert added(item("Horn", SONGS, rarity="varies"), listed[0]) == {}, "one item may be one by chance"
    found = added(item("Horn", SONGS, rarity="varies"), *listed)
    assert {name: draft.facts["rarity"] for name, draft in found.items()} == {
        "Horn (Tune 2)": "rare",
        "Horn (Tune 3)": "rare",
    }
    assert found["Horn (Tune 3)"].facts["description"].endswith("| 3 | Rare |")


def test_a_variant_that_a_source_misspells_has_the_books_name():
    text = "A box holds one thing.\n\n**Obsidian Steed (Rare).** A horse.\n\n**Tin Frog (Common).** A frog."
    old = [item("Box", text, "srd-2014"), item("Box (Obsidian Steed)", "A horse.", "srd-2014", "v1")]
    misspelt = item("Box (Obsidian Stead)", "A horse.", source="open5e_v2")
    assert added(*old, item("Box", text), misspelt) == {}
    assert misspelt.name == "Box (Obsidian Steed)"
    assert "box-obsidian-steed" in misspelt.keys
    other = item("Box (Lead Cup)", "A cup.", source="open5e_v2")
    assert list(added(*old, item("Box", text), other)) == ["Box (Obsidian Steed)"]
    assert other.name == "Box (Lead Cup)"


def test_weapons_of_a_class_are_added():
    swords = [base(name, damage_dice="1d8", damage_type="slashing") for name in ("Greatsword", "Scimitar", "Battleaxe")]
    brand = item("Storm Brand", "It hums.\n\nMade from: any sword.", "srd-2014")
    reference = Reference(("weapon",), "Greatsword", document_key="srd-2014")
    known = item("Storm Brand (Greatsword)", "It hums.", "srd-2014", "v1", base_item=reference)
    elsewhere = Draft("srd", ("srd/Longsword",), "weapon", "srd-2024", "Longsword", facts={})
    of_no_book = Draft("open5e_v2", ("v2/Shortsword",), "weapon", "srd-2014", "Shortsword", facts={})
    [(name, found)] = added(*swords, elsewhere, of_no_book, brand, known).items()
    assert name == "Storm Brand (Scimitar)"
    assert found.facts["base_item"] == Reference(("weapon",), "Scimitar", document_key="srd-2014")
    assert (found.facts["damage_dice"], found.facts["weight_lb"]) == ("1d8", 3.0)
    assert found.facts["description"] == "It hums."
    assert found.raw == (*brand.raw, "srd/Scimitar")
    others = [item(name, "It rains.\n\nMade from: any sword.", "srd-2014") for name in ("Rain", "Scimitar of Rain")]
    assert sorted(added(*swords, brand, known, *others)) == [
        "Rain (Greatsword)",
        "Rain (Scimitar)",
        "Scimitar of Rain (Greatsword)",
        "Storm Brand (Scimitar)",
    ]


def test_armor_is_added_with_each_bonus():
    printed = "It turns blows.\n\nRarity: rare (+1), very rare (+2), or legendary (+3).\n\nMade from: light armor."
    suits = [base("Padded Armor", "armor", armor_category="light"), base("Shield", "armor", armor_category="shield")]
    found = added(*suits, item("Armor, +1, +2, or +3", printed, "srd-2014", rarity="varies"))
    assert {name: (draft.facts["bonus"], draft.facts["rarity"]) for name, draft in found.items()} == {
        "Padded Armor (+1)": (1, "rare"),
        "Padded Armor (+2)": (2, "very rare"),
        "Padded Armor (+3)": (3, "legendary"),
    }


@pytest.mark.parametrize(
    ("phrase", "names"),
    [
        ("any axe or sword", ["Battleaxe", "Rapier", "Scimitar"]),
        ("any sword that deals slashing damage", ["Scimitar"]),
        ("Any Melee Weapon", ["Battleaxe", "Rapier", "Scimitar"]),
        ("Any Simple or Martial weapon", ["Battleaxe", "Rapier", "Scimitar", "Longbow", "Net", "Dart"]),
        ("any bow", ["Longbow"]),
        ("Any Light Weapon", ["Battleaxe", "Rapier", "Scimitar", "Longbow", "Net", "Dart"]),
        ("net, rapier, or shield", ["Rapier", "Net"]),
        ("Longbow or Scimitar", ["Scimitar", "Longbow"]),
        ("light, medium, or heavy armor", ["Hide Armor", "Half Plate Armor", "Plate Armor"]),
        ("Any Medium or Heavy, Except Hide Armor", ["Half Plate Armor", "Plate Armor"]),
        ("medium or heavy, but not hide", ["Half Plate Armor", "Plate Armor"]),
        ("half plate or plate", ["Half Plate Armor", "Plate Armor"]),
        ("Half Plate Armor", ["Half Plate Armor"]),
        ("any ammunition", []),
    ],
)
def test_each_option_of_a_printed_choice_is_added(phrase, names):
    bases = [
        base("Battleaxe", damage_type="slashing"),
        base("Rapier", damage_type="piercing"),
        base("Scimitar", damage_type="slashing"),
        base("Longbow", damage_type="piercing", is_ranged=True),
        base("Hide Armor", "armor", armor_category="medium"),
        base("Half Plate Armor", "armor", armor_category="medium"),
        base("Plate Armor", "armor", armor_category="heavy"),
        base("Shield", "armor", armor_category="shield"),
        base("Net", damage_type=None, is_ranged=True),
        base("Dart", damage_type="piercing", is_ranged=True),
    ]
    assert [each.name for each in bases_of(phrase, bases)] == names
