"""Facts that only a spell's text tells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text import spell_text
from server.dataset.schema import ABILITIES


def area(shape, size, unit="feet"):
    return {"shape": shape, "size": size, "unit": unit}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fire fills a 20-foot-radius sphere.", area("sphere", 20)),
        ("Hail falls in a 20-foot-radius, 40-foot-high cylinder.", area("cylinder", 20)),
        ("a cylinder with a 60-foot radius", area("cylinder", 60)),
        ("a 100-foot-long, 5-foot-wide Line", area("line", 100)),
        ("a line 60 feet long and 5 feet wide", area("line", 60)),
        ("everyone in a 15-foot cone", area("cone", 15)),
        ("up to ten 10-foot Cubes", area("cube", 10)),
        ("a cube 30 feet on each side", area("cube", 30)),
        ("a 10-foot Emanation around you", area("emanation", 10)),
        ("a 20-foot square of ground", area("square", 20)),
        ("within a 5-mile radius", area("sphere", 5, "miles")),
        ("those within 20 feet of that point", area("sphere", 20)),
        ("a storm spreading to a radius of 360 feet", area("sphere", 360)),
        ("a wall up to 60 feet long", area("line", 60)),
        ("It sheds bright light in a 20-foot radius.", None),
        ("You move 30 feet.", None),
    ],
)
def test_areas(text, expected):
    assert spell_text.area_of_effect(text) == expected


@given(st.sampled_from(("cone", "cube", "line", "sphere")), st.integers(1, 500))
def test_a_rendered_area_is_read_back(shape, size):
    assert spell_text.area_of_effect(f"It fills a {size}-foot {shape}.") == area(shape, size)


@given(st.text())
def test_reading_never_fails(text):
    spell_text.area_of_effect(text)
    spell_text.saving_throw(text)
    spell_text.target_count(text)
    spell_text.cost_gp(text)
    spell_text.needs_attack_roll(text)


@given(st.sampled_from(ABILITIES), st.sampled_from(("must make a", "makes a", "must succeed on a", "fails its")))
def test_a_demanded_save_is_read_back(ability, demand):
    assert spell_text.saving_throw(f"The target {demand} {ability.capitalize()} saving throw.") == ability


@pytest.mark.parametrize(
    ("text", "told", "expected"),
    [
        ("It has advantage on Dexterity saving throws.", "dexterity", None),
        (
            "A beast of Intelligence 4 or more is safe; others must make a Wisdom saving throw.",
            "intelligence",
            "wisdom",
        ),
        ("The target must make a saving throw or stand still.", "wisdom", "wisdom"),
        ("It may attempt a saving throw. It has advantage on Strength saving throws.", "strength", None),
        ("You grow taller.", "strength", None),
    ],
)
def test_saves_made_better_are_not_demanded(text, told, expected):
    assert spell_text.saving_throw(text, told) == expected


def test_attack_rolls():
    assert spell_text.needs_attack_roll("Make a ranged spell attack against it.")
    assert spell_text.needs_attack_roll("You can make two melee spell attacks.")
    assert not spell_text.needs_attack_roll("It has disadvantage on melee attacks.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Choose up to three willing creatures you can see.", 3),
        ("Up to 12 creatures may eat.", 12),
        ("You and up to five allies vanish.", 5),
        ("A creature falls asleep.", None),
    ],
)
def test_target_counts(text, expected):
    assert spell_text.target_count(text) == expected


@pytest.mark.parametrize(
    ("material", "expected"),
    [
        ("a pearl worth at least 1,000 gp", 1000.0),
        ("a 50 gp ruby", 50.0),
        ("a copper coin worth 1 cp", 0.01),
        ("a pinch of sulfur", None),
    ],
)
def test_material_prices(material, expected):
    assert spell_text.cost_gp(material) == expected


def test_material_used_up():
    assert spell_text.is_consumed("a diamond, which the spell consumes")
    assert not spell_text.is_consumed("a diamond")
