"""Classes and subclasses from small objects of the three APIs' shapes."""

import pytest
from merging import merged

from build_pipeline.normalize.character_options import character_options, classes
from build_pipeline.normalize.merging.draft import Problems

SRD = {"key": "srd-2014", "name": "SRD"}


def feature(key, name, text, *levels, kind="CLASS_LEVEL_FEATURE", cells=()):
    return {
        "key": key,
        "name": name,
        "desc": text,
        "feature_type": kind,
        "gained_at": [{"level": level, "detail": None} for level in levels],
        "data_for_class_table": [{"level": level, "column_value": value} for level, value in cells],
    }


def v2_class(**changes):
    return {
        "key": "srd_warden",
        "name": "Warden",
        "desc": "",
        "document": SRD,
        "hit_dice": "D10",
        "hit_points": {
            "hit_points_at_1st_level": "10 + your Constitution modifier",
            "hit_points_at_higher_levels": "1D10 (or 6) + your Constitution modifier",
        },
        "caster_type": None,
        "subclass_of": None,
        "saving_throws": [{"name": "Wisdom"}, {"name": "Strength"}],
        "features": [
            feature("srd_warden_vow", "Vow", "At 3rd level you swear a vow.\r\n\r\nKeep it.", 3),
            feature("srd_warden_watch", "Watch", "You never sleep on watch.", 1),
            feature("srd_warden_casting", "Spellcasting", "Wisdom is your spellcasting ability for warden spells.", 2),
            feature("srd_warden_improve", "Improvement", "You get better.", 8, 4),
            feature("srd_warden_list", "Warden Spell List", "A long list of spells."),
            feature("srd_warden_empty", "Nothing", ""),
            feature("srd_warden_slots-1st", "1st", "[Column data]", kind="SPELL_SLOTS", cells=[(2, "2")]),
            feature("srd_warden_slots-5th", "5th", "[Column data]", kind="SPELL_SLOTS", cells=[(17, "1")]),
            feature(
                "srd_warden_bonus", "Proficiency Bonus", "[Column data]", kind="PROFICIENCY_BONUS", cells=[(1, "+2")]
            ),
            feature("srd_warden_gear", "Equipment", "* A horn", kind="STARTING_EQUIPMENT"),
            feature(
                "srd_warden_prof",
                "Proficiencies",
                "**Armor:** Shields\n**Weapons:** Clubs\n**Tools:** None\n"
                "**Saving Throws:** Wisdom, Strength\n**Skills:** Choose one",
                kind="PROFICIENCIES",
            ),
        ],
    } | changes


def v2_subclass(key="srd_vow-of-stone", name="Vow of Stone", **changes):
    features = [
        feature(f"{key}_skin", "Stone Skin", "Your skin hardens.", 3),
        feature(f"{key}_words", "Words of the Vow", "Hold fast."),
    ]
    return v2_class(
        key=key,
        name=name,
        hit_dice=None,
        hit_points=None,
        saving_throws=[],
        features=features,
        subclass_of={"name": "Warden", "key": "srd_warden"},
        caster_type="NONE",
        **changes,
    )


def v1_class(**changes):
    return {
        "slug": "warden",
        "name": "Warden",
        "document__slug": "wotc-srd",
        "desc": "### Watch \n\nAlways awake.\n\n### Improvement\n\nAt 4th level.",
        "hit_dice": "1d10",
        "hp_at_1st_level": "10",
        "hp_at_higher_levels": "1d10",
        "prof_armor": "None",
        "prof_weapons": "Clubs",
        "prof_tools": "Horns",
        "prof_saving_throws": "Wisdom, Strength",
        "prof_skills": "Choose one",
        "equipment": "* A horn",
        "table": "| Level | Proficiency Bonus | Features | Watches |\n|--|--|--|--|\n| 7th | +3 | Vow feature | 3 |",
        "spellcasting_ability": "Wisdom",
        "archetypes": [
            {
                "name": "Vow of Stone",
                "slug": "vow-of-stone",
                "document__slug": "wotc-srd",
                "desc": "Quiet people.\n\n#### Stone Skin\n\nYour skin hardens at 3rd level.",
            }
        ],
    } | changes


