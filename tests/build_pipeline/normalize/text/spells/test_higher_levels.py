"""Dice of a spell that grow with the slot or the caster's level."""

from __future__ import annotations

import pytest
from growing import AND_LAST, EACH, EACH_SPELL, EVERY_TWO, MORE, REACHING, SLOT, grown
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.spells.higher_levels import Casting, growth, split_higher_levels


def test_damage_grows_with_every_slot():
    found = grown(7, "It takes 3d6 fire damage.", f"{MORE} 1d6 {EACH_SPELL} 7.")
    assert found == {8: {"damage": "4d6"}, 9: {"damage": "5d6"}}


def test_damage_may_grow_every_two_slots():
    higher = f"the damage increases by 1d8 {EVERY_TWO} the 5th."
    assert grown(5, "Take 1d8 force damage.", higher) == {
        7: {"damage": "2d8"},
        8: {"damage": "2d8"},
        9: {"damage": "3d8"},
    }


def test_levels_are_counted_from_one_above_the_spells_own():
    higher = f"{MORE} 1d6 {EVERY_TWO} 5th."
    assert grown(3, "Take 3d6 cold damage.", higher) == {
        7: {"damage": "4d6"},
        8: {"damage": "4d6"},
        9: {"damage": "5d6"},
    }
    assert grown(6, "Take 3d6 cold damage.", higher) == {}


def test_damage_broken_down_in_brackets_is_read():
    assert grown(8, "It takes 8d8 fire damage.", f"{MORE} 2d8 (or 1d8 of each) {EACH} 8th.") == {9: {"damage": "10d8"}}


def test_the_damage_that_is_named_grows():
    text = "It takes 1d6 piercing damage. Those near it take 2d6 cold damage."
    found = grown(8, text, f"The cold damage increases by 1d6 {EACH} 8th.")
    assert found == {9: {"damage": "3d6"}}


def test_growth_of_a_roll_other_than_the_first_is_described():
    knife = Casting(1, "It takes 1d10 piercing damage, others 2d6 cold damage.", damage="1d10")
    which = f"The cold damage increases by 1d6 {EACH} 1st."
    assert next(growth(knife, f"It shines. {which} It rings.")) == {
        "slot_level": 2,
        "damage": "3d6",
        "description": which,
    }


def test_an_ambiguous_roll_is_not_guessed():
    text = "It takes 1d6 piercing damage and 2d6 cold damage."
    assert grown(8, text, f"{MORE} 1d6 {EACH} 8th.") == {}


def test_healing_and_damage_may_grow_together():
    text = "A friend regains hit points equal to 4d12. A foe takes 6d12 radiant damage."
    found = grown(8, text, f"The healing and damage increase by 1d12 {EACH_SPELL} 8.")
    assert found == {9: {"damage": "7d12", "healing": "5d12"}}


def test_extra_damage_is_added():
    text = "It takes 7d6 thunder damage."
    assert grown(8, text, f"The spell deals an extra 1d6 thunder damage {EACH} 8th.") == {9: {"damage": "8d6"}}
    assert grown(8, "It takes 2d4 cold damage.", f"It takes an additional 2d4 cold damage {EACH} 8.") == {
        9: {"damage": "4d4"}
    }


def test_damage_and_a_distance_may_grow_together():
    higher = f"{MORE} 1d8 and the length of the line increases by 5 feet {EACH} 8th."
    assert grown(8, "It takes 4d8 fire damage.", higher, feet=30) == {9: {"damage": "5d8", "area_size": 35}}


def test_two_damages_that_grow_together_are_not_guessed():
    higher = (
        "The damage of the jab increases by 2d8 and the damage of the grip increases by 2d6 for each level above 8."
    )
    assert grown(8, "The jab deals 4d8 force damage. The grip deals 2d6 force damage.", higher) == {}


