"""Price lists of books, from invented ones in the layouts of both editions."""

import pytest
from book_pages import book

from build_pipeline.normalize.books.equipment import equipment
from build_pipeline.normalize.books.equipment.price_lists import weight_in
from build_pipeline.normalize.merging.draft import Problems

MODERN = """# Equipment

## Weapons

### Weapons

| Name | Damage | Properties | Mastery | Weight | Cost |
|------|--------|------------|---------|--------|------|
| **Simple Melee Weapons** | | | | | |
| Ladle | 1d4 Bludgeoning | Light, Thrown (Range 10/30) | Vex | 1/2 lb. | 1 SP |
| **Odd Weapons** | | | | | |
| Broom | 1d4 Bludgeoning | — | Push | 2 lb. | 1 SP |

## Armor

### Armor

| Armor | Armor Class (AC) | Strength | Stealth | Weight | Cost |
|-------|------------------|----------|---------|--------|------|
| **Medium Armor (5 Minutes to Don)** | | | | | |
| Barrel | 13 + Dex modifier (max 2) | Str 12 | Disadvantage | 58½ lb. | 1,200 GP |
| Pot | great | — | — | 2 lb. | 2 GP |
| **Shield (Utilize Action)** | | | | | |
| Shield | +2 | — | — | 6 lb. | 10 GP |

## Adventuring Gear

### Adventuring Gear

| Item | Weight | Cost |
|------|--------|------|
| Crumbs | 1 lb. | 2 CP |
| Whistle, Tin | — | 5 CP |
| Arcane Focus | Varies | Varies |
| Holy Symbol | Varies | Varies |

### Item Descriptions

#### Crumbs (2 CP)

They lead home.

#### Whistle (5 CP)

It is shrill.

#### Holy Symbol (Varies)

It is for prayer.

### Holy Symbols

| Symbol | Weight | Cost |
|--------|--------|------|
| Thimble (held) | 1 lb. | 5 GP |

### Ammunition

| Type | Amount | Storage | Weight | Cost |
|------|--------|---------|--------|------|
| Peas | 50 | Bag | 1 lb. | 4 CP |

## Tools

### Baker's Tools (3 GP)

**Ability:** Wisdom — **Weight:** 4 lb.

**Utilize:** Bake.

### Whisks (Varies)

**Ability:** Dexterity — **Weight:** Varies

**Utilize:** Beat.

**Variants:** Twig whisk (1 CP, 2 lb.)

## Food, Drink, and Lodging

### Food, Drink, and Lodging

| Item | Cost |
|------|------|
| **Inn Stay per Day** | |
| Modest | 5 SP |
| **Meal** | |
| Modest | 1 SP |

## Lifestyle Expenses

### Poor (2 SP per Day)

Cold and damp.
"""

OLD = """# Equipment

## Trade Goods

| Cost | Goods |
|------|-------|
| 1 gp | 1 lb. of nutmeg or one duck |

## Mounts and Vehicles

Tack, Harness, and Drawn Vehicles

| Item | Cost | Weight |
|------|------|--------|
| Barding | ×4 | ×2 |
| Feed (per day) | 5 cp | 10 lb. |
| *Saddle* | | |
| Riding | 10 gp | 25 lb. |
| Saddlebags | 4 gp | 8 lb. |
| Cart | 15 gp | 200 lb. |

***Odd Vessels.*** Tubs and troughs float.

\\* The cart leaks.

#### Cooking

Soup is cheap.

Services

| Service | Pay |
|---------|-----|
| *Hireling* | |
| Skilled | 2 gp per day |
| Untrained | 2 sp per day |

Skilled hirelings include cooks. Untrained hirelings include tasters, who come cheap.

Waterborne Vehicles

| Item | Cost | Speed |
|------|------|-------|
| Trough | 50 gp | 1 mph |
| Raft | 60 gp | 2 mph |
"""


@pytest.fixture
def problems():
    return Problems()


@pytest.fixture
def modern(problems):
    return {d.name: d for d in equipment.drafts(book(srd_2024=MODERN), problems)}


def test_a_weapon_is_read(modern):
    draft = modern["Ladle"]
    assert (draft.source, draft.entity_type, draft.document_key) == ("srd", "weapon", "srd-2024")
    facts = draft.facts
    assert (facts["weapon_category"], facts["damage_dice"], facts["damage_type"]) == ("simple", "1d4", "bludgeoning")
    assert (facts["mastery"], facts["weight_lb"], facts["cost_gp"]) == ("vex", 0.5, 0.1)
    assert (facts["range"], facts["long_range"], facts["is_light"]) == (10, 30, True)


