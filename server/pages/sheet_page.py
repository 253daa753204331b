"""An entity's page: its sheet, its place in its book, and links to related entities."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from server.dataset.schema import TABLE_OF
from server.library.requests.kinds import FAMILY_TABLES, KINDS
from server.library.requests.request import Request
from server.pages import addresses
from server.pages.asked import Asked
from server.pages.html import Html, element, markup
from server.pages.layout import Page
from server.pages.sections import section_of
from server.pages.sheet_html import sheet_html
from server.sheets.sheet import render
from server.tools.parameters import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from server.dataset.record import Record
    from server.library.library import Library
    from server.library.records.reading import Place
    from server.pages.html import Child

_NOUNS: Final = {
    **{str(token): kind.noun for kinds in KINDS.values() for token, kind in kinds.items() if token},
    **{family: kinds[None].noun for family, kinds in KINDS.items() if None in kinds},
    "subclass": "subclasses",
    "subrace": "subraces",
}


def noun_of(entity_type: str) -> str:
    """The plural noun for entities of a type: `Ability scores`."""
    return _NOUNS[entity_type].capitalize()


def all_of(entity_type: str, document: str) -> str:
    """The address of the list of a document's entities of a type."""
    family = next(family for family, table in FAMILY_TABLES.items() if table is TABLE_OF[entity_type])
    section = section_of(family)
    kind = {p.name: (entity_type,) for p in section.fields if p.is_kind and entity_type in KINDS[family]}
    return Asked(section, given=kind | {DOCUMENTS.name: (document,)}).address


def sheet_page(library: Library, entity_id: str) -> Page | None:
    """The page of an entity; None if the library does not hold it."""
    record = library.entity(entity_id)
    if record is None:
        return None
    place = library.reading.place(entity_id)
    linked = library.reading.named(record["links"] or ())
    looks = f"sheet {record['entity_type']} {'of-2024' if record['game_system'] == '5e-2024' else 'of-2014'}"
    main = markup(
        _above(record, place),
        element("article", sheet_html(render(record), _links(record, linked, library)), class_=looks),
        element("aside", _aside(library, record, linked), aria_label="Related"),
        _around(place),
    )
    return Page(f"{record['name']} · {record['document_name']}", main, kind="reading")


def _links(record: Record, linked: Sequence[Record], library: Library) -> dict[str, str]:
    """Name in the sheet, casefolded → address; names that fit several pages are left out."""
    named = [*linked, *library.reading.named(_references(record))]
    addresses_of: dict[str, set[str]] = {}
    for other in named:
        addresses_of.setdefault(other["name"].casefold(), set()).add(addresses.of_entity(other["id"]))
    addresses_of.pop(record["name"].casefold(), None)
    addresses_of.setdefault(record["document_name"].casefold(), {addresses.of_document(record["document_key"])})
    return {name: next(iter(found)) for name, found in addresses_of.items() if len(found) == 1}


def _references(value: object) -> Iterator[str]:
    """The ids of all entities that a record names with their ids: spells, subclasses, what it is part of."""
    if isinstance(value, dict):
        if isinstance(value.get("id"), str) and "entity_type" not in value:
            yield value["id"]
        for member in value.values():
            yield from _references(member)
    elif isinstance(value, list):
        for member in value:
            yield from _references(member)


def _above(record: Record, place: Place) -> Html:
    """Breadcrumbs: the book, then the chapters around the record, or the list of its type."""
    document = record["document_key"]
    entity_type = record["entity_type"]
    crumbs = [element("a", record["document_name"], href=addresses.of_document(document))]
    if place.above or place.previous or place.following:
        crumbs += [_link(other) for other in place.above]
    else:
        crumbs.append(element("a", noun_of(entity_type), href=all_of(entity_type, document)))
    return element("nav", element("ol", (element("li", crumb) for crumb in crumbs)), class_="above", aria_label="Book")


def _around(place: Place) -> Html | None:
    """Links to the previous and the next page in reading order."""
    ways = (("prev", "← ", place.previous, ""), ("next", "", place.following, " →"))
    links = [
        element("a", before, other["name"], after, href=addresses.of_entity(other["id"]), rel=rel)
        for rel, before, other, after in ways
        if other
    ]
    return element("nav", links, class_="paging", aria_label="Reading order") if links else None


def _aside(library: Library, record: Record, linked: Sequence[Record]) -> Iterator[Child]:
    elsewhere = library.reading.elsewhere(record["id"])
    if elsewhere:
        yield element("h2", "In other books")
        links = (
            element("li", element("a", library.reading.title(other["document"]), href=addresses.of_entity(other["id"])))
            for other in elsewhere
        )
        yield element("ul", links)
    if record["entity_type"] == "class":
        yield from _spells(library, record)
    if linked:
        yield element("h2", "See also")
        yield from _by_type(linked)
    back = record["linked_from"]
    seen = {other["id"] for other in linked}
    others = [other for other in library.reading.named(back["ids"]) if other["id"] not in seen]
    more = back["total"] - len(back["ids"])
    if others or more:
        yield element("h2", "Referred to by")
        yield from _by_type(others)
        yield element("p", f"and {more:,} more") if more else None


def _spells(library: Library, record: Record) -> Iterator[Html]:
    """A link to the spells of a class, if it has any."""
    name, document = record["name"].lower(), record["document_key"]
    spells = Request("spell", filters={"class_key": name}, documents=(document,), limit=1, detail="names")
    if count := library.find(spells)["total"]:
        asked = Asked(section_of("spell"), given={"class_key": (name,), DOCUMENTS.name: (document,)})
        yield element("h2", "Spells")
        yield element("p", element("a", f"All {count:,} of the class", href=asked.address))


def _by_type(records: Iterable[Record]) -> Iterator[Html]:
    def type_of(record: Record) -> str:
        return str(record["id"].partition("/")[0])

    for entity_type, several in groupby(sorted(records, key=type_of), type_of):
        yield element("h3", noun_of(entity_type))
        in_order = sorted(several, key=lambda record: record["name"].casefold())
        yield element("ul", (element("li", _link(other)) for other in in_order), class_="inline")


def _link(other: Record) -> Html:
    return element("a", other["name"], href=addresses.of_entity(other["id"]))
