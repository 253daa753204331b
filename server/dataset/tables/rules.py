"""The table of rules and of the game's small vocabularies."""

from __future__ import annotations

from typing import Final

import polars as pl

from server.dataset.tables.column_types import COMMON, REFERENCE, RULE_TYPES, TABLE
from server.dataset.tables.columns import Column, Table

RULES: Final = Table(
    "rules",
    "Rules text and the game's small vocabularies.",
    RULE_TYPES,
    (
        *COMMON,
        Column("rule_type", pl.String, "Kind of rule.", required=True),
        Column("section", pl.String, "Chapter it is in.", "v1 parent; v2 ruleset; dnd5e rules", summary=True),
        Column("parent", REFERENCE, "The rule or chapter above it.", "v2 ruleset"),
        Column(
            "children",
            pl.List(pl.String),
            "Names of the rules directly below it, in the book's order.",
            "links",
            ("rule", "ability-score"),
        ),
        Column(
            "related",
            pl.List(pl.String),
            "Ids or names of the rules, game terms, items and backgrounds that it refers to or contains; creatures "
            "only of homebrew encounters.",
            "links",
        ),
        Column("headings", pl.List(pl.String), "Every heading above it, lower case.", response=False),
        Column(
            "tags",
            pl.List(pl.String),
            "Groups of rules it belongs to (not the table `tags`): action, area of effect, attitude, condition, trap…",
            "srd headings",
        ),
        Column(
            "tables",
            pl.List(TABLE),
            "The tables in its text; a blank cell is null, and `columns` is empty if the table has no header row.",
            "text",
        ),
        Column(
            "reading_order",
            pl.Int32,
            "Its position in its book; null if not from a book.",
            "srd",
            response=False,
            unit="position",
        ),
        Column("examples", pl.List(pl.String), "Examples.", "dnd5e", ("ability-score", "damage-type", "skill")),
        Column("ability", pl.String, "Ability of a skill, lower case.", "v2 ability", ("skill",), summary=True),
        Column("script", pl.String, "Script of a language, lower case.", "v2; dnd5e", ("language",), summary=True),
        Column("speakers", pl.String, "Typical speakers.", "dnd5e typical_speakers", ("language",), summary=True),
        Column(
            "abbreviation",
            pl.String,
            "Abbreviation: `CG`, `DEX`.",
            "v2 short_name; dnd5e",
            ("ability-score", "alignment", "rule"),
            summary=True,
        ),
        Column(
            "category",
            pl.String,
            "Kind within the type: exotic language, mastery, armor…",
            "v2; dnd5e",
            ("language", "proficiency", "weapon-property"),
            summary=True,
        ),
        Column("classes", pl.List(pl.String), "Classes that grant a proficiency.", "dnd5e", ("proficiency",)),
        Column("races", pl.List(pl.String), "Races that grant a proficiency.", "dnd5e", ("proficiency",)),
    ),
)
