"""Known facts of real rules, from the recordings of the APIs."""

from __future__ import annotations

import pytest
from merging import linked, recorded

from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.normalize.rules import rules
from server.dataset.schema import RULES

pytestmark = pytest.mark.recordings


@pytest.fixture(scope="module")
def real(recordings):
    """(raw layer, entities by id, problems) of everything recorded of the family."""
    raw = recorded(recordings, "rules", "2014/classes", "2024/classes")
    problems = Problems()
    found = linked(rules.prepare(list(rules.drafts(raw, problems))), rules)
    return raw, {entity.id: entity for entity in found}, problems.entries


def test_nothing_is_lost(real):
    raw, found, problems = real
    told = {r for entity in found.values() for r in entity.raw} | {entry["raw"] for entry in problems}
    assert {obj.id for obj in raw if not obj.endpoint.endswith("/classes")} == told


def test_every_rule_has_a_text_and_only_columns_of_the_schema(real):
    for entity in real[1].values():
        assert entity.facts["description"], entity.id
        assert set(entity.facts) <= {column.name for column in RULES.columns_of(entity.entity_type)}
        assert entity.facts["rule_type"] == entity.entity_type


def test_there_are_fifteen_conditions(real):
    conditions = [e for e in real[1].values() if (e.entity_type, e.document_key) == ("condition", "srd-2014")]
    assert len(conditions) == 15
    assert all(len(e.sources) == 3 for e in conditions)


def test_the_chapter_on_combat_is_complete(real):
    of_srd = [e for e in real[1].values() if e.document_key == "srd-2014"]
    names = {e.name for e in of_srd if e.facts.get("section") == "Combat"}
    assert {"Initiative", "Opportunity Attacks", "Death Saving Throws", "Being Prone", "Cover", "Combat"} <= names


def test_misnamed_rules_are_corrected(real):
    right = {
        "srd_environment_darkvision": "Darkvision",
        "srd_abilities_contests": "Contests",
        "srd_actions-in-combat_use-an-object": "Use an Object",
        "srd_magic-items_spells": "Spells",
        "srd_spellcasting_reactions": "Reactions",
        "srd_monsters_reactions": "Reactions",
        "srd_multiclassing_proficiency-bonus": "Proficiency Bonus",
        "srd_coins_exchange-rates": "Standard Exchange Rates",
        "srd_attacking_ranged-attacks": "Ranged Attacks",
        "srd_mounts-and-vehicles_mounts": "Mounts and Other Animals",
    }
    names = {e.drafts[0].keys[0]: e.name for e in real[1].values() if e.entity_type == "rule"}
    assert {key: names[key] for key in right} == right


def test_no_rule_is_its_own_parent(real):
    for entity in real[1].values():
        assert (entity.facts.get("parent") or {}).get("id") != entity.id
