"""The small vocabularies: conditions, skills, languages, proficiencies, places."""

from __future__ import annotations

from typing import Any

import pytest

from build_pipeline.normalize.merging.draft import Problems, Reference
from build_pipeline.normalize.records import normalize
from build_pipeline.normalize.rules import rules
from build_pipeline.sources import SOURCES


def described(text_2014: str | None, text_2024: str | None = None) -> list[dict[str, str]]:
    texts = {"srd-2014": text_2014, "srd-2024": text_2024}
    return [{"document": key, "desc": text, "gamesystem": ""} for key, text in texts.items() if text]


class TestConcepts:
    def test_each_described_edition_has_an_entity(self, raw_of, rules_of):
        raw = raw_of(
            {
                "open5e_v2/conditions": [{"key": "dazed", "name": "Dazed", "descriptions": described("Old.", "New.")}],
                "dnd5e_api/2014/conditions": [{"index": "dazed", "name": "Dazed", "desc": ["Old."]}],
            }
        )
        found = rules_of(raw)
        assert {key: e.facts["description"] for key, e in found.items()} == {
            "condition/srd-2014/dazed": "Old.",
            "condition/srd-2024/dazed": "New.",
        }
        assert found["condition/srd-2014/dazed"].sources == ["open5e_v2", "dnd5e_api"]

    def test_alignments_are_found_by_name_and_initials(self, raw_of, rules_of):
        def alignment(attitude: str, morality: str) -> dict[str, Any]:
            halves = {"societal_attitude": attitude, "morality": morality}
            halves["short_name"] = (attitude[0] + morality[0]).upper()
            return {"key": f"{attitude}-{morality}", "descriptions": described("Text."), **halves}

        alignments = [alignment("lawful", "good"), alignment("neutral", "neutral")]
        found = rules_of(raw_of({"open5e_v2/alignments": alignments}))
        assert [e.name for e in found.values()] == ["Lawful Good", "Neutral"]
        assert "lg" in found["alignment/srd-2014/lawful-good"].keys

    def test_a_concept_without_editions_completes_the_srd_or_stays_in_core(self, raw_of, rules_of):
        schools = [{"key": key, "name": key.title(), "desc": "Magic.", "document": "core"} for key in ("fog", "mud")]
        raw = raw_of(
            {
                "open5e_v2/spellschools": schools,
                "dnd5e_api/2014/magic-schools": [{"index": "fog", "name": "Fog", "desc": "Magic."}],
            }
        )
        assert set(rules_of(raw)) == {"magic-school/srd-2014/fog", "magic-school/core/mud"}

    def test_abilities_skills_and_masteries_are_read(self, raw_of, rules_of):
        sneaking = described("Sneak.\nSpecialties: fog, mud.")
        stealth = {"key": "stealth", "name": "Stealth", "ability": "dex", "descriptions": sneaking}
        quickness = described("Quickness.\n\nTasks:\n* Open a lock\n* Dodge a cart", "Quick feet")
        found = rules_of(
            raw_of(
                {
                    "open5e_v2/skills": [stealth],
                    "open5e_v2/abilities": [
                        {"key": "dex", "name": "Dexterity", "skills": [stealth], "descriptions": quickness}
                    ],
                    "dnd5e_api/2014/ability-scores": [
                        {"index": "dex", "name": "DEX", "full_name": "Dexterity", "desc": ["Quickness."], "skills": []}
                    ],
                    "dnd5e_api/2024/weapon-mastery-properties": [
                        {"index": "sap", "name": "Sap", "description": "Dulls."}
                    ],
                }
            )
        )
        skill = found["skill/srd-2014/stealth"].facts
        assert (skill["ability"], skill["examples"]) == ("dexterity", ["fog", "mud"])
        ability = found["ability-score/srd-2014/dexterity"]
        assert ability.sources == ["open5e_v2", "dnd5e_api"]
        assert ability.facts["abbreviation"] == "DEX"
        assert ability.facts["related"] == ["skill/srd-2014/stealth"]
        assert ability.facts["examples"] == ["Open a lock", "Dodge a cart"]
        assert not found["ability-score/srd-2024/dexterity"].facts["related"]
        assert found["weapon-property/srd-2024/sap"].facts["category"] == "mastery"

    def test_lists_of_examples_are_read(self, raw_of, rules_of):
        acid = {"key": "acid", "name": "Acid", "descriptions": described("Slime burns.", "Slime, vitriol")}
        found = rules_of(raw_of({"open5e_v2/damagetypes": [acid]}))
        assert "examples" not in found["damage-type/srd-2014/acid"].facts
        assert found["damage-type/srd-2024/acid"].facts["examples"] == ["slime", "vitriol"]