@pytest.mark.parametrize(
    "higher",
    [
        f"{MORE} 1d6 {REACHING} 5th level (2d6), 11th level (3d6), and 17th level (4d6).",
        f"{MORE} 1d6 {REACHING} levels 5 (2d6), 11 (3d6), and 17 (4d6).",
        f"The damage increases to 2d6 {REACHING} 5th level, 3d6 at 11th level, {AND_LAST}.",
    ],
)
def test_cantrips_grow_with_their_caster(higher):
    found = grown(0, "It takes 1d6 cold damage.", higher)
    assert found == {5: {"damage": "2d6"}, 11: {"damage": "3d6"}, 17: {"damage": "4d6"}}


@pytest.mark.parametrize(
    "higher",
    [
        "Increase the damage by 1d6 per slot level above 8th.",
        "Increase this spell's first and later damage by 1d6 per slot level above 8th.",
        f"All damage increases by 1d6 {EACH} 8th.",
        f"The initial damage increases by 1d6 {EACH} 8th.",
        f"The damage dealt by the frog increases by 1d6—and the frog leaps further—{EACH} 8th.",
        f"{MORE} 1d6, the height increases by 10 feet, and the depth increases by 5 feet {EACH} 8th.",
        f"Both acid and cold damage increase by 1d6 {EACH} 8th.",
    ],
)
def test_all_wordings_of_growing_damage_are_read(higher):
    assert grown(8, "It takes 4d6 acid damage.", higher, damage="4d6") == {9: {"damage": "5d6"}}


def test_the_main_damage_stands_for_all():
    text = "It takes 4d6 acid damage, then 1d6 acid damage."
    assert grown(8, text, f"All damage increases by 1d6 {EACH} 8th.", damage="4d6") == {9: {"damage": "5d6"}}
    assert grown(8, text, f"{MORE} 1d6 {EACH} 8th.", damage="4d6") == {}


def test_the_main_of_two_damages_is_given():
    text = "The jab deals 4d8 force damage. The grip deals 2d6 force damage."
    jab = "The damage of the jab increases by 2d8 and the damage of the grip increases by 2d6"
    assert grown(8, text, f"{jab} {EACH} 8th.", damage="4d8") == {9: {"damage": "6d8"}}
    grip = "The damage of the grip increases by 2d6 and the damage of the jab by 2d8"
    assert grown(8, text, f"{grip} {EACH} 8th.", damage="4d8") == {9: {"damage": "6d8"}}


def test_the_damage_of_a_wall_is_that_on_appearing():
    text = "The hedge deals 10d6 piercing damage. Crossing it deals 5d6 piercing damage."
    appears = "The damage the hedge deals when it appears increases by 2d6"
    higher = f"{appears} and the damage of crossing increases by 1d6 {EACH} 8th."
    assert grown(8, text, higher, damage="10d6") == {9: {"damage": "12d6"}}


def test_the_main_damage_is_given_for_several_things():
    text = "The newt deals 2d6 cold damage. Its slime deals 1d6 cold damage."
    assert grown(8, text, f"The damage of the newt and its slime increases by 1d6 {EACH} 8th.", damage="2d6") == {
        9: {"damage": "3d6"}
    }


def test_extra_damage_of_a_weapon_is_the_spells_damage():
    higher = f"The paddle deals an extra 1d8 force damage {EACH} 7th."
    of = {"description": higher}  # not the weapon damage of the paddle
    assert grown(7, "A paddle appears.", higher) == {8: {"damage": "1d8", **of}, 9: {"damage": "2d8", **of}}
    assert grown(7, "A paddle appears; it deals 1d6 force damage.", higher) == {}


def test_other_dice_are_added_to_the_spells_own():
    higher = f"{MORE} 1d8 {EACH} 7th."
    assert grown(7, "It takes 4d6 cold damage.", higher, damage="4d6") == {
        8: {"damage": "4d6+1d8"},
        9: {"damage": "4d6+2d8"},
    }
    assert grown(7, "It takes 4d6 cold damage, then 1d4 acid damage.", higher, damage="4d6") == {}


