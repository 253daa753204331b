"""The keys by which mundane items are found."""

from __future__ import annotations

import pytest

from build_pipeline.normalize.text.items.names import item_keys, mundane_keys


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Ladles (20)", {"ladles-20", "ladles", "ladle"}),
        ("Pot Armor", {"pot-armor", "pot"}),
        ("Spyglass", {"spyglass"}),
        ("Abacus", {"abacus"}),
        ("Canvas", {"canvas"}),
        ("Soup Supplies", {"soup-supplies"}),
        ("Silly Clothes", {"silly-clothes"}),
        ("Soup Focuses", {"soup-focuses", "soup-focus"}),
    ],
)
def test_only_plurals_have_a_singular(name, expected):
    assert set(mundane_keys(name.lower().replace(" ", "-").strip("()"), name)) >= expected
    wrong = {"spyglas", "abacu", "canva", "soup-supplie", "silly-clothe", "soup-focuse"}
    assert not wrong & set(mundane_keys("x", name))


def test_an_item_with_one_bonus_is_found_with_the_bonus_first():
    assert item_keys("fork-1", "Fork, +1") == ["fork-1", "1-fork"]
    assert item_keys("fork", "Fork, +1, +2, or +3") == ["fork", "fork-1-2-or-3"]
