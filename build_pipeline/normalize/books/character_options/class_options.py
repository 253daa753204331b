"""Options of class features (invocations, metamagic, fighting styles…), each as an entity of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.books.character_options.classes import ClassText, class_texts
from build_pipeline.normalize.books.character_options.features import Feature, offers_options, text_of
from build_pipeline.normalize.books.drafts import BOOKS, book_draft, reference, where
from build_pipeline.normalize.books.tree import Section
from build_pipeline.normalize.character_options.options import feat_type, joined_options
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.labels import labelled, prerequisite_first
from build_pipeline.normalize.text.tables import tables_in
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import slugify

_PICKS: Final = re.compile(r"\b[Cc]hoose (?:that|one type of) (?:land|dragon)\b")
"""A choice between tables, or between the rows of a single table."""

_NAMES: Final = {"Chains of the Deodand": "Chains of Carceri"}
"""Names found only in the main text → the names in its second conversion and all APIs."""


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every option that a class or subclass offers, by book; an option of several classes is one draft."""
    for book in BOOKS:
        found = [draft for text in class_texts(raw, book) for draft in _of_class(text, problems)]
        yield from joined_options(found)


def _of_class(text: ClassText, problems: Problems) -> Iterator[Draft]:
    offering = reference("class", text.name, text.section)
    for group in text.option_groups:
        if not group.children:
            problems.add(group.raw.id, f"{where(group)}: {group.title} has no options")
        for section in group.children:
            yield _option(section.title, group.title, text_of(section), offering, [section, group])
    for feature, section in text.features:
        for name, description, part in _choices(feature, section, text.name):
            yield _option(name, feature["name"], description, offering, [part, section])
    for subclass in text.subclasses:
        owner = reference("subclass", subclass.name, subclass.section)
        for feature, section in subclass.features:
            for name, description, part in _choices(feature, section, subclass.name):
                yield _option(name, feature["name"], description, owner, [part, section])


def _choices(feature: Feature, section: Section, owner: str) -> Iterator[tuple[str, str | None, Section]]:
    """(name, text, section) of what a feature offers: sections below it, labelled paragraphs, tables or table rows.

    `owner`: name of the class or subclass.
    """
    text = feature["description"] or ""
    if offers_options(text):
        if section.children:
            yield from ((child.title, text_of(child), child) for child in section.children)
        else:
            yield from ((part["name"] or "", part["description"], section) for part in labelled(text)[1])
    elif _PICKS.search(text):
        yield from _from_tables(feature, section, owner)


def _from_tables(feature: Feature, section: Section, owner: str) -> Iterator[tuple[str, str | None, Section]]:
    """Options that are tables with a heading or a caption of their own, or the rows of a single table."""
    headed = [(child.title, child) for child in section.children if child.text.startswith("|")]
    if headed:
        yield from ((title, clean_text(child.text), child) for title, child in headed)
        return
    tables = tables_in(section.text)
    if len(tables) > 1:
        for table in tables:
            if table.caption:  # "Arctic" says nothing without "Circle of the Land"
                yield f"{owner}: {table.caption}", clean_text(table.markdown), section
    else:
        for table in tables:
            for row in table.rows:
                yield f"{feature['name']}: {row[0]}", sentence(table.header, row), section


def sentence(header: tuple[str, ...], row: tuple[str, ...]) -> str:
    """A row of a table as one sentence: each cell after its column's name."""
    told = (f"{name}: {cell.rstrip('.')}" for name, cell in zip(header, row, strict=True) if cell)
    return f"{'; '.join(told)}."


def _option(name: str, of: str, text: str | None, owner: Reference, sections: list[Section]) -> Draft:
    prerequisite, description = prerequisite_first(text)
    facts: dict[str, Any] = {
        "description": description,
        "prerequisite": prerequisite,
        "feat_type": feat_type(of),
        "option_of": [owner],
    }
    of_a_row = name.startswith(f"{of}: ")
    draft = book_draft("feat", _NAMES.get(name, name), sections, facts, {"description"} if of_a_row else set())
    draft.keys = (slugify(name),) if name in _NAMES else ()
    draft.parent_slug = facts["feat_type"]
    return draft
