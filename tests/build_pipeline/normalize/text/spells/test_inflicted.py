"""Conditions that a text inflicts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.spells.inflicted import inflicted_conditions

ITS_TURN = "its next turn"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It must succeed or be knocked prone.", ["prone"]),
        ("It is blinded and deafened for a minute.", ["blinded", "deafened"]),
        ("On a failed save, it has the Charmed condition.", ["charmed"]),
        ("It has the Blinded, Deafened, and Stunned conditions for an hour.", ["blinded", "deafened", "stunned"]),
        ("The hit knocks the thief unconscious.", ["unconscious"]),
        ("It gains two levels of exhaustion.", ["exhaustion"]),
        ("It gains 1d4 levels of exhaustion.", ["exhaustion"]),
        ("It must succeed at the end of each song or gain one level of exhaustion.", ["exhaustion"]),
        ("A creature that ends its turn there must succeed or fall Prone.", ["prone"]),
        ("It must make a Constitution saving throw to avoid being knocked prone.", ["prone"]),
        ("While it sleeps, the target drops prone.", ["prone"]),
        ("The newt falls prone and ends its turn.", ["prone"]),
        ("Any frog other than you that can see it must save or be blinded.", ["blinded"]),
        ("It is sucked up into the pipe and restrained.", ["restrained"]),
        (f"It is also stunned until the end of {ITS_TURN} and blinded for a day.", ["stunned", "blinded"]),
        ("Newts that are halfway under the jam when it sets become restrained.", ["restrained"]),
        ("If the target is a newt it is poisoned.", ["poisoned"]),
        ("A newt within 5 feet of you must save or be deafened.", ["deafened"]),
        ("You must shout; each creature near you falls prone.", ["prone"]),
        ("While in the bell a newt is deafened.", ["deafened"]),
        ("A frog in the pond when the mud hardens is restrained.", ["restrained"]),
        ("| 4 | Green | Target Poisoned | Wisdom |\n| 5 | Blue | Target Stunned | Wisdom |", ["poisoned", "stunned"]),
        ("You say a word that stuns a target. If it is deaf, it is instead rattled.", ["stunned", "rattled"]),
        ("You can turn each target invisible or into jam.", ["invisible"]),
        ("The paw attempts to grapple a Large or smaller creature beside it.", ["grappled"]),
    ],
)
def test_inflicted_conditions_are_read(text, expected):
    assert inflicted_conditions(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "While you see through its eyes, you are blinded and deafened.",
        "Your own body falls unconscious.",
        "When expelled you fall prone.",
        "You must succeed on a Constitution saving throw or suffer one level of exhaustion.",
        "You move into a free space and have the Prone condition.",
        "Should the bell ring, you take 2d4 cold damage and suffer two levels of exhaustion.",
        "You can sing, but you gain one level of exhaustion.",
        "Balls that touch the net are slowed to a stop.",
        "It is immune to being frightened.",
        "It can't be charmed.",
        "It has advantage on saves and checks made to avoid being moved or knocked prone.",
        "A charmed creature hums.",
        "The charmed target hums.",
        "While it is blinded, it hums.",
        "You end one condition on it: blinded or deafened.",
        "This ends the Blinded and Poisoned conditions on it.",
        "If a weary guest has the Charmed, Deafened, Frightened, Paralyzed, or Stunned condition, the condition ends.",
        "It is no longer restrained.",
        "It has advantage on saves against being poisoned.",
        "The wax leaves an invisible mark.",
        "With a last hum before you fall unconscious, you hop.",
        "You hum just as you fall unconscious.",
        "The cook doesn't fall unconscious.",
        "You kiss a frog that you have charmed.",
        "You end one effect that charmed or petrified the target.",
        "You end one condition. Choose from blinded, deafened, or poisoned.",
        "The song leaves your mouth bloodied.",
        "It shrugs off an effect that would cause it to become poisoned.",
        "It is stable but remains unconscious while it has 0 hit points.",
        "You calm angry or frightened animals.",
        "The rest of the damage knocks it unconscious if it leaves it with 0 hit points.",
    ],
)
def test_conditions_that_are_only_mentioned_are_ignored(text):
    assert inflicted_conditions(text) == []


@given(st.text())
def test_reading_never_fails(text):
    inflicted_conditions(text)


@pytest.mark.parametrize(
    "text",
    [
        "While closed, the portal is invisible.",
        "The fog is invisible, odorless, and full of newts.",
        "They are cured of any disease, and an effect causing them to be blinded or deafened.",
        "You are immune to the following conditions: blinded, paralyzed, poisoned, and unconscious.",
        "The haze clings to the newt and is invisible, odorless, and cold.",
        "You remove one of the following effects:\n- One curse\n- The Charmed or Petrified condition",
    ],
)
def test_denied_cured_or_prevented_conditions_are_not_inflicted(text):
    assert inflicted_conditions(text) == []
