"""The tables of spells and creatures."""

from __future__ import annotations

from typing import Final

import polars as pl

from server.dataset.tables.column_types import (
    ABILITY_VALUES,
    ACTION,
    AREA,
    CASTING_OPTION,
    COMMON,
    NAMED_TEXT,
    SAVE,
    SKILLS,
    SPEED,
    SPELL_CAST,
)
from server.dataset.tables.columns import Column, Table

SPELLS: Final = Table(
    "spells",
    "Spells.",
    ("spell",),
    (
        *COMMON,
        Column("level", pl.Int32, "Spell level; 0 is a cantrip.", "v2 level", summary=True, unit="spell level"),
        Column("school", pl.String, "School of magic, lower case.", "v2 school", summary=True),
        Column("casting_time", pl.String, "Canonical: `1 action`, `1 bonus action`, `1 minute`.", "v2", summary=True),
        Column(
            "reaction_condition",
            pl.String,
            "Trigger of a reaction, or of a bonus action that has one.",
            "srd; v2 reaction_condition; v1 casting_time",
        ),
        Column("range", pl.String, "Range as text: `60 feet`, `Self (30-foot radius)`.", "v2 range_text", choice=True),
        Column(
            "range_feet",
            pl.Int32,
            "Range in feet: 0 for Self and Touch; null if it is not a distance (`Sight`, `Special`, `Unlimited`).",
            "range",
            unit="feet",
        ),
        Column("duration", pl.String, "Duration as text.", "v2 duration; v1 duration", choice=True),
        Column(
            "duration_minutes",
            pl.Float64,
            "Longest possible duration in minutes: a round is 0.1, `Instantaneous` 0, `1d10 hours` 600; null if it is "
            "not a single time (`Until dispelled`, `Special`, `1 minute or 1 hour`).",
            "duration",
            unit="minutes",
        ),
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
            "Components; `material_cost_gp` is the total cost of all priced materials, for one target. Where "
            "`material` is true and `material_description` null, no source says what it is, or what it costs.",
            "v2 verbal, somatic, material*; v1 material",
            choice=("material_cost_gp",),
        ),
        Column("higher_level", pl.String, "Effect when cast with a higher slot.", "v2 higher_level"),
        Column(
            "classes", pl.List(pl.String), "Classes that have it on their list, lower case.", "v2; v1", summary=True
        ),
        Column(
            "damage_dice",
            pl.String,
            "First damage roll: `8d6`; damage to the caster only if there is no other.",
            "v2 damage_roll; text",
            summary=True,
        ),
        Column(
            "damage_average",
            pl.Float64,
            "Average of `damage_dice` and of damage dealt together with it: 28 for `8d6`, 35 for `5d6` fire and `5d6` "
            "radiant damage.",
            "damage_dice; text",
            unit="points of damage",
        ),
        Column(
            "damage_types",
            pl.List(pl.String),
            "Every damage type that it deals, including damage to its caster and damage by what it summons; empty if "
            "what it adds is of a weapon's type.",
            "v2; text",
            summary=True,
        ),
        Column(
            "saving_throw",
            pl.String,
            "Ability of the first saving throw; the caster's own if it forces none on others.",
            "v2 saving_throw_ability; text",
            summary=True,
        ),
        Column(
            "forces_saves",
            pl.List(pl.String),
            "Abilities of the saving throws that it forces on others, first and later ones; all options if one is "
            "chosen.",
            "text",
        ),
        Column(
            "save_effect",
            pl.String,
            "Effect of a success on the first save: `half` the damage, `none`, or `other`, which the text describes.",
            "text; dnd5e dc",
        ),
        Column("attack_roll", pl.Boolean, "Needs a spell attack roll.", "text; OrcBrew attack-roll?"),
        Column(
            "area_of_effect",
            AREA,
            "The first area with a shape or radius in the text, or surrounding a point, except for light that "
            "something sheds, senses and the sizes of objects: shape, size and unit (feet, miles). A wall is a line; "
            "null for a sphere 5 feet in diameter, whose radius is not a whole number.",
            "v2 shape_*; text",
            choice=True,
        ),
        Column(
            "target_count",
            pl.Int32,
            "Maximum number of targets besides its caster, or number of darts, rays, creatures and the like it makes; "
            "null if it makes just one and no more at a higher level.",
            "v2 target_count; text",
            unit="targets",
        ),
        Column(
            "inflicts",
            pl.List(pl.String),
            "Conditions of its edition that it inflicts on others, lower case; `invisible` also if it grants that.",
            "text",
        ),
        Column(
            "heals",
            pl.String,
            "Hit points restored: dice with modifiers, a number, or words (`half the damage dealt`).",
            "text",
        ),
        Column(
            "casting_options",
            pl.List(CASTING_OPTION),
            "The values of these members at a higher slot or character level, where the text gives amounts; null "
            "means unchanged. `area_size` is in feet; `damage` is the roll that grows; `description` says which if it "
            "is not `damage_dice`, or what changes where no member can: Armor Classes, bonuses. `higher_level` is the "
            "whole text.",
            "text; v2 casting_options; dnd5e damage_at_slot_level, heal_at_slot_level",
        ),
        Column("page", pl.String, "Book and page as the source gives them, as text: `phb 241`.", "v1 page"),
    ),
)

