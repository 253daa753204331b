"""Species, races and backgrounds of the System Reference Documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.books.character_options.class_options import sentence
from build_pipeline.normalize.books.character_options.features import text_of
from build_pipeline.normalize.books.drafts import BOOKS, book_draft, reference, where
from build_pipeline.normalize.books.tree import Section, read_book
from build_pipeline.normalize.character_options.options import joined_options
from build_pipeline.normalize.character_options.races import facts_of_traits, size_in, speed_in
from build_pipeline.normalize.merging.directory import singular
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.labels import NamedText, labelled
from build_pipeline.normalize.text.tables import Table, plain, tables_in
from build_pipeline.snapshot.raw import RawLayer

_COLUMN: Final = {
    "skill proficiencies": "skill_proficiencies",
    "tool proficiency": "tool_proficiencies",
    "tool proficiencies": "tool_proficiencies",
    "languages": "languages",
    "equipment": "equipment",
}
"""Label of a part of a background (lower case) → the column that it fills."""

_TABLE_BLOCK: Final = re.compile(
    r"\n*(?:\*\*(?P<bold>[^*\n]+)\*\*|#+ (?P<heading>[^\n]+)|(?P<plain>[^|\n*#>.][^|\n.]{0,60}))\n+"
    r"(?P<table>\|.*\|[ \t]*\n\|[ \t:|-]+\|[ \t]*(?:\n|\Z)(?:\|.*\|[ \t]*(?:\n|\Z))*)"
)
_SHARED_USES: Final = re.compile(r"\b(?P<limit>you can use the chosen \w+ [^:.;]*\bRest)\b")
"""How often the chosen option can be used, stated once above all options."""
_BULLET_OPTION: Final = re.compile(r"^[*-]\s+\*\*(?P<name>[^*(]+?)(?: \([^)]*\))?\.\*\*\s*(?P<text>.+)$", re.MULTILINE)
_LEVEL_COLUMN: Final = re.compile(r"Level \d+")


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every species, race, subrace and background that the books print, and the ancestries to choose from."""
    for book in BOOKS:
        for root in read_book(raw, book):
            for section in root.walk():
                if section.title == "Species Descriptions":
                    yield from _of_all(section.children, problems, _species)
                elif section.title == "Background Descriptions":
                    yield from _of_all(section.children, problems, _background)
                elif section.title == "Races" and section.parent is None:
                    yield from _of_all([race for race in section.children if _traits_section(race)], problems, _race)
                elif section.title == "Backgrounds" and section.children:
                    found = [child for child in section.children if labelled(child.text)[1]]
                    yield from _of_all(found, problems, _background)


def _of_all(sections: list[Section], problems: Problems, read: Any) -> Iterator[Draft]:
    for section in sections:
        for draft in read(section):
            lacking = [name for name in _NEEDED[draft.entity_type] if not draft.facts.get(name)]
            if lacking:
                what = f"the {draft.entity_type} {draft.name}"
                reason = f"{where(section)}: {what} is incomplete: it lacks {', '.join(lacking)}"
                problems.add(section.raw.id, reason)
            yield draft


_NEEDED: Final = {
    "race": ("traits", "size", "speed"),
    "subrace": ("subrace_of",),
    "background": ("skill_proficiencies", "equipment", "benefits"),
    "feat": ("option_of",),
}
"""Entity type → the facts without which an entity of that type is incomplete."""


def with_own_tables(parts: list[NamedText]) -> list[NamedText]:
    """Named texts, with every captioned table in the part that mentions it ("… from the Elven Lineages table")."""
    texts = [part["description"] or "" for part in parts]
    for position, text in enumerate(texts):
        for match in list(_TABLE_BLOCK.finditer(text)):
            caption = (match["bold"] or match["heading"] or match["plain"] or "").strip()
            owner = next((n for n, other in enumerate(texts) if f"{caption} table" in other), position)
            texts[position] = texts[position].replace(match[0], "\n\n")
            texts[owner] = f"{texts[owner].rstrip()}\n\n**{caption}**\n\n{match['table']}"
    return [{**part, "description": clean_text(text)} for part, text in zip(parts, texts, strict=True)]


def _species(section: Section) -> Iterator[Draft]:
    """A species of 2024, and the lineages and ancestries that it offers as subspecies."""
    _, labels = labelled(text_of(section))
    traits = with_own_tables([_without_introduction(part) for part in labels])
    facts = facts_of_traits(traits) | {
        "ability_score_increases": [],  # in the rules of 2024 they come with the background
        "size": size_in(traits),
        "speed": speed_in(traits) or None,
        "subraces": [],
    }
    yield book_draft("race", section.title, list(section.walk()), facts, {"size", "speed"})
    shared = {"ability_score_increases": [], "size": facts["size"]}
    for name, description, own in _lineages(traits):
        speed = (facts["speed"] or {}) | speed_in([{"name": "Speed", "description": _walking(own)}])
        lineage_facts = {**shared, "description": description, "speed": speed or None, "traits": own}
        lineage_facts["subrace_of"] = reference("race", section.title, section)
        draft = book_draft("subrace", name, list(section.walk()), lineage_facts, {"description", "size", "speed"})
        draft.parent_slug = section.title.lower()
        yield draft


