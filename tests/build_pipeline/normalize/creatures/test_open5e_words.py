"""Wording of Open5e's creatures."""

from __future__ import annotations

import pytest

from build_pipeline.normalize.creatures.open5e_words import description, fuller, with_whole_name


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        ("It swims.", "It swims. It dives.", "It swims. It dives."),
        ("It swims.", "It dives.", "It swims."),
        ("It swims. It dives.", "It swims.", "It swims. It dives."),
        ("It casts:\n**1/Day:** ., fog", "It casts:\n1/day: web, fog", "It casts:\n1/day: web, fog"),
        ("It casts: ., fog", None, "It casts: ., fog"),
        (None, "It swims.", None),
    ],
)
def test_the_complete_text_is_chosen(text, other, expected):
    assert fuller(text, other) == expected


def test_names_cut_off_by_v2_are_completed():
    whole = f"A newt {'very ' * 20}wet (1d6 water)"
    older = [{"name": "A frog"}, {"name": whole}]
    assert with_whole_name({"name": whole[:100], "desc": "x"}, older) == {"name": whole, "desc": "x"}
    assert with_whole_name({"name": whole[:99]}, older) == {"name": whole[:99]}
    assert with_whole_name({"name": "b" * 100}, None) == {"name": "b" * 100}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It swims in the\n\n**Lake of Mud.** It dives.", "It swims in the Lake of Mud. It dives."),
        ("It swims.\n\n_**Lakes.**_", "It swims."),
        ("It swims.\n\n**Lakes.** It dives.", "It swims.\n\n**Lakes.** It dives."),
        ("It likes old mud\n\n**Lakes.** It dives.", "It likes old mud\n\n**Lakes.** It dives."),
    ],
)
def test_the_end_of_a_sentence_is_not_a_label(text, expected):
    assert description(text, lambda told: told) == expected