CREATURES: Final = Table(
    "creatures",
    "Monsters, animals and non-player characters.",
    ("creature",),
    (
        *COMMON,
        Column("size", pl.String, "Size, lower case; the first of several.", "v2 size", summary=True),
        Column("other_sizes", pl.List(pl.String), "Other sizes it may have.", "srd: `Medium or Small`"),
        Column("type", pl.String, "Creature type, lower case.", "v2 type", summary=True),
        Column("subtype", pl.String, "Subtype: `shapechanger`, `elf`.", "v1 subtype; dnd5e subtype"),
        Column(
            "alignment",
            pl.String,
            "Alignment, lower case; Level Up's monsters have one only if a trait gives it, Black Flag prints none.",
            "v2 alignment; traits",
            summary=True,
        ),
        Column("armor_class", pl.Int32, "Armor class.", "v2 armor_class", summary=True, unit="armor class"),
        Column(
            "armor_description",
            pl.String,
            "Source of the armor class: armor, shield, natural armor.",
            "v2 armor_detail",
        ),
        Column(
            "initiative_bonus",
            pl.Int32,
            "Initiative bonus as printed; in editions that print none, the Dexterity modifier, if the score is known.",
            "srd; ability scores",
            choice=True,
            unit="bonus",
        ),
        Column("hit_points", pl.Int32, "Average hit points.", "v2 hit_points", summary=True, unit="hit points"),
        Column("hit_dice", pl.String, "Hit dice with the bonus: `18d10+72`.", "v2 hit_dice"),
        Column(
            "speed",
            SPEED,
            "Speeds in feet; for a mode that only another form has, that form's speed, as `description` says: a "
            "werebear climbs as a bear. In Tome of Beasts 1 (2023), where the sources shifted the numbers, moved back, "
            "corrected or null. `hover` is false if the source records it for others in its book, otherwise null.",
            "v2 speed",
            choice=True,
            unit="feet",
        ),
        Column("ability_scores", ABILITY_VALUES, "The six ability scores.", "v2 ability_scores", unit="score"),
        Column(
            "saving_throws",
            ABILITY_VALUES,
            "Bonuses of proficient saves, null for the others; of all six if a book prints them instead of ability "
            "scores.",
            "v2 saving_throws",
            unit="bonus",
        ),
        Column(
            "skills",
            pl.Struct(dict.fromkeys(SKILLS, pl.Int32)),
            "Bonuses of trained skills, null for the others.",
            "v2",
            unit="bonus",
        ),
        Column("proficiency_bonus", pl.Int32, "Proficiency bonus.", "challenge rating", unit="bonus"),
        Column("damage_vulnerabilities", pl.List(pl.String), "Damage types or phrases.", "v2"),
        Column("damage_resistances", pl.List(pl.String), "Damage types or phrases.", "v2"),
        Column("damage_immunities", pl.List(pl.String), "Damage types or phrases.", "v2", choice=True),
        Column("condition_vulnerabilities", pl.List(pl.String), "Conditions; Black Flag prints them.", "v2"),
        Column("condition_resistances", pl.List(pl.String), "Conditions; Black Flag prints them.", "v2"),
        Column("condition_immunities", pl.List(pl.String), "Conditions.", "v2", choice=True),
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
            'Ranges in feet; `blind_beyond`: whether one is printed with "(blind beyond this radius)", null for '
            "2024, which does not print it; passive Perception.",
            "v2 *_range, passive_perception; v1 senses",
            unit="feet",
        ),
        Column("languages", pl.String, "Languages as text; null also if it has none.", "v2 languages.as_string"),
        Column(
            "challenge_rating", pl.Float64, "Challenge rating as a number.", "v2", summary=True, unit="challenge rating"
        ),
        Column("challenge_rating_text", pl.String, "As printed: `1/4`.", "v2 challenge_rating", summary=True),
        Column(
            "experience_points",
            pl.Int32,
            "Experience for defeating it; 0, as printed, if it has no challenge rating.",
            "v2; challenge rating",
            choice=True,
            unit="XP",
        ),
        Column(
            "lair_experience_points",
            pl.Int32,
            "Experience for defeating it in its lair; null if it has none.",
            "srd; description",
            unit="XP",
        ),
        Column(
            "gear",
            pl.List(pl.Struct({"name": pl.String, "id": pl.String, "quantity": pl.Int32})),
            "Equipment that it carries, with the id of the item; only the stat blocks of 2024 print it.",
            "srd",
        ),
        Column(
            "stat_lines",
            pl.List(NAMED_TEXT),
            "Lines of the stat block that say more than their columns hold, whole, as printed: `Speed`, `30 ft. "
            "(40 ft. in wolf form)`.",
            "srd",
        ),
        Column("traits", pl.List(NAMED_TEXT), "Special traits.", "v2 traits; v1 special_abilities", choice=("name",)),
        Column(
            "actions",
            pl.List(ACTION),
            "Actions. `kind` of an attack as printed: `melee weapon`, `ranged spell`; the books of 2024 print only "
            "`melee` or `ranged`. `to_hit` and `dice` are null if they depend on a spell's caster or level.",
            "v2 actions; v1 actions",
            choice=("name",),
        ),
        Column("bonus_actions", pl.List(ACTION), "Bonus actions.", "v2 actions; v1 bonus_actions"),
        Column("reactions", pl.List(ACTION), "Reactions.", "v2 actions; v1 reactions"),
        Column("legendary_description", pl.String, "How the legendary actions work.", "v1 legendary_desc"),
        Column("legendary_actions", pl.List(ACTION), "Legendary actions.", "v2 actions; v1 legendary_actions"),
        Column(
            "legendary_uses",
            pl.Int32,
            "Number of legendary actions between its turns, outside its lair; null also if no source says: Tome of "
            "Beasts 3.",
            "srd; v1 legendary_desc",
            unit="uses",
        ),
        Column(
            "lair_actions",
            pl.List(ACTION),
            "Lair actions and, last, the regional effects of its lair; null if no source gives them.",
            "v2 traits; v1 desc",
        ),
        Column(
            "spells",
            pl.List(SPELL_CAST),
            "Spells that it casts, by traits and actions: how often (`At Will`, `3/Day`, `2 slots`), at what level, "
            "and the spell's id in its edition.",
            "text",
        ),
        Column(
            "save_dc",
            pl.Int32,
            "Highest printed DC of the saving throws it forces, its spell save DC included.",
            "text",
            unit="DC",
        ),
        Column(
            "saves",
            pl.List(SAVE),
            "The saving throws that its traits and actions force, in the order of the stat block: the column "
            "(`section`) and name (`feature`) of the trait or action; the abilities, from which the target chooses; "
            "the DC, null if the text gives none; the damage of a failure and the effect of a success, if the text "
            "tells them with the saving throw; the area that it names. Answers leave it out, as their texts say it.",
            "text",
            response=False,
            queried=True,
        ),
        Column("forces_saves", pl.List(pl.String), "Abilities of `saves`.", "text"),
        Column("inflicts", pl.List(pl.String), "Conditions that its traits and actions inflict.", "text"),
        Column(
            "deals",
            pl.List(pl.String),
            "Damage types of its attacks and effects; for spells, only those that an action describes in full.",
            "text",
        ),
        Column("group", pl.String, "Heading it is listed under: `Black Dragons`, `Cultists`.", "srd; v1 group"),
        Column("page", pl.Int32, "Page of the book: a number, unlike the `page` of spells.", "v1 page_no", unit="page"),
        Column(
            "environments",
            pl.List(pl.String),
            "Where it lives, lower case, if the sources name places: for SRD 5.1, about half of Tome of Beasts and a "
            "few others; null if they list every one.",
            "v2; v1 environments",
            summary=True,
        ),
    ),
)
