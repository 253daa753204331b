"""Areas of effect, as running text describes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.areas import area_of_effect


def area(shape, size, unit="feet"):
    return {"shape": shape, "size": size, "unit": unit}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fire fills a 20-foot-radius sphere.", area("sphere", 20)),
        ("You call a 50-foot long, 20-foot high, 5-foot thick wall of soup.", area("line", 50)),
        ("You can make lines (up to 60 feet long, 9 feet high) or a circle.", area("line", 60)),
        ("It covers a 20-foot-by-20-foot section of wall with jam.", area("square", 20)),
        ("Mist fills an area 200 feet on a side.", area("square", 200)),
        ("Steam fills the area within 30 feet of you.", area("sphere", 30)),
        ("Hail falls in a 20-foot-radius, 40-foot-high cylinder.", area("cylinder", 20)),
        ("a cylinder with a 60-foot radius", area("cylinder", 60)),
        ("a cloud, a cylinder that is 9 feet tall with a 50-foot radius", area("cylinder", 50)),
        ("a 20-foot-tall cylinder with a 40-foot radius", area("cylinder", 40)),
        ("a 10-foot-radius, 10-foot-deep cylindrical hole", area("cylinder", 10)),
        ("a 10-foot-radius immobile dome of jam", area("hemisphere", 10)),
        (
            "It puts out up to a 5-foot flame, extinguishing up to a 5-foot cube of it, in a 10-foot radius.",
            area("sphere", 10),
        ),
        ("a cylindrical space 50 feet in radius", area("cylinder", 50)),
        ("a cylinder 40 feet high and 30 feet in diameter", area("cylinder", 15)),
        ("The pit is 10 feet deep and 40 feet in diameter.", area("cylinder", 20)),
        ("a cloud 50 feet in diameter", area("sphere", 25)),
        ("a 10-foot-diameter circle of spoons", area("sphere", 5)),
        ("It can't exceed the dimensions of a 90-foot cube.", area("cube", 90)),
        ("a 100-foot-long, 5-foot-wide Line", area("line", 100)),
        ("a 5-foot-wide line that is 120 feet long", area("line", 120)),
        ("a line 60 feet long and 5 feet wide", area("line", 60)),
        ("a line of hot sand 60 feet long", area("line", 60)),
        ("A bench 30 feet long and 5 feet wide, and it must be in a line.", area("line", 30)),
        ("a 30-foot radius cloud of soup that is 10 feet high", area("cylinder", 30)),
        ("a 10-foot tall, 20-foot radius ring of soup", area("cylinder", 20)),
        ("soup, spreading to a radius of 90 feet, with a thickness of 3 feet", area("cylinder", 90)),
        ("a 30-foot-cube chamber", None),
        ("each newt within 30 feet of the pot when it appears", area("sphere", 30)),
        ("each creature starting its turn within 20 feet of the target coughs", area("sphere", 20)),
        ("a bolt of jam 30 feet long and 5 feet wide", area("line", 30)),
        ("everyone in a 15-foot cone", area("cone", 15)),
        ("up to ten 10-foot Cubes", area("cube", 10)),
        ("a cube 30 feet on each side", area("cube", 30)),
        ("a cage of twigs up to 20 feet on a side", area("cube", 20)),
        ("a 10-foot Emanation around you", area("emanation", 10)),
        ("a 20-foot square of ground", area("square", 20)),
        ("within a 5-mile radius", area("sphere", 5, "miles")),
        ("those within 20 feet of that point", area("sphere", 20)),
        ("everyone within 15 feet of that spot", area("sphere", 15)),
        ("a storm spreading to a radius of 360 feet", area("sphere", 360)),
        ("a wall up to 60 feet long", area("line", 60)),
    ],
)
def test_areas_are_read(text, expected):
    assert area_of_effect(text) == expected


def test_an_area_that_fits_in_a_cube_is_a_cube():
    assert area_of_effect("You ward an area that fits in a 20-foot cube.")["size"] == 20


@pytest.mark.parametrize(
    "text",
    [
        "It sheds bright light in a 90-foot radius.",
        "You move 30 feet.",
        "You paint a small door approximately 2 feet square.",
        "You can roll the sphere up to 30 feet.",
        "It has blindsight with a radius of 90 feet.",
        "A clay cone that is 2 feet wide and 5 feet tall pops up.",
        "The moss covers eight 5-foot squares.",
        "The hedge is made of ten 10-foot square sections.",
        "Each pot fills a 10-foot cube of the kitchen.",
        "each cube being 9 feet on each side",
        "A table (contained within a 10-foot cube or six connected 5-foot cubes) is laid.",
        "The pantry can't exceed 40 adjoining 5-foot cubes.",
        "a kitchen made up of thirty or fewer 5-foot cubes",
        "A 5-foot-diameter sphere of dough rolls in.",
        "An object must fit entirely inside a 10-foot cube.",
    ],
)
def test_other_sizes_are_not_areas(text):
    assert area_of_effect(text) is None


@given(st.sampled_from(("cone", "cube", "line", "sphere")), st.integers(1, 500))
def test_a_rendered_area_is_read_back(shape, size):
    assert area_of_effect(f"It fills a {size}-foot {shape}.") == area(shape, size)


@given(st.text())
def test_reading_never_fails(text):
    area_of_effect(text)
