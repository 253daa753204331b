"""The keys by which mundane items are found."""

from __future__ import annotations

import pytest

from build_pipeline.normalize.text.item_names import mundane_keys


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
