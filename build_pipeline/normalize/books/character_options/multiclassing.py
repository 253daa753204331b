"""Prerequisites and proficiencies of a second class, from the books' chapters on multiclassing and on each class."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from build_pipeline.normalize.books.tree import Section
from build_pipeline.normalize.text.clean import known, stated
from build_pipeline.normalize.text.tables import plain, tables_in

Multiclassing = dict[str, str | None]
"""{prerequisite, proficiencies}, each as text; `none` where the class gives no proficiency."""


class Rules(NamedTuple):
    """A book's rules of multiclassing.

    Attributes:
        by_class: class → its prerequisite and proficiencies as a second class.
        sections: the sections that state them, apart from the class's own.
        in_prose: whether the book states them in sentences rather than in tables.
    """

    by_class: dict[str, Multiclassing]
    sections: list[Section]
    in_prose: bool


_MINIMUM: Final = re.compile(r"at least (\d+) in the primary ability")
_GIVES: Final = re.compile(r"Core \w+ Traits table: Hit Point Die(?:,| and) (?:and )?(?P<gives>[^.]+)\.")
_GIVES_NONE: Final = re.compile(r"Gain the Hit Point Die(?: trait)? from the Core")
_CHAPTER: Final = "Multiclassing"


def multiclassing(roots: list[Section]) -> Rules:
    """A book's rules of multiclassing, from its tables or, without those, from its classes."""
    chapter = [section for root in roots for section in root.walk() if _CHAPTER in (section.title, *section.above())]
    tables = _from_tables(chapter)
    return tables if tables.by_class else _from_traits(roots, chapter)


def _from_tables(chapter: Iterable[Section]) -> Rules:
    """The rules of 2014: two tables in the chapter."""
    columns: dict[str, dict[str, str]] = {"Ability Score Minimum": {}, "Proficiencies Gained": {}}
    read: list[Section] = []
    for section in chapter:
        for table in tables_in(section.text):
            name, value = (*table.header, "", "")[:2]
            if name == "Class" and value in columns:
                columns[value] = {row[0]: row[1] for row in table.rows}
                read.append(section)
    needs, gives = columns.values()
    found = {name: {"prerequisite": known(needs[name]), "proficiencies": stated(gives.get(name))} for name in needs}
    return Rules(found, read, in_prose=False)


def _from_traits(roots: Iterable[Section], chapter: Iterable[Section]) -> Rules:
    """The rules of 2024: one minimum for every class's primary ability, and a list in each class."""
    rule = next((section for section in chapter if _MINIMUM.search(section.text)), None)
    minimum = match[1] if rule and (match := _MINIMUM.search(rule.text)) else None
    found: dict[str, Multiclassing] = {}
    for root in roots:
        sections = {section.title: section for section in root.walk()}
        core, second = sections.get(f"Core {root.title} Traits"), sections.get("As a Multiclass Character")
        if core is None or second is None:
            continue
        rows = (row for table in tables_in(core.text) for row in table.rows)
        ability = next((row[1] for row in rows if row[0] == "Primary Ability" and row[1:]), None)
        gives = _GIVES.search(plain(second.text))
        need = re.sub(r"([A-Z]\w+)", rf"\1 {minimum}", ability) if ability and minimum else None
        nothing = "none" if _GIVES_NONE.search(plain(second.text)) else None
        found[root.title] = {"prerequisite": need, "proficiencies": gives["gives"] if gives else nothing}
    return Rules(found, [rule] if rule else [], in_prose=True)
