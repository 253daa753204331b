"""A record as a book prints it, in Markdown: the only renderer, for answers, the terminal, pages and exports.

A sheet's name is a heading of level 2, so that sheets fit below the title of the page that shows them; its sections are
of level 3, features of level 4. The last line names the document, its licence and the record's id. Unknown facts are
left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from server.dataset.schema import ENTITY_TABLES
from server.sheets import character_options, classes, creatures, equipment, rules, spells
from server.sheets.markdown import heading, italic, plain
from server.sheets.restated import without_restatement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from server.dataset.record import Record

_NAMED: Final = frozenset(
    column.name for table in ENTITY_TABLES for column in table.columns if isinstance(column.choice, tuple)
)
"""Columns of which summaries have only the names."""
_BODIES: Final[dict[str, Callable[[Record], Iterator[str]]]] = {
    "spell": spells.body,
    "creature": creatures.body,
    "weapon": equipment.body,
    "armor": equipment.body,
    "magic-item": equipment.body,
    "adventuring-gear": equipment.body,
    "class": classes.body,
    "subclass": classes.body,
    "race": character_options.race,
    "subrace": character_options.race,
    "background": character_options.background,
    "feat": character_options.feat,
}


def render(record: Record) -> str:
    """The sheet of a record: Markdown that ends without a line break.

    The sheet of a summary has only its facts; one that had to be cut is marked as shortened. If a record has a `sheet`,
    that is returned as it is. Entity types without a layout of their own get that of rules.
    """
    if "sheet" in record:
        return str(record["sheet"])
    record = without_restatement(_with_entries(record))
    body = _BODIES.get(record["entity_type"], rules.body)
    blocks = [heading(2, plain(record["name"])), *body(record), _foot(record)]
    return "\n\n".join(filter(None, blocks))


def kind_of(record: Record) -> str:
    """What a record is, from the first line of its sheet: `Large aberration, lawful evil`, as Markdown."""
    first = next(_BODIES.get(record["entity_type"], rules.body)(_with_entries(record)))
    return first.removeprefix("*").removesuffix("*")


def render_all(records: Iterable[Record]) -> str:
    """Sheets separated by rules; a list if records have only names."""
    records = list(records)
    if all("entity_type" in record for record in records):
        return "\n\n---\n\n".join(map(render, records))
    return "\n".join(f"- {plain(record['name'])} ({plain(record['id'])})" for record in records)


def _with_entries(record: Record) -> Record:
    """The record with traits, actions and the like as structs, as in full records, even if a summary has only names."""
    named = {column: value for column, value in record.items() if column in _NAMED and isinstance(value, list)}
    entries = {
        column: [{"name": part} if isinstance(part, str) else part for part in value] for column, value in named.items()
    }
    return record | entries


def _foot(record: Record) -> str:
    """`*System Reference Document 5.1, page 241. Creative Commons Attribution 4.0. creature/srd-2014/aboleth*`."""
    page = record.get("page")
    document = plain(record.get("document_name") or record["document_key"])
    if page is not None:  # for spells it includes the book: `phb 241`
        document += f", page {page}" if isinstance(page, int) else f", {plain(page)}"
    licence = plain(record["license"]) if record.get("license") else None
    shortened = "Shortened" if record.get("truncated") else None
    return italic(". ".join(filter(None, (document, licence, plain(record["id"]), shortened))))