DND5E = {
    "dnd5e_api/2014/classes": [
        {
            "index": "warden",
            "name": "Warden",
            "hit_die": 10,
            "proficiencies": [{"index": "horn", "name": "Horn"}, {"index": "clubs", "name": "Clubs"}],
            "proficiency_choices": [{"desc": "Choose one"}],
            "saving_throws": [{"index": "wis"}, {"index": "str"}],
            "starting_equipment": [{"equipment": {"name": "Dart"}, "quantity": 3}],
            "starting_equipment_options": [{"desc": "(a) a club or (b) a stick"}],
            "spellcasting": {"spellcasting_ability": {"index": "wis"}},
        }
    ],
    "dnd5e_api/2014/proficiencies": [{"index": "horn", "type": "Other"}, {"index": "clubs", "type": "Weapons"}],
    "dnd5e_api/2014/subclasses": [
        {"index": "stone", "name": "Stone", "class": {"index": "warden", "name": "Warden"}, "desc": ["Quiet.", "Slow."]}
    ],
    "dnd5e_api/2014/features": [
        {
            "index": f"improve-{level}",
            "name": "Improvement",
            "level": level,
            "desc": ["Better."],
            "class": {"index": "warden"},
        }
        for level in (4, 8, 12)
    ]
    + [
        {"index": "vow-feature", "name": "Vow feature", "level": 7, "desc": ["More."], "class": {"index": "warden"}},
        {
            "index": "skin",
            "name": "Stone Skin",
            "level": 3,
            "desc": ["Hard."],
            "class": {"index": "warden"},
            "subclass": {"index": "stone"},
        },
    ],
    "dnd5e_api/2014/classes-levels": [
        {
            "index": "warden-1",
            "level": 1,
            "prof_bonus": 2,
            "features": [{"name": "Watch"}],
            "class": {"index": "warden"},
        }
    ],
}


@pytest.fixture(scope="module")
def entities(raw_of):
    def build(objects):
        found = merged(character_options.drafts(raw_of(objects), Problems()), character_options)
        return {(e.entity_type, e.name): e for e in found}

    return build


def test_a_v2_class_has_its_facts_and_only_real_features(entities):
    facts = entities({"open5e_v2/classes": [v2_class()]})["class", "Warden"].facts
    assert [(f["level"], f["levels"], f["name"]) for f in facts["features"]] == [
        (1, [1], "Watch"),
        (2, [2], "Spellcasting"),
        (3, [3], "Vow"),
        (4, [4, 8], "Improvement"),
    ]
    assert facts["features"][2]["description"] == "At 3rd level you swear a vow.\n\nKeep it."
    assert facts["hit_dice"] == "d10"
    assert facts["hit_points_per_level"].startswith("1d10")
    assert facts["starting_equipment"] == "* A horn"
    assert facts["proficiencies"] == {
        "armor": "Shields",
        "weapons": "Clubs",
        "tools": "none",
        "skills": "Choose one",
        "saving_throws": ["strength", "wisdom"],
    }
    assert (facts["spellcasting_ability"], facts["caster_type"]) == ("wisdom", "half")
    assert facts["subclasses"] == []
    assert facts["progression"][1]["columns"] == [{"name": "Spell Slots 1st", "value": "2"}]


def test_a_class_without_description_is_introduced_by_its_facts(entities):
    entity = entities({"open5e_v2/classes": [v2_class()]})["class", "Warden"]
    assert entity.facts["description"].startswith("A class with a d10 hit die that casts spells through Wisdom.")
    assert "Saving throws: Strength, Wisdom; armor: shields;" in entity.facts["description"]
    assert "description" in entity.from_text
    unsaved = v2_class(saving_throws=[])
    for feature in unsaved["features"]:
        feature["desc"] = feature["desc"].replace("**Saving Throws:** Wisdom, Strength\n", "")
    text = entities({"open5e_v2/classes": [unsaved]})["class", "Warden"].facts["description"]
    assert ". Armor: shields; weapons: clubs. " in text
    told = entities({"open5e_v2/classes": [v2_class(desc="Watchers.")]})["class", "Warden"]
    assert told.facts["description"] == "Watchers."


def test_the_core_traits_table_of_2024_is_read(entities):
    table = (
        "|||\n|---|---|\n|Primary Ability|Wisdom|\n|Saving Throw Proficiencies|Strength and Wisdom|\n"
        "|Skill Proficiencies|Choose 2: Nature|\n|Weapon Proficiencies|Simple weapons|\n|Armor Training|None|\n"
        "|Starting Equipment|(A) Horn|"
    )
    traits = feature("x_core-traits", "Core Warden Traits", table, kind="CORE_TRAITS_TABLE")
    facts = entities({"open5e_v2/classes": [v2_class(features=[traits])]})["class", "Warden"].facts
    assert facts["starting_equipment"] == "(A) Horn"
    assert facts["proficiencies"] == {
        "armor": "none",
        "weapons": "Simple weapons",
        "tools": None,
        "skills": "Choose 2: Nature",
        "saving_throws": ["strength", "wisdom"],
    }


