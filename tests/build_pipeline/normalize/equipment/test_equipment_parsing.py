"""Prices, weights, rarities, attunement and names, as each source writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.equipment.weapons import weapon_facts
from build_pipeline.normalize.text.items.attunement import attunement_detail, limited_to
from build_pipeline.normalize.text.items.names import item_keys, magic_name, mundane_keys, natural_name
from build_pipeline.normalize.text.items.rarity import RARITIES, VARIES, rarity
from build_pipeline.normalize.text.money import GOLD_PER_COIN, gold, pounds


@pytest.mark.parametrize(
    ("price", "expected"),
    [
        ("15.00", 15.0),
        ("0.05", 0.05),
        ("2,000 gp", 2000.0),
        ("5 cp", 0.05),
        ({"quantity": 2, "unit": "sp"}, 0.2),
        (250, 250.0),
        ("0.00", None),
        ("0 gp", None),
        ("", None),
        (None, None),
    ],
)
def test_prices_are_read_in_gold_pieces(price, expected):
    assert gold(price) == expected


@pytest.mark.parametrize(
    ("weight", "expected"),
    [("3.000", 3.0), ("1/4 lb.", 0.25), ("10 lb.", 10.0), (0.5, 0.5), ("0 lb.", None), ("0.000", None), ("", None)],
)
def test_weights_are_read_in_pounds(weight, expected):
    assert pounds(weight) == expected


@given(st.integers(1, 10_000_000), st.sampled_from(sorted(GOLD_PER_COIN)))
def test_every_form_of_a_price_is_read_alike(quantity, coin):
    plain, grouped = f"{quantity} {coin}", f"{quantity:,} {coin.upper()}"
    assert gold(plain) == gold(grouped) == gold({"quantity": quantity, "unit": coin})
    assert gold(plain) == float(quantity * GOLD_PER_COIN[coin])


@given(st.decimals(0, 10_000, places=3))
def test_decimal_texts_keep_their_value(value):
    assert pounds(str(value)) == (float(value) or None)


@given(st.text(alphabet="abcxyz?!", min_size=1))
def test_an_invalid_price_or_weight_is_refused_by_name(text):
    with pytest.raises(ValueError, match="not a price"):
        gold(text)
    with pytest.raises(ValueError, match="not a weight"):
        pounds(text)
    with pytest.raises(ValueError, match=r"not a weight: '1/0 lb\.'"):
        pounds("1/0 lb.")


@given(st.sampled_from(RARITIES), st.sampled_from([str, str.title, str.upper]))
def test_a_rarity_is_read_in_any_case(name, case):
    assert rarity(case(name)) == name
    assert rarity(case(name).replace(" ", "-")) == name


@given(st.lists(st.sampled_from(RARITIES), min_size=2, unique=True))
def test_several_rarities_count_as_varying(names):
    printed = ", ".join(f"{name} (+{number})" for number, name in enumerate(names, 1))
    assert rarity(printed) == VARIES


@pytest.mark.parametrize("printed", ["varies", "Rarity Varies", "rarity by figurine"])
def test_a_varying_rarity_is_read(printed):
    assert rarity(printed) == VARIES


@pytest.mark.parametrize("printed", ["", None, "any sword"])
def test_a_text_without_rarity_has_none(printed):
    assert rarity(printed) is None


@given(st.sampled_from(["wizard", "druid, sorcerer, or wizard", "creature of good alignment"]))
def test_attunement_of_every_source_is_read_alike(who):
    expected = f"by a {who}"
    assert attunement_detail(f"requires attunement by a {who}") == expected
    assert attunement_detail(f"Requires Attunement by a {who.title()}") == expected
    assert limited_to(who.title()) == expected


@pytest.mark.parametrize("printed", [None, "", "requires attunement", "Requires Attunement "])
def test_plain_attunement_has_no_detail(printed):
    assert attunement_detail(printed) is None


def test_attunement_may_be_limited():
    assert limited_to("Elf") == "by an elf"
    assert limited_to(None) is None


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("Crossbow, light", "Light Crossbow"),
        ("Clothes, traveler's", "Traveler's Clothes"),
        ("Case, Map or Scroll", "Map or Scroll Case"),
        ("Musical Instrument, Pan Flute", "Pan Flute"),
        ("Holy Symbol, Amulet)", "Amulet"),
        ("Smith's Tools (20 GP)", "Smith's Tools"),
        ("Horse (Riding)", "Riding Horse"),
        ("Bullets, Sling (20)", "Sling Bullets (20)"),
        ("Chain mail", "Chain Mail"),
        ("Jug or pitcher", "Jug or Pitcher"),
        ("Longsword", "Longsword"),
    ],
)
def test_names_with_commas_are_reordered(printed, said):
    assert natural_name(printed) == said


@given(st.sampled_from(["Light Crossbow", "Chain Mail", "Hempen Rope (50 feet)", "Potion", "Jug or Pitcher"]))
def test_natural_names_are_unchanged(name):
    assert natural_name(name) == name
    assert magic_name(name) == name


def test_a_magic_weapon_is_found_with_its_bonus_before_or_after():
    keys = item_keys("srd_longsword-1", "Longsword (+1)")
    assert {"srd_longsword-1", "longsword-1", "1-longsword"} <= set(keys)


def test_a_mundane_item_is_found_without_armor_brackets_and_plural():
    assert {"plate", "plate-armor", "srd_plate-armor"} <= set(mundane_keys("srd_plate-armor", "Plate Armor"))
    assert {"arrow", "arrows", "arrows-20"} <= set(mundane_keys("srd-2024_arrows-20", "Arrows (20)"))


def test_damage_without_dice_is_unknown() -> None:
    facts = weapon_facts(
        simple=True, dice="text", damage_type="slashing", properties=[{"name": "versatile", "detail": "text"}]
    )
    assert (facts["damage_dice"], facts["damage_type"], facts["versatile_dice"]) == (None, None, None)