class TestLanguagesAndProficiencies:
    def test_a_language_has_its_facts_in_its_description(self, raw_of, rules_of):
        base = {"document": {"key": "core"}, "is_secret": False, "script_language": "runes"}
        selkies = "Typical speakers are selkies."
        birds = "Typical speakers include gulls, and terns. Only shrieked."
        found = rules_of(
            raw_of(
                {
                    "open5e_v2/languages": [
                        {"key": "mer", "name": "Mer", "desc": selkies, "is_exotic": True, **base},
                        {"key": "gull", "name": "Gull", "desc": birds, "is_exotic": False, **base},
                    ],
                    "dnd5e_api/2014/languages": [
                        {
                            "index": "mer",
                            "name": "Mer",
                            "type": "Exotic",
                            "typical_speakers": ["?"],
                            "desc": "Bubbles.",
                        }
                    ],
                }
            )
        )
        mer = found["language/srd-2014/mer"].facts
        assert mer["description"] == "An exotic language spoken by selkies, written in the Runes script. Bubbles."
        gull = found["language/core/gull"].facts
        assert (gull["speakers"], gull["category"]) == ("gulls and terns", "standard")
        assert gull["description"].endswith("Only shrieked.")

    def test_a_secret_language_is_never_standard(self, raw_of, rules_of):
        core = {"document": {"key": "core"}, "is_secret": True, "is_exotic": False, "script_language": None}
        found = rules_of(
            raw_of(
                {
                    "open5e_v2/languages": [{"key": "hiss", "name": "Hiss", "desc": "Whispered.", **core}],
                    "dnd5e_api/2024/languages": [{"index": "hiss", "name": "Hiss", "is_rare": False, "note": ""}],
                }
            )
        )
        assert found["language/srd-2024/hiss"].facts["category"] == "rare"

    def test_a_proficiency_names_who_has_it_and_who_may_choose_it(self, raw_of, rules_of):
        nested = {"choose": 1, "from": {"options": [{"option_type": "reference", "item": {"index": "skill-stealth"}}]}}
        stealth = {
            "index": "skill-stealth",
            "type": "Skills",
            "name": "Skill: Stealth",
            "classes": [{"name": "Rogue"}],
            "races": [],
            "reference": {"index": "stealth", "name": "Stealth", "url": ""},
        }
        found = rules_of(
            raw_of(
                {
                    "dnd5e_api/2014/proficiencies": [stealth],
                    "dnd5e_api/2014/classes": [{"index": "bard", "name": "Bard", "proficiency_choices": [nested]}],
                }
            )
        )
        facts = found["proficiency/srd-2014/skill-stealth"].facts
        assert (
            facts["description"] == "Proficiency in the Stealth skill. Granted by: Rogue. Offered as a choice to: Bard."
        )
        assert (facts["classes"], facts["races"], facts["category"]) == (["rogue"], [], "skills")
        assert facts["related"] == ["Stealth", "Bard"]

    def test_a_proficiency_is_related_to_the_class_and_not_its_namesake(self, raw_of):
        choice = {"choose": 1, "from": {"options": [{"option_type": "reference", "item": {"index": "drum"}}]}}
        drum = {"index": "drum", "type": "Tools", "name": "Drum", "reference": {"index": "drum", "name": "Drum"}}
        druid = {"index": "druid", "name": "Druid", "proficiency_choices": [choice]}
        raw = raw_of({"dnd5e_api/2024/proficiencies": [drum], "dnd5e_api/2024/classes": [druid]})
        (draft,) = rules.drafts(raw, Problems())
        assert draft.facts["related"] == ["Drum", Reference(("class", "background", "race", "subrace"), "Druid")]

    def test_a_races_trait_grants_or_offers_a_proficiency(self, raw_of):
        skill = {"type": "Skills", "reference": {"index": "stealth", "name": "Stealth"}}
        stealth = {"index": "skill-stealth", "name": "Skill: Stealth", **skill}
        choice = {"choose": 1, "from": {"options": [{"option_type": "reference", "item": {"index": "stealth"}}]}}
        shy = {"index": "shy", "species": [{"name": "Newt"}], "subspecies": [], "proficiency_choices": choice}
        sly = {"index": "sly", "subspecies": [{"name": "Bog Imp"}], "proficiencies": [{"index": "skill-stealth"}]}
        raw = raw_of({"dnd5e_api/2024/proficiencies": [stealth], "dnd5e_api/2024/traits": [shy, sly]})
        drafts = [draft for draft in rules.drafts(raw, Problems()) if draft.entity_type == "proficiency"]
        (facts,) = (draft.facts for draft in drafts)
        assert (
            facts["description"]
            == "Proficiency in the Stealth skill. Granted by: Bog Imp. Offered as a choice to: Newt."
        )
        assert facts["races"] == ["bog imp"]
        assert [each.name for each in facts["related"][1:]] == ["Bog Imp", "Newt"]

    def test_a_proficiency_has_the_name_and_category_of_its_tools(self, raw_of, rules_of):
        told = {
            ("Tool: Bone Dice", "Tools", "gaming-sets"): ("Bone Dice", "gaming sets"),
            ("Tool: Scribe's Supplies", "Tools", "artisans-tools"): ("Scribe's Supplies", "artisan's tools"),
            ("Mask Kit", "Artisan's Tools", "other-tools"): ("Mask Kit", "tools"),
            ("Bows, long", "Weapons", "weapons"): ("Long Bows", "weapons"),
            ("Needle", "Other", "other-tools"): ("Needle", "tools"),
        }
        for (name, kind, group), expected in told.items():
            thing = {"index": "thing", "name": "Thing", "equipment_categories": [{"index": group}]}
            proficiency = {"index": "x", "type": kind, "name": name, "reference": {"index": "thing", "name": "Thing"}}
            raw = raw_of({"dnd5e_api/2024/proficiencies": [proficiency], "dnd5e_api/2024/equipment": [thing]})
            (found,) = rules_of(raw).values()
            assert (found.name, found.facts["category"]) == expected


