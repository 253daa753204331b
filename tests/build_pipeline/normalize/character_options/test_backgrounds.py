"""Backgrounds from small objects of the three APIs' shapes."""

import pytest
from merging import merged

from build_pipeline.normalize.character_options import backgrounds
from build_pipeline.normalize.merging.draft import Problems


def benefit(kind, name, text):
    return {"type": kind, "name": name, "desc": text}


V2 = {
    "key": "srd_ferryman",
    "name": "Ferryman",
    "desc": "[No description provided]",
    "document": {"key": "srd-2014"},
    "benefits": [
        benefit("skill_proficiency", "Skill Proficiencies", "Athletics, Nature"),
        benefit("equipment", "Equipment", "An oar"),
        benefit("feature", "Free Crossing", "Boats carry you for nothing."),
        benefit("suggested_characteristics", "Suggested Characteristics", "Quiet.\r\n\r\n| d8 | Trait |"),
        benefit("language", "Languages", "None"),
    ],
}
V1 = {
    "slug": "ferryman",
    "name": "Ferryman",
    "document__slug": "wotc-srd",
    "desc": "You know the river.",
    "skill_proficiencies": "Athletics",
    "tool_proficiencies": "Water vehicles",
    "languages": None,
    "equipment": "",
    "feature": "Free Crossing",
    "feature_desc": "",
    "suggested_characteristics": "Quiet.",
}


@pytest.fixture(scope="module")
def entities(raw_of):
    def build(objects):
        drafts = backgrounds.drafts(raw_of(objects), Problems())
        return merged(drafts, backgrounds)

    return build


def test_v2_benefits_fill_columns_and_are_all_listed(entities):
    (entity,) = entities({"open5e_v2/backgrounds": [V2]})
    facts = entity.facts
    assert (facts["skill_proficiencies"], facts["equipment"]) == ("Athletics, Nature", "An oar")
    assert facts["feature"] == {"name": "Free Crossing", "description": "Boats carry you for nothing."}
    assert [b["name"] for b in facts["benefits"]] == [
        "Skill Proficiencies",
        "Equipment",
        "Free Crossing",
        "Suggested Characteristics",
    ]
    assert facts["benefits"][3]["description"] == "Quiet.\n\n| d8 | Trait |"
    assert facts.get("languages") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One of your choice.", "One of your choice"),
        ("Stealth, and either Nature or Survival.", "Stealth, and either Nature or Survival"),
        ("Common clothes, 2 oars. 5 gp.", "Common clothes, 2 oars. 5 gp."),
        ("An oar", "An oar"),
    ],
)
def test_a_phrase_has_no_full_stop_in_any_book(entities, text, expected):
    told = V2 | {"benefits": [benefit("language", "Languages", text)]}
    (entity,) = entities({"open5e_v2/backgrounds": [told]})
    assert entity.facts["languages"] == expected
    assert entity.facts["benefits"] == [{"name": "Languages", "description": text}]
    older = {"name": "Oarsman", "slug": "oarsman", "equipment": text, "skill_proficiencies": text}
    (entity,) = entities({"open5e_v1/backgrounds": [V1 | older]})
    assert (entity.facts["equipment"], entity.facts["skill_proficiencies"]) == (expected, expected)


def test_a_missing_description_is_composed_of_facts(entities):
    (entity,) = entities({"open5e_v2/backgrounds": [V2]})
    expected = "Skills: Athletics, Nature. Boats carry you for nothing."
    assert entity.facts["description"] == expected
    assert "description" in entity.from_text


def test_v1_fills_gaps(entities):
    (entity,) = entities({"open5e_v2/backgrounds": [V2], "open5e_v1/backgrounds": [V1]})
    assert entity.facts["description"] == "You know the river."
    assert entity.facts["tool_proficiencies"] == "Water vehicles"
    assert entity.facts["skill_proficiencies"] == "Athletics, Nature"
    assert entity.facts["feature"]["description"] == "Boats carry you for nothing."


def test_v1_joins_the_book_that_has_it(entities):
    objects = {
        "open5e_v2/backgrounds": [V2 | {"document": {"key": "a5e-ddg"}}],
        "open5e_v1/backgrounds": [V1 | {"document__slug": "a5e"}],
    }
    (entity,) = entities(objects)
    assert entity.document_key == "a5e-ddg"


def test_a_background_of_dnd5e_2014_is_read(entities):
    data = {
        "index": "ferryman",
        "name": "Ferryman",
        "starting_proficiencies": [{"name": "Skill: Nature"}, {"name": "Tool: Oars"}],
        "language_options": {"choose": 2},
        "starting_equipment": [{"equipment": {"name": "Oar"}}],
        "starting_gold": {"quantity": 15, "unit": "gp"},
        "feature": {"name": "Free Crossing", "desc": ["Boats carry you."]},
    }
    (entity,) = entities({"dnd5e_api/2014/backgrounds": [data]})
    facts = entity.facts
    assert (facts["skill_proficiencies"], facts["tool_proficiencies"]) == ("Nature", "Oars")
    assert (facts["languages"], facts["equipment"]) == ("Two of your choice", "Oar, 15 gp")
    assert facts["feature"] == {"name": "Free Crossing", "description": "Boats carry you."}
    assert facts["benefits"][-1] == facts["feature"]


def test_a_background_of_dnd5e_2024_is_read(entities):
    data = {
        "index": "ferryman",
        "name": "Ferryman",
        "ability_scores": [{"name": "STR"}, {"name": "WIS"}],
        "feat": {"name": "Alert", "note": "River"},
        "proficiencies": [{"name": "Skill: Nature"}],
        "proficiency_choices": [{"desc": "Choose one boat"}],
        "equipment_options": [{"desc": "Choose A or B"}],
    }
    (entity,) = entities({"dnd5e_api/2024/backgrounds": [data]})
    assert entity.document_key == "srd-2024"
    assert entity.facts["tool_proficiencies"] == "Choose one boat"
    assert {"name": "Feat", "description": "Alert (River)"} in entity.facts["benefits"]
