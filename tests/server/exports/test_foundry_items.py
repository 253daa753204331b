"""Items for Foundry: charges, armor and prices as the dnd5e system counts them."""

from __future__ import annotations

from typing import Any

import pytest
from foundry_model import violations

from server.exports.foundry.items import item

ROD: dict[str, Any] = {
    "id": "magic-item/hills/rod",
    "entity_type": "magic-item",
    "name": "Rod",
    "document_name": "The Hills",
    "item_category": "rod",
}


@pytest.mark.parametrize(
    ("charges", "most", "recovery"),
    [
        ({"number": 7, "regains": "1d6+1 daily at dawn"}, "7", ("dawn", "formula", "1d6+1")),
        ({"number": 3, "regains": "all each dusk"}, "3", ("dusk", "recoverAll", None)),
        ({"number": 3, "regains": "1 daily at midnight"}, "3", ("day", "formula", "1")),
        ({"number": 3, "regains": "all whenever you finish a short or long rest"}, "3", ("sr", "recoverAll", None)),
        ({"number": 3, "regains": "1 each day if exposed to the light of dawn"}, "3", None),
        ({"roll": "1d6", "regains": "1 each dawn"}, "", None),
        (None, "", None),
    ],
)
def test_charges_have_their_recovery(charges: Any, most: str, recovery: tuple[str, ...] | None) -> None:
    document = item(ROD | {"charges": charges})
    uses = document["system"]["uses"]
    told = [(each["period"], each["type"], each.get("formula")) for each in uses["recovery"]]

    assert violations(document) == []
    assert (uses["max"], told) == (most, [recovery] if recovery else [])


def test_the_model_refuses_dice_as_a_number_of_uses() -> None:
    document = item(ROD)
    document["system"]["uses"]["max"] = "1d8+1"

    assert violations(document) == ["system.uses.max cannot be '1d8+1'"]


@pytest.mark.parametrize(
    ("category", "told", "most"),
    [
        ("light", "12 + Dex", None),
        ("medium", "14 + Dex (max 3)", 3),
        ("heavy", "18", 0),
        ("heavy", "19 + Dex", None),
        ("shield", "+2", None),
        ("medium", None, None),
    ],
)
def test_armor_limits_the_dexterity_bonus(category: str, told: str | None, most: int | None) -> None:
    armor = item(ROD | {"armor_category": category, "armor_class_text": told})["system"]["armor"]

    assert armor["dex"] == most


def test_prices_are_in_whole_coins() -> None:
    wares = {"id": "adventuring-gear/hills/pebble", "entity_type": "adventuring-gear", "name": "Pebble"}
    wares |= {"document_name": "The Hills"}
    prices = [item(wares | {"cost_gp": cost})["system"]["price"] for cost in (1500.0, 0.5, 0.02, None)]

    assert [(price["value"], price["denomination"]) for price in prices] == [
        (1500, "gp"),
        (5, "sp"),
        (2, "cp"),
        (0, "gp"),
    ]
