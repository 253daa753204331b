"""Repairs of whole books: scores, saves, skills, speeds, rows in the wrong list."""

from __future__ import annotations

from typing import Any

import pytest

from build_pipeline.normalize.creatures.repairs import mended
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.text.stat_blocks.actions import action, trait
from build_pipeline.normalize.text.stat_blocks.lines import speed
from server.dataset.schema import ABILITIES


def repaired(document: str, source: str = "open5e_v2", **facts: Any) -> dict[str, Any]:
    (draft,) = mended([draft_of(document, "Newt", source, **facts)])
    return draft.facts


def draft_of(document: str, name: str, source: str = "open5e_v2", **facts: Any) -> Draft:
    plain: dict[str, Any] = {
        "ability_scores": dict.fromkeys(ABILITIES, 10),
        "challenge_rating": 1.0,
        "saving_throws": {},
        "skills": {},
        "senses": {"passive_perception": 10},
        "speed": speed({"walk": 30}),
    }
    return Draft(source, (f"{source}/creatures/{name}",), "creature", document, name, facts=plain | facts)


def test_black_flag_prints_no_scores_and_v1_has_saves_and_passive_perception():
    facts = repaired("bfrd", saving_throws={"strength": 5}, senses={"passive_perception": 9})
    assert (facts["ability_scores"], facts["saving_throws"], facts["senses"]["passive_perception"]) == (
        None,
        None,
        None,
    )
    v1 = repaired("bfrd", "open5e_v1", saving_throws={"strength": 5}, senses={"passive_perception": 12})
    assert (v1["ability_scores"], v1["saving_throws"]) == (None, {"strength": 5})
    assert v1["senses"]["passive_perception"] == 12


@pytest.mark.parametrize(("passive", "skills"), [(12, {"perception": 2}), (14, {"perception": 4}), (10, {}), (13, {})])
def test_perception_in_tome_of_beasts_3_follows_from_its_passive_score(passive, skills):
    facts = repaired("tob3", skills={"perception": 0}, senses={"passive_perception": passive})
    assert facts["skills"] == skills


def test_saves_of_tome_of_beasts_3_regain_their_second_digit():
    scores = dict.fromkeys(ABILITIES, 10) | {"strength": 26, "wisdom": 14}
    facts = repaired("tob3", ability_scores=scores, saving_throws={"strength": 1, "wisdom": 4, "charisma": 1})
    assert facts["saving_throws"] == {"strength": 10, "wisdom": 4, "charisma": 1}


def test_a_possible_bonus_of_0_is_kept():
    scores = dict.fromkeys(ABILITIES, 10) | {"wisdom": 6, "strength": 2}
    told = {"perception": 0, "stealth": 0, "athletics": 0, "arcana": 3}
    facts = repaired("tob", ability_scores=scores, skills=told, saving_throws={"wisdom": 0, "charisma": 0})
    assert facts["skills"] == {"perception": 0, "athletics": 0, "arcana": 3}
    assert facts["saving_throws"] == {"wisdom": 0}


@pytest.mark.parametrize("document", ["tob", "tob3"])
def test_without_a_challenge_rating_bonuses_are_unchanged(document):
    facts = repaired(document, challenge_rating=None, skills={"stealth": 0}, saving_throws={"wisdom": 1})
    assert (facts["skills"], facts["saving_throws"]) == ({"stealth": 0}, {"wisdom": 1})


def test_attacks_among_the_traits_are_actions():
    slap = "Melee Weapon Attack: +4 to hit, 5 ft., one target, 4 (1d4+2) cold."
    rows = [
        trait("Slimy", "It drips."),
        trait("3 Claws", slap),
        trait("Multiattack", "Two Slaps."),
        trait("Slap", slap),
        trait("Croak (Wet Only Recharge 5-6)", "It croaks."),
    ]
    facts = repaired("tob3", traits=rows, actions=[action("Spit", "It spits.")])
    assert [row["name"] for row in facts["traits"]] == ["Slimy", "3 Claws"]
    assert [row["name"] for row in facts["actions"]] == ["Spit", "Multiattack", "Slap", "Croak"]
    assert facts["actions"][2]["attacks"]
    assert facts["actions"][3]["usage"] == "Wet Only; Recharge 5-6"


@pytest.mark.parametrize(
    ("document", "traits"), [("tob3", ["Slimy"]), ("ccdx", ["Slimy", "Croak (Recharge 6)", "Wade"])]
)
def test_recharging_traits_in_tome_of_beasts_3_and_later_ones_are_actions(document, traits):
    rows = [trait("Slimy", "It drips."), trait("Croak (Recharge 6)", "It croaks."), trait("Wade", "It wades.")]
    assert [row["name"] for row in repaired(document, traits=rows)["traits"]] == traits


def test_legendary_actions_are_in_no_other_list():
    rows = [action("Wade", "It wades."), action("Spit", "It spits.")]
    facts = repaired("tob", legendary_actions=rows[:1], bonus_actions=rows, actions=[action("Wade", "Another way.")])
    assert [row["name"] for row in facts["bonus_actions"]] == ["Spit"]
    assert [row["name"] for row in facts["actions"]] == ["Wade"]


