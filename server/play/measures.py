"""How the books measure encounters: experience points for each difficulty, by the characters' levels.

The books of 2024 print a budget for each level and difficulty. The open books of 2014 have only one sentence: a monster
whose challenge rating is the level of a party of four is a worthy challenge; its experience points are the budget of
that party.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from server.dataset.names import normalize_name
from server.library.requests.request import Request
from server.play.citation import Citation, cited
from server.play.limits import DIFFICULTIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from server.library.library import Library
    from server.library.records.printed_tables import PrintedTable

WORTHY: Final = "worthy"
"""The only difficulty of 2014."""

_RATINGS: Final = frozenset({"challenge", "cr"})
_PARTY: Final = 4
"""Characters in the party that `_OF_FOUR` matches."""
_OF_FOUR: Final = re.compile(r"party of four\b[^.]*\bchallenge rating equal to", re.IGNORECASE)


@dataclass(frozen=True)
class Measure:
    """The experience points that an encounter may have.

    Attributes:
        game_system: the edition that it belongs to.
        document: key of the document with the rules.
        shares: difficulty, the easiest first → level → experience points for `sharing` characters of that level.
        sharing: how many characters a share is for.
        rules: the records that it was read from.
        note: a note about it for the caller; None if there is none.
    """

    game_system: str
    document: str
    shares: Mapping[str, Mapping[int, int]]
    sharing: int
    rules: Sequence[Citation]
    note: str | None = None

    def budgets(self, party: Sequence[int]) -> dict[str, int]:
        """Experience points for each difficulty that has a share for every level of the party."""
        return {
            difficulty: sum(share[level] for level in party) // self.sharing
            for difficulty, share in self.shares.items()
            if all(level in share for level in party)
        }


def measure_of(library: Library, game_system: str) -> Measure | None:
    """How the library's books of an edition measure encounters; None if they do not."""
    documents = [key for key, system in library.facts.documents(None).items() if system == game_system]
    of_edition = [table for table in library.tables.made_into(_measuring) if table.game_system == game_system]
    tables = sorted(of_edition, key=lambda table: (documents.index(table.document_key), not _is_of_its_name(table)))
    return next(_budgets(tables), None) or next(_worthy(library, tables), None)


def _budgets(tables: Iterable[PrintedTable]) -> Iterator[Measure]:
    """The measures of the tables that print a budget for each level and difficulty."""
    for table in tables:
        if _is_of_levels(table) and _are_numbers(table.rows):
            shares = {
                difficulty: {int(row[0]): _number(row[place]) for row in table.rows}
                for place, difficulty in enumerate(DIFFICULTIES, 1)
            }
            rules = [cited(table, "experience points for each character, by level and difficulty")]
            yield Measure(str(table.game_system), table.document_key, shares, 1, rules)


def _worthy(library: Library, tables: Iterable[PrintedTable]) -> Iterator[Measure]:
    """The measures of the tables of experience points by challenge rating, with the rule on worthy challenges."""
    for table in tables:
        if _is_of_ratings(table):
            request = Request("rule", kind="rule", documents=(table.document_key,))
            rules = library.facts.passing(request, ["id", "name", "document_key", "description"])
            for rule in (rule for rule in rules if _OF_FOUR.search(rule["description"] or "")):
                levels = [row for row in table.rows if row[0] != "0" and _are_numbers([row])]
                share = {int(row[0]): _number(row[1]) for row in levels}
                yield Measure(
                    str(table.game_system),
                    table.document_key,
                    {WORTHY: share},
                    _PARTY,
                    [
                        cited(rule, "four characters are a match for a challenge rating equal to their level"),
                        cited(table, "experience points of that challenge rating, a quarter for each character"),
                    ],
                    f"No open book of {table.game_system} prints budgets or multipliers for many monsters, so the "
                    "only measure in those books is used: a monster whose challenge rating is the level of four "
                    "characters is a worthy challenge for them.",
                )


def _measuring(table: PrintedTable) -> PrintedTable | None:
    """The table, if encounters may be measured by it."""
    return table if _is_of_levels(table) or _is_of_ratings(table) else None


def _is_of_levels(table: PrintedTable) -> bool:
    level, *difficulties = map(str.casefold, table.columns)
    return "level" in level and tuple(difficulties) == DIFFICULTIES


def _is_of_ratings(table: PrintedTable) -> bool:
    return table.columns[0].casefold() in _RATINGS and table.columns[1:] == ("XP",)


def _is_of_its_name(table: PrintedTable) -> bool:
    """Whether the record is about nothing but this table."""
    return table.title is None or normalize_name(table.title) == normalize_name(table.name)


def _are_numbers(rows: Iterable[Sequence[str]]) -> bool:
    return all(cell.replace(",", "").isdecimal() for row in rows for cell in row)


def _number(cell: str) -> int:
    return int(cell.replace(",", ""))
