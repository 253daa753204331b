"""The dataset's schema: every published table and column, declared once.

Parquet schemas, validation, the dataset card, the data package and the tools' output schemas all derive from
`PUBLISHED_TABLES`. A column names its type, its meaning, the entity types it belongs to and whether responses carry it.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from server.dataset.columns import Column, Table

SCHEMA_VERSION: Final = 1
"""Raised when a column or struct member changes meaning or type or disappears, or when what may be null changes.

A server reads exactly one schema version, but older and newer datasets of it: whatever may be null can be added without
raising it (`compatibility.py`). `tests/server/dataset/schema.txt` pins what stands here.
"""

SOURCES: Final = ("srd", "open5e_v2", "open5e_v1", "dnd5e_api", "orcbrew")
"""Where content comes from, the best source first: the order in which sources win a contested fact."""

RULE_TYPES: Final = (
    "rule",
    "condition",
    "damage-type",
    "weapon-property",
    "skill",
    "ability-score",
    "magic-school",
    "language",
    "proficiency",
    "alignment",
)
EQUIPMENT_TYPES: Final = ("weapon", "armor", "magic-item", "adventuring-gear")
CHARACTER_OPTION_TYPES: Final = ("class", "subclass", "race", "subrace", "background", "feat")

# Nested types that several columns share.
NAMED_TEXT: Final = pl.Struct({"name": pl.String, "description": pl.String})
REFERENCE: Final = pl.Struct({"id": pl.String, "name": pl.String, "document_key": pl.String})
CHILD: Final = pl.Struct({"id": pl.String, "name": pl.String, "document_key": pl.String, "description": pl.String})
TABLE: Final = pl.Struct({"title": pl.String, "columns": pl.List(pl.String), "rows": pl.List(pl.List(pl.String))})
SPEED: Final = pl.Struct(
    {"walk": pl.Int32, "fly": pl.Int32, "swim": pl.Int32, "climb": pl.Int32, "burrow": pl.Int32, "hover": pl.Boolean}
)
ABILITIES: Final = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
ABILITY_VALUES: Final = pl.Struct(dict.fromkeys(ABILITIES, pl.Int32))
SKILLS: Final = (
    "acrobatics",
    "animal_handling",
    "arcana",
    "athletics",
    "culture",
    "deception",
    "engineering",
    "history",
    "insight",
    "intimidation",
    "investigation",
    "medicine",
    "nature",
    "perception",
    "performance",
    "persuasion",
    "religion",
    "sleight_of_hand",
    "stealth",
    "survival",
)
ATTACK: Final = pl.Struct(
    {
        "name": pl.String,
        "kind": pl.String,
        "to_hit": pl.Int32,
        "reach": pl.Int32,
        "range": pl.Int32,
        "long_range": pl.Int32,
        "damage": pl.List(pl.Struct({"dice": pl.String, "type": pl.String})),
    }
)
SPELL_CAST: Final = pl.Struct({"name": pl.String, "id": pl.String, "usage": pl.String, "level": pl.Int32})
ACTION: Final = pl.Struct({"name": pl.String, "description": pl.String, "attacks": pl.List(ATTACK), "usage": pl.String})


SPELL_CAST: Final = pl.Struct({"name": pl.String, "id": pl.String, "usage": pl.String, "level": pl.Int32})
CASTING_OPTION: Final = pl.Struct(
    {
        "slot_level": pl.Int32,
        "character_level": pl.Int32,
        "damage": pl.String,
        "healing": pl.String,
        "targets": pl.Int32,
        "duration": pl.String,
        "concentration": pl.Boolean,
        "range": pl.String,
        "area_size": pl.Int32,
        "description": pl.String,
    }
)


PROVENANCE: Final = pl.Struct(
    {
        "raw": pl.List(pl.String),
        "filled": pl.List(pl.Struct({"column": pl.String, "source": pl.String})),
        "from_text": pl.List(pl.String),
        "corrected": pl.List(pl.String),
    }
)

COMMON: Final = (
    Column("id", pl.String, "Stable unique id: `<entity_type>/<document_key>/<slug>`.", summary=True, required=True),
    Column("entity_type", pl.String, "What kind of thing this is.", summary=True, required=True),
    Column("name", pl.String, "Name as printed.", summary=True, required=True),
    Column("slug", pl.String, "Slugified name, unique per document and type.", summary=True, required=True),
    Column("description", pl.String, "The text, in Markdown.", summary=True),
    Column("document_key", pl.String, "Key of the document it stands in.", summary=True, required=True),
    Column("document_name", pl.String, "Name of that document.", summary=True, required=True),
    Column("document_source", pl.String, "The source whose facts won.", summary=True, required=True),
    Column("sources", pl.List(pl.String), "Every source that contributed.", required=True),
    Column("game_system", pl.String, "Rules edition: 5e-2014, 5e-2024, a5e.", summary=True),
    Column("license", pl.String, "Licence(s) of the document."),
    Column("name_normalized", pl.String, "Name folded for matching.", response=False, required=True),
    Column("keys", pl.List(pl.String), "The sources' own slugs and keys, for look-ups.", response=False, required=True),
    Column(
        "provenance",
        PROVENANCE,
        "`raw`: ids of the raw objects read; `filled`: facts taken from another source than the winner; "
        "`from_text`: facts read out of the text; `corrected`: facts decided by hand, with evidence in the builder.",
        response=False,
        required=True,
    ),
)

SPELLS: Final = Table(
    "spells",
    "Spells.",
    ("spell",),
    (
        *COMMON,
        Column("level", pl.Int32, "Spell level; 0 is a cantrip.", "v2 level", summary=True),
        Column("school", pl.String, "School of magic, lower case.", "v2 school", summary=True),
        Column("casting_time", pl.String, "Canonical: `1 action`, `1 bonus action`, `1 minute`.", "v2", summary=True),
        Column(
            "reaction_condition",
            pl.String,
            "What a reaction, or a bonus action with a trigger, responds to.",
            "srd; v2 reaction_condition; v1 casting_time",
        ),
        Column("range", pl.String, "Range as text: `60 feet`, `Self (30-foot radius)`.", "v2 range_text", summary=True),
        Column("duration", pl.String, "Duration as text.", "v2 duration; v1 duration", summary=True),
        Column("concentration", pl.Boolean, "Needs concentration.", "v2 concentration", summary=True),
        Column("ritual", pl.Boolean, "Can be cast as a ritual.", "v2 ritual", summary=True),
        Column(
            "components",
            pl.Struct(
                {
                    "verbal": pl.Boolean,
                    "somatic": pl.Boolean,
                    "material": pl.Boolean,
                    "material_description": pl.String,
                    "material_cost_gp": pl.Float64,
                    "material_consumed": pl.Boolean,
                }
            ),
            "Components; the material's cost in gp.",
            "v2 verbal, somatic, material*; v1 material",
        ),
        Column("higher_level", pl.String, "Effect when cast with a higher slot.", "v2 higher_level"),
        Column(
            "classes", pl.List(pl.String), "Classes that have it on their list, lower case.", "v2; v1", summary=True
        ),
        Column("damage_dice", pl.String, "First damage roll: `8d6`.", "v2 damage_roll; text", summary=True),
        Column("damage_types", pl.List(pl.String), "Every damage type that the text deals.", "v2; text", summary=True),
        Column(
            "saving_throw", pl.String, "Ability of the saving throw.", "v2 saving_throw_ability; text", summary=True
        ),
        Column(
            "save_effect",
            pl.String,
            "What a successful save leaves: `half` the damage, `none` of it, or `other`, as the text describes.",
            "text; dnd5e dc",
        ),
        Column("attack_roll", pl.Boolean, "Needs a spell attack roll.", "v2 attack_roll; text"),
        Column(
            "area_of_effect",
            pl.Struct({"shape": pl.String, "size": pl.Int32, "unit": pl.String}),
            "Area: shape, size and unit (feet, miles).",
            "v2 shape_*; text",
        ),
        Column("target_count", pl.Int32, "Number of targets.", "v2 target_count; text"),
        Column("inflicts", pl.List(pl.String), "Conditions that it puts creatures in, lower case.", "text"),
        Column(
            "heals",
            pl.String,
            "Hit points restored: dice with what is added, a number, or in words (`half the damage dealt`).",
            "text",
        ),
        Column(
            "casting_options",
            pl.List(CASTING_OPTION),
            "What differs with a higher slot or at a higher character level; what is null is as usual. `area_size` in "
            "feet.",
            "text; v2 casting_options; dnd5e damage_at_slot_level, heal_at_slot_level",
        ),
        Column("page", pl.String, "Page as the source prints it, with its book: `phb 241`.", "v1 page"),
    ),
)

CREATURES: Final = Table(
    "creatures",
    "Monsters, animals and non-player characters.",
    ("creature",),
    (
        *COMMON,
        Column("size", pl.String, "Size, lower case.", "v2 size", summary=True),
        Column("type", pl.String, "Creature type, lower case.", "v2 type", summary=True),
        Column("subtype", pl.String, "Subtype: `shapechanger`, `elf`.", "v1 subtype; dnd5e subtype"),
        Column("alignment", pl.String, "Alignment, lower case.", "v2 alignment", summary=True),
        Column("armor_class", pl.Int32, "Armor class.", "v2 armor_class", summary=True),
        Column("armor_description", pl.String, "What the armor class comes from.", "v2 armor_detail"),
        Column(
            "initiative_bonus",
            pl.Int32,
            "Initiative bonus as printed; of rules that print none, the Dexterity modifier.",
            "srd; ability scores",
        ),
        Column("hit_points", pl.Int32, "Average hit points.", "v2 hit_points", summary=True),
        Column("hit_dice", pl.String, "Hit dice: `18d10+72`.", "v2 hit_dice"),
        Column("speed", SPEED, "Speeds in feet.", "v2 speed"),
        Column("ability_scores", ABILITY_VALUES, "The six scores.", "v2 ability_scores"),
        Column("saving_throws", ABILITY_VALUES, "Bonuses of proficient saves.", "v2 saving_throws", sparse=True),
        Column("skills", pl.Struct(dict.fromkeys(SKILLS, pl.Int32)), "Bonuses of trained skills.", "v2", sparse=True),
        Column("proficiency_bonus", pl.Int32, "Proficiency bonus.", "challenge rating"),
        Column("damage_vulnerabilities", pl.List(pl.String), "Damage types or phrases.", "v2"),
        Column("damage_resistances", pl.List(pl.String), "Damage types or phrases.", "v2"),
        Column("damage_immunities", pl.List(pl.String), "Damage types or phrases.", "v2"),
        Column("condition_immunities", pl.List(pl.String), "Conditions.", "v2"),
        Column(
            "senses",
            pl.Struct(
                {
                    "darkvision": pl.Int32,
                    "blindsight": pl.Int32,
                    "tremorsense": pl.Int32,
                    "truesight": pl.Int32,
                    "keensense": pl.Int32,
                    "blind_beyond": pl.Boolean,
                    "passive_perception": pl.Int32,
                }
            ),
            "Ranges in feet; whether it is blind beyond the range of its blindsight or keensense; passive Perception.",
            "v2 *_range, passive_perception; v1 senses",
        ),
        Column("languages", pl.String, "Languages as text.", "v2 languages.as_string"),
        Column("challenge_rating", pl.Float64, "Challenge rating as a number.", "v2", summary=True),
        Column("challenge_rating_text", pl.String, "As printed: `1/4`.", "v2 challenge_rating", summary=True),
        Column("experience_points", pl.Int32, "Experience for defeating it.", "v2; challenge rating"),
        Column(
            "lair_experience_points",
            pl.Int32,
            "Experience for defeating it in its lair; null where it has none.",
            "srd",
        ),
        Column(
            "gear",
            pl.List(pl.Struct({"name": pl.String, "id": pl.String, "quantity": pl.Int32})),
            "Equipment that it carries, with the id of the item.",
            "srd",
        ),
        Column("traits", pl.List(NAMED_TEXT), "Special traits.", "v2 traits; v1 special_abilities"),
        Column("actions", pl.List(ACTION), "Actions.", "v2 actions; v1 actions"),
        Column("bonus_actions", pl.List(ACTION), "Bonus actions.", "v2 actions; v1 bonus_actions"),
        Column("reactions", pl.List(ACTION), "Reactions.", "v2 actions; v1 reactions"),
        Column("legendary_description", pl.String, "How the legendary actions work.", "v1 legendary_desc"),
        Column("legendary_actions", pl.List(ACTION), "Legendary actions.", "v2 actions; v1 legendary_actions"),
        Column(
            "legendary_uses",
            pl.Int32,
            "Legendary actions between its turns, outside its lair.",
            "srd; v1 legendary_desc",
        ),
        Column("lair_actions", pl.List(ACTION), "Lair actions; null where no source gives them.", ""),
        Column(
            "spells",
            pl.List(SPELL_CAST),
            "Spells that its traits and actions name: how often, at which level; id of the spell of its own edition.",
            "text",
        ),
        Column(
            "save_dc", pl.Int32, "Highest DC of the saving throws that it forces, those of its spells included.", "text"
        ),
        Column("forces_saves", pl.List(pl.String), "Abilities of the saving throws that it forces.", "text"),
        Column("inflicts", pl.List(pl.String), "Conditions that its traits and actions inflict.", "text"),
        Column("deals", pl.List(pl.String), "Damage types of its attacks and effects, spells aside.", "text"),
        Column("group", pl.String, "Heading that it stands under: `Black Dragons`, `Cultists`.", "srd; v1 group"),
        Column("page", pl.Int32, "Page of the book.", "v1 page_no"),
        Column("environments", pl.List(pl.String), "Where it lives, lower case.", "v2; v1 environments", summary=True),
    ),
)

_WEAPON: Final = ("weapon", "magic-item")
_ARMOR: Final = ("armor", "magic-item")
_MAGIC: Final = ("magic-item",)

EQUIPMENT: Final = Table(
    "equipment",
    "Weapons, armor, magic items, gear, mounts, vehicles and services.",
    EQUIPMENT_TYPES,
    (
        *COMMON,
        Column("item_category", pl.String, "weapon, armor, shield, ring, wondrous-item, tools…", "v2", summary=True),
        Column("cost_gp", pl.Float64, "Price in gold pieces.", "v2 items cost; dnd5e cost", summary=True),
        Column("weight_lb", pl.Float64, "Weight in pounds.", "v2 items weight; dnd5e weight", summary=True),
        Column("is_magic", pl.Boolean, "Is magical.", "endpoint", summary=True, required=True),
        Column("rarity", pl.String, "Rarity, lower case: `very rare`.", "v2 rarity; v1 rarity", summary=True),
        Column("requires_attunement", pl.Boolean, "Requires attunement.", "v2; v1; text", summary=True),
        Column("attunement_detail", pl.String, "By whom: `by a wizard`.", "v2; v1; text", summary=True),
        Column("base_item", REFERENCE, "The mundane item that a magic item is made from.", "v2 weapon, armor"),
        Column(
            "bonus", pl.Int32, "Bonus of a magic weapon, armor, shield or ammunition: 2 of a +2.", "name; text", _MAGIC
        ),
        Column(
            "charges",
            pl.Struct({"number": pl.Int32, "roll": pl.String, "regains": pl.String}),
            "Charges: `number`, or `roll` where it is rolled; `regains`: `1d6+1 daily at dawn`.",
            "text",
            _MAGIC,
        ),
        Column(
            "spells",
            pl.List(SPELL_CAST),
            "Spells cast from it: what a casting takes (`2 charges`, `1/day`, `At will`), at which level; id of the spell "
            "of its own edition.",
            "text",
            _MAGIC,
        ),
        Column("weapon_category", pl.String, "simple or martial.", "v2 weapons", _WEAPON, summary=True),
        Column("damage_dice", pl.String, "Damage: `1d8`.", "v2 weapons", _WEAPON, summary=True),
        Column("damage_type", pl.String, "Damage type, lower case.", "v2 weapons", _WEAPON, summary=True),
        Column("versatile_dice", pl.String, "Damage with two hands.", "v2 properties", _WEAPON),
        Column(
            "properties",
            pl.List(pl.Struct({"name": pl.String, "detail": pl.String})),
            "Weapon properties, lower case, with their detail.",
            "v2 weapons",
            _WEAPON,
        ),
        Column("mastery", pl.String, "Weapon mastery, lower case.", "v2 properties of type Mastery", _WEAPON),
        Column("range", pl.Int32, "Normal range in feet.", "v2 weapons", _WEAPON),
        Column("long_range", pl.Int32, "Long range in feet.", "v2 weapons", _WEAPON),
        Column("is_simple", pl.Boolean, "Is a simple weapon.", "v2 weapons", _WEAPON, summary=True),
        Column("armor_category", pl.String, "light, medium, heavy or shield.", "v2 armor", _ARMOR, summary=True),
        Column("armor_class", pl.Int32, "Base armor class; of a shield its bonus.", "v2 armor", _ARMOR, summary=True),
        Column("armor_class_text", pl.String, "`14 + Dex (max 2)`.", "v2 armor", _ARMOR),
        Column("strength_required", pl.Int32, "Strength score needed.", "v2 armor", _ARMOR),
        Column("stealth_disadvantage", pl.Boolean, "Disadvantage on Stealth.", "v2 armor", _ARMOR),
        Column("is_weapon", pl.Boolean, "Has weapon facts (a magic weapon too).", response=False, required=True),
        Column("is_armor", pl.Boolean, "Has armor facts (magic armor, shields).", response=False, required=True),
        Column("is_finesse", pl.Boolean, "Has the finesse property.", "properties", _WEAPON, summary=True),
        Column("is_light", pl.Boolean, "Has the light property.", "properties", _WEAPON, summary=True),
    ),
)

FEATURE: Final = pl.Struct(
    {
        "name": pl.String,
        "level": pl.Int32,
        "levels": pl.List(pl.Int32),
        "uses": pl.String,
        "prerequisite": pl.String,
        "description": pl.String,
    }
)
FEATURE_DOC: Final = (
    "Features by the level they are gained at; `levels` where they come again; `uses` as `1 per long rest`. Boxes "
    "beside the text have no level."
)
SPELLS_OF_LEVEL: Final = pl.Struct({"level": pl.Int32, "spells": pl.List(pl.String)})

_CLASSES: Final = ("class", "subclass")
_OFFERING: Final = ("class", "subclass", "race")
_RACES: Final = ("race", "subrace")

CHARACTER_OPTIONS: Final = Table(
    "character_options",
    "Classes, subclasses, races, subraces, backgrounds and feats.",
    CHARACTER_OPTION_TYPES,
    (
        *COMMON,
        Column("hit_dice", pl.String, "Hit die: `d10`.", "v2 hit_dice", _CLASSES, summary=True),
        Column("primary_ability", pl.String, "`strength or dexterity`: what the class needs most.", "book", ("class",)),
        Column("hit_points_first_level", pl.String, "Hit points at 1st level.", "v2 hit_points", ("class",)),
        Column("hit_points_per_level", pl.String, "Hit points per level after 1st.", "v2 hit_points", ("class",)),
        Column(
            "proficiencies",
            pl.Struct(
                {
                    "armor": pl.String,
                    "weapons": pl.String,
                    "tools": pl.String,
                    "saving_throws": pl.List(pl.String),
                    "skills": pl.String,
                }
            ),
            "Proficiencies; saving throws as ability names, the rest as text.",
            "v1 prof_*; v2 PROFICIENCIES",
            _CLASSES,
        ),
        Column("starting_equipment", pl.String, "Starting equipment.", "v2; v1 equipment", ("class",)),
        Column(
            "multiclassing",
            pl.Struct({"prerequisite": pl.String, "proficiencies": pl.String}),
            "As a second class: ability scores needed, proficiencies gained.",
            "book; dnd5e multi_classing",
            ("class",),
        ),
        Column("features", pl.List(FEATURE), FEATURE_DOC, "book; v2 features", _CLASSES),
        Column("subclass_of", REFERENCE, "The class it belongs to.", "v2 subclass_of", _CLASSES, summary=True),
        Column("subclasses", pl.List(CHILD), "Its subclasses, of all documents.", "links", ("class",)),
        Column("options", pl.List(CHILD), "What it lets choose from: invocations, metamagic…", "links", _OFFERING),
        Column("spell_list", pl.List(SPELLS_OF_LEVEL), "Its spells: ids by spell level.", "book; dnd5e", ("class",)),
        Column("spellcasting_ability", pl.String, "Ability, lower case.", "v1; dnd5e; text", _CLASSES, summary=True),
        Column("caster_type", pl.String, "full, half, third, pact or none.", "v2 caster_type", _CLASSES, summary=True),
        Column(
            "progression",
            pl.List(
                pl.Struct(
                    {
                        "level": pl.Int32,
                        "proficiency_bonus": pl.Int32,
                        "features": pl.List(pl.String),
                        "columns": pl.List(pl.Struct({"name": pl.String, "value": pl.String})),
                    }
                )
            ),
            "The level table.",
            "v2 class table; dnd5e levels",
            _CLASSES,
        ),
        Column(
            "ability_score_increases",
            pl.List(pl.Struct({"ability": pl.String, "bonus": pl.Int32})),
            "Ability score increases; `any`, `any but wisdom` or `wisdom or charisma` where the player chooses.",
            "v1 asi; dnd5e ability_bonuses; text",
            _RACES,
            summary=True,
        ),
        Column("age", pl.String, "Age.", "v1 age; trait", _RACES),
        Column("alignment", pl.String, "Usual alignment.", "v1 alignment; trait", _RACES),
        Column("size", pl.String, "Size, lower case.", "v1 size_raw; trait", _RACES, summary=True),
        Column("speed", SPEED, "Speeds in feet.", "v1 speed; trait", _RACES, summary=True),
        Column("languages", pl.String, "Languages as text.", "v1; trait; v2 benefits", (*_RACES, "background")),
        Column("traits", pl.List(NAMED_TEXT), "Racial traits.", "v2 traits", _RACES),
        Column("subrace_of", REFERENCE, "The race it belongs to.", "v2 subspecies_of", _RACES, summary=True),
        Column("subraces", pl.List(CHILD), "Its subraces, of all documents.", "links", ("race",)),
        Column("skill_proficiencies", pl.String, "Skills.", "v2 benefits; v1", ("background",), summary=True),
        Column("tool_proficiencies", pl.String, "Tools.", "v2 benefits; v1", ("background",), summary=True),
        Column("equipment", pl.String, "Starting equipment.", "v2 benefits; v1", ("background",)),
        Column("feature", NAMED_TEXT, "The background's feature.", "v2 benefits; v1", ("background",)),
        Column("benefits", pl.List(NAMED_TEXT), "What it gives.", "v2 benefits", ("background", "feat")),
        Column("prerequisite", pl.String, "What it takes.", "v2 prerequisite", ("feat",), summary=True),
        Column(
            "feat_type",
            pl.String,
            "general, origin, epic boon; of class options fighting style, invocation, metamagic, pact boon…",
            "book; v2 type",
            ("feat",),
            summary=True,
        ),
        Column("option_of", pl.List(REFERENCE), "Classes, subclasses or races that offer it.", "book", ("feat",)),
    ),
)

RULES: Final = Table(
    "rules",
    "Rules text and the game's small vocabularies.",
    RULE_TYPES,
    (
        *COMMON,
        Column("rule_type", pl.String, "Which kind of rule.", summary=True, required=True),
        Column("section", pl.String, "Chapter it stands in.", "v1 parent; v2 ruleset; dnd5e rules", summary=True),
        Column("parent", REFERENCE, "The rule or chapter above it.", "v2 ruleset"),
        Column("related", pl.List(pl.String), "Ids or names that it refers to or contains.", "links"),
        Column("headings", pl.List(pl.String), "Every heading above it, lower case.", response=False),
        Column(
            "tags",
            pl.List(pl.String),
            "Families of rules it belongs to: action, area of effect, attitude, condition, hazard, trap…",
            "srd headings",
            summary=True,
        ),
        Column("tables", pl.List(TABLE), "The tables in its text.", "text"),
        Column("reading_order", pl.Int32, "Its place in its book; null outside the books.", "srd", response=False),
        Column("examples", pl.List(pl.String), "Examples.", "dnd5e", summary=False),
        Column("ability", pl.String, "Ability of a skill, lower case.", "v2 ability", ("skill",), summary=True),
        Column("script", pl.String, "Script of a language, lower case.", "v2; dnd5e", ("language",), summary=True),
        Column("speakers", pl.String, "Typical speakers.", "dnd5e typical_speakers", ("language",), summary=True),
        Column("abbreviation", pl.String, "Abbreviation: `CG`, `DEX`.", "v2 short_name; dnd5e", summary=True),
        Column(
            "category", pl.String, "Kind within the type: exotic language, mastery, armor…", "v2; dnd5e", summary=True
        ),
        Column("classes", pl.List(pl.String), "Classes that grant a proficiency.", "dnd5e", ("proficiency",)),
        Column("races", pl.List(pl.String), "Races that grant a proficiency.", "dnd5e", ("proficiency",)),
    ),
)

DOCUMENTS: Final = Table(
    "documents",
    "One row per document and source that contributed to it.",
    (),
    (
        Column("document_key", pl.String, "Key of the document.", required=True),
        Column("document_name", pl.String, "Its name.", required=True),
        Column("source_api", pl.String, "The source: open5e_v2, open5e_v1, dnd5e_api, orcbrew.", required=True),
        Column("entity_count", pl.Int32, "Entities that this source contributed to.", required=True),
        Column(
            "entity_types",
            pl.List(pl.Struct({"entity_type": pl.String, "count": pl.Int32})),
            "The same by entity type.",
            required=True,
        ),
        Column("publisher", pl.String, "Publisher."),
        Column("license", pl.String, "Licence(s)."),
        Column("game_system", pl.String, "Rules edition."),
        Column("aliases", pl.List(pl.String), "Other keys and names it answers to.", required=True),
        Column("permalink", pl.String, "Where it is published."),
        Column("author", pl.String, "Author(s).", response=False),
        Column("description", pl.String, "What the document is.", response=False),
        Column("publication_date", pl.String, "ISO date.", response=False),
        Column("attribution", pl.String, "Line of credit that the licence asks for.", response=False),
        Column("copyright", pl.String, "Notice for section 15 of the Open Game License.", response=False),
    ),
)

TAGS: Final = Table(
    "tags",
    "What entities do: one row for each entity and tag.",
    (),
    (
        Column("entity_id", pl.String, "Id of the entity.", required=True),
        Column("tag", pl.String, "What it does, as a stable slug: `inflicts-frightened`, `heals`.", required=True),
        Column("phrase", pl.String, "The same as players call it.", required=True),
        Column(
            "evidence",
            pl.String,
            "What earned the tag: words of its text (`…` between them), else facts as `column: value`; where it is "
            "named one by one, why.",
            required=True,
        ),
    ),
    optional=True,
)

ENTITY_TABLES: Final = (SPELLS, CREATURES, EQUIPMENT, CHARACTER_OPTIONS, RULES)
TABLES: Final = (DOCUMENTS, *ENTITY_TABLES)
"""What normalising makes."""
PUBLISHED_TABLES: Final = (*TABLES, TAGS)
"""Every table of a dataset."""
TABLE_OF: Final = {entity_type: table for table in ENTITY_TABLES for entity_type in table.entity_types}
"""The table that holds entities of a type."""