@pytest.mark.parametrize(
    ("first", "told", "expected"),
    [
        ({"walk": 40, "fly": 80}, {"walk": 80, "fly": 40}, {"walk": 40, "fly": 80}),
        ({"walk": 30, "climb": 20, "swim": 50}, {"walk": 50}, {"walk": 30, "climb": 20, "swim": 50}),
        (
            {"walk": 20, "burrow": 5, "fly": 30},
            {"walk": 30, "burrow": 20, "fly": 5},
            {"walk": 20, "burrow": 5, "fly": 30},
        ),
        ({"walk": 0, "fly": 60}, {"walk": 60}, {"walk": 0, "fly": 60}),
        ({"walk": 40, "fly": 90}, {"walk": 70, "fly": 30}, {"walk": 30, "fly": 70}),
        ({"walk": 40, "fly": 40}, {"fly": 40}, {"walk": 40, "fly": 40}),
        ({"fly": 60}, {"fly": 50}, None),
        ({"walk": 40, "climb": 30, "fly": 90}, {"walk": 70, "fly": 25}, None),
        (None, {"walk": 30}, None),
    ],
)
def test_speeds_in_tome_of_beasts_1_are_corrected_by_the_first_edition(first, told, expected):
    newer = draft_of("tob-2023", "Nihil Newt", speed=speed(told))
    drafts = [newer, *([draft_of("tob", "Newt, Nihil", speed=speed(first))] if first else [])]
    mended(drafts)
    found = newer.facts["speed"]
    assert (found and {mode: feet for mode, feet in found.items() if feet is not None and mode != "hover"}) == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [("size and speed", 30), ("size", 50)],
)
def test_a_creature_with_several_forms_has_the_first_editions_speed(changes, expected):
    told = [trait("Change Shape", f"Its statistics, other than its {changes}, are the same in each form.")]
    newer = draft_of("tob-2023", "Newt", speed=speed({"walk": 50}), traits=told)
    mended([newer, draft_of("tob", "Newt", speed=speed({"walk": 30}))])
    assert newer.facts["speed"]["walk"] == expected


def test_a_swarm_is_recognised_under_either_name():
    newer, older = draft_of("tob-2023", "Swarm of Newts", speed=speed({"walk": 50})), draft_of("tob", "Newt Swarm")
    older.facts["speed"] = speed({"walk": 30, "swim": 50})
    mended([newer, older])
    assert newer.facts["speed"]["swim"] == 50


@pytest.mark.parametrize(
    ("names", "ratings", "expected"),
    [
        (["Pond Newt"], [1.0], {"walk": 30, "swim": 50}),
        (["Pond Newt"], [4.0], None),
        (["Pond Toad"], [1.0], None),
        (["Pond Newt", "Moss Newt"], [1.0, 2.0], {"walk": 30, "swim": 50}),
    ],
)
def test_a_creature_with_a_shortened_name_has_the_first_editions_speeds(names, ratings, expected):
    newer = draft_of("tob-2023", "Newt", speed=speed({"walk": 50}))
    line = speed({"walk": 30, "swim": 50})
    mended(
        [
            newer,
            *(
                draft_of("tob", name, speed=line, challenge_rating=rating)
                for name, rating in zip(names, ratings, strict=True)
            ),
        ]
    )
    found = newer.facts["speed"]
    assert (found and {mode: feet for mode, feet in found.items() if feet is not None}) == expected


def test_a_longer_name_that_both_editions_have_is_another_creature():
    newer, other = draft_of("tob-2023", "Newt", speed=speed({"walk": 50})), draft_of("tob-2023", "Pond Newt")
    mended([newer, other, draft_of("tob", "Pond Newt", speed=speed({"walk": 50}))])
    assert newer.facts["speed"] is None


def test_repaired_facts_are_in_the_provenance():
    fly = speed({"walk": 20, "fly": 50})
    misread = speed({"walk": 50, "fly": 20})
    drafts = mended(
        [
            draft_of("tob", "Newt", speed=fly),
            draft_of("tob-2023", "Newt", speed=misread),
            draft_of("tob3", "Toad", skills={"perception": 0}, senses={"passive_perception": 12}),
            draft_of("tob3", "Frog", skills={"stealth": 3}),
        ]
    )
    assert [draft.from_text for draft in drafts] == [set(), {"speed"}, {"skills"}, set()]
    assert drafts[1].facts["speed"]["fly"] == 50
    assert drafts[1].raw == (draft_of("tob-2023", "Newt").raw[0], drafts[0].raw[0])


