"""Races and subraces from small objects of the three APIs' shapes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from merging import merged

from build_pipeline.normalize.character_options import ancestries, races
from build_pipeline.normalize.merging.draft import Problems
from server.dataset.schema import ABILITIES

SRD = {"key": "srd-2014"}


def traits(**texts):
    return [{"name": n.replace("_", " "), "desc": t, "type": None, "order": None} for n, t in texts.items()]


def v2_race(**changes):
    return {
        "key": "srd_reedling",
        "name": "Reedling",
        "desc": "Folk of the marsh.",
        "document": SRD,
        "is_subspecies": False,
        "subspecies_of": None,
        "traits": traits(
            Ability_Score_Increase="**_Ability Score Increase._** Your Wisdom score increases by 2.",
            Speed="Your base walking speed is 25 feet.",
            Age="They grow old.",
            Alignment="Mostly kind.",
            Size="They are as tall as reeds. Your size is Small.",
            Languages="You speak Reed.",
            Wader="You have a swimming speed of 35 feet.",
        ),
    } | changes


def v2_subrace(**changes):
    more = {"key": "srd_tall-reedling", "name": "Tall Reedling", "is_subspecies": True, "subspecies_of": "srd_reedling"}
    return v2_race(**more, traits=traits(Reach="You have long arms."), **changes)


V1 = {
    "slug": "reedling",
    "name": "Reedling",
    "document__slug": "wotc-srd",
    "desc": "## Reedling Traits\nFolk of the marsh, says v1.",
    "asi_desc": "**_Ability Score Increase._** Your Wisdom score goes up.",
    "asi": [{"attributes": ["Wisdom"], "value": 2}, {"attributes": ["Other"], "value": 1}],
    "age": "**_Age._** They grow old.",
    "alignment": "**_Alignment._** Mostly kind.",
    "size": "**_Size._** They are as tall as reeds.",
    "size_raw": "Small",
    "speed": {"walk": 25},
    "speed_desc": "**_Speed._** Slow.",
    "languages": "**_Languages._** You speak Reed.",
    "vision": "",
    "traits": "**_Wader._** You wade.",
    "subraces": [
        {
            "slug": "tall-reedling",
            "name": "Tall Reedling",
            "document__slug": "wotc-srd",
            "desc": "The tall ones.",
            "asi_desc": "",
            "asi": [],
            "traits": "**_Reach._** You have long arms.",
        }
    ],
}

DND5E_2014 = {
    "dnd5e_api/2014/races": [
        {
            "index": "reedling",
            "name": "Reedling",
            "speed": 25,
            "size": "Small",
            "age": "They grow old.",
            "alignment": "Mostly kind.",
            "language_desc": "You speak Reed.",
            "ability_bonuses": [{"ability_score": {"index": "wis"}, "bonus": 2}],
            "ability_bonus_options": {"choose": 1, "from": {"options": [{"bonus": 1}, {"bonus": 1}]}},
        }
    ],
    "dnd5e_api/2014/subraces": [
        {
            "index": "tall",
            "name": "Tall",
            "desc": "The tall ones.",
            "race": {"index": "reedling", "name": "Reedling"},
            "ability_bonuses": [],
        }
    ],
    "dnd5e_api/2014/traits": [
        {"index": "wader", "name": "Wader", "desc": ["You wade."], "races": [{"index": "reedling"}]},
        {"index": "reach", "name": "Reach", "desc": ["Long arms."], "races": [], "subraces": [{"index": "tall"}]},
        {
            "index": "wader-deep",
            "name": "Wader (Deep)",
            "desc": ["You wade deep."],
            "races": [{"index": "reedling"}],
            "parent": {"index": "wader"},
        },
    ],
}

DND5E_2024 = {
    "dnd5e_api/2024/species": [
        {
            "index": "reedling",
            "name": "Reedling",
            "speed": 30,
            "size_options": {"from": {"options": [{"size": "Small"}, {"size": "Medium"}]}},
        }
    ],
    "dnd5e_api/2024/subspecies": [
        {
            "index": "reed-lineage-swift",
            "name": "Reed Lineage: Swift",
            "species": {"index": "reedling", "name": "Reedling"},
            "traits": [{"index": "mist", "level": 3}],
        }
    ],
    "dnd5e_api/2024/traits": [
        {"index": "mist", "name": "Mist", "description": "You make mist.", "species": [{"index": "reedling"}]},
        {
            "index": "swift",
            "name": "Swift",
            "description": "Faster.",
            "speed": 35,
            "species": [{"index": "reedling"}],
            "subspecies": [{"index": "reed-lineage-swift"}],
        },
    ],
}


@pytest.fixture(scope="module")
def entities(raw_of):
    def build(objects):
        found = merged(races.drafts(raw_of(objects), Problems()), races)
        return {(e.document_key, e.entity_type, e.name): e for e in found}

    return build


def test_a_v2_race_reads_its_facts_from_its_traits(entities):
    entity = entities({"open5e_v2/species": [v2_race()]})["srd-2014", "race", "Reedling"]
    facts = entity.facts
    assert facts["ability_score_increases"] == [{"ability": "wisdom", "bonus": 2}]
    assert (facts["size"], facts["speed"]) == ("small", {"walk": 25, "swim": 35})
    assert (facts["age"], facts["alignment"], facts["languages"]) == (
        "They grow old.",
        "Mostly kind.",
        "You speak Reed.",
    )
    assert [t["name"] for t in facts["traits"]] == ["Ability Score Increase", "Speed", "Size", "Wader"]
    assert facts["traits"][0]["description"] == "Your Wisdom score increases by 2."
    assert {"size", "speed", "ability_score_increases"} <= entity.from_text


def test_subraces_refer_to_their_race_and_have_its_size_and_speed(entities):
    objects = {"open5e_v2/species": [v2_race(), v2_subrace()], "open5e_v1/races": [V1]}
    found = entities(objects)
    assert len(found) == 2
    tall = found["srd-2014", "subrace", "Tall Reedling"]
    assert tall.facts["subrace_of"].raw == "open5e_v2/species/srd_reedling"
    assert (tall.facts["size"], tall.facts["speed"]) == ("small", {"walk": 25, "swim": 35})
    race = "open5e_v2/species/srd_reedling"  # whose size it has
    assert tall.raw == ["open5e_v2/species/srd_tall-reedling", race, "open5e_v1/races/reedling"]


def test_v1_alone_makes_a_race(entities):
    found = entities({"open5e_v1/races": [V1]})
    facts = found["srd-2014", "race", "Reedling"].facts
    assert facts["description"] == "Folk of the marsh, says v1."
    assert facts["ability_score_increases"] == [{"ability": "wisdom", "bonus": 2}, {"ability": "any", "bonus": 1}]
    assert (facts["age"], facts["size"], facts["speed"]) == ("They grow old.", "small", {"walk": 25})
    assert [t["name"] for t in facts["traits"]] == ["Ability Score Increase", "Size", "Speed", "Wader"]
    assert found["srd-2014", "subrace", "Tall Reedling"].facts["size"] == "small"


def test_facts_left_to_the_subrace_are_unknown(entities):
    vague = V1 | {
        "size": "**_Size._** Your size is determined by your subrace.",
        "speed_desc": "**_Speed._** Your speed is determined by your subrace.",
    }
    facts = entities({"open5e_v1/races": [vague]})["srd-2014", "race", "Reedling"].facts
    assert facts.get("size") is None
    assert facts.get("speed") is None


def test_dnd5e_joins_by_the_longer_name_and_brings_all_its_traits(entities):
    found = entities({"open5e_v2/species": [v2_race(), v2_subrace()], **DND5E_2014})
    assert len(found) == 2
    told = {raw for e in found.values() for raw in e.raw}
    whole = [t for t in DND5E_2014["dnd5e_api/2014/traits"] if not t.get("parent")]
    assert {f"dnd5e_api/2014/traits/{t['index']}" for t in whole} <= told
    assert found["srd-2014", "subrace", "Tall Reedling"].facts["speed"] == {"walk": 25, "swim": 35}


def test_dnd5e_2014_alone_makes_a_race(entities):
    facts = entities(DND5E_2014)["srd-2014", "race", "Reedling"].facts
    assert facts["ability_score_increases"] == [{"ability": "wisdom", "bonus": 2}, {"ability": "any", "bonus": 1}]
    assert [t["name"] for t in facts["traits"]] == ["Wader"]


def test_species_and_lineages_of_2024_are_read(entities):
    found = entities(DND5E_2024)
    race = found["srd-2024", "race", "Reedling"].facts
    assert (race["size"], race["ability_score_increases"]) == ("small or medium", [])
    assert [t["name"] for t in race["traits"]] == ["Mist"]
    lineage = found["srd-2024", "subrace", "Reed Lineage: Swift"].facts
    assert lineage["speed"] == {"walk": 35}
    assert lineage["traits"][0]["description"] == "You make mist. You gain this at character level 3."
    assert (
        lineage["description"]
        == "A kind of Reedling of small or medium size with a speed of 35 feet. Traits: Mist, Swift."
    )


def test_a_table_is_in_the_trait_that_it_belongs_to(entities):
    parts = traits(Ancestry_table="| a |\n|---|\n| b |", Ancestry="Choose.")
    facts = entities({"open5e_v2/species": [v2_race(traits=parts)]})["srd-2014", "race", "Reedling"].facts
    assert facts["traits"] == [{"name": "Ancestry", "description": "Choose.\n\n| a |\n|---|\n| b |"}]


ABILITY = st.sampled_from(ABILITIES)


@given(st.lists(st.tuples(ABILITY, st.integers(1, 3)), min_size=1, max_size=3))
def test_increases_are_read_from_a_text(pairs):
    text = "Your " + ", and your ".join(f"{ability.title()} score increases by {bonus}" for ability, bonus in pairs)
    expected = [{"ability": ability, "bonus": bonus} for ability, bonus in pairs]
    assert races.ability_score_increases(text + ".") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two ability scores of your choice increase by 1.", [("any", 1), ("any", 1)]),
        ("One ability score of your choice, other than Wisdom, increases by 2.", [("any but wisdom", 2)]),
        ("Your Strength or Dexterity score increases by 1.", [("strength or dexterity", 1)]),
        ("Raise either your Wisdom or Dexterity score by 1.", [("wisdom or dexterity", 1)]),
    ],
)
def test_increases_may_be_chosen(text, expected):
    assert races.ability_score_increases(text) == [{"ability": a, "bonus": bonus} for a, bonus in expected]


def test_increases_may_be_of_all_abilities_or_none():
    every = races.ability_score_increases("Your ability scores each increase by 1.")
    assert every == [{"ability": ability, "bonus": 1} for ability in ABILITIES]
    assert races.ability_score_increases("You are strong.") is None
    assert races.ability_score_increases(None) is None


def test_a_speed_while_transformed_is_not_the_races():
    part = {"name": "Ghost", "description": "You fade. While in this form, you have a flying speed of 35 feet."}
    assert races.speed_in([part]) == {}


def test_sizes_may_be_chosen():
    part = {"name": "Size", "description": "Medium (about 5 feet tall) or Small (about 3 feet tall), chosen now"}
    assert races.size_in([part]) == "small or medium"
    assert races.size_in([]) is None


def test_partial_facts_of_other_sources_are_completed_from_traits():
    facts = {
        "speed": {"walk": 30, "swim": None},
        "traits": [
            {"name": None, "description": "You have a swimming speed of 35 feet."},
            {"name": "Size", "description": "Your size is Large."},
            {"name": "Hum", "description": "You hum once per long rest."},
        ],
    }
    found = races.derive("race", facts)
    assert [trait.get("uses") for trait in found["traits"]] == [None, None, "1 per long rest"]
    assert found["speed"] == {"walk": 30, "swim": 35}
    assert found["description"] == "A species of large size with a speed of 30 feet. Traits: Hum."


def test_the_options_of_a_trait_are_feats_that_the_race_offers(raw_of):
    trait = {
        "index": "marsh-ancestry-frog",
        "name": "Marsh Ancestry (Frog)",
        "races": [{"index": "reedling", "name": "Reedling"}],
        "parent": {"index": "marsh-ancestry", "name": "Marsh Ancestry"},
        "trait_specific": {"damage_type": {"name": "Acid"}},
    }
    plain = {key: value for key, value in trait.items() if key != "parent"} | {"index": "marsh-ancestry"}
    [frog] = ancestries.drafts(raw_of({"dnd5e_api/2014/traits": [trait, plain]}), Problems())
    assert (frog.entity_type, frog.name) == ("feat", "Marsh Ancestry: Frog")
    assert frog.raw == ("dnd5e_api/2014/traits/marsh-ancestry-frog",)
    assert (frog.facts["description"], frog.from_text) == ("Damage Type: Acid.", {"description"})
    assert (frog.facts["feat_type"], frog.facts["option_of"][0].name) == ("marsh ancestry", "Reedling")
