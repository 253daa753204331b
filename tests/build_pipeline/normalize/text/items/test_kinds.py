"""Texts that describe several kinds of an item."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.items.kinds import of_kind, text_of_kind

ALL = "Spoons differ."
TIN = "Tin (Common). It has 2 charges."
GOLD = "Old Gold (Very Rare, Requires Attunement). It has 9 charges."


@pytest.mark.parametrize(
    ("name", "own"),
    [("Tin Spoon", TIN), ("Spoon (Old Gold)", GOLD), ("Gold Spoon", GOLD), ("Spoon", None), ("Spoon of Old Tin", TIN)],
)
def test_the_text_of_a_kind_is_found(name, own):
    of_all, found = of_kind(name, f"{ALL} {TIN} {GOLD}")
    assert of_all.strip() == ALL
    assert found is None if own is None else found.strip() == own


def test_bold_lines_are_sections():
    of_all, own = of_kind("Tin Spoon", f"{ALL}\n\n***Tin (Common).*** It hums.\n\n***Old Gold (Rare).*** It sings.")
    assert "hums" not in of_all
    assert "hums" in own
    assert "sings" not in own


def test_the_text_of_a_kind_has_the_common_and_its_own_part():
    text = f"{ALL}\n\n**_Tin (Common)._** It hums.\n\nIt bends.\n\n**_Old Gold (Rare)._** It sings."
    assert text_of_kind("Tin Spoon", text) == f"{ALL}\n\n**_Tin (Common)._** It hums.\n\nIt bends."
    assert text_of_kind("Gold Spoon", text) == f"{ALL}\n\n**_Old Gold (Rare)._** It sings."
    assert text_of_kind("Spoon", text) is None
    assert text_of_kind("Tin Spoon", ALL) is None


def test_a_kind_based_on_another_has_both_texts():
    lesser, greater = "Orb (Common). It glows.", "Great Orb (Rare). It glows more."
    assert text_of_kind("Great Orb", f"{ALL} {lesser} {greater}") == f"{ALL}\n\n{lesser}\n\n{greater}"
    assert text_of_kind("Orb", f"{ALL} {lesser} {greater}") == f"{ALL}\n\n{lesser}"
    assert text_of_kind("Stone (Great Orb)", f"{ALL} {lesser} {greater}") == f"{ALL}\n\n{greater}"


@pytest.mark.parametrize("text", ["It hums.", f"{ALL} {TIN}", "It has a lid (rare)."])
def test_a_text_of_one_kind_is_unchanged(text):
    assert of_kind("Tin Spoon", text) == (text, "")


@given(st.text(), st.text())
def test_reading_never_fails(name, text):
    of_kind(name, text)
    text_of_kind(name, text)
