"""Abilities, skills, damage types and schools of magic that a book describes only in table rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.books.rules.contents import Path, path_of
from build_pipeline.normalize.books.tree import SOURCE, Section, read_book
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference
from build_pipeline.normalize.text.tables import tables_in
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import normalize_name

_PLACES: Final[dict[str, dict[Path, str]]] = {
    "srd-2024": {
        ("Playing the Game", "The Six Abilities", "Ability Descriptions"): "ability-score",
        ("Playing the Game", "Proficiency", "Skill Proficiencies", "Skills"): "skill",
        ("Rules Glossary", "Damage Types", "Damage Types"): "damage-type",
        ("Spells", "Casting Spells", "School of Magic", "Schools of Magic"): "magic-school",
    },
}
"""Sections that are such a table → the type of the things in its first column, which its last column describes."""


def vocabulary_drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """A draft of every row of those tables; a section without a table goes into `problems`."""
    for book, places in _PLACES.items():
        for section in (each for part in read_book(raw, book) for each in part.walk()):
            if entity_type := places.get(path_of(section)):
                rows = [row for table in tables_in(section.text) for row in table.rows]
                if not rows:
                    problems.add(section.raw.id, f"{section.title!r} has no table")
                with problems.instead_of_failing(section.raw):
                    yield from [_draft(section, entity_type, row) for row in rows]


def _draft(section: Section, entity_type: str, row: tuple[str, ...]) -> Draft:
    path = path_of(section)
    facts: dict[str, Any] = {
        "rule_type": entity_type,
        "description": row[-1] or None,
        "ability": row[1].lower() if entity_type == "skill" else None,
        "section": path[0],
        "headings": list(map(normalize_name, path)),
        "parent": Reference(("rule",), section.title, section.raw.id),
        "reading_order": int(section.raw.data["order"]),
    }
    return Draft(SOURCE, (section.raw.id,), entity_type, section.raw.endpoint, row[0], facts=facts)
