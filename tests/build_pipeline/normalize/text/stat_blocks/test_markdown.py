"""Texts of traits and actions, whose line breaks become paragraphs and lists."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from build_pipeline.normalize.text.stat_blocks.markdown import stat_block_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It bites.\nIt lets go.", "It bites.\n\nIt lets go."),
        ("Melee Weapon Attack:+7 to hit", "Melee Weapon Attack: +7 to hit"),
        (
            "Pick one:\nAt will: *light*\n1/day each: *fear*",
            "Pick one:\n\n* **At will:** *light*\n* **1/day each:** *fear*",
        ),
        ("Pick one:\n- **At Will:** fear\n- **1/Day:** blur", "Pick one:\n\n* **At Will:** fear\n* **1/Day:** blur"),
        (
            "Pick one:\n- **At Will:** fear\n- **1st Level** (4 slots): blur",
            "Pick one:\n\n* **At Will:** fear\n* **1st Level** (4 slots): blur",
        ),
        ("Pick one:\nat will: fear,\n1/day: blur,", "Pick one:\n\n* **At will:** fear\n* **1/day:** blur,"),
        ("Pick one:\nconstant: fly", "Pick one:\n\n* **Constant:** fly"),
        ("Pick one:\n1st (2 slots): fly", "Pick one:\n\n* **1st (2 slots):** fly"),
        ("Pick one:\n- **1/Day** fear, blur", "Pick one:\n\n* **1/Day:** fear, blur"),
        ("- **Mud.** It sings:\nAt will: fear", "- **Mud.** It sings:\n* **At will:** fear"),
        ("Pick one:\n- Mud\n- Rain", "Pick one:\n\n- Mud\n- Rain"),
        ("| A | B |\n|---|---|\n| 1 | 2 |", "| A | B |\n|---|---|\n| 1 | 2 |"),
        ("the newt's tail grows back", "The newt's tail grows back"),
        ("d6 newts", "d6 newts"),
        ("It sinks.\n\nthe mud dries.", "It sinks.\n\nThe mud dries."),
        ("It fits the space\n\nand leaves it", "It fits the space\n\nand leaves it"),
        ("It sings.\n\n It rests.", "It sings.\n\nIt rests."),
        ("", None),
        (None, None),
    ],
)
def test_line_breaks_become_paragraphs_and_lists(text, expected):
    assert stat_block_text(text) == expected


@given(st.text(alphabet="ab1/:*- |\n.", max_size=60))
@example("a\n |\n11\n|")
@example("|\n|\n\n|.\n")
def test_cleaning_twice_changes_nothing(text):
    once = stat_block_text(text)
    assert stat_block_text(once) == once
