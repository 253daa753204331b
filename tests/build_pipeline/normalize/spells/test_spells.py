"""Spells of every source, merged: from the starter content, varied by what the real APIs do."""

from __future__ import annotations

import pytest
from starter_rows import starter_row

from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.normalize.spells import spells
from server.dataset.schema import SPELLS

READER, TABLE = spells, SPELLS
V2, V1, DND5E = "open5e_v2/spells", "open5e_v1/spells", "dnd5e_api/2014/spells"


def test_all_sources_are_merged_into_one_spell(merged):
    entity = merged({source: [starter_row(source, "Burning Hands")] for source in (V2, V1, DND5E)})[
        "srd-2014/Burning Hands"
    ]
    facts = entity.facts
    assert entity.sources == ["open5e_v2", "open5e_v1", "dnd5e_api"]
    assert facts["range"] == "Self (15-foot cone)"
    assert entity.filled["range"] == "open5e_v1"
    assert (facts["level"], facts["school"], facts["casting_time"]) == (1, "evocation", "1 action")
    assert (facts["damage_dice"], facts["damage_types"], facts["saving_throw"]) == ("3d6", ["fire"], "dexterity")
    assert facts["area_of_effect"] == {"shape": "cone", "size": 15, "unit": "feet"}
    assert facts["target_count"] is None


def test_the_printed_class_list_wins_over_lists_with_domain_spells(merged):
    both = {V2: [starter_row(V2, "Burning Hands")], V1: [starter_row(V1, "Burning Hands")]}
    without = merged(both)["srd-2014/Burning Hands"]
    assert "cleric" in without.facts["classes"]
    printed = merged(both | {DND5E: [starter_row(DND5E, "Burning Hands")]})["srd-2014/Burning Hands"]
    assert printed.facts["classes"] == ["sorcerer", "wizard"]


def test_classes_come_from_lists_but_feats_are_not_classes(merged):
    row = starter_row(V1, "Detect Magic") | {"dnd_class": "Ritual Caster, Sorceror, Herald", "document__slug": "toh"}
    listed = {"slug": "bard", "name": "bard", "spells": ["detect-magic"]}
    entity = merged({V1: [row], "open5e_v1/spelllist": [listed]})["toh/Detect Magic"]
    assert entity.facts["classes"] == ["bard", "herald", "sorcerer"]
    assert "open5e_v1/spelllist/bard" in entity.raw


def test_a_class_list_without_spells_is_read(raw_of):
    problems = Problems()
    raw = raw_of({"dnd5e_api/2014/classes-spells": [{"index": "monk", "count": 0, "results": []}]})
    assert list(spells.drafts(raw, problems)) == []
    assert problems.entries == [{"raw": "dnd5e_api/2014/classes-spells/monk", "reason": "the class has no spells"}]


def test_a5e_spells_of_v1_are_merged_with_their_v2_book(merged):
    v2 = starter_row(V2, "Bless") | {"document": {"key": "a5e-ag"}, "key": "a5e-ag_bless", "classes": []}
    v1 = starter_row(V1, "Bless") | {"document__slug": "a5e", "slug": "bless-a5e"}
    entities = merged({V2: [v2], V1: [v1]})
    assert list(entities) == ["a5e-ag/Bless"]
    assert entities["a5e-ag/Bless"].facts["classes"] == ["cleric", "paladin"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("60 ft", "60 feet"),
        ("30 Feet", "30 feet"),
        ("self", "Self"),
        ("1 Miles", "1 mile"),
        ("50 Miles", "50 miles"),
        ("Self (1-mile radius)", "Self (1-mile radius)"),
        (" anys", "Special"),
    ],
)
def test_ranges_have_one_spelling(facts_of, text, expected):
    assert facts_of("Fireball", range_text=text)["range"] == expected


@pytest.mark.parametrize(
    ("text", "concentration", "expected"),
    [
        ("instantaneous", False, "Instantaneous"),
        ("up to 1 minute", True, "1 minute"),
        ("Concentration, up to 1 hour", True, "1 hour"),
        ("up to 8 hours", False, "Up to 8 hours"),
    ],
)
def test_durations_have_one_spelling(facts_of, text, concentration, expected):
    assert facts_of("Fireball", duration=text, concentration=concentration)["duration"] == expected


