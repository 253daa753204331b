"""Attack lines in the forms that the books use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.stat_blocks.attacks import parse_attacks
from server.dataset.vocabulary import DAMAGE_TYPES

# The books' wording, from which some texts below are composed.
EITHER = "Melee or Ranged Weapon Attack"
BLOODIED = "fire damage if the swarm has lost half of its bees"
NOTHING = {"reach": None, "range": None, "long_range": None}


def hit(dice, kind):
    return {"dice": dice, "type": kind}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "Melee Weapon Attack: +5 to hit, reach 5 ft., one foe. Hit: 6 (1d6 + 3) piercing damage plus 3 (1d6) fire "
            "damage.",
            {"kind": "melee weapon", "to_hit": 5, "reach": 5, "damage": [hit("1d6+3", "piercing"), hit("1d6", "fire")]},
            id="2014",
        ),
        pytest.param(
            "*Melee Weapon Attack:* +5 to hit, reach 5 ft., one foe. H*it:* 6 (1d6 + 3) piercing damage.",
            {"kind": "melee weapon", "to_hit": 5, "reach": 5, "damage": [hit("1d6+3", "piercing")]},
            id="emphasis begun late",
        ),
        pytest.param(
            "Melee Attack Roll: +7, reach 10 ft. 13 (2d8 + 4) Slashing damage.",
            {"kind": "melee", "to_hit": 7, "reach": 10, "damage": [hit("2d8+4", "slashing")]},
            id="2024",
        ),
        pytest.param(
            "Melee Attack Roll: +5 (with Advantage against prey it holds), reach 5 ft. 4 (1d8) Acid damage.",
            {"kind": "melee", "to_hit": 5, "reach": 5, "damage": [hit("1d8", "acid")]},
            id="2024 with an aside",
        ),
        pytest.param(
            "Ranged Attack Roll: +3, range 100/400 ft. 12 (2d10 + 1) Piercing damage.",
            {"kind": "ranged", "to_hit": 3, "range": 100, "long_range": 400, "damage": [hit("2d10+1", "piercing")]},
            id="2024 ranged",
        ),
        pytest.param(
            "Melee or Ranged Weapon Attack: +4 to hit, reach 5 ft. or range 20/60 ft., a foe. "
            "Hit: 5 (1d6 + 2) piercing damage, or 6 (1d8 + 2) piercing damage with both hands.",
            {
                "kind": "melee or ranged weapon",
                "to_hit": 4,
                "reach": 5,
                "range": 20,
                "long_range": 60,
                "damage": [hit("1d6+2", "piercing")],
            },
            id="thrown, first form only",
        ),
        pytest.param(
            "_Melee Weapon Attack:_ +9 to hit, reach 5 ft., a foe. _Hit:_ 11 (2d6+4) slashing damage.",
            {"kind": "melee weapon", "to_hit": 9, "reach": 5, "damage": [hit("2d6+4", "slashing")]},
            id="emphasised",
        ),
        pytest.param(
            "Ranged Spell Attack: +10 to hit, 120 ft., one victim, 21 (3d10+5) force.",
            {"kind": "ranged spell", "to_hit": 10, "range": 120, "damage": [hit("3d10+5", "force")]},
            id="shortened",
        ),
        pytest.param(
            "Ranged Weapon Attack: +5 to hit 30/120' one victim 5 (1d6+2) piercing damage + 7 (2d6) poison.",
            {
                "kind": "ranged weapon",
                "to_hit": 5,
                "range": 30,
                "long_range": 120,
                "damage": [hit("1d6+2", "piercing"), hit("2d6", "poison")],
            },
            id="feet as a mark, damage with a plus sign",
        ),
        pytest.param(
            "Melee Weapon Attack: +0 to hit, reach 5 ft., a foe. Hit: 1 piercing damage.",
            {"kind": "melee weapon", "to_hit": 0, "reach": 5, "damage": [hit("1", "piercing")]},
            id="flat damage",
        ),
        pytest.param(
            "Melee Weapon Attack: +0 to hit, 5 ft., a foe, 1 piercing.",
            {"kind": "melee weapon", "to_hit": 0, "reach": 5, "damage": [hit("1", "piercing")]},
            id="flat damage, shortened",
        ),
        pytest.param(
            "Melee Weapon Attack: +0 to hit, reach 5 ft., a foe. Hit: 2 (1 + 1) piercing damage.",
            {"kind": "melee weapon", "to_hit": 0, "reach": 5, "damage": [hit("2", "piercing")]},
            id="flat damage as a sum",
        ),
        pytest.param(
            "Melee Weapon Attack: +4 to hit 5 ft. a foe not grappled by it. 7 (2d4+2) cold damage.",
            {"kind": "melee weapon", "to_hit": 4, "reach": 5, "damage": [hit("2d4+2", "cold")]},
            id="aimed at what is not grappled",
        ),
        pytest.param(
            "Melee Weapon Attack: +4 to hit 30/90' a foe 7 (2d4+2) cold. Each creature within 10 ft. of it: DC 9 Con.",
            {
                "kind": "ranged weapon",
                "to_hit": 4,
                "range": 30,
                "long_range": 90,
                "damage": [hit("2d4+2", "cold")],
            },
            id="a range of what is called melee, and whom it is near",
        ),
        pytest.param(
            "Melee Weapon Attack: +6 to hit, reach 5 ft., a foe. Hit: 9 (2d8) necrotic or radiant damage.",
            {"kind": "melee weapon", "to_hit": 6, "reach": 5, "damage": [hit("2d8", "necrotic or radiant")]},
            id="either type",
        ),
        pytest.param(
            "Ranged Weapon Attack: +4 to hit, range 30/60 ft., a foe. "
            "Hit: It is caught, and takes 5 (1d10) fire damage each turn.",
            {"kind": "ranged weapon", "to_hit": 4, "range": 30, "long_range": 60, "damage": []},
            id="later damage is not the hit's",
        ),
    ],
)
def test_all_forms_are_read(text, expected):
    assert parse_attacks("Strike", text) == [{"name": "Strike", **NOTHING, **expected}]


def test_two_attacks_in_one_text_are_read():
    text = (
        "Melee Weapon Attack: +4 to hit, reach 5 ft., a foe. Hit: 3 (1d4 + 1) slashing damage. "
        "Ranged Weapon Attack: +6 to hit, range 60 ft., a foe. Hit: 4 (1d6 + 1) piercing damage."
    )
    assert [(a["kind"], a["to_hit"], a["damage"][0]["type"]) for a in parse_attacks("Both", text)] == [
        ("melee weapon", 4, "slashing"),
        ("ranged weapon", 6, "piercing"),
    ]


def test_an_attack_with_another_bonus_at_range_is_two_attacks():
    text = (
        f"{EITHER}: +2 to hit, reach 5 ft., or +5 to hit, range 20/60 ft., one newt. "
        "Hit: 4 (1d8) piercing damage in both hands, or 6 (1d6 + 3) if thrown."
    )
    near, far = parse_attacks("Fork", text)
    assert (near["kind"], near["to_hit"], near["reach"], near["range"]) == ("melee weapon", 2, 5, None)
    assert (far["kind"], far["to_hit"], far["reach"], far["range"], far["long_range"]) == (
        "ranged weapon", 5, None, 20, 60,
    )  # fmt: skip
    assert [near["damage"], far["damage"]] == [[hit("1d8", "piercing")], [hit("1d6+3", "piercing")]]


def test_other_texts_are_not_attacks():
    assert parse_attacks("Multiattack", "Two claws and a bite.") == []


@given(st.text())
def test_reading_never_fails(text):
    parse_attacks("Any", text)
    parse_attacks("Any", f"Melee Weapon Attack: +3 to hit, {text} Hit: {text}")


@given(
    kind=st.sampled_from(("Melee Weapon", "Ranged Spell", "Ranged Weapon", "Melee Spell")),
    to_hit=st.integers(0, 20),
    feet=st.integers(1, 120).map(lambda n: 5 * n),
    dice=st.builds("{}d{} + {}".format, st.integers(1, 20), st.sampled_from((4, 6, 8, 10, 12)), st.integers(1, 12)),
    damage_type=st.sampled_from(DAMAGE_TYPES),
)
def test_a_rendered_line_is_read_back(kind, to_hit, feet, dice, damage_type):
    distance = "reach" if "Melee" in kind else "range"
    text = f"{kind} Attack: +{to_hit} to hit, {distance} {feet} ft., a foe. Hit: 9 ({dice}) {damage_type} damage."
    (attack,) = parse_attacks("Any", text)
    assert (attack["kind"], attack["to_hit"], attack[distance]) == (kind.lower(), to_hit, feet)
    assert attack["damage"] == [hit(dice.replace(" ", ""), damage_type)]


@pytest.mark.parametrize(
    ("told", "damage"),
    [
        ("7 (1d8 + 3) cold damage, or 8 (1d10 + 3) cold damage if used with two hands, plus 4 (1d8) fire damage.",
         [("1d8+3", "cold"), ("1d8", "fire")]),
        ("9 (2d8) fire damage or cold damage (its choice), plus 3 (1d6) acid damage.",
         [("2d8", "fire or cold"), ("1d6", "acid")]),
        ("5 (1d8+1) slashing damage or 6 (1d10+1) slashing damage if used with 2 hands + 7 (2d6) fire.",
         [("1d8+1", "slashing"), ("2d6", "fire")]),
        ("9 (2d8) damage of the type chosen for its Song plus 3 (1d6) cold damage.",
         [("2d8", None), ("1d6", "cold")]),
        ("9 (2d8) Fire damage—or 4 (1d8) Fire damage if it is wet—plus 3 (1d6) Cold damage.",
         [("2d8", "fire"), ("1d6", "cold")]),
        (f"4 (1d8) fire damage, or 2 (1d4) {BLOODIED}, plus 3 (1d6) cold.",
         [("1d8", "fire"), ("1d6", "cold")]),
        ("3 (1d6) fire damage plus 2 (1d4) cold damage, or 4 (1d8) fire damage plus 2 (1d4) cold in two hands.",
         [("1d6", "fire"), ("1d4", "cold")]),
        ("6 (1d8 + 2) piercing damage, or 11 (2d8 + 2) piercing damage if angry, plus 2 (1d4) damage when grown.",
         [("1d8+2", "piercing")]),
        ("6 (1d8 + 2) piercing damage, plus 2 (1d4) piercing damage if it is wet.", [("1d8+2", "piercing")]),
        ("4 (1d6+1) piercing damage + 4 (1d8) cold if not wet or 8 (2d6+1) piercing damage if wet.",
         [("1d6+1", "piercing"), ("1d8", "cold")]),
        ("14 (2d8 + 5)", [("2d8+5", None)]),
        ("14 (2d8 + 5) plus 3 (1d6) poison damage.", [("2d8+5", None), ("1d6", "poison")]),
        ("3 (1d6) ongoing fire damage.", []),
        ("3 (1d6) cold damage plus 3 (1d6) ongoing fire damage.", [("1d6", "cold")]),
        ("7 (1d6 + 4) cold (if it is wet) or fire (if it is dry) damage.", [("1d6+4", "cold or fire")]),
    ],
)  # fmt: skip
def test_effects_of_a_hit_apply_to_all_its_forms(told, damage):
    (attack,) = parse_attacks("Slap", f"Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: {told}")
    assert [(part["dice"], part["type"]) for part in attack["damage"]] == damage


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("+5 to hit, reach 5 ft., one target. Hit: 4 (1d4 + 2) cold damage.", ("melee", 5, None, None)),
        ("+5 to hit, reach 5 ft. or range 20/60 ft. Hit: 4 (1d4 + 2) cold damage.", ("melee or ranged", 5, 20, 60)),
        ("Melee Weapon Damage: +5 to hit, reach 5 ft. Hit: 4 (1d4) cold damage.", ("melee weapon", 5, None, None)),
        ("Ranged Magical Attack: +5 to hit, range 40 ft. Hit: 4 (1d4) cold damage.", ("ranged spell", None, 40, None)),
        ("Melee Weapon Attack: +5 to hit, reach 5. ft. it: 4 (1d4) cold damage.", ("melee weapon", 5, None, None)),
        ("Melee Weapon Attack: +5 to hit, range 5 ft. Hit: 4 (1d4) cold damage.", ("melee weapon", 5, None, None)),
        ("Ranged Weapon Attack: +5 to hit, range 80/320. Hit: 4 (1d4) cold damage.", ("ranged weapon", None, 80, 320)),
        ("Melee Weapon or Ranged Attack: +5 to hit, reach 5 ft. or range 20/60 ft. Hit: 4 (1d4) cold damage.",
         ("melee or ranged weapon", 5, 20, 60)),
        ("Melee Weapon Attack: +5 to hit, 30/120' one target, 4 (1d4) cold damage.", ("ranged weapon", None, 30, 120)),
        ("Ranged Weapon Attack: +5 to hit 5 ft. or range 20/60' 4 (1d4) cold damage.",
         ("melee or ranged weapon", 5, 20, 60)),
        ("Melee Weapon Attack: +5 to hit, reach 5 ft., range 20/60, one newt. Hit: 4 (1d4) cold damage.",
         ("melee or ranged weapon", 5, 20, 60)),
        ("Melee Attack Roll: +5 (no Advantage), reach 9 ft. 4 (1d4) Cold damage.", ("melee", 9, None, None)),
    ],
)  # fmt: skip
def test_other_headers_and_distances_are_read(told, expected):
    (attack,) = parse_attacks("Slap", told)
    assert (attack["kind"], attack["reach"], attack["range"], attack["long_range"]) == expected
    assert attack["to_hit"] == 5
    assert attack["damage"]


@pytest.mark.parametrize(
    ("told", "damage"),
    [
        ("1d6 + 4 + the spell's level Cold damage.", [(None, "cold")]),
        ("1d6 plus the spell's level Cold damage plus 1d4 Fire damage.", [(None, "cold"), ("1d4", "fire")]),
        ("1d8 plus the spell’s level of Cold (wet), Fire (dry), or Acid (else) damage.",
         [(None, "cold or fire or acid")]),
        ("Cold damage equal to 1d4 + 3 (Small), or 2d6 + 3 + your spellcasting ability modifier (Large).",
         [(None, "cold")]),
    ],
)  # fmt: skip
def test_numbers_that_depend_on_a_caster_or_level_are_unknown(told, damage):
    header = "*Melee Attack Roll:* Bonus equals your spell attack modifier, reach 10 feet. *Hit:*"
    (attack,) = parse_attacks("Slap", f"{header} {told}")
    assert (attack["kind"], attack["to_hit"], attack["reach"]) == ("melee", None, 10)
    assert [(part["dice"], part["type"]) for part in attack["damage"]] == damage


def test_multiattack_is_not_an_attack():
    assert (
        parse_attacks("Multiattack", "The newt makes two melee attacks: one with its tail and one with a stone.") == []
    )


def test_alternative_attacks_are_named_by_their_paragraphs():
    told = (
        "It chooses:\n\nWet Hand: Melee Weapon Attack: +6 to hit, 5 ft., one target, 14 (4d4+4) cold damage.\n\n"
        "Tail Ranged Weapon Attack: +6 to hit, 60 ft., one target, 11 (2d6+4) cold damage."
    )
    assert [attack["name"] for attack in parse_attacks("Change Shape", told)] == ["Wet Hand", "Tail"]
    (only,) = parse_attacks(
        "Change Shape", "Tail. Melee Weapon Attack: +6 to hit, reach 5 ft. Hit: 4 (1d4) cold damage."
    )
    assert only["name"] == "Change Shape"
