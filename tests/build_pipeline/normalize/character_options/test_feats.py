"""Feats from small objects of the three APIs' shapes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from merging import merged

from build_pipeline.normalize.character_options import feats
from build_pipeline.normalize.merging.draft import Problems

V2 = {
    "key": "srd-2024_net-caster",
    "name": "Net Caster",
    "desc": "You gain the following benefits.",
    "document": {"key": "srd-2024"},
    "type": "Fighting Style",
    "prerequisite": "",
    "benefits": [{"desc": "Your nets reach farther."}, {"desc": "You mend nets."}],
}
DND5E_2024 = {
    "index": "net-caster",
    "name": "Net Caster",
    "type": "fighting-style",
    "prerequisites": {"minimum_level": 4, "feature_named": "Fighting Style"},
    "prerequisite_options": {"desc": "Strength 13+"},
    "description": "You gain the following benefits.\n**Long Reach.** Your nets reach farther.",
    "repeatable": "Twice at most.",
}


@pytest.fixture(scope="module")
def entities(raw_of):
    def build(objects):
        return merged(feats.drafts(raw_of(objects), Problems()), feats)

    return build


def test_two_sources_give_one_feat_with_named_benefits(entities):
    (entity,) = entities({"open5e_v2/feats": [V2], "dnd5e_api/2024/feats": [DND5E_2024]})
    facts = entity.facts
    assert facts["feat_type"] == "fighting style"
    assert facts["prerequisite"] == "Level 4+, Fighting Style Feature, Strength 13+"
    assert facts["benefits"] == [
        {"name": "Long Reach", "description": "Your nets reach farther."},
        {"name": None, "description": "You mend nets."},
    ]
    assert facts["description"] == "**Long Reach.** Your nets reach farther.\n\nYou mend nets."


def test_a_requirement_at_the_beginning_is_the_prerequisite(entities):
    needy = V2 | {"desc": "*Item Requirement: Net or Rope*\n\nYou knot an item.", "prerequisite": None}
    (entity,) = entities({"open5e_v2/feats": [needy]})
    assert (entity.facts["prerequisite"], entity.facts["description"]) == ("Net or Rope", "You knot an item.")


def test_dnd5e_2024_alone_makes_a_feat(entities):
    (entity,) = entities({"dnd5e_api/2024/feats": [DND5E_2024]})
    assert entity.facts["benefits"][1] == {"name": "Repeatable", "description": "Twice at most."}
    plain = DND5E_2024 | {"description": "Nets are your thing.", "repeatable": None, "prerequisites": None}
    (entity,) = entities({"dnd5e_api/2024/feats": [plain]})
    assert entity.facts["benefits"] == [{"name": None, "description": "Nets are your thing."}]
    assert entity.facts["description"] == "Nets are your thing."


def test_v1_and_dnd5e_2014_make_one_feat(entities):
    v1 = {
        "slug": "grip",
        "name": "Grip",
        "document__slug": "wotc-srd",
        "desc": "You hold on.",
        "prerequisite": "Prerequisite: *Strength 13*",
        "effects_desc": ["You never let go.", ""],
    }
    dnd5e = {
        "index": "grip",
        "name": "Grip",
        "prerequisites": [{"ability_score": {"index": "str"}, "minimum_score": 13}],
        "desc": ["You hold on:", "- You never let go."],
    }
    (first,) = entities({"open5e_v1/feats": [v1]})
    assert first.facts["prerequisite"] == "Strength 13"
    assert first.facts["benefits"] == [{"name": None, "description": "You never let go."}]
    (second,) = entities({"dnd5e_api/2014/feats": [dnd5e]})
    assert second.facts["prerequisite"] == "Strength 13 or higher"
    assert second.facts["description"] == "You hold on:"
    assert second.facts["benefits"] == first.facts["benefits"]
    assert len(entities({"open5e_v1/feats": [v1], "dnd5e_api/2014/feats": [dnd5e]})) == 1


@pytest.mark.parametrize("nothing", [None, "", "*N/A*", "Prerequisite: N/A", " ", "You bond with a thing. " * 9])
def test_a_feat_without_requirement_has_no_prerequisite(nothing):
    assert feats.prerequisite(nothing) is None


@given(st.from_regex(r"[A-Z][a-z]{2,10} \d{1,2} or higher", fullmatch=True))
def test_prerequisites_lose_their_markup(text):
    assert feats.prerequisite(f"Prerequisite: *{text}*") == text
