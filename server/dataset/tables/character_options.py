"""The table of character options."""

from __future__ import annotations

from typing import Final

import polars as pl

from server.dataset.tables.column_types import CHARACTER_OPTION_TYPES, CHILD, COMMON, NAMED_TEXT, REFERENCE, SPEED
from server.dataset.tables.columns import Column, Table

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
    "Features with the first level they are gained at and all `levels`; `uses` as `1 per long rest`. Sidebars have no "
    "level."
)
TRAIT: Final = pl.Struct({"name": pl.String, "uses": pl.String, "description": pl.String})
SUBCLASS_SPELL: Final = pl.Struct(
    {"name": pl.String, "id": pl.String, "level": pl.Int32, "class_level": pl.Int32, "choice": pl.String}
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
        Column("hit_dice", pl.String, "Hit die of a level: `d10`.", "v2 hit_dice", _CLASSES, summary=True),
        Column(
            "primary_ability", pl.String, "Ability the class relies on: `strength or dexterity`.", "book", ("class",)
        ),
        Column(
            "hit_points_first_level", pl.String, "Hit points at 1st level.", "v2 hit_points", ("class",), choice=True
        ),
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
            "Proficiencies; saving throws as ability names, the rest as text, `none` if so stated.",
            "v1 prof_*; v2 PROFICIENCIES",
            ("class",),
        ),
        Column("starting_equipment", pl.String, "Starting equipment.", "v2; v1 equipment", ("class",)),
        Column(
            "multiclassing",
            pl.Struct({"prerequisite": pl.String, "proficiencies": pl.String}),
            "For multiclassing: ability scores required, proficiencies gained (`none` if so stated).",
            "book; dnd5e multi_classing",
            ("class",),
        ),
        Column("features", pl.List(FEATURE), FEATURE_DOC, "book; v2 features", _CLASSES, choice=("level", "name")),
        Column(
            "subclass_of",
            REFERENCE,
            "The class it belongs to.",
            "v2 subclass_of",
            ("subclass",),
            summary=True,
            choice=("name",),
        ),
        Column(
            "subclasses", pl.List(CHILD), "Its subclasses, of all documents.", "links", ("class",), choice=("name",)
        ),
        Column("options", pl.List(CHILD), "Options it offers: invocations, metamagic…", "links", _OFFERING),
        Column(
            "spell_list",
            pl.List(SPELLS_OF_LEVEL),
            "Its spells: ids by spell level, from its book's list and from that book's spells that name the class.",
            "book; dnd5e; spells",
            ("class",),
        ),
        Column(
            "subclass_spells",
            pl.List(SUBCLASS_SPELL),
            "Spells of its own, each with its id in its edition and its level: those that it gives at a `class_level`, "
            "and those that it adds to the class's list, without one. `choice`: the land or affinity that has it.",
            "text; orcbrew",
            ("subclass",),
        ),
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
        Column("speed", SPEED, "Speeds in feet.", "v1 speed; trait", _RACES, summary=True, unit="feet"),
        Column("languages", pl.String, "Languages as text.", "v1; trait; v2 benefits", (*_RACES, "background")),
        Column(
            "traits",
            pl.List(TRAIT),
            "Racial traits; `uses` as `1 per long rest`.",
            "v2 traits; text",
            _RACES,
            choice=("name",),
        ),
        Column(
            "subrace_of",
            REFERENCE,
            "The race it belongs to.",
            "v2 subspecies_of",
            ("subrace",),
            summary=True,
            choice=("name",),
        ),
        Column("subraces", pl.List(CHILD), "Its subraces, of all documents.", "links", ("race",)),
        Column("skill_proficiencies", pl.String, "Skills.", "v2 benefits; v1", ("background",), summary=True),
        Column("tool_proficiencies", pl.String, "Tools.", "v2 benefits; v1", ("background",), summary=True),
        Column("equipment", pl.String, "Starting equipment.", "v2 benefits; v1", ("background",)),
        Column(
            "feature", NAMED_TEXT, "The background's feature.", "v2 benefits; v1", ("background",), choice=("name",)
        ),
        Column("benefits", pl.List(NAMED_TEXT), "Benefits.", "v2 benefits", ("background", "feat")),
        Column("prerequisite", pl.String, "Prerequisite.", "v2 prerequisite", ("feat",), summary=True),
        Column(
            "feat_type",
            pl.String,
            "general, origin, epic boon; for class options fighting style, invocation, metamagic, pact boon…",
            "book; v2 type",
            ("feat",),
            summary=True,
        ),
        Column("option_of", pl.List(REFERENCE), "Classes, subclasses or races that offer it.", "book", ("feat",)),
    ),
)
