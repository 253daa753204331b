"""Languages from the books' tables: who speaks them, in which script, and how common they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.books.rules.contents import Path, path_of
from build_pipeline.normalize.books.tree import SOURCE, Section, read_book
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference
from build_pipeline.normalize.rules.languages import listed
from build_pipeline.normalize.text.tables import Table, tables_in
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import normalize_name

_PLACES: Final[dict[str, tuple[Path, ...]]] = {
    "srd-2024": tuple(
        ("Character Creation", "Step 2: Character Origin", "Choose Languages", f"{kind} Languages")
        for kind in ("Standard", "Rare")
    ),
    "srd-2014": (("Beyond 1st Level", "Languages"),),
}
"""Sections with tables of languages, titled "… Languages" in their heading or caption."""

_NONE: Final = "—"


def language_drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """A draft of every language in the books' tables; a section without such a table goes into `problems`."""
    for book, places in _PLACES.items():
        for section in (each for part in read_book(raw, book) for each in part.walk()):
            if path_of(section) in places:
                found = list(_of_section(section))
                if not found:
                    problems.add(section.raw.id, f"{section.title!r} has no table of languages")
                yield from found


def _of_section(section: Section) -> Iterator[Draft]:
    for table in tables_in(section.text):
        title = table.caption or section.title
        if "Language" in table.header:
            for row in table.rows:
                yield from _of_row(section, title, table, row)


def _of_row(section: Section, title: str, table: Table, row: tuple[str, ...]) -> Iterator[Draft]:
    """The languages of a row: one for each column named "Language"."""
    cells = {column: cell for column, cell in zip(table.header, row, strict=True) if cell != _NONE}
    speakers, script = cells.get("Typical Speakers"), cells.get("Script")
    path = path_of(section)
    above = path if title == section.title else (*path, title)
    facts: dict[str, Any] = {
        "rule_type": "language",
        "category": title.split(maxsplit=1)[0].lower(),
        "speakers": listed(speakers.split(", ")) if speakers else None,
        "script": script.lower() if script else None,
        "section": path[0],
        "headings": list(map(normalize_name, above)),
        "parent": Reference(("rule",), title, section.raw.id if title == section.title else None),
        "reading_order": int(section.raw.data["order"]),
    }
    for column, cell in zip(table.header, row, strict=True):
        if column == "Language" and (name := cell.strip("*\\")):
            yield Draft(SOURCE, (section.raw.id,), "language", section.raw.endpoint, name, facts=dict(facts))
