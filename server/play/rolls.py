"""Rolls on the tables of the books, which are found by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from rapidfuzz import fuzz, process

from server.dataset.names import normalize_name
from server.library.names.name_index import Instead
from server.library.names.name_words import singulars
from server.library.names.renamed import EDITIONS, counterparts
from server.play.dice_tables import DiceTable, Fault, dice_tables_of, fault_of, folded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from server.library.library import Library

_WORD: Final = re.compile(r"\w+")
_MIN_RATIO: Final = 60
"""Lowest similarity (0..100) at which a table is suggested."""


def dice_tables(library: Library, documents: Sequence[str] | None) -> list[DiceTable]:
    """The dice tables of some documents, the preferred documents first."""
    place = {key: place for place, key in enumerate(library.facts.documents(documents))}
    every = (table for tables in library.tables.made_into(dice_tables_of) for table in tables)
    inside = (table for table in every if table.printed.document_key in place)
    return sorted(inside, key=lambda table: place[table.printed.document_key])


def tables_named(tables: Sequence[DiceTable], name: str) -> list[DiceTable]:
    """The tables that a name stands for; a table that several records print comes only once.

    The first rule that matches wins: the id or name of a record, which gives all tables of the first such record; the
    label or title of a table; words that, in any order and perhaps in the plural, all appear in a record's name, a
    title or its columns.
    """
    wanted = folded(name)
    words = [{word, *singulars(word)} for word in _WORD.findall(wanted)]
    of_record = [table for table in tables if wanted in (table.printed.id, table.of)]
    if of_record:
        return [table for table in of_record if table.printed.id == of_record[0].printed.id]
    titled = [table for table in tables if wanted in table.called]
    return _once(titled or [table for table in tables if words and all(word & table.words for word in words)])


def renamed(tables: Sequence[DiceTable], name: str) -> Instead | None:
    """The name that another edition has for what a name stands for, if a record so named has tables."""
    for each in counterparts(folded(name)):
        if of_record := [table for table in tables if table.of == each.name]:
            return Instead((of_record[0].printed.name,), EDITIONS[each.game_system], each.whole)
    return None


def faults(library: Library, documents: Sequence[str] | None, name: str) -> list[Fault]:
    """The printed tables with dice that cannot be rolled on, of the records that a name stands for.

    That is the id or name of records, otherwise words that all appear in their names.
    """
    inside = library.facts.documents(documents)
    every = [fault for fault in library.tables.made_into(fault_of) if fault.printed.document_key in inside]
    wanted = folded(name)
    words = set(_WORD.findall(wanted))
    named = {fault: normalize_name(fault.printed.name) for fault in every}
    of_record = [fault for fault, of in named.items() if wanted in (fault.printed.id, of)]
    return of_record or [fault for fault, of in named.items() if words and words <= set(_WORD.findall(of))]


def labels(tables: Sequence[DiceTable]) -> list[str]:
    """The labels of the tables, without duplicates."""
    return list(dict.fromkeys(table.label for table in tables))


def similar(tables: Sequence[DiceTable], name: str, most: int) -> list[str]:
    """Labels similar to a name, the most similar first."""
    found = process.extract(
        name, labels(tables), scorer=fuzz.token_set_ratio, processor=normalize_name, score_cutoff=_MIN_RATIO, limit=most
    )
    return [label for label, *_ in found]


def rolled(table: DiceTable, random: Random) -> dict[str, Any]:
    """One roll on a table, with the record that prints it."""
    return {
        "table": table.title,
        "dice": table.dice,
        **table.roll(random),
        "name": table.printed.name,
        "document": table.printed.document_key,
        "id": table.printed.id,
    }


def _once(tables: Sequence[DiceTable]) -> list[DiceTable]:
    """The tables, without later ones of the same label or the same content."""
    by_label = {table.label: table for table in reversed(tables)}
    by_content = {(table.dice, table.outcomes): table for table in reversed(by_label.values())}
    return sorted(by_content.values(), key=tables.index)