class TestPlaces:
    def test_environments_without_a_text_are_problems(self, raw_of):
        environment = {"planar": False, "document": "core"}
        problems = Problems()
        raw = raw_of(
            {
                "open5e_v2/environments": [
                    {"key": "bog", "name": "Bog", "desc": "[None provided]", **environment},
                    {"key": "caves", "name": "Caves", "desc": "Caves and caverns", **environment},
                    {"key": "reef", "name": "Reef", "desc": "Corals that tear a hull open.", **environment},
                ]
            }
        )
        assert [draft.name for draft in rules.drafts(raw, problems)] == ["Reef"]
        assert [entry["raw"].rpartition("/")[2] for entry in problems.entries] == ["bog", "caves"]

    @pytest.mark.parametrize(("first", "second"), [("Astral", "Ether"), ("Ether", "Astral"), ("Ether", "Ether")])
    def test_no_plane_is_its_own_parent(self, raw_of, first, second):
        planes = [
            {"slug": name.lower(), "name": name, "desc": f"A plane called {name}.", "parent": parent}
            | {"document__slug": "wotc-srd", "document__title": "SRD", "document__license_url": ""}
            for name, parent in (("Astral", first), ("Ether", second))
        ]
        found = normalize(raw_of({"open5e_v1/planes": planes}), SOURCES)
        below = {record["name"] for record in found.tables["rules"] if record["parent"]}
        told = {p["raw"] for p in found.problems if "it would be below itself" in p["reason"]}
        circles = [name for name, parent in (("Astral", first), ("Ether", second)) if parent == name]
        wanted = {f"open5e_v1/planes/{name.lower()}" for name in circles} or {"open5e_v1/planes/astral"}
        assert (told, len(below)) == (wanted, 2 - len(wanted))

    def test_planes_of_v1_are_merged_with_those_of_v2(self, raw_of, rules_of):
        plane = {"name": "Fog Plane", "desc": "Fog without end or bottom."}
        v1_plane = {"slug": "fog-plane", "document__slug": "wotc-srd", "parent": "Nowhere", **plane}
        v2_plane = {"key": "srd_fog", "planar": True, "document": "srd-2014", **plane}
        found = rules_of(raw_of({"open5e_v2/environments": [v2_plane], "open5e_v1/planes": [v1_plane]}))
        entity = found["rule/srd-2014/fog-plane"]
        assert entity.sources == ["open5e_v2", "open5e_v1"]
        assert entity.facts["section"] == "Planes"

    def test_a_place_belongs_to_the_plane_whose_text_contains_its_own(self, raw_of, rules_of):
        told = "Fog - thick, white, and endless - lies over all that there is to see here, year after year."
        fog = {"name": "Fog", "desc": told, "key": "srd_fog", "planar": True, "document": "srd-2014"}
        plane = {"slug": "mists", "document__slug": "wotc-srd", "parent": None, "name": "Mists"}
        plane["desc"] = "Mists are wet. " + told.replace(" - ", "—") + " Then there is rain."
        found = rules_of(raw_of({"open5e_v2/environments": [fog], "open5e_v1/planes": [plane]}))
        assert found["rule/srd-2014/fog"].facts["parent"]["name"] == "Mists"


def test_an_ability_that_is_also_a_rule_in_v2_is_one_entity(raw_of, rules_of):
    checks = "A Grit check is for storms alone, and for snow."
    text = f"Grit measures how long you hold out in wind and weather.\n\n### Grit Checks\n\n{checks}"
    ruleset = {"key": "srd_abilities", "name": "Using Each Ability", "desc": "Six of them.", "rules": []}
    rule = {"key": "srd_abilities_grit", "name": "Grit", "desc": text, "index": 1, "initialHeaderLevel": 2}
    found = rules_of(
        raw_of(
            {
                "open5e_v2/abilities": [{"key": "gri", "name": "Grit", "skills": [], "descriptions": described(text)}],
                "open5e_v2/rulesets": [ruleset | {"document": {"key": "srd-2014"}}],
                "open5e_v2/rules": [rule | {"document": "srd-2014", "ruleset": "srd_abilities"}],
            }
        )
    )
    grit = found["ability-score/srd-2014/grit"]
    assert "rule/srd-2014/grit" not in found
    assert grit.raw == ["open5e_v2/rules/srd_abilities_grit", "open5e_v2/abilities/gri"]
    assert found["rule/srd-2014/grit-checks"].facts["parent"]["id"] == grit.id
    assert grit.facts["parent"]["name"] == "Using Each Ability"
    assert found["rule/srd-2014/using-each-ability"].facts["related"] == [grit.id]
