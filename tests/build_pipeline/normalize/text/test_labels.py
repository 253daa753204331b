"""Named parts of texts, and names that differ between sources."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.labels import (
    base_name,
    gained_level,
    headed,
    joining_name,
    labelled,
    later_levels,
    prerequisite_first,
    without_label,
)

NAMES = st.from_regex(r"[A-Z][a-z]{1,8}( [A-Z][a-z]{1,8}){0,2}", fullmatch=True)
TEXTS = st.from_regex(r"[a-z]{1,10}( [a-z]{1,10}){0,6}\.", fullmatch=True)
PARTS = st.lists(st.tuples(NAMES, TEXTS), min_size=1, max_size=5)
LABELS = st.sampled_from(["**_{}._** ", "***{}.*** ", "**{}.** ", "**{}:** "])


@given(PARTS, LABELS, TEXTS)
def test_labelled_parts_are_read_back_whatever_the_emphasis(parts, label, intro):
    text = "\n\n".join([intro, *(label.format(name) + body for name, body in parts)])
    found_intro, found = labelled(text)
    assert found_intro == intro
    assert [(p["name"], p["description"]) for p in found] == parts


@given(PARTS, st.integers(1, 6))
def test_headed_parts_are_read_back_whatever_the_depth(parts, depth):
    text = "\n\n".join(f"{'#' * depth} {name}\n{body}" for name, body in parts)
    assert [(p["name"], p["description"]) for p in headed(text)[1]] == parts


def test_deeper_headings_belong_to_the_section_above():
    text = "Lore.\n\n#### First\nOne.\n\n##### Inside\nTwo.\n\n####Second\nThree."
    intro, parts = headed(text)
    assert intro == "Lore."
    assert [p["name"] for p in parts] == ["First", "Second"]
    assert "Inside" in parts[0]["description"]


def test_bold_words_without_a_full_stop_are_not_a_label():
    assert labelled("**Beware** of the dog.") == ("**Beware** of the dog.", [])
    assert labelled(None) == (None, [])


def test_a_label_is_removed():
    assert without_label("**_Age._** Old.") == "Old."
    assert without_label("Old.") == "Old."
    assert without_label(None) is None


def test_levels_in_a_text_are_read():
    assert gained_level("Starting at 3rd level, you glow.") == 3
    assert gained_level("When you reach character level 5, you float.") == 5
    assert gained_level("By 11th level you hum.") == 11
    assert gained_level("From 1st level, you hum.") == 1
    assert gained_level("You copy a spell from 1st level on.") is None
    assert gained_level("You know a 2nd-level spell.") is None
    assert gained_level("You hum. " * 40 + "At 7th level you stop.") is None
    assert gained_level(None) is None


def test_a_name_matches_the_only_equivalent_candidate():
    assert joining_name("Fiend", ["The Fiend", "The Old Wood"]) == "The Fiend"
    assert joining_name("High Elf", ["High Elf", "Elf"]) == "High Elf"
    assert joining_name("Land", ["Circle of the Land", "Circle of Land and Sea"]) == "Land"
    assert joining_name("Land", []) == "Land"


def test_base_names_are_found():
    assert base_name("Action Surge (one use)") == base_name("Action Surge (2 uses)")
    assert base_name("Ki-Empowered Strikes") == base_name("Ki Empowered Strikes")


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("When you reach 4th level, and again at 8th, 12th, and 16th level, you learn a knot.", [8, 12, 16]),
        ("You gain this feature again at Warden levels 9 and 13.", [9, 13]),
        ("At 3rd, 5th, and 7th level, you gain access to the songs listed.", [3, 5, 7]),
        ("The vow brings features at 3rd level and again at 7th and 20th level.", []),
        ("You learn another cantrip at 10th level, you see.", []),
        ("Fog.\n\n| Warden Level | Vow Spells |\n|---|---|\n| 3rd | fog |\n| 9th | tide |\n", [3, 9]),
        ("Slots.\n\n| Warden Level | Spell Slots |\n|---|---|\n| 3rd | 2 |\n", []),
        (None, []),
    ],
)
def test_later_levels_are_read(text, levels):
    assert later_levels(text) == levels


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*Prerequisite: 9th level, *fog* cantrip*\n\nYou float.", ("9th level, fog cantrip", "You float.")),
        ("**Prerequisites:** Warden\nYou ring.", ("Warden", "You ring.")),
        ("You ring.", (None, "You ring.")),
        (None, (None, None)),
    ],
)
def test_a_prerequisite_at_the_beginning_is_read(text, expected):
    assert prerequisite_first(text) == expected