@pytest.mark.parametrize(("written", "expected"), [("bonus-action", "1 bonus action"), ("10minutes", "10 minutes")])
def test_casting_times_have_one_spelling(facts_of, written, expected):
    assert facts_of("Fireball", casting_time=written)["casting_time"] == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("which you take when a foe falls.", "when a foe falls"),
        ("that you take while falling", "while falling"),
        ("a foe falls", "when a foe falls"),
        (None, None),
    ],
)
def test_the_trigger_of_a_reaction_is_read(facts_of, written, expected):
    assert facts_of("Shield", reaction_condition=written)["reaction_condition"] == expected


def test_price_and_consumption_of_materials_are_read(facts_of):
    components = facts_of("Revivify", material_cost=None, material_consumed=False)["components"]
    assert components["material_cost_gp"] == 300.0
    assert components["material_consumed"] is True
    assert facts_of("Fireball", material_cost="0.00")["components"]["material_cost_gp"] is None


def test_a_spell_without_material_has_none_described(facts_of):
    components = facts_of("Bless", material=False, material_specified="you must have struck a newt")["components"]
    assert (components["material"], components["material_description"]) == (False, None)


def test_damage_is_read_from_the_text(facts_of):
    assert facts_of("Ice Storm")["damage_types"] == ["bludgeoning", "cold"]
    assert facts_of("Fire Shield")["damage_types"] == ["cold", "fire"]
    warded = "You have resistance to fire damage."
    assert facts_of("Bless", desc=warded, damage_types=["fire"])["damage_types"] == []
    assert facts_of("Bless", damage_roll="1d4")["damage_dice"] is None
    assert facts_of("Fireball", damage_roll="")["damage_dice"] == "8d6"
    assert facts_of("Fireball", damage_roll="d")["damage_dice"] == "8d6"
    two = "It takes 1d6 cold damage, and 4d6 cold damage when it thaws."
    assert facts_of("Fireball", desc=two, damage_roll="4d6")["damage_dice"] == "1d6"


def test_totals_of_higher_slots_do_not_change_the_first_roll(facts_of):
    text = "Each creature takes 4d6 cold damage and 3d6 piercing damage."
    rows = [{"type": "slot_level_4", "damage_roll": "8d6"}]
    empty = dict.fromkeys(("damage_roll", "target_count", "duration", "concentration", "range", "shape_size", "desc"))
    options = [empty | row for row in rows]
    told = {"desc": text, "higher_level": "", "casting_options": options}
    assert facts_of("Fireball", damage_roll="7d6", **told)["casting_options"] is None
    (option,) = facts_of("Fireball", damage_roll="4d6", **told)["casting_options"]
    assert option["damage"] == "8d6"


@pytest.mark.parametrize(
    ("name", "told", "expected"),
    [("Bless", 1, 3), ("Bless", 100, 3), ("Fireball", 1, None), ("Charm Person", 1, 1), ("Charm Person", 0, None)],
)
def test_numbers_of_targets_are_read(facts_of, name, told, expected):
    assert facts_of(name, target_count=told)["target_count"] == expected


@pytest.mark.parametrize(
    ("higher", "reach", "expected"),
    [
        ("When you cast this spell using a 5th-level slot, you summon two newts instead.", "60 feet", 1),
        ("With a 5th-level slot, it is colder.", "60 feet", None),
        (
            "With a slot of 5th level, you can target an additional creature for each slot level above 4th.",
            "Self",
            None,
        ),
    ],
)
def test_a_single_created_thing_counts_if_higher_slots_create_more(facts_of, higher, reach, expected):
    told = {"desc": "You summon a newt.", "level": 4, "range_text": reach, "casting_options": [], "target_count": 1}
    assert facts_of("Fireball", higher_level=higher, **told)["target_count"] == expected


def test_targets_by_the_casters_modifier_have_no_number(facts_of):
    counted = "You choose a number of creatures up to your spellcasting modifier."
    found = facts_of("Bless", desc=counted, target_count=1)
    assert (found["target_count"], found["casting_options"]) == (None, None)