def _without_introduction(part: NamedText) -> NamedText:
    """A part without the sentence at its end that only introduces the traits."""
    text = re.sub(r"\n+As an? [^\n]* special traits\.\s*\Z", "", part["description"] or "")
    return {**part, "description": text}


def _lineages(traits: list[NamedText]) -> Iterator[tuple[str, str | None, list[NamedText] | None]]:
    """(name, description, traits) of each option that a trait offers: a row of its table, or a bullet."""
    for trait in traits:
        text = trait["description"] or ""
        for match in _TABLE_BLOCK.finditer(text):
            [table] = tables_in(match["table"])
            for row in _rows_of_pairs(table):
                own = _levels(row)
                description = None if own else sentence(tuple(row), tuple(row.values()))
                yield f"{singular((match['bold'] or '').strip())[-1]}: {row[table.header[0]]}", description, own
        if "one of the following" in text:
            shared = _SHARED_USES.search(text)
            limit = f" {shared['limit'][:1].upper()}{shared['limit'][1:]}." if shared else ""
            for match in _BULLET_OPTION.finditer(text):
                own = [NamedText(name=match["name"], description=f"{match['text'].strip()}{limit}")]
                yield f"{trait['name']}: {match['name']}", None, own


def _rows_of_pairs(table: Table) -> Iterator[dict[str, str]]:
    """The rows of a table as {column: cell}; a table printed in two halves side by side is read one half at a time."""
    half = len(table.header) // 2
    halved = len(table.header) % 2 == 0 and table.header[:half] == table.header[half:]
    for start in (0, half) if halved else (0,):
        width = half if halved else len(table.header)
        for row in table.rows:
            cells = row[start : start + width]
            if cells[0]:
                yield dict(zip(table.header[:width], cells, strict=True))


def _levels(row: dict[str, str]) -> list[NamedText] | None:
    """The traits that a row gives by level, or None if its columns are not levels."""
    return [{"name": name, "description": cell} for name, cell in row.items() if _LEVEL_COLUMN.fullmatch(name)] or None


def _walking(traits: list[NamedText] | None) -> str:
    texts = " ".join(part["description"] or "" for part in traits or ())
    found = re.search(r"\bSpeed increases to \d+ feet", texts)
    return found[0] if found else ""


def _traits_section(race: Section) -> Section | None:
    return next((child for child in race.children if child.title == f"{race.title} Traits"), None)


def _race(section: Section) -> Iterator[Draft]:
    """A race of 2014, its subraces, and the ancestries that a trait's table offers."""
    own = _traits_section(section)
    if own is None:
        return
    introduction, labels = labelled(own_text(own))
    parts = with_own_tables(labels)
    facts = facts_of_traits(parts) | {
        "description": introduction,
        "size": size_in(parts),
        "speed": speed_in(parts) or None,
        "subraces": [],
    }
    yield book_draft("race", section.title, [section, own], facts, set(facts) - {"traits", "subraces", "description"})
    yield from joined_options(_ancestries(parts, section, own))
    for child in own.children:
        description, labels = labelled(own_text(child))
        child_facts = facts_of_traits(labels) | {
            "description": description,
            "size": facts["size"],
            "speed": (facts["speed"] or {}) | speed_in(labels) or None,
            "subrace_of": reference("race", section.title, section),
        }
        worked_out = {"ability_score_increases", "size", "speed"}
        draft = book_draft("subrace", child.title, [child, own], child_facts, worked_out)
        draft.parent_slug = section.title.lower()
        yield draft


def own_text(section: Section) -> str | None:
    """A section's text without the sections below it."""
    return text_of(Section(section.raw, section.title, section.level, section.text))


def _ancestries(parts: list[NamedText], race: Section, own: Section) -> Iterator[Draft]:
    for part in parts:
        for match in _TABLE_BLOCK.finditer(part["description"] or ""):
            [table] = tables_in(match["table"])
            for row in table.rows:
                facts = {
                    "description": sentence(table.header, row),
                    "feat_type": (part["name"] or "").lower(),
                    "option_of": [reference("race", race.title, race)],
                }
                yield book_draft("feat", f"{part['name']}: {row[0]}", [own], facts, {"description"})


def _background(section: Section) -> Iterator[Draft]:
    introduction, labels = labelled(own_text(section))
    benefits: list[NamedText] = [{**part, "description": _plain(part["description"])} for part in labels]
    facts: dict[str, Any] = {"description": introduction, "feature": None}
    for part in benefits:
        if column := _COLUMN.get((part["name"] or "").lower()):
            facts[column] = part["description"]
    for child in section.children:
        part = {"name": child.title.removeprefix("Feature: "), "description": text_of(child)}
        benefits.append(part)
        if child.title.startswith("Feature: "):
            facts["feature"] = part
    yield book_draft("background", section.title, list(section.walk()), facts | {"benefits": benefits})


def _plain(text: str | None) -> str | None:
    """A benefit's text without emphasis and without the reference to the chapter with more details."""
    return re.sub(r"\s*\(see [\"“][^)]*\)", "", plain(re.sub(r"\*([^*\n]+)\*", r"\1", text))) if text else None
