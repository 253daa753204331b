"""Prices of materials, and whether they are consumed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.spells.materials import cost_gp, is_consumed


@pytest.mark.parametrize(
    ("material", "expected"),
    [
        ("a pearl worth at least 1,000 gp", 1000.0),
        ("a pearl worth 1,000+ GP", 1000.0),
        ("a 50 gp ruby", 50.0),
        ("a copper coin worth 1 cp", 0.01),
        ("2 Copper Pieces", 0.02),
        ("a sack of 3 silver rings", None),
        ("a barge of 10,000 gp value or less", None),
        ("a pinch of sulfur", None),
        ("a drum worth 250+ GP, and four sticks worth 50+ GP each", 450.0),
        ("a pair of boots worth at least 5 gp each", 10.0),
        ("a cup, a small plate, and a spoon, each item worth at least 5 gp", 15.0),
        ("for each guest, a cup worth 1 gp and one plate worth 5 sp", 1.5),
        ("a bell worth 5 gp or a drum worth 20 gp", 5.0),
    ],
)
def test_prices_of_materials_are_read(material, expected):
    assert cost_gp(material) == expected


@given(st.integers(1, 99_999), st.sampled_from(("", "+")), st.sampled_from(("gp", "GP")))
def test_a_rendered_price_is_read_back(amount, plus, coin):
    assert cost_gp(f"a bead worth {amount:,}{plus} {coin}") == float(amount)


@pytest.mark.parametrize(
    ("material", "description", "expected"),
    [
        ("a diamond, which the spell consumes", "", True),
        ("a diamond", "", False),
        ("a diamond, which is not consumed in casting", "", False),
        ("", "Your fists glow, consuming the material components of the spell.", True),
        ("a leaf", "The beast consumes the leaf.", False),
    ],
)
def test_consumed_materials_are_recognised(material, description, expected):
    assert is_consumed(material, description) is expected
