"""`roll_table`: a roll on a table of the books."""

from __future__ import annotations

import re
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Final

from server.library.messages import called
from server.play.citation import cited
from server.play.rolls import dice_tables, is_called, labels, renamed, rolled, similar, tables_named, uneven
from server.tools import values
from server.tools.at_the_table import SEED, TOOLSET, answers, name_of, seed_of, within_documents, worked_out
from server.tools.output import COUNT, STRING
from server.tools.parameters import DOCUMENTS, Parameter
from server.tools.tool import Envelope, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.library.library import Library
    from server.play.dice_tables import DiceTable

MOST_ROLLS: Final = 20
MOST_TABLES: Final = 8
"""Maximum number of tables that one call rolls on."""
_MOST_LISTED: Final = 20
_TABLE: Final = re.compile(r"\s+tables?\s*$", re.IGNORECASE)

_DESCRIPTION: Final = """\
Roll on a table that a book prints with a column of dice: a spell's or item's effects, madness, a background's ideals. \
A record's name rolls on all of its tables. Returns the roll, its row, and the record that prints the table. \
E.g. table="Bag of Beans"; table="Acolyte: Flaw", seed=7."""


def _answer(library: Library, given: Mapping[str, Any], documents: tuple[str, ...] | None, said: list[str]) -> Envelope:
    seed = seed_of(given)
    tables = dice_tables(library, documents)
    asked = given["table"]
    found = tables_named(tables, asked)
    if not found and (other := renamed(tables, asked)):
        said.append(called(asked, other))
        (asked,) = other.names
        found = tables_named(tables, asked)
    names = labels(found)
    if not found or len(names) > MOST_TABLES:
        every = labels(tables)
        near = names or similar(tables, asked, _MOST_LISTED)
        near = near or (every if len(every) <= _MOST_LISTED else [])
        said.append(_uneven(library, documents, asked) or _which(asked, names, near, len(every)))
        said += library.closed(_TABLE.sub("", asked))
        return worked_out(library, [], notes=said, suggestions=near[:_MOST_LISTED], seed=seed)
    if not is_called(found[0], asked):
        said.append(f'No table is called "{asked}"; its words appear in {values.listed(names)}.')
        said += library.closed(_TABLE.sub("", asked))
    random = Random(seed)  # noqa: S311 - dice, not secrets
    rolls = [rolled(table, random) for _ in range(given["times"]) for table in found]
    return worked_out(library, rolls, rules=_rules(found), notes=said, fewer="Roll fewer times.", seed=seed)


def _uneven(library: Library, documents: tuple[str, ...] | None, asked: str) -> str | None:
    """A note on a table that cannot be rolled on as printed."""
    if not (records := uneven(library, documents, asked)):
        return None
    return (
        f"The table of {values.listed(records)}, as printed, has no row or several rows for some results of its dice: "
        "look up its record to read it."
    )


def _which(asked: str, names: list[str], near: list[str], number: int) -> str:
    if names:
        return f'"{asked}" may be any of {len(names)} tables: name one of those suggested.'
    there = (
        "see the suggestions"
        if near
        else "give the name of a record whose text has one"
        if number
        else "these books have none"
    )
    return f'Found no table with a column of dice named "{asked}"; {there}.'


def _rules(tables: list[DiceTable]) -> list[dict[str, Any]]:
    titles: dict[str, list[str]] = {}
    for table in tables:
        titles.setdefault(table.printed.id, []).append(f"{table.title} ({table.dice})")
    records = {table.printed.id: table.printed for table in tables}
    return [cited(records[identity], f"prints {', '.join(own)}") for identity, own in titles.items()]


ROLL: Final = Tool(
    "roll_table",
    "Roll on a table",
    TOOLSET,
    _DESCRIPTION,
    parameters=(
        name_of("table", "Name of a record, of its table, or both"),
        Parameter(
            "times",
            f"1-{MOST_ROLLS}",
            {"type": "integer"},
            partial(values.integer, minimum=1, maximum=MOST_ROLLS),
            default=1,
        ),
        SEED,
        DOCUMENTS,
    ),
    tables=(),
    answer=within_documents(_answer),
    answers=answers(
        dict.fromkeys(("table", "dice", "name", "document", "id"), STRING) | {"roll": COUNT, "row": {"type": "object"}},
        {"seed": COUNT},
    ),
)