def test_attack_rolls_are_read_from_the_text(facts_of):
    assert facts_of("Fire Bolt", attack_roll=False)["attack_roll"] is True
    assert facts_of("Fireball", attack_roll=True)["attack_roll"] is False


def test_a_homebrew_flag_means_an_attack_roll_whatever_the_text_says():
    assert spells.derive("spell", {"description": "It stings.", "attack_roll": True})["attack_roll"] is True


def test_the_length_of_a_line_is_read_from_the_text(facts_of):
    area = facts_of("Lightning Bolt", shape_type="line", shape_size=5)["area_of_effect"]
    assert area == {"shape": "line", "size": 100, "unit": "feet"}


def test_a_spell_without_text_gets_none(facts_of):
    facts = facts_of("Invisibility", desc="")
    assert facts["description"] is None
    assert facts["damage_types"] is None


def test_a_lost_dash_is_restored(facts_of):
    assert (
        facts_of("Fireball", desc="Winds of 20\ufffd50 miles an hour.")["description"]
        == "Winds of 20–50 miles an hour."
    )


def test_an_attack_roll_that_the_text_lacks_is_dropped(merged):
    row = starter_row(V2, "Burning Hands") | {"attack_roll": True}
    assert merged({V2: [row]})["srd-2014/Burning Hands"].facts["attack_roll"] is False


def test_letters_of_a_page_are_put_in_order(merged):
    row = starter_row(V1, "Detect Magic") | {"page": "pbh 228"}
    assert merged({V1: [row]})["srd-2014/Detect Magic"].facts["page"] == "phb 228"


@pytest.mark.parametrize(
    "rest",
    [
        "***Ritual Focus.*** It hums.",
        "## Frog\n\n- **Armor Class** 14",
        "> _A note._",
        "NOTE: it hums.",
        "* * *\n\n## Frog",
        "## Frogs\n\n| d4 | Frog |\n|---|---|\n| 1 | Green |",
    ],
)
def test_text_for_all_levels_is_in_the_description(rest, facts_of):
    facts = facts_of("Bless", desc="It glows.", higher_level=f"It glows more.\n\n{rest}")
    assert facts["higher_level"] == "It glows more."
    assert facts["description"] == f"It glows.\n\n{rest}"


def test_a_stat_block_after_higher_levels_in_one_text_is_in_the_description(facts_of):
    facts = facts_of("Bless", desc="It glows.\n\n**At Higher Levels.** It glows more.\n\n## Frog", higher_level="")
    assert (facts["description"], facts["higher_level"]) == ("It glows.\n\n## Frog", "It glows more.")


def test_joined_levels_and_prices_are_separated(facts_of):
    facts = facts_of("Bless", higher_level="With a 9thlevel slot it glows.", material_specified="a pin worth 10gp")
    assert facts["higher_level"] == "With a 9th-level slot it glows."
    assert facts["components"]["material_description"] == "a pin worth 10 gp"


def test_a_heading_reduced_to_a_letter_is_restored(facts_of):
    facts = facts_of("Bless", desc="It glows. I When you cast this spell with more, it hums.", higher_level="")
    assert (facts["description"], facts["higher_level"]) == (
        "It glows.",
        "When you cast this spell with more, it hums.",
    )


def test_effects_of_a_summoned_creature_are_not_the_spells(facts_of):
    block = "## Frog\n\nSmall beast\n\n* * *\n\n- **Armor Class** 14\n\n**Tongue.** It is poisoned."
    assert not facts_of("Bless", desc=f"A frog appears.\n\n{block}").get("inflicts")
    assert not facts_of("Bless", desc="A frog appears.\n\n## Toad Template\n\nIt is poisoned.").get("inflicts")


def test_the_main_damage_is_that_of_a_failed_save(facts_of):
    text = (
        "It must make a Wisdom save. On a success, it takes 2d6 cold damage and the spell is over. "
        "On a failed save, it takes 4d6 cold damage."
    )
    facts = facts_of("Bless", desc=text, damage_roll="2d6", damage_types=["cold"], saving_throw_ability="wisdom")
    assert (facts["damage_dice"], facts["save_effect"]) == ("4d6", "half")
