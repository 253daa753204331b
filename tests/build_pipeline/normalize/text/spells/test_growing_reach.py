"""Targets, range, area and duration of a spell, which grow with the slot or the caster's level."""

from __future__ import annotations

import pytest
from growing import EACH, EACH_SPELL, EVERY_TWO, MORE, REACHING, SLOT, grown

from build_pipeline.normalize.text.spells.higher_levels import Casting, growth, split_higher_levels, things_made

YOU_CAST = "you cast this spell"
FOUR = "four beams"
A_YEAR = "a year and a day"


@pytest.mark.parametrize(
    "higher",
    [
        f"You can target an additional creature within 90 feet of the first {EACH} 8th.",
        f"The number of targets increases by one {EACH} 8th.",
        f"You can target +1 creature {EACH} 8th.",
    ],
)
def test_one_more_target_is_read(higher):
    assert grown(8, "A creature you touch.", higher, 1) == {9: {"targets": 2}}


def test_things_that_appear_in_the_hand_are_counted_under_another_name():
    higher = f"You can create two additional daggers {EACH} 8th."
    assert grown(8, "Three icicles appear in your hand.", higher, 1) == {9: {"targets": 5}}


def test_one_more_with_a_slot_named_last_is_read():
    higher = f"Target one additional creature when {YOU_CAST} with a 9th-{SLOT}."
    assert grown(7, "A creature.", higher, 1) == {9: {"targets": 2}}


@pytest.mark.parametrize(
    ("higher", "expected"),
    [
        (f"When you cast it using an 8th-{SLOT}, you summon two newts.", {8: {"targets": 2}, 9: {"targets": 2}}),
        (f"When you cast it using an 8th-{SLOT}, you summon two newts or a toad.", {}),
        (f"You can either add a day or affect one additional beast {EACH} 7th.", {}),
    ],
)
def test_more_of_a_kind_with_named_slots_is_read(higher, expected):
    assert grown(7, "A newt.", higher, 1) == expected


def test_targets_have_a_maximum():
    higher = f"The number of targets increases by two {EACH} 6th, to a maximum of five targets."
    assert grown(6, "A creature.", higher, 1) == {7: {"targets": 3}, 8: {"targets": 5}, 9: {"targets": 5}}


def test_a_growing_area_is_read():
    higher = f"The radius of the fog increases by 5 feet {EVERY_TWO} 5th."
    assert grown(5, "Fog.", higher, feet=20) == {
        7: {"area_size": 25},
        8: {"area_size": 25},
        9: {"area_size": 30},
    }
    assert grown(5, "Fog.", higher) == {}
    added = f"Add 50 feet to the length of the cube and add 2 hours to its duration {EACH} 7th."
    assert grown(7, "A cube.", added, feet=100) == {8: {"area_size": 150}, 9: {"area_size": 200}}


def test_durations_of_named_slots_are_read():
    higher = (
        "With a slot of 5th or 6th level, you can maintain your concentration on it for up to 8 hours. If you use a "
        f"7th-{SLOT}, the duration is {A_YEAR}. With a slot of 9th level, it lasts until dispelled."
    )
    held, long = (
        {"duration": "8 hours", "concentration": True},
        {"duration": "A year and a day", "concentration": False},
    )
    assert grown(4, "It sleeps.", higher) == {
        5: held,
        6: held,
        7: long,
        8: long,
        9: {"duration": "Until dispelled", "concentration": False},
    }


def test_a_duration_ended_by_spells_is_read():
    higher = "With a level 7 or 8 spell slot, the duration is 1 year. With a level 9 spell slot, it lasts"
    higher += " until ended by one."
    long, endless = ({"duration": told} for told in ("1 year", "Until dispelled"))
    assert grown(5, "Oath.", higher) == {7: long, 8: long, 9: endless}


def test_a_duration_without_concentration_is_read():
    higher = "With a slot of 9th level or higher, the duration is 1 hour and it doesn't require concentration."
    assert grown(8, "Haze.", higher) == {9: {"duration": "1 hour", "concentration": False}}


def test_more_targets_are_read():
    higher = f"You can target one additional creature {EACH} 7th."
    assert grown(7, "Choose up to three creatures.", higher, 3) == {8: {"targets": 4}, 9: {"targets": 5}}


@pytest.mark.parametrize(
    ("text", "told", "more"),
    [
        ("You glow.\n\n***At Higher Levels.*** You glow more.", "You glow.", "You glow more."),
        ("You glow.\n\n_**At Higher Levels**_. You glow more.", "You glow.", "You glow more."),
        ("You glow.\n\n**Using a Higher-Level Spell Slot.** More.", "You glow.", "More."),
        (
            f"You glow.\n\nThis spell's damage grows {REACHING} 5th level.",
            "You glow.",
            f"This spell's damage grows {REACHING} 5th level.",
        ),
        ("You glow.", "You glow.", ""),
    ],
)
def test_descriptions_are_split(text, told, more):
    assert split_higher_levels(text) == (told, more)


