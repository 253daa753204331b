"""Repairs of a book's Markdown."""

from __future__ import annotations

import pytest

from build_pipeline.normalize.books.tree import plain_markdown


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("5 (1d8) damage plus 9 2d8) fire damage", "5 (1d8) damage plus 9 (2d8) fire damage"),
        ("*Hit:* 11 2d6 + 4) slashing damage.", "*Hit:* 11 (2d6 + 4) slashing damage."),
        ("regains 7 2d6 − 1) hit points", "regains 7 (2d6 − 1) hit points"),
        ("9 (2d8) fire damage", "9 (2d8) fire damage"),
        ("a pouch (3 2d6) of it", "a pouch (3 2d6) of it"),
        ("roll 2d8 or 1d6 (or 3d4)", "roll 2d8 or 1d6 (or 3d4)"),
    ],
)
def test_a_missing_bracket_before_dice_is_restored(typed: str, plain: str) -> None:
    assert plain_markdown(typed) == plain


def test_hyphens_that_became_dashes_are_restored() -> None:
    typed = "Half—orc brawlers, hand—to—hand; they fast—talk you—and leave."
    assert plain_markdown(typed) == "Half-orc brawlers, hand-to-hand; they fast-talk you—and leave."
