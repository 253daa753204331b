"""Fields of homebrew in all forms that authors write them in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from homebrew_facts import facts_of


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (":challenge 1/4", {"challenge_rating": 0.25}),
        (':challenge "1/8"', {"challenge_rating": 0.125}),
        ("", {"challenge_rating": 0.0, "hit_points": None, "damage_immunities": None}),
        (":challenge [1]", {"challenge_rating": None}),
        (":challenge 1/3", {"challenge_rating": None}),
        (':challenge "0.3"', {"challenge_rating": None}),
        (":challenge 31", {"challenge_rating": None}),
        (':challenge "0.50"', {"challenge_rating": 0.5}),
        (':hit-points "22 (4d8 + 4)"', {"hit_points": 22, "hit_dice": "4d8+4"}),
        (':hit-points "4d8 + 4"', {"hit_points": 22, "hit_dice": "4d8+4"}),
        (":hit-points {:die 6 :die-count 3 :modifier -3}", {"hit_points": 7, "hit_dice": "3d6-3"}),
        (":hit-points {:die 0 :die-count 0}", {"hit_points": None, "hit_dice": None}),
        (':armor-class "15 (chain shirt)"', {"armor_class": 15, "armor_description": "chain shirt"}),
        (':type "humanoid (elf)" :size "Medium"', {"type": "humanoid", "subtype": "elf", "size": "medium"}),
        (":type :swarm-of-tiny-beasts", {"type": "beast", "subtype": "swarm"}),
        (":str 10 :skills {:Stealth 4} :saving-throws {:DEX 2}", {"skills": {"stealth": 4}}),
        (":str 10 :skills {:stealth ##NaN :sleight-of-hand 4}", {"skills": {"sleight_of_hand": 4}}),
        (
            ':alignment :lawful-evil :languages ["Common" :elvish] :senses ["darkvision 60 ft."]',
            {"alignment": "lawful evil", "languages": "Common, elvish"},
        ),
        (
            ':damage-resistances ["fire" :cold "bludgeoning, piercing, and slashing from nonmagical attacks"]',
            {"damage_resistances": ["fire", "cold", "bludgeoning, piercing, and slashing from nonmagical attacks"]},
        ),
        (
            ":str 10 :condition-immunities {:charmed true :prone true :stunned false}",
            {"condition_immunities": ["charmed", "prone"]},
        ),
        (
            ":props {:language {:understands-draconic-but-cant-speak- true}}",
            {"languages": "Understands Draconic but can't speak"},
        ),
        (
            ":props {:language {:understands-draconic-but-can-t-speak true}}",
            {"languages": "Understands Draconic but can't speak"},
        ),
    ],
)
def test_all_forms_of_monsters_are_read(tmp_path: Path, fields: str, expected: dict[str, Any]) -> None:
    assert expected.items() <= facts_of(tmp_path, "monsters", fields).items()


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (':duration "1 Hour (Concentration)"', {"duration": "1 hour", "concentration": True}),
        (':duration "Concentration up to 6 rounds"', {"duration": "6 rounds", "concentration": True}),
        (':casting-time "1 minute (ritual)"', {"casting_time": "1 minute", "ritual": True}),
        (
            ':casting-time "1 reaction, which you take when you fall"',
            {"casting_time": "1 reaction", "reaction_condition": "when you fall"},
        ),
        (':level "3" :school :Evocation :range "60"', {"level": 3, "school": "evocation", "range": "60 feet"}),
        (':duration "Instant"', {"duration": "Instantaneous"}),
        (':duration "Concentration, up to 10 min."', {"duration": "10 minutes", "concentration": True}),
        (':duration "Up to 1 hr"', {"duration": "Up to 1 hour"}),
        (':duration "10 days"', {"duration": "10 days"}),
        (":level 11 :duration nil", {"level": None, "duration": None, "concentration": None}),
    ],
)
def test_all_forms_of_spells_are_read(tmp_path: Path, fields: str, expected: dict[str, Any]) -> None:
    assert expected.items() <= facts_of(tmp_path, "spells", fields).items()


@pytest.mark.parametrize(
    ("printed", "found"),
    [
        ("V, S", (True, True, False, None)),
        ("v s", (True, True, False, None)),
        ("S, M (a bat's ear (dry)).", (False, True, True, "a bat's ear (dry)")),
        ("none", None),
    ],
)
def test_components_may_be_a_text(tmp_path: Path, printed: str, found: tuple[bool, bool, bool, str | None] | None):
    components = facts_of(tmp_path, "spells", f':components "{printed}"')["components"]
    names = ("verbal", "somatic", "material", "material_description")
    assert (tuple(components[name] for name in names) if components else None) == found


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It burns. **At Higher Levels.** It burns more.", ("It burns.", "It burns more.")),
        ("It burns. At Higher Levels: more.", ("It burns.", "more.")),
        ("It works at Higher Levels. It burns.", ("It works at Higher Levels. It burns.", None)),
    ],
)
def test_higher_levels_may_be_told_inside_a_paragraph(tmp_path: Path, text: str, parts: tuple[str, str | None]):
    facts = facts_of(tmp_path, "spells", f':description "{text}"')
    assert (facts["description"], facts["higher_level"]) == parts


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (":props {:damage-resistance :fire}", {"Damage Resistance": "Resistance to fire damage."}),
        (":props {:damage-resistance [:fire :cold]}", {"Damage Resistance": "Resistance to fire and cold damage."}),
        (":props {:odd-magical-ac {:shell true}}", {"Odd Magical AC": "Shell."}),
        (":profs {:save [:str :con]}", {"Saving Throws": "Proficiency in Strength and Constitution saving throws."}),
        (":profs {:save {}}", {}),
    ],
)
def test_properties_may_be_single_keys_or_lists(tmp_path: Path, given: str, told: dict[str, str]) -> None:
    traits = facts_of(tmp_path, "races", given)["traits"]
    assert {trait["name"]: trait["description"] for trait in traits} == told


@pytest.mark.parametrize(
    ("given", "told"), [("3", "3"), ("-3", "-3."), (":slow-burn", "Slow burn."), ('"a lot"', "A lot.")]
)
def test_an_unknown_modifier_is_no_list_in_markdown(tmp_path: Path, given: str, told: str) -> None:
    levels = f":level-modifiers [{{:type :glow :value {given} :level 2}}] :props {{:shine {given}}}"
    found = facts_of(tmp_path, "classes", levels)["features"]
    assert {f["name"]: f["description"] for f in found} == {"Glow": told, "Shine": told}


@pytest.mark.parametrize(
    ("profs", "told"),
    [
        (":skill-options {:choose 1 :options {:arcana true :history true}}", "Choose one of arcana and history"),
        (
            ":skill {:nature true} :skill-options {:choose 1 :options {:arcana true :history true}}",
            "Nature. Choose one of arcana and history",
        ),
    ],
)
def test_a_background_may_leave_the_choice_of_skills(tmp_path: Path, profs: str, told: str) -> None:
    facts = facts_of(tmp_path, "backgrounds", f":profs {{{profs} :weapon {{:net true}}}}")
    assert facts["skill_proficiencies"] == told
    assert {each["name"]: each["description"] for each in facts["benefits"]} == {
        "Skill Proficiencies": told,
        "Weapon Proficiencies": "Proficiency with net.",
    }


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ('"requires attunement by a bard"', (True, "by a bard")),
        ('"(requires attunement)"', (True, None)),
        ('"by a druid"', (True, "by a druid")),
        ('"No"', (False, None)),
        ("[:any]", (True, None)),
        ("false", (False, None)),
    ],
)
def test_attunement_may_be_a_text(tmp_path: Path, given: str, found: tuple[bool, str | None]) -> None:
    facts = facts_of(tmp_path, "magic-items", f":attunement {given}")
    assert (facts["requires_attunement"], facts["attunement_detail"]) == found


def test_an_encounter_names_each_creature_once(tmp_path: Path) -> None:
    wolves = "{:creature {:monster :wolf :num 4}} {:creature {:monster :wolf}}"
    facts = facts_of(tmp_path, "encounters", f":creatures [{wolves}]")
    assert facts["description"] == "- 4 × Wolf\n- 1 × Wolf"
    assert [reference.name for reference in facts["related"]] == ["Wolf"]


@pytest.mark.parametrize(
    ("name", "feature"),
    [
        ("Feature: Night Rounds", "Night Rounds"),
        ("FEATURE – Night Rounds.", "Night Rounds"),
        ("Feature:", "Feature:"),
        ("Featured Guest", "Featured Guest"),
    ],
)
def test_a_backgrounds_feature_has_its_name_alone(tmp_path: Path, name: str, feature: str) -> None:
    facts = facts_of(tmp_path, "backgrounds", f':traits [{{:name "{name}" :description "You know the streets."}}]')
    assert facts["feature"]["name"] == feature
    assert [benefit["name"] for benefit in facts["benefits"]] == [feature]