def test_armor_and_shields_are_read(modern):
    barrel, shield = modern["Barrel Armor"], modern["Shield"]
    assert (barrel.entity_type, shield.entity_type) == ("armor", "armor")
    assert (barrel.facts["armor_category"], barrel.facts["armor_class"]) == ("medium", 13)
    assert (barrel.facts["strength_required"], barrel.facts["stealth_disadvantage"]) == (12, True)
    assert (barrel.facts["weight_lb"], barrel.facts["cost_gp"]) == (58.5, 1200)
    assert (shield.facts["armor_category"], shield.facts["item_category"]) == ("shield", "shield")


def test_gear_has_its_text_from_another_section(modern):
    facts = modern["Crumbs"].facts
    assert (facts["description"], facts["cost_gp"], facts["weight_lb"]) == ("They lead home.", 0.02, 1)
    assert len(modern["Crumbs"].raw) == 2
    whistle = modern["Tin Whistle"]
    assert whistle.facts["description"] == "It is shrill."
    assert "whistle-tin" in whistle.keys


def test_a_thing_with_a_price_per_kind_is_gear_if_a_text_describes_it(modern):
    symbol = modern["Holy Symbol"].facts
    assert (symbol["item_category"], symbol["cost_gp"], symbol["weight_lb"]) == ("spellcasting-focus", None, None)
    assert symbol["description"] == "It is for prayer."
    assert "Arcane Focus" not in modern


def test_brackets_in_a_row_become_a_sentence(modern):
    assert modern["Thimble"].facts["description"] == "It is for prayer.\n\nIt is held."


def test_ammunition_tools_lodging_and_lifestyles_are_read(modern):
    assert modern["Peas (50)"].facts["description"] == "Usual storage: Bag."
    assert modern["Baker's Tools"].facts["weight_lb"] == 4
    assert modern["Baker's Tools"].facts["item_category"] == "tools"
    whisk = modern["Twig Whisk"].facts
    assert (whisk["weight_lb"], whisk["description"]) == (2, "**Ability:** Dexterity\n\n**Utilize:** Beat.")
    whisks = modern["Whisks"].facts
    assert (whisks["cost_gp"], whisks["weight_lb"]) == (None, None)
    assert whisks["description"].endswith("**Variants:** Twig whisk (1 CP, 2 lb.)")
    assert (modern["Lodging - Modest"].facts["cost_gp"], modern["Meal (Modest)"].facts["cost_gp"]) == (0.5, 0.1)
    assert modern["Lodging - Modest"].from_text == {"description"}, "no book describes it"
    assert modern["Crumbs"].from_text == set()
    assert "modest" not in modern["Meal (Modest)"].keys, "the row's own word names no meal"
    assert modern["Lifestyle - Poor"].facts["description"] == "Cold and damp.\n\nPrice per day."


def test_an_incomplete_row_is_a_problem_with_its_place(modern, problems):
    broom, pot = (entry["reason"] for entry in problems.entries)
    assert broom.startswith("0.md:")
    assert "Broom: it is listed under 'Odd Weapons'" in broom
    assert "Pot: its armor class is 'great'" in pot
    assert not {"Broom", "Pot Armor"} & set(modern)


def test_goods_and_harness_of_the_older_book_are_read(problems):
    found = {d.name: d for d in equipment.drafts(book(srd_2014=OLD), problems)}
    assert set(found) == {
        *("Nutmeg", "Duck", "Feed (per day)", "Riding Saddle", "Saddlebags", "Cart", "Trough", "Raft"),
        *("Skilled Hireling", "Untrained Hireling"),
    }
    nutmeg, duck = found["Nutmeg"], found["Duck"]
    assert (nutmeg.facts["weight_lb"], nutmeg.facts["cost_gp"]) == (1, 1)
    assert (duck.facts["description"], duck.facts["weight_lb"]) == ("One duck.", None)
    assert "1-gp" not in nutmeg.keys
    assert found["Cart"].facts["item_category"] == "vehicle"
    assert found["Trough"].facts["description"] == "Tubs and troughs float.\n\nSpeed: 1 mph"
    skilled, untrained = (found[f"{kind} Hireling"].facts["description"] for kind in ("Skilled", "Untrained"))
    assert skilled == "Skilled hirelings include cooks.\n\nPrice per day."
    assert untrained == "Untrained hirelings include tasters, who come cheap.\n\nPrice per day."
    assert found["Raft"].facts["description"] == "Speed: 2 mph"


@pytest.mark.parametrize(
    ("cell", "weight"),
    [
        ("1-1/2 lb.", 1.5),
        ("58½ lb.", 58.5),
        ("¼ lb.", 0.25),
        ("5 lb. (full)", 5),
        ("1,000 lb.", 1000),
        (None, None),
    ],
)
def test_weights_are_read_from_cells(cell, weight):
    assert weight_in(cell) == weight
