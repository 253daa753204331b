"""Attack rolls and targets in a spell's text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.spells import targeting

ANY = "any number of"
START = "start their turn"


@pytest.mark.parametrize(
    "text",
    [
        "Make a ranged spell attack against it.",
        "You can make two melee spell attacks.",
        "You spit a seed, making a ranged spell attack.",
        "With a successful melee spell attack you steal a hat.",
        "The spoons attack whoever is near, using your melee spell attack modifier.",
        "The teapot makes a melee attack using your spell attack bonus.",
        "Each further soup requires a new spell attack roll to hit.",
        "The geese peck, making a single melee spell attack apiece.",
    ],
)
def test_attack_rolls_are_read(text):
    assert targeting.needs_attack_roll(text)


def test_attacks_of_others_are_not_attack_rolls():
    assert not targeting.needs_attack_roll("It has disadvantage on melee attacks.")
    assert not targeting.needs_attack_roll("It is immune to ranged spell attacks.")
    assert not targeting.needs_attack_roll("Make a check against the lid using your spell attack bonus.")
    assert not targeting.needs_attack_roll("Its attack bonus is your spell attack modifier.")


def test_an_attack_with_a_weapon_is_not_a_spell_attack():
    assert not targeting.needs_attack_roll("Make a melee weapon attack against each target.")
    assert not targeting.needs_attack_roll("Make a single ranged attack roll with the weapon.")


def test_the_number_of_targets_may_be_a_modifier():
    allies = "You name a number of your allies who can hear you equal to your spellcasting ability modifier."
    assert targeting.counts_by_modifier(allies)
    assert not targeting.counts_by_modifier("You name a number of songs equal to your spellcasting ability modifier.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Choose up to three willing creatures you can see.", 3),
        ("Up to 12 creatures may eat.", 12),
        ("You and up to five allies vanish.", 5),
        ("A creature falls asleep.", None),
        ("You light up to four match-sized lights.", 4),
        ("You bore twelve or fewer creatures that you can see.", 12),
        ("You name up to ten enemies that you can see.", 10),
        ("Choose up to 6 loose nonmagical Small or Tiny objects.", 6),
        ("A thread runs between two points.", None),
        ("A thread runs between two willing newts or creatures you can see.", 2),
        ("You seal a bargain between two or more creatures.", None),
        ("Choose one of the following dances, which targets learn.", None),
        ("The pot can hold up to eight Small creatures.", None),
    ],
)
def test_numbers_of_targets_are_read(text, expected):
    assert targeting.target_count(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You touch a willing creature, which grows moss.", True),
        ("One humanoid of your choice within range sneezes.", True),
        ("The target hums for the duration.", True),
        ("Jam rains on the creature that damaged you.", True),
        ("The target is shut to all creatures except you.", True),
        ("You mould a copy of the target from jam. The copy has all the target's habits.", True),
        ("You make a kettle to attack your enemies. Make one melee spell attack against one creature near it.", True),
        ("A whip of jam lashes out at one creature.", True),
        ("Choose a wooden kitchen object. Any creature that holds it hums.", True),
        ("Each creature in the room, the target included, hums.", False),
        ("You touch the component, and jam flies in a cone.", False),
        ("You draw the image of an object within range.", False),
        ("The targets hum.", False),
        ("You hide a creature within range. Anyone who targets it yawns.", True),
        ("Fog rises.", False),
        ("A creature you touch gains a hat. At the end of each of its turns its hat hums.", True),
    ],
)
def test_one_target_is_read(text, expected):
    assert targeting.has_one_target(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You summon a teapot that appears in an unoccupied space.", True),
        ("You magically create a door of smoke.", True),
        ("A large spoon appears at a spot within range.", True),
        ("You make three darts. Each dart hits one creature of your choice.", True),
        ("Soup flows into creatures around you.", True),
        ("You create a hum in the mind of a creature within range.", False),
        ("A sleeper snores. At the end of each of the sleeper's turns it wakes.", False),
    ],
)
def test_a_text_without_a_single_target_has_none(text, expected):
    assert targeting.has_no_single_target(text) is expected


@pytest.mark.parametrize(
    "text",
    [
        "You howl, and each enemy within range hums.",
        "Every foe that hears you hums.",
        "Creatures in the area hum.",
        f"Make a melee spell attack against {ANY} creatures in the area.",
        "You can affect all jars within range.",
        f"Creatures that {START} in the area hum.",
    ],
)
def test_everyone_present_means_many_targets(text):
    assert targeting.has_many_targets(text)
    assert not targeting.has_many_targets("A creature hums.")


@given(st.text())
def test_reading_never_fails(text):
    targeting.target_count(text)
    targeting.has_one_target(text)
    targeting.has_no_single_target(text)
    targeting.needs_attack_roll(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You spit at a newt. Two drops then leap from it to as many as two other targets nearby.", 3),
        ("The spark arcs to up to 3 additional targets.", 4),
        ("It leaps to another creature.", None),
    ],
)
def test_a_leaping_spell_counts_its_first_target(text, expected):
    assert targeting.leaping_targets(text) == expected


def test_targets_besides_the_caster_are_counted():
    assert targeting.takes_along_one("You hop away. You can also bring one willing creature of your size.")
    assert not targeting.takes_along_one("You hop away, with what you carry.")
    assert targeting.counts_the_caster("Up to three willing creatures (including you) hop away.")
    assert not targeting.counts_the_caster("Up to three willing creatures hop away, including newts.")
    assert targeting.has_another_target("The next time you hit a creature, it hops.")
    assert not targeting.has_another_target("You hop as far as a newt.")
