"""Numbers in the text of a magic item."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.items import facts as item_facts

WIELDED = "while wielding this"
ON_BOTH = "to attack and damage rolls"
AND_DAMAGE = "and damage rolls"
RESTED = "finish a _short or long rest_"
WITH_IT = "with this magic weapon"
STEALTH = "Stealth) checks"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The kettle weighs 3 pounds.", 3.0),
        ("It weighs only 1 pound, dents and all.", 1.0),
        ("The bag weighs 1/2 pound plus the beans.", 0.5),
        ("The bag weighs half a pound.", 0.5),
        ("It weighs ½ pound.", 0.5),
        ("This pebble weighs an ounce.", 0.0625),
        ("a barrel weighing 1,500 pounds", 1500.0),
        ("No object may weigh 5 pounds.", None),
        ("The kettle weighs no more than 2 pounds.", None),
        ("It can hold 30 pounds.", None),
        ("12 lbs.\n\nThese wings are large.", 12.0),
        ("12 lbs. of feathers.", None),
        ("Set this 4-pound brick down.", 4.0),
        ("Soup boils in this 2 pound pot.", 2.0),
        ("Sit in this rather plain 3 pound pan.", 3.0),
        ("The pot (or pan) is a tightly shut 50 pound iron box.", 50.0),
        ("It is struck by a 9 pound hammer.", None),
        ("This 5-foot pole bends.", None),
    ],
)
def test_weights_are_read(text, expected):
    assert item_facts.weight_lb(text) == expected


def test_prices_are_read():
    assert item_facts.price_gp("It weighs 3 pounds and costs 15 gp, wherever it is sold.") == 15.0
    assert item_facts.price_gp("A meal there costs 15 gp.") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The spoon has 9 charges and regains 1d8 + 3 expended charges daily at noon.",
            {"number": 9, "roll": None, "regains": "1d8+3 daily at noon"},
        ),
        ("You can expend two of its three charges.", {"number": 3, "roll": None, "regains": None}),
        ("It has 1d4 - 1 charges.", {"number": None, "roll": "1d4-1", "regains": None}),
        (
            "Its lid holds 1 charge. It recovers all expended charges daily at dusk.",
            {"number": 1, "roll": None, "regains": "all daily at dusk"},
        ),
        ("You can expend 1 charge.", None),
        ("It has 6 charges if it is red, 9 charges if it is blue.", None),
        (
            "It has 1 charge and regains its expended charge at dawn.",
            {"number": 1, "roll": None, "regains": "1 daily at dawn"},
        ),
        ("A boar charges through the room.", None),
        ("Three spoons in a set.\n\n| Spoon | Effect |\n|---|---|\n| Red | It has 9 charges. |", None),
    ],
)
def test_charges_are_read(text, expected):
    assert item_facts.charges(text) == expected


@pytest.mark.parametrize(
    ("name", "text", "kind", "expected"),
    [
        ("Ladle, +2", "", "weapon", 2),
        ("Ladle, +1, +2, or +3", "", "weapon", None),
        ("Ladle of Soup", f"Cooks have a +1 bonus {ON_BOTH} with it.", "weapon", 1),
        ("Ladle of Soup", f"Cooks get a +3 bonus to attack rolls {AND_DAMAGE} with it.", "weapon", 3),
        (
            "Ladle of Soup",
            f"You have a +1 bonus to attack rolls made {WITH_IT.replace('weapon', 'arrow')}.",
            "weapon",
            1,
        ),
        ("Ladle of Soup", "Beans line this _+2 ladle_.", "weapon", 2),
        ("Apron of Soup", "You have a +1 bonus to Armor Class while you stir it.", "armor", 1),
        ("Apron of Soup", "While you wear it, your Armor Class increases by +2.", "armor", 2),
        ("Apron of Soup", "You have a +1 bonus to AC against spoons while you stir it.", "armor", None),
        ("Ring of Soup", "You have a +1 bonus to Armor Class while you stir it.", "ring", None),
    ],
)
def test_bonuses_are_read(name, text, kind, expected):
    found = item_facts.magic_bonus(name, text, is_weapon=kind == "weapon", is_armor=kind == "armor")
    assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            (
                f"If the armor imposes Disadvantage on Dexterity ({STEALTH} or has a Strength requirement, the "
                "tin version of the armor doesn't."
            ),
            (True, True),
        ),
        (f"You don't have disadvantage on Dexterity ({STEALTH} as a result of wearing it.", (False, True)),
        ("It rattles.", (False, False)),
    ],
)
def test_penalties_that_armor_lacks_are_read(text, expected):
    assert item_facts.waives_strength_and_stealth(text) == expected


@given(st.text())
def test_reading_never_fails(text):
    item_facts.weight_lb(text)
    item_facts.charges(text)
    item_facts.price_gp(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It has 9 charges and regains 1d20 each dawn.", "1d20 daily at dawn"),
        ("It has 9 charges. By humming, 2d4 charges can be restored during a _long rest_.", "2d4 during a long rest"),
        ("It has 9 charges and regains 1 charge daily at dusk or when wet. It rusts.", "1 daily at dusk or when wet"),
        ("It has 9 charges, and regains 1d8 of them at dawn.", "1d8 daily at dawn"),
        ("It has 9 charges, regaining 2d8 + 1 expended charges each dawn.", "2d8+1 daily at dawn"),
        ("It has 9 charges. You regain 2d4 hit points.", None),
        ("It has 9 charges. Otherwise, it regains all lost charges.", None),
        ("It has 9 charges and regains 1 charge for each newt you feed it.", "1 for each newt you feed it"),
        ("It has 9 charges. When it is wet, it regains 1 charge.", "1 when it is wet"),
        ("It has 9 charges and regains 2 charges each day if it is fed.", "2 each day if it is fed"),
        ("The lid has 9 charges. At dusk each day the lid regains 1d3 expended charges.", "1d3 daily at dusk"),
        ("It has 9 charges and regains 2d6 charges per week.", "2d6 per week"),
        ("It has 9 charges and regains 2 charges each night at moonrise.", "2 each night at moonrise"),
        (
            "It has 9 charges, and it regains 2d6 charges daily in the mist before dawn.",
            "2d6 daily in the mist before dawn",
        ),
        (
            f"It has 2 charges. It regains all charges whenever you {RESTED}.",
            "all whenever you finish a short or long rest",
        ),
        ("It has 2 charges. It regains 1 charge for every hour spent in soup.", "1 for every hour spent in soup"),
        (
            "It has 9 charges. Empty, it sleeps until 9 days have passed, at which point it regains all charges.",
            "all after 9 days",
        ),
    ],
)
def test_short_wordings_of_regained_charges_are_read(text, expected):
    assert item_facts.charges(text)["regains"] == expected


@pytest.mark.parametrize(
    "text",
    [
        f"You have a +2 bonus to _attack {AND_DAMAGE}_ made with this hoe.",
        f"You have a +2 bonus on attack {AND_DAMAGE} made with this hoe.",
        f"You have a +2 magical bonus {ON_BOTH} made with this hoe.",
        f"You gain a +2 {ON_BOTH} with this hoe.",
        f"You gain a +2 {ON_BOTH} {WIELDED} hoe.",
        f"You have a +2 bonus to attack rolls {WITH_IT}, which deals no damage.",
        f"You have a +2 bonus to weapon attack rolls {AND_DAMAGE} made using the _Hoe_.",
    ],
)
def test_bonuses_in_other_markup_and_words_are_read(text):
    assert item_facts.magic_bonus("Hoe", text, is_weapon=True, is_armor=False) == 2


def test_a_sphere_of_iron_has_a_weight_but_one_of_force_has_none():
    assert item_facts.weight_lb("This rusty iron sphere is 3 inches across and weighs 1 pound.") == 1.0
    assert item_facts.weight_lb("It is trapped inside. The sphere only weighs 1 pound.") is None


@pytest.mark.parametrize(
    ("printed", "expected"),
    [("16 + Dex (max 2)", "16 + Dex (max 3)"), ("19", "19 + Dex (max 1)"), ("12 + Dex", "12 + Dex"), ("+2", "+2")],
)
def test_armor_may_allow_more_dexterity(printed, expected):
    medium, heavy = "3, instead of 2", "1 instead of 0"
    text = (
        f"In medium armor the maximum Dexterity modifier for your Armor Class is {medium}. In heavy armor the maximum"
    )
    text += f" Dexterity modifier is {heavy}."
    assert item_facts.armor_class_text(printed, "A shield." if printed == "+2" else text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In this shirt your AC equals 12 + your Dexterity modifier.", (12, "12 + Dex")),
        ("your armor class equals 15 + Dexterity modifier (maximum 1).", (15, "15 + Dex (max 1)")),
        ("The cook's AC equals 12 + their Dexterity modifier.", None),
    ],
)
def test_armor_class_may_be_read_from_the_text_alone(text, expected):
    assert item_facts.armor_class(text) == expected
