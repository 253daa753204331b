"""`roll_table`: a roll on a table of the books."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any, Final

from server.library.messages import called
from server.play.citation import cited
from server.play.dice import MOST_DICE, MOST_SIDES, can_be_rolled, dice_in, rolled_dice
from server.play.rolls import dice_tables, faults, labels, renamed, rolled, similar, tables_named
from server.tools import values
from server.tools.at_the_table import SEED, TOOLSET, answers, name_of, seed_of, within_documents, worked_out
from server.tools.output import COUNT, STRING, TEXT
from server.tools.parameters import DOCUMENTS, integer
from server.tools.tool import Envelope, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.library.library import Library
    from server.play.dice_tables import DiceTable, Fault

MOST_ROLLS: Final = 20
MOST_TABLES: Final = 8
"""Maximum number of tables that one call rolls on."""
_MOST_LISTED: Final = 20
_TABLE: Final = re.compile(r"\s+tables?\s*$", re.IGNORECASE)
_OF_NO_TABLE: Final = dict.fromkeys(("table", "name", "document", "id"))
"""The facts about the table in the roll of plain dice."""

_DESCRIPTION: Final = """\
Roll on a table that a book prints with a column of dice: a spell's or item's effects, madness, a background's ideals. \
A record's name rolls on all of its tables. Returns the roll, its row, and the record that prints the table. \
Rolls plain dice too. E.g. table="Bag of Beans"; table="Acolyte: Flaw", seed=7; table="2d6+3"."""


def _answer(library: Library, given: Mapping[str, Any], documents: tuple[str, ...] | None, said: list[str]) -> Envelope:
    seed = seed_of(given)
    random = Random(seed)  # noqa: S311 - dice, not secrets
    asked = given["table"]
    if terms := dice_in(asked):
        if not can_be_rolled(terms):
            most = f"dice with 1 to {MOST_SIDES} sides, at most {MOST_DICE} of them, e.g. 2d6+3"
            raise values.refusal(_ABOUT.name, asked, most)
        rolls = [_OF_NO_TABLE | rolled_dice(terms, random) for _ in range(given["times"])]
        return worked_out(library, rolls, notes=said, seed=seed)
    tables = dice_tables(library, documents)
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
        broken = [] if found else faults(library, documents, asked)
        said += [_faulty(broken)] if broken else [_which(asked, names, near, len(every))]
        said += library.closed(_TABLE.sub("", asked))
        return worked_out(library, [], notes=said, suggestions=near[:_MOST_LISTED], seed=seed)
    if not found[0].is_called(asked):
        said.append(f'No table is called "{asked}"; its words appear in {values.listed(names)}.')
        said += library.closed(_TABLE.sub("", asked))
    records = {table.printed.id for table in found}
    if broken := [fault for each in records for fault in faults(library, documents, each)]:
        said.append(_faulty(broken))
    rolls = [rolled(table, random) for _ in range(given["times"]) for table in found]
    return worked_out(library, rolls, rules=_rules(found), notes=said, fewer="Roll fewer times.", seed=seed)


def _faulty(broken: Sequence[Fault]) -> str:
    """A note on tables that cannot be rolled on as printed."""
    told = "; ".join(f"{each.printed.name} ({each.printed.id}) {_fault(each)}" for each in broken[:MOST_TABLES])
    return f"Not rolled on, as the printed tables do not fit their dice: {told}. Look up the record to read the table."


def _fault(fault: Fault) -> str:
    """`has no row for 7-8 of 1d8`."""
    dice = values.listed(fault.dice)
    wrong = {
        f"no row for {_spans(fault.missing)} of {dice}": fault.missing,
        f"several rows for {_spans(fault.repeated)} of {dice}": fault.repeated,
        f"rows for {_spans(fault.impossible)}, which {dice} cannot give": fault.impossible,
    }
    return f"has {' and '.join(said for said, results in wrong.items() if results) or f'columns of {dice}'}"


def _spans(results: Sequence[int]) -> str:
    """Ascending numbers, runs of them as one: `1, 4-9`."""
    starts = [number for number in results if number - 1 not in results]
    ends = [number for number in results if number + 1 not in results]
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in zip(starts, ends, strict=True))


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


_ABOUT: Final = name_of("table", "Name of a record, of its table, or both; or dice")

ROLL: Final = Tool(
    "roll_table",
    "Roll on a table",
    TOOLSET,
    _DESCRIPTION,
    parameters=(
        _ABOUT,
        integer("times", f"1-{MOST_ROLLS}", 1, MOST_ROLLS, default=1),
        SEED,
        DOCUMENTS,
    ),
    tables=(),
    answer=within_documents(_answer),
    answers=answers(
        dict.fromkeys(_OF_NO_TABLE, TEXT) | {"dice": STRING, "roll": COUNT, "row": {"type": "object"}},
        {"seed": COUNT},
    ),
)