def test_lost_hit_points_count_as_damage():
    assert grown(8, "A newt loses 4d8 hit points.", f"{MORE} 1d8 {EACH} 8th.") == {9: {"damage": "5d8"}}


def test_healing_may_grow_by_dice():
    higher = f"It regains an additional 1d4 hit points {EACH} 8th."
    assert grown(8, "It regains 3d4 hit points.", higher, heals="3d4") == {9: {"healing": "4d4"}}


def test_healing_of_named_slots_is_read():
    higher = "The spell restores 2d8 + 10 hit points at 7th level and 3d8 + 15 at 9th level."
    low = {"healing": "2d8+10"}
    assert grown(5, "A newt regains 1d8 + 5 hit points.", higher) == {7: low, 8: low, 9: {"healing": "3d8+15"}}


def test_hit_points_without_dice_are_read():
    higher = f"The hit points regained increase by 10 {EACH} 8th."
    assert grown(8, "It regains 70 hit points.", higher, heals="70") == {9: {"healing": "80"}}


def test_effects_of_named_slots_are_read():
    higher = (
        f"When you cast it using a 6th- or 7th-{SLOT}, the damage increases from 1d4 to 2d12 and the range "
        "increases to 30 feet. When using an 8th-level spell slot or higher, the duration increases to 1 hour and it "
        "no longer requires concentration."
    )
    low = {"damage": "2d12", "range": "30 feet"}
    high = {"duration": "1 hour", "concentration": False}
    assert grown(5, "It takes 1d4 cold damage.", higher) == {6: low, 7: low, 8: high, 9: high}


def test_slots_above_one_without_concentration_need_none():
    higher = f"With a 2nd-{SLOT}, the spell no longer requires concentration. With a 3rd-{SLOT}, it lasts for 1 hour."
    found = grown(1, "It hums.", higher)
    assert [found[slot]["concentration"] for slot in (2, 9)] == [False, False]


def test_a_duration_in_brackets_after_concentration_is_read():
    found = grown(2, "It hums.", f"With a 9th-{SLOT}, the duration increases to concentration (1 hour).")
    assert found == {9: {"duration": "1 hour", "concentration": True}}


def test_either_of_two_damages_may_grow():
    text = "It takes 4d6 fire damage and 4d6 radiant damage."
    higher = f"Increase either the fire damage or the radiant damage by 1d6 {EACH} 8th."
    assert grown(8, text, higher) == {9: {"damage": "5d6"}}


def test_a_cantrip_may_grow_at_other_levels_at_the_end_of_a_paragraph():
    text = "It takes 1d4 acid damage."
    grows = "The spell's damage increases by 1d4 when you reach 5th level (2d4) and 10th level (3d4)."
    assert split_higher_levels(f"{text} {grows}") == (text, grows)
    assert [(row["character_level"], row["damage"]) for row in growth(Casting(0, text), grows)] == [
        (5, "2d4"),
        (10, "3d4"),
    ]


def test_a_longer_duration_without_concentration_is_read():
    longer = f"With a 3rd-{SLOT}, the duration is 8 hours."
    assert grown(1, "It hums.", longer)[9] == {"duration": "8 hours"}
    contrasted = f"With a 2nd-{SLOT}, the duration is concentration, up to 1 hour. {longer}"
    found = grown(1, "It hums.", contrasted)
    assert [found[slot]["concentration"] for slot in (2, 3)] == [True, False]


def test_others_share_the_casters_own_spell():
    more = f"you can affect one additional creature {EACH} 7th."
    own = Casting(7, "You hop far.", range="Self")
    found = [(each["slot_level"], each["targets"]) for each in growth(own, more)]
    assert found == [(8, 1), (9, 2)]
    assert not list(growth(Casting(7, "A pot hops far.", range="60 feet"), more))