@pytest.mark.parametrize(
    ("higher", "expected"),
    [
        (f"The range of the spell increases by 10 feet {EACH} 8th.", {9: {"range": "70 feet"}}),
        (f"The range increases by 10 feet and the newt grows {EACH} 8th.", {9: {"range": "70 feet"}}),
        (f"The range increases by 2 miles {EACH} 8th.", {}),
    ],
)
def test_a_growing_range_is_read(higher, expected):
    assert grown(8, "A newt.", higher, range="60 feet") == expected
    assert grown(8, "A newt.", higher, range="Touch") == {}


@pytest.mark.parametrize(
    ("text", "higher", "targets"),
    [
        ("You make three glass orbs.", f"You create one additional orb {EACH} 8th.", 4),
        ("A ray of mud flies.", f"You create an additional ray {EACH} 8th.", 2),
        ("A crowd.", f"Two additional creatures can be affected {EACH} 8th.", 3),
        ("A crowd.", f"You can target +1 creature {EACH} 8th.", 2),
        ("A crowd.", f"The number of creatures that you can affect increases by three {EACH} 8th.", 4),
    ],
)
def test_more_created_or_affected_things_are_read(text, higher, targets):
    assert grown(8, text, higher, targets=1) == {9: {"targets": targets}}


def test_one_more_from_a_slot_on_is_read():
    upwards = "With a spell slot of 8th level or higher"
    higher = f"{upwards}, you create one additional mud frog."
    assert grown(7, "Two mud frogs appear.", higher) == {8: {"targets": 3}, 9: {"targets": 3}}


def test_levels_may_be_words():
    assert grown(2, "A frog.", "You touch one additional creature for each slot level above second.", 1)[3] == {
        "targets": 2
    }


def test_targets_counted_by_level_alone_are_read():
    higher = f"You target up to three willing creatures (yourself included) {EACH} 7th."
    assert grown(7, "You vanish.", higher, 1) == {8: {"targets": 3}, 9: {"targets": 6}}


@pytest.mark.parametrize(
    "higher",
    [
        f"One more bolt leaps to another target {EACH} 8th.",
        f"The number of attacks that the creature makes increases by one {EACH} 8th.",
        f"The melee damage increases by 1d6 {EACH} 8th, or you throw one additional bolt {EACH} 8th.",
    ],
)
def test_other_numbers_are_not_targets(higher):
    assert grown(8, "A bolt.", higher, 1) == {}


@pytest.mark.parametrize(
    ("higher", "duration", "expected"),
    [
        (f"The spell lasts for an additional hour {EACH} 8th.", "1 hour", "2 hours"),
        (f"The duration increases by 10 minutes and the frog grows {EACH} 8th.", "10 minutes", "20 minutes"),
        (f"The duration increases by 48 hours {EACH} 8th.", "24 hours", "3 days"),
    ],
)
def test_growing_durations_are_read(higher, duration, expected):
    assert grown(8, "A frog.", higher, duration=duration) == {9: {"duration": expected}}
    assert grown(8, "A frog.", higher, duration="Instantaneous") == {}


def test_beams_of_a_cantrip_are_counted():
    text = f"It has more beams: two beams at 5th level, three beams at level 11, and {FOUR} at 17th level."
    assert [(each["character_level"], each["targets"]) for each in growth(Casting(0, "A beam."), text)] == [
        (5, 2),
        (11, 3),
        (17, 4),
    ]


def test_additional_darts_are_counted():
    grown = growth(Casting(7, "You create three bright darts."), f"The spell creates one more dart {EACH} 7th.")
    assert list(grown) == [{"slot_level": 8, "targets": 4}, {"slot_level": 9, "targets": 5}]


def test_additional_targets_of_the_spell_are_counted():
    grown = growth(Casting(8, "Three friends.", 3), f"The spell targets one additional creature {EACH} 8th.")
    assert list(grown) == [{"slot_level": 9, "targets": 4}]


def test_each_leap_adds_a_target():
    higher = f"One additional spark leaps from the frog to another target {EACH_SPELL} 7."
    assert grown(7, "A spark.", higher, targets=3) == {8: {"targets": 4}, 9: {"targets": 5}}


def test_the_area_at_a_slot_is_read():
    higher = f"When you cast it using a 9th-{SLOT}, the cube is 20 feet on a side."
    assert grown(8, "A cube.", higher, feet=10) == {9: {"area_size": 20}}


@pytest.mark.parametrize(
    ("text", "higher", "expected"),
    [
        ("You create three wet darts.", f"You create one more dart {EACH} 1st.", 3),
        ("You create a portal.", f"You create one additional portal {EACH} 1st.", 1),
        ("You charm a newt.", f"You can target one additional creature {EACH} 1st.", None),
        ("It drips.", f"{MORE} 1d6 {EACH} 1st.", None),
    ],
)
def test_the_number_created_at_the_spells_own_level_is_read(text, higher, expected):
    assert things_made(Casting(1, text), higher) == expected