def test_the_introduction_of_a_list_of_options_is_in_its_feature(entities):
    knots = "\n\n".join(["Choose a knot.", *(f"### {name}\n\nIt holds." for name in ("Reef", "Slip", "Bow"))])
    listed = [
        feature("srd_warden_knots", "Knots", "You learn a knot.", 2),
        feature("srd_warden_knots-list", "Knots", knots, kind="CLASS_FEATURE_OPTION_LIST"),
    ]
    found = entities({"open5e_v2/classes": [v2_class(features=listed)]})
    told = [(each["name"], each["level"], each["description"]) for each in found["class", "Warden"].facts["features"]]
    assert told == [("Knots", 2, "You learn a knot.\n\nChoose a knot.")]
    assert ("feat", "Reef") in found


def test_saving_throws_of_the_text_win_over_the_field(entities):
    data = v2_class(saving_throws=[{"name": "Charisma"}, {"name": "Wisdom"}])
    facts = entities({"open5e_v2/classes": [data]})["class", "Warden"].facts
    assert facts["proficiencies"]["saving_throws"] == ["strength", "wisdom"]


def test_a_subclass_has_the_facts_of_its_class(entities):
    found = entities({"open5e_v2/classes": [v2_subclass(), v2_class()]})
    subclass = found["subclass", "Vow of Stone"]
    assert subclass.facts["subclass_of"].raw == "open5e_v2/classes/srd_warden"
    assert {subclass.facts[c] for c in ("hit_dice", "spellcasting_ability", "caster_type")} == {"d10", "wisdom", "half"}
    assert [f["level"] for f in subclass.facts["features"]] == [3, 3]
    assert subclass.facts["description"] == "A subclass of the Warden. Features: Stone Skin, Words of the Vow."


def test_a_comparison_with_another_book_does_not_begin_the_description(entities):
    data = v2_subclass(desc="*Compare to the grey book's Vow of Slate*\r\n\r\nQuiet people.\r\n\r\nSlow people.")
    facts = entities({"open5e_v2/classes": [data]})["subclass", "Vow of Stone"].facts
    assert facts["description"] == "Quiet people.\n\nSlow people.\n\n*Compare to the grey book's Vow of Slate*"


def test_a_subclass_with_its_own_spellcasting_is_a_third_caster(entities):
    text = (
        "Your spellcasting ability for these is Intelligence.\n\n"
        "| Warden Level | 1st | 4th |\n|--|--|--|\n| 3rd | 2 | - |\n| 19th | 4 | 1 |"
    )
    caster = v2_subclass() | {"features": [feature("x_casting", "Spellcasting", text, 3)]}
    plain = v2_class(features=[feature("x_watch", "Watch", "Awake.", 1)], caster_type="NONE")
    facts = entities({"open5e_v2/classes": [caster, plain]})["subclass", "Vow of Stone"].facts
    assert (facts["caster_type"], facts["spellcasting_ability"]) == ("third", "intelligence")
    assert [row["level"] for row in facts["progression"]] == [3, 19]


def test_v1_fills_gaps_and_its_archetypes_join_the_v2_subclass(entities):
    untrained = v2_class()
    for row in untrained["features"]:
        row["desc"] = row["desc"].replace("**Tools:** None\n", "")
    found = entities({"open5e_v2/classes": [untrained, v2_subclass()], "open5e_v1/classes": [v1_class()]})
    assert len(found) == 2
    warden = found["class", "Warden"]
    assert warden.facts["proficiencies"]["tools"] == "Horns"
    assert warden.facts["progression"][6]["features"] == ["Vow feature"]
    stone = found["subclass", "Vow of Stone"]
    assert stone.facts["description"] == "Quiet people."
    class_it_casts_like = "open5e_v2/classes/srd_warden"
    assert stone.raw == ["open5e_v2/classes/srd_vow-of-stone", class_it_casts_like, "open5e_v1/classes/warden"]


def test_features_of_a_level_have_the_order_of_v1(entities):
    rows = [feature(f"x_{name}", name, "It hums.", level) for name, level in (("Ash", 3), ("Bog", 3), ("Cave", 1))]
    text = "Quiet people.\n\n#### Cave\n\nIt hums.\n\n#### Bog\n\nIt hums.\n\n#### Ash\n\nIt hums."
    archetype = {"name": "Vow of Stone", "slug": "vow-of-stone", "document__slug": "wotc-srd", "desc": text}
    found = entities(
        {
            "open5e_v2/classes": [v2_class(), v2_subclass() | {"features": rows}],
            "open5e_v1/classes": [v1_class(archetypes=[archetype])],
        }
    )
    assert [f["name"] for f in found["subclass", "Vow of Stone"].facts["features"]] == ["Cave", "Bog", "Ash"]