def test_a_duration_may_grow_together_with_damage():
    lasting = Casting(8, "It takes 2d6 cold damage.", damage="2d6", duration="1 minute")
    more = f"the frost lasts 1 minute longer and the cold damage increases by 1d6 {EACH} 8th."
    assert {"slot_level": 9, "duration": "2 minutes"} in list(growth(lasting, more))


def test_a_sentence_may_begin_with_its_levels():
    higher = "You hum. For each slot level above 5th, you can also hum to an additional creature that you see."
    assert grown(5, "It hums.", higher, targets=1)[7] == {"targets": 3}


def test_repairs_of_a_named_slot_are_read():
    higher = "Casting it as a 9th-level spell repairs 2d8 + 10 damage."
    assert grown(8, "You repair 1d8 + 5 damage.", higher) == {9: {"healing": "2d8+10"}}


@pytest.mark.parametrize(
    ("higher", "expected"),
    [
        (f"The area increases to a 20-foot cube when using a 9th-{SLOT}.", {9: {"area_size": 20}}),
        (f"If you use a 9th-{SLOT}, the radius is 2 miles.", {9: {"area_size": 10560}}),
        ("With a 9th-level spell slot, the area increases to a 5-mile radius.", {9: {"area_size": 26400}}),
    ],
)
def test_areas_of_named_slots_are_in_feet(higher, expected):
    assert grown(8, "It rains.", higher) == expected


def test_an_optional_larger_area_is_read():
    higher = f"You can increase the radius by up to 5 feet {EACH} 8th."
    assert grown(8, "It rains.", higher, feet=10) == {9: {"area_size": 15}}


def test_a_cantrip_that_adds_to_a_weapons_damage_says_so():
    higher = "The paddle deals extra Cold damage when you reach levels 5 (1d6) and 11 (2d6)."
    found = grown(0, "You swing the paddle.", higher)
    assert found == {5: {"damage": "1d6", "description": higher}, 11: {"damage": "2d6", "description": higher}}


def test_cantrips_with_a_weapon_attack_are_read():
    first = "5th level (+1d6 and 2d6)"
    higher = f"{MORE} 1d6 {REACHING} {first} and 11th level (+2d6 and 3d6)."
    assert grown(0, "It takes 1d6 cold damage.", higher) == {5: {"damage": "2d6"}, 11: {"damage": "3d6"}}
    later = "at 11th level and at 17th level."
    again = f"At 5th level, it takes more (2d8 total) at dusk. Both amounts increase by 1d8 again {later}"
    assert grown(0, "It takes 1d8 cold damage.", again) == {
        5: {"damage": "2d8"},
        11: {"damage": "3d8"},
        17: {"damage": "4d8"},
    }


def test_cantrips_with_two_dice_are_read():
    higher = f"{MORE} one die {REACHING} 5th level (2d4 + 2d4) and 11th level (3d8 or 3d12)."
    assert grown(0, "It takes 1d4 cold damage.", higher) == {5: {"damage": "2d4+2d4"}, 11: {"damage": "3d8"}}


@given(st.integers(0, 9), st.text(), st.text(), st.integers(1, 9), st.integers(5, 60))
def test_reading_never_fails(level, description, higher, targets, feet):
    list(growth(Casting(level, description, targets, feet), higher))
    split_higher_levels(description)


def test_dice_that_count_targets_are_not_damage():
    text = f"The hit points you can affect increase by 4d8 {REACHING} 5th level (9d8), 11th level (13d8)."
    assert list(growth(Casting(0, "Roll 5d8."), text)) == []


def test_additional_damage_of_some_targets_does_not_grow():
    text = "It takes 2d10 radiant damage. A newt takes an additional 1d10 damage."
    assert grown(8, text, f"{MORE} 1d10 {EACH} 8th.") == {9: {"damage": "3d10"}}
