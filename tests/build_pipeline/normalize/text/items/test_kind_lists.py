"""The lists of an item's kinds in its text."""

from __future__ import annotations

import pytest

from build_pipeline.normalize.text.items.kind_lists import Kind, kind_lists, words


def test_columns_of_rolls_and_rarities_list_no_kinds() -> None:
    table = "| 1d4 | Spoon | Rarity |\n|---|---|---|\n| 1 | Tin | Rare |\n| 2 |  | Common |\n| 3 | Gold 2 | Common |"
    assert kind_lists(table) == [[Kind("Tin", "rare", "Spoon"), Kind("Gold 2", "common", "Spoon")]]
    assert kind_lists("| 1\u20134 |  | Level 2 |\n|---|---|---|\n| a | b | c |") == [[Kind("c", None, "Level 2")]]
    assert kind_lists("A spoon.") == []


def test_titles_are_kinds() -> None:
    assert kind_lists("## Tin \n\nSoup.\n\n**Gold .** Honey.") == [[Kind("Tin")], [Kind("Gold")]]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Manual of Golems", {"manual", "golem"}),
        ("Berries of Brass", {"berry", "brass"}),
        ("Keys", {"key"}),
    ],
)
def test_words_are_singular(name: str, expected: set[str]) -> None:
    assert words(name) == expected
