"""Definitions that several tables share: the sets of entity types, nested types, and the columns of every entity."""

from __future__ import annotations

from typing import Final

import polars as pl

from server.dataset.tables.columns import Column
from server.dataset.vocabulary import ABILITIES, ABILITY_OF_SKILL

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
ABILITY_VALUES: Final = pl.Struct(dict.fromkeys(ABILITIES, pl.Int32))
SKILLS: Final = tuple(ABILITY_OF_SKILL)
AREA: Final = pl.Struct({"shape": pl.String, "size": pl.Int32, "unit": pl.String})
DAMAGE: Final = pl.Struct({"dice": pl.String, "average": pl.Float64, "type": pl.String})
ATTACK: Final = pl.Struct(
    {
        "name": pl.String,
        "kind": pl.String,
        "to_hit": pl.Int32,
        "reach": pl.Int32,
        "range": pl.Int32,
        "long_range": pl.Int32,
        "damage": pl.List(DAMAGE),
    }
)
SPELL_CAST: Final = pl.Struct({"name": pl.String, "id": pl.String, "usage": pl.String, "level": pl.Int32})
ACTION: Final = pl.Struct({"name": pl.String, "description": pl.String, "attacks": pl.List(ATTACK), "usage": pl.String})
SAVE: Final = pl.Struct(
    {
        "section": pl.String,
        "feature": pl.String,
        "abilities": pl.List(pl.String),
        "dc": pl.Int32,
        "save_effect": pl.String,
        "damage": pl.List(DAMAGE),
        "area_of_effect": AREA,
    }
)
STAT_BLOCK_SECTIONS: Final = ("traits", "actions", "bonus_actions", "reactions", "legendary_actions", "lair_actions")
"""The columns that hold a creature's traits and actions."""

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
    Column("entity_type", pl.String, "Type of the entity.", summary=True, required=True),
    Column("name", pl.String, "Name as printed, with straight apostrophes.", summary=True, required=True),
    Column("slug", pl.String, "Slugified name, unique per document and type.", required=True),
    Column(
        "description", pl.String, "The text, in Markdown; as in all texts, quotation marks are straight.", summary=True
    ),
    Column("document_key", pl.String, "Key of the document it comes from.", summary=True, required=True),
    Column("document_name", pl.String, "Name of that document.", summary=True, required=True),
    Column("document_source", pl.String, "The source whose facts won.", summary=True, required=True),
    Column("sources", pl.List(pl.String), "Every source that contributed.", required=True),
    Column(
        "game_system",
        pl.String,
        "Rules edition: 5e-2014, 5e-2024, a5e; a subclass has its class's, whatever its document's.",
        summary=True,
    ),
    Column("license", pl.String, "Licence(s) of the document."),
    Column(
        "links",
        pl.List(pl.String),
        "Ids of the entities named in its facts, or in its text where that marks them (italics, links) or says what "
        "they are (`the dash action`); beyond that, where recognised: capitalised terms, unambiguous names, creatures "
        "that are summoned or whose statistics are used. Not languages, schools, ability scores, proficiencies, types "
        "of creatures and of damage, the skills of a stat block, the spells of a class's list.",
    ),
    Column("name_normalized", pl.String, "Name folded for matching.", response=False, required=True),
    Column(
        "keys",
        pl.List(pl.String),
        "Look-up keys: the sources' own slugs and keys; for a text, its key with the heading of a part; an item with "
        "its bonus first (`3-armor`); an armor without that word; the singular of a plural name; a variant under "
        "another source's name (`potion-healing-superior`).",
        response=False,
        required=True,
    ),
    Column(
        "provenance",
        PROVENANCE,
        "`raw`: ids of the raw objects read; `filled`: facts taken from a source other than the winner; `from_text`: "
        "facts read from the text, the winner's or that of the source in `filled`, or derived from other facts; "
        "`corrected`: facts corrected manually, with evidence in the builder. The last three list columns that hold a "
        "value.",
        response=False,
        required=True,
    ),
)
