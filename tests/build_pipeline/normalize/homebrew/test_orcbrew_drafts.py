"""Homebrew items as drafts: the starter's book, and other forms of items."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from brew import STARTER
from homebrew_facts import facts_of, raw_layer

from build_pipeline.normalize.homebrew.orcbrew import drafts, orcbrew_documents
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference
from build_pipeline.snapshot.orcbrew.edn import MAX_DEPTH


@pytest.fixture(scope="module")
def starter() -> dict[str, Draft]:
    layer = raw_layer(STARTER)
    found = list(drafts(layer, Problems()))
    assert {raw for draft in found for raw in draft.raw} == {obj.id for obj in layer}
    return {draft.name: draft for draft in found}


def test_spells_are_read(starter: dict[str, Draft]) -> None:
    beacon = starter["Kindle Beacon"]
    assert (beacon.entity_type, beacon.document_key, beacon.keys) == ("spell", "the-lantern-coast", ("kindle-beacon",))
    expected = {
        "level": 1,
        "school": "divination",
        "casting_time": "1 minute",
        "duration": "1 hour",
        "concentration": True,
        "ritual": True,
        "classes": ["cleric", "druid", "wizard"],
    }
    assert expected.items() <= beacon.facts.items()
    fireball = starter["Fireball"].facts
    assert fireball["range"] == "120 feet"
    assert fireball["higher_level"].startswith("With a slot of 4th level")
    assert "Higher" not in fireball["description"]
    assert fireball["classes"] == ["sorcerer", "wizard"]


def test_monsters_are_read(starter: dict[str, Draft]) -> None:
    wyrm = starter["Lantern Wyrm"].facts
    assert (wyrm["hit_points"], wyrm["hit_dice"]) == (136, "13d12+52")
    assert {"walk": 30, "fly": 60, "swim": 50}.items() <= wyrm["speed"].items()
    assert wyrm["senses"]["passive_perception"] == 16
    assert (wyrm["damage_resistances"], wyrm["damage_vulnerabilities"]) == (["cold"], [])
    assert [(a["name"], a["usage"]) for a in wyrm["actions"]] == [
        ("Multiattack", None),
        ("Lamplit Jaws", None),
        ("Glare", "Recharge 5-6"),
    ]
    assert [a["name"] for a in wyrm["legendary_actions"]] == ["Dim"]
    wrecker = starter["Fog Wrecker"].facts
    assert [a["name"] for a in wrecker["reactions"]] == ["Slip into Fog"]
    assert wrecker["languages"] == "Common, Lamp Talk"
    assert wrecker["challenge_rating"] == 0.5


def test_items_refer_to_the_core_rules_and_to_each_other(starter: dict[str, Draft]) -> None:
    elf = Reference(("race",), "Elf", document_key="srd-2014")
    assert starter["Reef Elf"].facts["subrace_of"] == elf
    keeper = starter["Path of the Storm Keeper"]
    assert keeper.facts["subclass_of"].document_key == "srd-2014"
    # The selection that it offers is one of its features.
    assert keeper.raw[1] == "orcbrew/selections/the-lantern-coast/keeper-knots"
    knot = next(f for f in keeper.facts["features"] if f["name"] == "Keeper's Knot")
    assert (knot["level"], "Knot of the Squall" in knot["description"]) == (3, True)
    assert [f["level"] for f in keeper.facts["features"]] == [3, 3, 3, 6, 10]


def test_other_items_of_the_book_are_read(starter: dict[str, Draft]) -> None:
    sailor = starter["Storm Sailor"].facts
    assert sailor["prerequisite"] == "Dexterity 13 or higher"
    assert len(sailor["benefits"]) == 5
    gaze = starter["Drowned Gaze"].facts
    assert (gaze["feat_type"], gaze["prerequisite"]) == ("invocation", "5th level")
    keeper = starter["Lighthouse Keeper"].facts
    assert keeper["equipment"] == "Common clothes, hooded lantern, 2 oil. 5 gp."
    assert keeper["feature"]["name"] == "Debt of the Sea"
    creatures = [Reference(("creature",), name) for name in ("Fog Wrecker", "Lantern Wyrm")]
    assert starter["Lights on the Reef"].facts["related"] == creatures
    assert starter["Lamp Talk"].entity_type == "language"


def test_books_become_documents() -> None:
    document = orcbrew_documents(raw_layer(STARTER), {})["the-lantern-coast"]
    assert (document.name, document.license, document.game_system) == ("The Lantern Coast", None, "5e-2014")


def test_numbers_and_flags_become_sentences(tmp_path: Path) -> None:
    race = facts_of(
        tmp_path,
        "races",
        ":darkvision 60 :abilities {:orcpub.dnd.e5.character/con 2 :str 1} :props {:max-hp-bonus 1 :lizardfolk-ac true}"
        " :profs {:skill-options {:options {:nature true :history true}}} :spells [{:level 3 :value {:key :light}}]",
    )
    assert race["ability_score_increases"] == [
        {"ability": "strength", "bonus": 1},
        {"ability": "constitution", "bonus": 2},
    ]
    assert {t["name"]: t["description"] for t in race["traits"]} == {
        "Darkvision": "You can see in the dark within 60 feet.",
        "Hit Points": "Your hit point maximum increases by 1 for each of your levels.",
        "Natural Armor": "Without armor your armor class is 13 + your Dexterity modifier.",
        "Skill Proficiencies": "Choose one of nature and history.",
        "Innate Spells": "From level 3 you can cast *Light*.",
    }


def test_classes_are_read(tmp_path: Path) -> None:
    warden = facts_of(
        tmp_path,
        "classes",
        ':hit-die 10 :ability-increase-levels [4 8] :subclass-level 3 :subclass-title "Oath"'
        " :profs {:save {:orcpub.dnd.e5.character/con true} :armor {:light false :heavy true}}"
        " :multiclass-prereqs {:orcpub.dnd.e5.character/wis 13}"
        ' :traits [{:name "Bar the Way." :type :b-action :description "You stop one foe."}]'
        " :level-modifiers [{:type :num-attacks :level 5 :value 2} {:type :weapon-prof :value :net}]"
        " :spellcasting {:level-factor 2 :ability :orcpub.dnd.e5.character/wis :spells-known {2 2, 3 1}"
        " :spell-list {1 #{:bless}}}",
    )
    assert (warden["hit_dice"], warden["caster_type"], warden["spellcasting_ability"]) == ("d10", "half", "wisdom")
    assert warden["proficiencies"]["armor"] == "light armor, heavy armor (only as your first class)"
    features = {f["name"]: f for f in warden["features"]}
    assert features["Extra Attack"]["description"] == "You attack twice when you take the Attack action."
    assert features["Ability Score Improvement"]["levels"] == [4, 8]
    assert "Bless" in features["Spellcasting"]["description"]
    assert warden["multiclassing"] == {"prerequisite": "Wisdom 13", "proficiencies": None}
    assert [(row["level"], [spell.name for spell in row["spells"]]) for row in warden["spell_list"]] == [(1, ["Bless"])]
    assert features["Bar the Way"]["description"] == "You stop one foe. It takes a bonus action."
    assert [row["columns"] for row in warden["progression"][:3]] == [
        [],
        [{"name": "Spells Known", "value": "2"}, {"name": "Spell Slots 1st", "value": "2"}],
        [{"name": "Spells Known", "value": "3"}, {"name": "Spell Slots 1st", "value": "3"}],
    ]


@pytest.mark.parametrize(
    ("parent", "level"),
    [("cleric", 1), ("druid", 2), ("fighter", 3), ("warden", 4), ("stoker", 1), ("nobody", None)],
)
def test_a_subclass_feature_without_a_level_comes_with_the_subclass(tmp_path: Path, parent: str, level: int | None):
    path = tmp_path / "x.orcbrew"
    path.write_text(
        '{:orcpub.dnd.e5/classes {:warden {:key :warden :name "Warden" :subclass-level 4}'
        ' :stoker {:key :stoker :name "Stoker"}} :orcpub.dnd.e5/subclasses {:a {:key :a :name "A"'
        f' :class :{parent} :traits [{{:name "Oar" :description "You row."}} {{:name "Din" :level 6}}'
        ' {:name "Hush" :description "Starting at 14th level, you are not heard."}'
        ' {:name "Restriction: Gull" :description "Gulls only."}]}}}'
    )
    (found,) = (draft for draft in drafts(raw_layer(path), Problems()) if draft.entity_type == "subclass")
    assert {f["name"]: f["level"] for f in found.facts["features"]} == {
        "Oar": level,
        "Din": 6,
        "Hush": 14,
        "Restriction: Gull": None,
    }


@pytest.mark.parametrize(
    ("kind", "casting", "level"),
    [
        ("classes", ":level-factor 1", 1),
        ("classes", ":level-factor 2", 2),
        ("classes", ":level-factor 2 :cantrips-known {1 2}", 1),
        ("classes", ":ability :int", 1),
        ("subclasses", ":level-factor 3", 3),
        ("subclasses", ":level-factor 1", 2),
    ],
)
def test_spellcasting_begins_with_the_first_spells_or_slots(tmp_path: Path, kind: str, casting: str, level: int):
    facts = facts_of(tmp_path, kind, f":class :druid :spellcasting {{{casting}}}")
    assert [(f["name"], f["level"]) for f in facts["features"]] == [("Spellcasting", level)]


def test_a_class_may_cast_the_spells_of_another(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, "classes", ":spellcasting {:level-factor 1 :spell-list-kw :wizard}")
    assert "those of the Wizard spell list." in facts["features"][0]["description"]


def test_spells_of_a_subclass_are_gained_as_its_class_gains_them(tmp_path: Path) -> None:
    for field, name, described, gained in (
        ("cleric", "Domain Spells", "1st level: Bless; 9th level: Geas.", [1, 9]),
        ("paladin", "Oath Spells", "3rd level: Bless; 17th level: Geas.", [3, 17]),
        ("warlock", "Expanded Spell List", "1st-level spells: Bless; 5th-level spells: Geas.", [None, None]),
    ):
        spells = f":class :{field} :{field}-spells {{1 {{0 :bless}} 5 {{0 :geas}}}}"
        facts = facts_of(tmp_path, "subclasses", spells)
        (feature,) = facts["features"]
        assert (feature["name"], feature["description"]) == (name, described)
        rows = facts["subclass_spells"]
        assert [(row["name"], row["level"], row["class_level"]) for row in rows] == [
            ("Bless", 1, gained[0]),
            ("Geas", 5, gained[1]),
        ]


def test_a_trait_and_its_announced_options_are_one_feature(tmp_path: Path) -> None:
    path = tmp_path / "x.orcbrew"
    path.write_text(
        '{:orcpub.dnd.e5/selections {:knacks {:key :knacks :name "Knacks" :description "Mind the rope."'
        ' :options [{:name "Knot" :description "Tie."}]}} :orcpub.dnd.e5/classes {:a {:key :a :name "A"'
        " :level-selections [{:type :knacks :level 2} {:type :knacks :level 9}]"
        ' :traits [{:name "Knacks" :level 2 :description "You learn knacks."}]'
        " :level-modifiers [{:type :weapon-prof :value :dart} {:type :spell :level 3 :value {:key :light}}"
        " {:type :spell :level 3 :value {:level 1 :key :bless}}] :profs {:weapon {:simple true}}}}}"
    )
    (found,) = drafts(raw_layer(path), Problems())
    assert [(f["name"], f["levels"], f["description"]) for f in found.facts["features"]] == [
        (
            "Knacks",
            [2, 9],
            "You learn knacks.\n\nChoose one at level 2 and one at level 9.\n\nMind the rope.\n\n**Knot.** Tie.",
        ),
        ("Innate Spells", [3], "You can cast *Light* and *Bless* (1st level)."),
    ]
    assert found.facts["proficiencies"]["weapons"] == "simple weapons, dart"


@pytest.mark.parametrize(
    ("kind", "fields", "expected"),
    [
        (
            "weapons",
            (
                ":type :martial :damage-die 8 :damage-type :slashing :finesse? true :versatile {:damage-die 10}"
                ' :cost {:num 5 :type :sp} :weight "3 lb." :properties #{:thrown} :range {:min 20 :max 60}'
            ),
            {
                "item_category": "weapon",
                "weapon_category": "martial",
                "damage_dice": "1d8",
                "damage_type": "slashing",
                "versatile_dice": "1d10",
                "is_finesse": True,
                "range": 20,
                "long_range": 60,
                "cost_gp": 0.5,
                "weight_lb": 3.0,
                "description": None,
            },
        ),
        (
            "weapons",
            ':damage "2d6 fire" :hum "low"',
            {"damage_dice": "2d6", "damage_type": "fire", "is_simple": None, "description": "**Hum.** low"},
        ),
        (
            "armor",
            ":type :medium :base-ac 14 :stealth-disadvantage? true :min-str 0",
            {"armor_category": "medium", "armor_class_text": "14 + Dex (max 2)", "stealth_disadvantage": True},
        ),
        ("armor", ':type "Shield" :ac 2', {"item_category": "shield", "armor_class_text": "+2"}),
        ("armor", ':type 5 :base-ac "?"', {"armor_category": None, "armor_class": None}),
        (
            "magic-items",
            ':type :wondrous-item :rarity :very-rare :attunement [:wizard :druid] :cost "much" :description "Hums."',
            {
                "item_category": "wondrous-item",
                "rarity": "very rare",
                "requires_attunement": True,
                "attunement_detail": "by a wizard or druid",
                "cost_gp": None,
                "description": "Hums.",
            },
        ),
        (
            "magic-items",
            ':type "Weapon (longsword)" :rarity "Legendary"',
            {
                "item_category": "weapon",
                "is_weapon": True,
                "is_magic": True,
                "description": "**Type.** Weapon (longsword)",
            },
        ),
        ("magic-items", ":attunement [:any]", {"requires_attunement": True, "attunement_detail": None}),
        ("items", ":weight 1/2", {"item_category": "adventuring-gear", "weight_lb": 0.5, "requires_attunement": None}),
    ],
)
def test_equipment_of_forks_of_the_app_is_read(
    tmp_path: Path, kind: str, fields: str, expected: dict[str, Any]
) -> None:
    assert expected.items() <= facts_of(tmp_path, kind, fields).items()


def test_unknown_fields_are_in_the_description(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, "feats", ':description "You are quick." :page 12 :source "Tide Tales" :page-image nil')
    assert facts["description"] == "You are quick.\n\n**Page.** 12\n\n**Source.** Tide Tales"


@pytest.mark.parametrize(
    ("kind", "offering"),
    [
        ("invocations", [Reference(("class",), "Warlock")]),
        ("draconic-ancestries", [Reference(("race",), "Dragonborn")]),
        ("fighting-styles", None),
    ],
)
def test_options_belong_to_what_offers_them_in_the_app(tmp_path: Path, kind: str, offering: list[Reference] | None):
    assert facts_of(tmp_path, kind, "")["option_of"] == offering


def test_a_missing_parent_is_a_problem_and_keeps_its_name(tmp_path: Path) -> None:
    path = tmp_path / "x.orcbrew"
    path.write_text('{:orcpub.dnd.e5/subclasses {:a {:key :a :name "A" :class :rune-tinker}}}')
    problems = Problems()
    (draft,) = drafts(raw_layer(path), problems)
    assert draft.facts["subclass_of"] == Reference(("class",), "Rune Tinker")
    assert [entry["raw"] for entry in problems.entries] == ["orcbrew/subclasses/x/a"]


def test_unknown_kinds_and_disabled_entities_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.orcbrew"
    path.write_text('{:orcpub.dnd.e5/gizmos {:a {:key :a :name "A" :disabled? true :lore "Whirrs."}}}')
    (draft,) = drafts(raw_layer(path), Problems())
    assert (draft.entity_type, draft.facts["section"]) == ("rule", "Gizmos")
    assert "Whirrs." in draft.facts["description"]
    assert "Switched off" in draft.facts["description"]


def test_values_at_the_maximum_depth_are_read(tmp_path: Path) -> None:
    inside = MAX_DEPTH - 3  # the book, the kind and the entity
    for number, deep in enumerate(
        ("[" * inside + "]" * inside, "#t " * inside + "1", "{:a " * inside + "1" + "}" * inside)
    ):
        path = tmp_path / f"{number}.orcbrew"
        path.write_text(f'{{:orcpub.dnd.e5/gizmos {{:a {{:key :a :name "A" :x {deep}}}}}}}')
        (draft,) = drafts(raw_layer(path), Problems())
        assert draft.name == "A"


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("You are quick. Cover counts for little.", ["You are quick. Cover counts for little."]),
        ("You are quick:\\n- run farther\\n- jump higher", ["run farther", "jump higher"]),
    ],
)
def test_a_feat_has_a_benefit_per_bullet_or_one(tmp_path: Path, text: str, listed: list[str]) -> None:
    facts = facts_of(tmp_path, "feats", f':description "{text}"')
    assert [benefit["description"] for benefit in facts["benefits"]] == listed