def test_other_features_have_the_order_of_v1(entities):
    rows = [feature("x_ash", "Ash", "It hums.", 1), feature("x_bog", "Bog", "It hums.")]
    text = "Quiet people.\n\n**Bog (table)**\n\n| A |\n|---|\n\n##### Ash\n\nIt hums.\n\n#### Cave\n\nIt hums."
    archetype = {"name": "Vow of Stone", "slug": "vow-of-stone", "document__slug": "wotc-srd", "desc": text}
    found = entities(
        {
            "open5e_v2/classes": [v2_class(), v2_subclass() | {"features": rows}],
            "open5e_v1/classes": [v1_class(archetypes=[archetype])],
        }
    )
    features = found["subclass", "Vow of Stone"].facts["features"]
    assert [(f["name"], f["level"]) for f in features] == [("Bog", 1), ("Ash", 1)]


def test_v1_alone_makes_a_class(entities):
    found = entities({"open5e_v1/classes": [v1_class()]})
    facts = found["class", "Warden"].facts
    assert [(f["name"], f["level"]) for f in facts["features"]] == [("Improvement", 4), ("Watch", None)]
    assert (facts["hit_dice"], facts["spellcasting_ability"], facts["caster_type"]) == ("d10", "wisdom", "none")
    assert facts["proficiencies"]["armor"] == "none"
    assert [f["level"] for f in found["subclass", "Vow of Stone"].facts["features"]] == [3]


def test_dnd5e_joins_by_the_longer_name_and_brings_levels_and_features(entities):
    found = entities({"open5e_v2/classes": [v2_class(), v2_subclass()], **DND5E})
    assert set(found) == {("class", "Warden"), ("subclass", "Vow of Stone")}
    warden, stone = found["class", "Warden"], found["subclass", "Vow of Stone"]
    assert warden.facts["features"][3]["levels"] == [4, 8, 12]
    assert "Improvement" in warden.facts["progression"][11]["features"]
    assert "stone" in stone.keys
    assert stone.facts["description"] == "Quiet.\n\nSlow."
    told = {*warden.raw, *stone.raw}
    assert {f"dnd5e_api/2014/features/{f['index']}" for f in DND5E["dnd5e_api/2014/features"]} <= told
    assert "dnd5e_api/2014/classes-levels/warden-1" in told


def test_dnd5e_alone_makes_a_class(entities):
    facts = entities(DND5E)["class", "Warden"].facts
    assert [(f["name"], f["levels"]) for f in facts["features"]] == [("Improvement", [4, 8, 12])]
    assert facts["proficiencies"] == {
        "armor": None,
        "weapons": "Clubs",
        "tools": "Horn",
        "saving_throws": ["strength", "wisdom"],
        "skills": "Choose one",
    }
    assert facts["starting_equipment"] == "* (a) a club or (b) a stick\n* 3 Dart"
    assert entities(DND5E)["subclass", "Stone"].facts["subclass_of"].raw == "dnd5e_api/2014/classes/warden"


def test_a_misspelt_feature_is_renamed_if_key_and_other_api_agree(entities):
    misspelt = feature("srd_warden_improvement", "Improvment", "You get better.", 4)
    found = entities({"open5e_v2/classes": [v2_class(features=[misspelt])], **DND5E})
    assert [f["name"] for f in found["class", "Warden"].facts["features"]] == ["Improvement"]


def test_stray_spaces_are_removed_if_the_other_source_has_none():
    assert classes.better_spaced("Choose Na ture or In sight", "Insight, Nature") == "Choose Nature or Insight"
    assert classes.better_spaced("Choose Na ture", None) == "Choose Na ture"
    assert classes.better_spaced("a light armor", "light, armor, lightarmor") == "a light armor"


def test_a_feature_without_a_text_names_no_spellcasting_ability():
    assert classes.spellcasting_ability([{"name": "Spellcasting", "description": None}]) is None


def test_lists_of_the_api_complete_its_features(entities):
    of_warden = {"class": {"index": "warden", "name": "Warden"}, "level": 3, "desc": ["It hums."]}
    option = {"item": {"index": "invocation-hum", "name": "Eldritch Invocation: Hum"}}
    features = [
        *DND5E["dnd5e_api/2014/features"],
        {"index": "calm", "name": "Calm", **of_warden},
        {"index": "invocation-hum", "name": "Eldritch Invocation: Hum", **of_warden},
        {
            "index": "invocations",
            "name": "Eldritch Invocations",
            **of_warden,
            "feature_specific": {"subfeature_options": {"from": {"options": [option]}}},
        },
    ]
    levels = [
        {"index": "stone-3", "level": 3, "features": [{"index": "calm"}], **of_warden, "subclass": {"index": "stone"}}
    ]
    found = entities(DND5E | {"dnd5e_api/2014/features": features, "dnd5e_api/2014/subclasses-levels": levels})
    assert "Calm" in [feature["name"] for feature in found["subclass", "Stone"].facts["features"]]
    assert "dnd5e_api/2014/features/calm" not in found["class", "Warden"].raw
    assert found["feat", "Hum"].keys == ["invocation-hum"]
