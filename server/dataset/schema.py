"""The dataset's schema: every published table and column, declared once.

Parquet schemas, validation, the dataset card, the data package and the tools' output schemas all derive from
`PUBLISHED_TABLES`. A column names its type, its meaning, the entity types it belongs to and whether responses carry it.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from server.dataset.tables.character_options import CHARACTER_OPTIONS, FEATURE, FEATURE_DOC, SPELLS_OF_LEVEL
from server.dataset.tables.column_types import (
    ABILITY_VALUES,
    ACTION,
    ATTACK,
    CASTING_OPTION,
    CHARACTER_OPTION_TYPES,
    CHILD,
    COMMON,
    EQUIPMENT_TYPES,
    NAMED_TEXT,
    PROVENANCE,
    REFERENCE,
    RULE_TYPES,
    SKILLS,
    SPEED,
    SPELL_CAST,
    STAT_BLOCK_SECTIONS,
    TABLE,
)
from server.dataset.tables.columns import Column, Table
from server.dataset.tables.equipment import EQUIPMENT
from server.dataset.tables.rules import RULES
from server.dataset.tables.spells_and_creatures import CREATURES, SPELLS
from server.dataset.vocabulary import ABILITIES

__all__ = [
    "ABILITIES",
    "ABILITY_VALUES",
    "ACTION",
    "ATTACK",
    "CASTING_OPTION",
    "CHARACTER_OPTIONS",
    "CHARACTER_OPTION_TYPES",
    "CHILD",
    "COMMON",
    "CREATURES",
    "DOCUMENTS",
    "ENTITY_TABLES",
    "EQUIPMENT",
    "EQUIPMENT_TYPES",
    "FEATURE",
    "FEATURE_DOC",
    "HOMEBREW",
    "NAMED_TEXT",
    "PROVENANCE",
    "PUBLISHED_TABLES",
    "REFERENCE",
    "RULES",
    "RULE_TYPES",
    "SCHEMA_VERSION",
    "SKILLS",
    "SOURCES",
    "SPEED",
    "SPELLS",
    "SPELLS_OF_LEVEL",
    "SPELL_CAST",
    "STAT_BLOCK_SECTIONS",
    "TABLE",
    "TABLES",
    "TABLE_OF",
    "TAGS",
]

SCHEMA_VERSION: Final = 1
"""Raised when a column or struct member changes meaning or type or disappears, or when what may be null changes.

A server reads exactly one schema version, but older and newer datasets of it: whatever may be null can be added without
raising it (`compatibility.py`). `tests/server/dataset/schema.txt` pins this schema.
"""

SOURCES: Final = ("srd", "open5e_v2", "open5e_v1", "dnd5e_api", "orcbrew")
"""Where content comes from, the best source first: the order in which sources win a contested fact."""

HOMEBREW: Final = "orcbrew"
"""The source whose content anybody may have written."""

DOCUMENTS: Final = Table(
    "documents",
    "One row per document and source that contributed to it.",
    (),
    (
        Column("document_key", pl.String, "Key of the document.", required=True),
        Column("document_name", pl.String, "Its name.", required=True),
        Column("source_api", pl.String, "The source.", required=True),
        Column(
            "entity_count",
            pl.Int32,
            "Entities that this source contributed to; several may contribute to one.",
            required=True,
            unit="entities",
        ),
        Column(
            "entity_types",
            pl.List(pl.Struct({"entity_type": pl.String, "count": pl.Int32})),
            "Their number by type.",
            required=True,
        ),
        Column("publisher", pl.String, "Publisher."),
        Column("license", pl.String, "Licence(s)."),
        Column("game_system", pl.String, "Rules edition."),
        Column("aliases", pl.List(pl.String), "Other keys and names it answers to.", required=True),
        Column("permalink", pl.String, "Where it is published."),
        Column("author", pl.String, "Author(s).", response=False),
        Column("description", pl.String, "Description of the document.", response=False),
        Column(
            "publication_date",
            pl.String,
            "ISO date, as Open5e has it; a first of January may mean only the year.",
            response=False,
        ),
        Column("attribution", pl.String, "Attribution that the licence requires.", response=False),
        Column("copyright", pl.String, "Notice for section 15 of the Open Game License.", response=False),
    ),
)

TAGS: Final = Table(
    "tags",
    "What entities do: one row per entity and tag.",
    (),
    (
        Column("entity_id", pl.String, "Id of the entity.", required=True),
        Column("tag", pl.String, "What it does, as a stable slug: `inflicts-frightened`, `heals`.", required=True),
        Column(
            "phrase",
            pl.String,
            "The tag in players' words; it differs by table, so a tag may have several phrases.",
            required=True,
        ),
        Column(
            "evidence",
            pl.String,
            "The reason for the tag: words of its text (`…` between them), or facts as `column: value`; for entities "
            "listed by name, why they are listed.",
            required=True,
        ),
    ),
    optional=True,
)

ENTITY_TABLES: Final = (SPELLS, CREATURES, EQUIPMENT, CHARACTER_OPTIONS, RULES)
TABLES: Final = (DOCUMENTS, *ENTITY_TABLES)
"""The tables that normalising produces."""
PUBLISHED_TABLES: Final = (*TABLES, TAGS)
"""Every table of a dataset."""
TABLE_OF: Final = {entity_type: table for table in ENTITY_TABLES for entity_type in table.entity_types}
"""The table that holds entities of a type."""