def test_a_row_that_contains_the_next_is_split():
    told = "It sings. Swim Far (Newt Form Only). It swims. Wet Nature. It drips."
    several = [draft_of("tob", f"Newt {number}", traits=[trait("Wet Nature", "It drips.")]) for number in range(3)]
    (draft, *_) = mended([draft_of("tob", "Old Newt", traits=[trait("Song", told)]), *several])
    assert draft.facts["traits"] == [
        trait("Song", "It sings."),
        trait("Swim Far (Newt Form Only)", "It swims."),
        trait("Wet Nature", "It drips."),
    ]


def test_a_row_that_repeats_the_next_is_cut():
    rows = [action("Slam", "It slams. Song (1/Day). It sings."), action("Song (1/Day)", "It sings.")]
    assert repaired("tob", actions=rows)["actions"] == [action("Slam", "It slams."), rows[1]]


def test_a_trait_triggered_by_an_attack_is_a_reaction():
    rows = [action("Hop", "It hops."), action("Kick", "When a creature the newt can see hits it, it kicks.")]
    facts = repaired("tob", bonus_actions=rows, reactions=None)
    assert (facts["bonus_actions"], facts["reactions"]) == (rows[:1], rows[1:])


def test_a_row_after_a_list_of_spells_is_separated():
    told = "It casts these spells:\n\n* **At will:** light, fear (self only) Pond Walk. It walks on ponds."
    assert repaired("tob", traits=[trait("Spellcasting", told)])["traits"] == [
        trait("Spellcasting", "It casts these spells:\n\n* **At will:** light, fear (self only)"),
        trait("Pond Walk", "It walks on ponds."),
    ]


def test_text_about_the_next_creature_is_removed():
    rows = [action("Splash", "The target is wet. Toads Toads live in ponds. They sing.")]
    assert repaired("ccdx", actions=rows)["actions"] == [action("Splash", "The target is wet.")]


def test_a_legendary_action_that_contains_the_next_is_split_with_its_cost():
    facts = repaired("tob", legendary_actions=[action("Song", "It sings. Leap (Cost 2 Actions). It leaps.")])
    assert [(row["name"], row["usage"]) for row in facts["legendary_actions"]] == [
        ("Song", None),
        ("Leap", "Costs 2 Actions"),
    ]


def test_options_stay_in_their_action():
    rows = [action("Spray", "It uses one of these. Red Mist. It burns. Blue Mist. It chills.")]
    assert repaired("tob", actions=rows)["actions"] == rows


def test_the_familiar_trait_belongs_to_the_creature_that_it_names():
    told = "The pond newt can serve another creature as a familiar, sharing its bath."
    rows = [action("Bite", "It bites."), action("Familiar", told)]
    toad, newt, frog = mended(
        [
            draft_of("tob-2023", "Moss Toad", actions=rows),
            draft_of("tob-2023", "Pond Newt", traits=[trait("Swim", "It swims.")]),
            draft_of("tob2", "Frog", actions=rows),
        ]
    )
    assert [row["name"] for row in toad.facts["actions"]] == ["Bite"]
    assert newt.facts["traits"] == [trait("Swim", "It swims."), trait("Familiar", told)]
    assert frog.facts["actions"] == rows


def test_a_familiar_keeps_its_own_trait():
    own = [trait("Familiar", "The newt can serve another creature as a familiar.")]
    drafts = [draft_of("tob-2023", "Pond Newt", traits=own), draft_of("tob-2023", "Toad")]
    assert mended(drafts)[0].facts["traits"] == own


def test_familiar_is_a_trait():
    rows = [action("Familiar", "The newt can serve another creature as a familiar.")]
    (draft,) = mended([draft_of("tob-2023", "Newt", actions=rows)])
    assert (draft.facts["actions"], draft.facts["traits"]) == ([], [trait("Familiar", rows[0]["description"])])


def test_actions_after_a_section_heading_are_moved_to_that_section():
    rows = [action("Slam", "It slams. ++ Reactions", ["Recharge 6"]), action("Parry", "It parries.")]
    facts = repaired("ccdx", actions=rows, reactions=None)
    assert facts["actions"] == [action("Slam", "It slams.", ["Recharge 6"])]
    assert facts["reactions"] == [action("Parry", "It parries.")]


def test_an_action_joined_to_a_usage_is_separated():
    facts = repaired("pond", actions=[action("Song", "It sings of mud\n\nLeap (1/Day)The newt jumps.")])
    assert [(row["name"], row["usage"], row["description"]) for row in facts["actions"]] == [
        ("Song", None, "It sings of mud"),
        ("Leap", "1/Day", "The newt jumps."),
    ]


@pytest.mark.parametrize(("other", "cut"), [("Pond Toad", True), ("Pond Frog", False)])
def test_text_about_the_next_creature_is_moved_to_its_description(other, cut):
    text = "The target is wet.\n\nPond Toad\n\nToads are old."
    newt, toad = mended(
        [draft_of("pond", "Newt", actions=[action("Splash", text)]), draft_of("pond", other, description=None)]
    )
    assert newt.facts["actions"][0]["description"] == ("The target is wet." if cut else text)
    assert toad.facts["description"] == ("Toads are old." if cut else None)
