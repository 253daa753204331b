"""Effects on others, read from the sentences of stat blocks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.stat_blocks.actions import action, trait
from build_pipeline.normalize.text.stat_blocks.effects import effects
from server.dataset.schema import ABILITIES

OWN = "The newt makes two attacks. The newt can swim."
END = "end of its turn"
INSIDE = "inside an object"
FAILING = "If a creature fails its save"


def of(*texts: str) -> dict:
    return effects("Fen Newt", {"traits": [trait("Swim", OWN)], "actions": [action("Slap", text) for text in texts]})


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("The newt's prey must make a DC 6 Strength saving throw or be knocked prone.", ["prone"]),
        ("*Failure:* The target has the Frightened and Poisoned conditions.", ["frightened", "poisoned"]),
        ("A creature that it hits is grappled (escape DC 12) and restrained.", ["grappled", "restrained"]),
        ("On a failed save, the creature falls unconscious.", ["unconscious"]),
        ("If a creature is bitten, is told to swim, or is grappled while swimming, it can make a save.", []),
        ("If a creature fails the save, it is pushed, or is stunned.", ["stunned"]),
        ("A creature that tries to knock the newt prone has disadvantage.", []),
        ("A creature must be charmed, grappled, or stunned for the newt to taste it.", []),
        ("A creature can put the newt in a dormant state where it becomes incapacitated.", []),
        ("Instead of biting, the newt can grapple the target (escape DC 12).", ["grappled"]),
        ("If target is Large or smaller grappled by newt (escape DC 12).", ["grappled"]),
        ("Each creature grappled by the newt must make DC 12 Str save or take 3 (1d6) acid.", []),
        ("If the creature won't let go of its net, it is also stuck to the newt and restrained.", ["restrained"]),
        ("The target is immune to acid, but it is charmed by the newt until it dies.", ["charmed"]),
        ("If the newt dies, the creature falls prone in an unoccupied space close by.", []),
        ("The charmed creature jumps, landing prone in a pond near the newt.", ["prone"]),
        ("It saves again, ending the effect on a success and becoming stunned on a failure.", ["stunned"]),
        ("Any creature near it when the fog comes or that starts its turn in the fog is poisoned.", ["poisoned"]),
        ("The newt must save or disgorge the creature, which falls prone.", []),
        ("On a failed save, it must regurgitate all creatures it swallowed, which fall prone.", []),
        ("Each day that it goes without a creature's blood, it suffers one level of exhaustion.", []),
        ("In its tomb a foe can find it: it is then paralyzed until it regains 1 hit point.", []),
        ("If the newt's fire is ever doused, it is incapacitated until a creature lights it.", []),
        ("The target is blinded for 1 minute.", ["blinded"]),
        ("The newt croaks a word that stuns one creature within 60 feet.", ["stunned"]),
        ("A flash blinds all sighted creatures nearby.", ["blinded"]),
        ("The tree that the newt hops into stuns the creature for a round.", []),
        ("Listeners must succeed on a DC 9 Wisdom saving throw or be charmed.", ["charmed"]),
        (
            "Melee Weapon Attack: +5 to hit, reach 9 ft., one newt that is restrained, or stunned. Hit: 1 cold.",
            [],
        ),
        ("The target suffers one level of exhaustion.", ["exhaustion"]),
        ("A target that fails hears drums. They are deaf for 1 minute.", ["deafened"]),
        ("The target becomes permanently blind.", ["blinded"]),
        ("It sees through the target, which hums; they are blind and deaf to all else.", []),
        ("Each creature there hums. Roll a d6 to determine the effect: stunned (1), prone (2).", ["prone", "stunned"]),
        ("Target blinded and restrained and has total cover.", ["blinded", "restrained"]),
        ("Each creature near it: frightened 1 min (DC 11 Wis negates).", ["frightened"]),
        ("A creature that fails is also stunned until its next turn.", ["stunned"]),
        ("The newt has advantage on saves against being charmed or frightened.", []),
        ("It has advantage if its ally isn't incapacitated.", []),
        ("While grappled in this way, the target can't move.", []),
        ("One creature that is charmed by it feels joy.", []),
        ("If the target is prone, it takes 3 (1d6) fire damage.", []),
        ("An undead is immune to being poisoned.", []),
        ("The newt becomes invisible until it attacks.", []),
        ("In rain, the newt is stunned.", []),
        ("When the newt hits a grappled, restrained, or stunned creature, it deals 3 (1d6) more acid.", []),
        ("It can spend a step to escape from nets or being grappled.", []),
        ("When a guard would be thrown or knocked prone, they are then not knocked prone.", []),
        ("The effect ends when it is no longer restrained.", []),
        ("At the end the target is stable but poisoned for 9 hours.", ["poisoned"]),
        ("If the save fails by 4 or more, the target is instantly petrified.", ["petrified"]),
        ("Each creature near it makes a DC 9 Strength save, falling prone on a failure.", ["prone"]),
        ("The target repeats the save, becoming petrified on a failure.", ["petrified"]),
        ("The fog lasts until the newt dismisses it, becomes incapacitated, or leaves.", []),
        (f"{FAILING} by 4+ it suffers one level of exhaustion.", ["exhaustion"]),
        ("Instead of falling unconscious, the newt turns into fog.", []),
        ("The target is grappled (escape DC 9). Until grapple ends target restrained.", ["grappled", "restrained"]),
        ("Any creature in its space: poisoned until its next turn (DC 14 Con).", ["poisoned"]),
        ("The victim isn't Grappled but has the Deafened and Restrained conditions.", ["deafened", "restrained"]),
        ("One creature that is glad or that has the Grappled, Prone, or Stunned condition: it weeps.", []),
        ("It hides the target, which has the Blinded condition.", ["blinded"]),
        ("The newt has advantage on saves against being blinded, stunned, and knocked unconscious.", []),
        ("The newt has advantage on saves against magic, as well as to resist being paralyzed or charmed.", []),
        ("Has advantage vs. being charmed and frightened.", []),
        ("The newt must succeed on a Wisdom save against the spell or fall unconscious for 1 minute.", []),
        ("When it is burned, it is frightened until its next turn ends.", []),
        ("If the newt leaves the fen, it becomes petrified.", []),
        ("A creature can pet it. Newt must make DC 9 Wis save or be charmed by that creature.", []),
        ("It can pass between the reeds of other creatures without being slowed.", []),
        ("If its prey hides in it, water around the newt becomes poisoned.", []),
        ("Its song cures the target, which is cured of the blinded condition.", []),
        ("Fever comes with its bite; a creature has the symptoms: fatigue, rash (DC 9 Con).", []),
        ("Whoever starts its turn holding or grappled by the newt takes 3 (1d6) acid damage.", []),
        ("If it hits with both claws target grappled (escape DC 12).", ["grappled"]),
        ("Until this grapple ends target is restrained while it can't bite another target.", ["restrained"]),
        ("While swallowed creature is blinded restrained and can't see.", ["blinded", "restrained"]),
        ("While charmed this way creature is incapacitated.", ["incapacitated"]),
        ("It has advantage on checks to hide, and a creature there must save or be blinded.", ["blinded"]),
        ("It hooks the target, grappling it if it is a Tiny or larger creature (escape DC 12).", ["grappled"]),
        ("Each hour in the fen imposes one level of exhaustion on a creature.", ["exhaustion"]),
        ("The target must succeed on a DC 6 Wisdom saving throw or be invisible.", ["invisible"]),
        ("If the target is invisible, the newt can't hit it.", []),
        ("Fail: target paralyzed. It weeps.", ["paralyzed"]),
        ("After a day creature poisoned until cured.", ["poisoned"]),
        ("Those who fail are permanently deafened.", ["deafened"]),
        ("The target suffers by where it is hit.\n\nears: CON Save or Permanently deafened", ["deafened"]),
        ("The creature is made stable but poisoned for 9 hours, and it's paralyzed.", ["paralyzed", "poisoned"]),
        (f"On a failure, it is stunned until the {END} and poisoned for 1 hour.", ["poisoned", "stunned"]),
        ("On a failure, the target falls asleep, remaining unconscious for 1 minute.", ["unconscious"]),
        ("The target is thrown and lands prone.", ["prone"]),
        ("Its gaze leaves the target stunned.", ["stunned"]),
        ("A creature there gains two levels of fatigue and a level of strife.", ["fatigue", "strife"]),
        ("A creature that ends its turn in reeds is restrained.", ["restrained"]),
        ("If the target is a newt it is knocked prone (DC 9 Str negates prone).", ["prone"]),
        ("If target can see it target stunned until its next turn (DC 12 Con negates).", ["stunned"]),
        ("Creature in mud: 3 (1d6) cold (if wet) and poisoned 1 min (DC 9 Con half and isn't poisoned).", ["poisoned"]),
        ("While a frightened target is near, it can hide (DC 9 Wis check).", []),
        ("The target sleeps. If it makes initial save is charmed all night.", ["charmed"]),
        ("Instead of biting newt can cause target to be incapacitated until its turn ends.", ["incapacitated"]),
        (
            "When the newt, in a creature's form, is out of hit points, falls unconscious, or dies, it shrinks.",
            [],
        ),
    ],
)
def test_inflicted_conditions_are_read(text, conditions):
    assert of(text)["inflicts"] == conditions


@pytest.mark.parametrize(
    ("text", "saves", "dc"),
    [
        ("The target must make a DC 9 Dexterity saving throw.", ["dexterity"], 9),
        ("If it swims, it must make a DC 6 Constitution saving throw or sink.", [], None),
        (
            "A newt that smells smoke in the presence of any creature must make a DC 9 Wisdom saving throw.",
            [],
            None,
        ),
        ("If its victim begs, the newt must immediately make a DC 16 Wisdom saving throw.", [], None),
        (
            "If a creature hits it, it must make a DC 6 Wisdom saving throw or transform into its fish form.",
            [],
            None,
        ),
        ("*Wisdom Saving Throw:* DC equals the spell save DC, two creatures.", ["wisdom"], None),
        ("*Wisdom Saving Throw:* Your spell save DC, two creatures.", ["wisdom"], None),
        ("Each creature there makes a Dexterity saving throw, taking 3 (1d6) acid damage.", ["dexterity"], None),
        ("Sand fills a 50-foot cone: DC 16 Dexterity save.", ["dexterity"], 16),
        ("The target must succeed on a DC 6 Wisdom saving or laugh.", ["wisdom"], 6),
        ("As the newt, but with a DC 18 Wisdom saving throw.", ["wisdom"], 18),
        ("*Wisdom Saving Throw:* DC 16, one creature. *Failure:* it weeps.", ["wisdom"], 16),
        ("Each creature must succeed on a DC 9 STR or DEX save.", ["strength", "dexterity"], 9),
        ("Fail: it burns (DC 15 Dex half).", ["dexterity"], 15),
        ("The target is knocked prone (DC 15 Str not prone).", ["strength"], 15),
        (
            "If it takes 20 damage, it must make a DC 6 Constitution saving throw or regurgitate its prey.",
            [],
            None,
        ),
        ("A creature can climb it (DC 15 Strength check).", [], None),
        ("If the newt takes 30 damage, the newt must make a DC 6 Constitution saving throw.", [], None),
        ("Each creature within 5 feet of the newt must make a DC 9 Wisdom saving throw.", ["wisdom"], 9),
        ("The newt makes a Constitution saving throw (DC 4 plus its years).", [], None),
        ("It casts spells (spell save DC 17).", [], 17),
        ("It casts spells (spell casting DC 18, +10 to hit).", [], 18),
        (
            "If newt takes 12 damage or more in the target's body it must make DC 9 Con save or be thrown out.",
            [],
            None,
        ),
        ("If newt takes 12+ damage from a creature in it newt must make DC 13 Con save or spit that out.", [], None),
        ("If doused by a creature (ex: by rain) newt must make DC 11 Con save or sink.", [], None),
        ("The target is grappled (escape DC 12).", [], None),
        ("The newt slips from its jar with a DC 9 Str or Dex check.", [], None),
        ("The target is held until a creature uses its action to break the thread (DC 9 Str).", [], None),
        ("It rides the target (Wisdom DC 9 negates).", ["wisdom"], 9),
        ("After a creature waves a leaf, the newt can attempt a DC 9 Wisdom saving throw to go on.", [], None),
        ("When a creature rains on it: 2d10 damage per round (DC 9 Dexterity saving throw for half)", [], None),
        ("A creature near must succeed on a CON save or be deafened.", ["constitution"], None),
        ("The target suffers by where it is hit.\n\narms: STR Save or Drop a jar", ["strength"], None),
        ("The target must make a successful DC 9 saving throw or become poisoned.", [], 9),
    ],
)
def test_saving_throws_are_read(text, saves, dc):
    found = of(text)
    assert (found["forces_saves"], found["save_dc"]) == (saves, dc)


@pytest.mark.parametrize(
    ("texts", "kinds"),
    [
        (
            ["Each creature takes 7 (2d6) radiant damage. It can choose to deal cold or fire instead."],
            ["cold", "fire", "radiant"],
        ),
        (
            ["It hits for 5 (2d4) fire damage.", "It may change the damage of its next jar to acid or cold."],
            ["acid", "cold", "fire"],
        ),
        (
            [
                "The target takes 9 (2d8) damage of the Pond type.",
                "It picks one of the following damage types: acid, fire.",
            ],
            ["acid", "fire"],
        ),
        (["It takes 7 (2d6) damage of another type. Roll to determine the other damage type: 1 is cold."], ["cold"]),
        (["It chooses one of these damage types: acid or fire. It has resistance to it."], []),
        (
            [
                "It is immune to a type of damage based on its pond: acid (black), cold (silver).",
                "Each creature takes 7 (2d6) damage of the type noted there.",
            ],
            ["acid", "cold"],
        ),
        (
            ["Each creature takes 9 (2d8) damage of the fitting type.\n\n* Red. Fire damage in a 9-foot cone."],
            ["fire"],
        ),
        (["Each creature takes 14 (4d6) cold (if wet) or fire (if dry) (DC 9 Con half)."], ["cold", "fire"]),
        (
            ["Falling jars hit the target, causing 1d10 acid, 1d10 cold, and 1d10 fire damage."],
            ["acid", "cold", "fire"],
        ),
        (["It may do this:\n\n* It takes 9 (2d8)\n* Force each newt to sing"], []),
        (["Its breath weapon deals 9 (2d8) damage. A red newt breathes a 9-foot line of acid."], ["acid"]),
        (["Each creature takes 9 (2d8) damage. The damage is either acid, cold, or fire."], ["acid", "cold", "fire"]),
        (["As a star, it deals radiant has immunity to it.\n\nAs a stone, it deals force."], ["force", "radiant"]),
    ],
)
def test_alternative_damage_types_are_dealt(texts, kinds):
    assert of(*texts)["deals"] == kinds


def test_transferred_damage_is_dealt():
    text = "If it takes cold damage, each creature beside it takes the same amount of cold damage."
    assert effects("Newt", {"traits": [{"name": "Wet", "description": text}]})["deals"] == ["cold"]


def test_damage_of_attacks_and_effects_counts_but_not_damage_taken():
    found = of(
        "*Melee Attack Roll:* +5, reach 9 ft. *Hit:* 8 (2d4 + 3) Piercing damage plus 2 (1d4) Acid damage.",
        "Each creature takes 10 (3d6) cold damage.",
        "In sunlight, the newt takes 20 radiant damage.",
        "Once hit by a creature, the newt catches fire and takes 9 (2d8) ongoing fire damage.",
        "After taking lightning damage, it can frighten a creature.",
        "It has resistance to fire damage.",
        "It takes 2 (1d4) lightning damage when water touches it, once a gallon.",
        f"It takes 9 (2d8) force if it starts its turn {INSIDE}.",
        "*Hit:* 13 (3d8) cold damage or poison damage (the newt's choice).",
        "It rises again, unless the damage is necrotic.",
        "If any of the damage is radiant newt has disadvantage on the save against the creature.",
        "Teleporting to an occupied space, it takes 9 (2d8) force, and the newt stays creature and all.",
        "Each creature in the line: 9 (2d8) thunder (DC 10 Dex half).",
        "Creature: 1d4 psychic and blinded.",
        "Dealing 15 radiant damage to the net frees the target.",
        f"The newt takes 9 (2d8) force damage if it ends a turn {INSIDE}.",
        "It pulls in a creature. The creature takes the slashing damage as if it were the target.",
        "It splits when it is Bloodied or is subjected to lightning damage.",
    )
    assert found["deals"] == ["acid", "cold", "piercing", "poison", "psychic", "thunder"]


@given(st.lists(st.text(), max_size=4))
def test_any_text_is_read_and_results_have_the_usual_order(texts):
    found = of(*texts)
    assert found["inflicts"] == sorted(found["inflicts"])
    assert [ability for ability in ABILITIES if ability in found["forces_saves"]] == found["forces_saves"]
