"""Dice tables: the printed tables with a column of dice results, and rolls on them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from server.dataset.names import normalize_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from server.library.records.printed_tables import PrintedTable

_DICE: Final = re.compile(
    r"(?:dice:\s*)?(?P<count>\d*)\s?d\s?(?P<sides>\d+|%)(?:\s*\((?P<of>[^()]+)\))?", re.IGNORECASE
)
_RANGE: Final = re.compile(r"(?P<first>\d{1,3})(?:\s*[–—-]\s*(?P<last>\d{1,3}))?")
_WORD: Final = re.compile(r"\w+")
_HUNDRED: Final = "00"
_PERCENT: Final = "%"
_OUTCOME: Final = "Outcome"
"""Name for the headings of a table whose rows are of results: they are what a result gives."""
_NO_RESULT: Final = frozenset({"", "-", "–", "—"})
_SINGLE_DICE: Final = frozenset({4, 6, 8, 10, 12, 20, 100})
"""Sides of the dice of tables that do not head a column with their dice."""
_TABLE: Final = " table"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row of a dice table: the results from `first` to `last` give `cells`, each a column's name and its value."""

    first: int
    last: int
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class DiceTable:
    """A printed table with a column of dice results; two such columns side by side are one table in two panels.

    Attributes:
        printed: the table.
        count, sides: the dice.
        outcomes: its rows, which together cover every result of the dice once.
        headings: names of the columns by which it can be found.
        only_for: what its results are for, if the printed table has several columns or rows of results.
    """

    printed: PrintedTable
    count: int
    sides: int
    outcomes: tuple[Outcome, ...]
    headings: tuple[str, ...]
    only_for: str | None = None

    @property
    def dice(self) -> str:
        """The dice as books write them: `1d100`."""
        return f"{self.count}d{self.sides}"

    @cached_property
    def title(self) -> str:
        """The printed title; without one, the headings of its columns, or the record's name."""
        title = self.printed.title or ", ".join(dict.fromkeys(filter(None, self.headings))) or self.printed.name
        return f"{title} ({self.only_for})" if self.only_for else title

    @cached_property
    def label(self) -> str:
        """Its name among all tables: record and title, as `Acolyte: Flaw`, or just the record if both are the same."""
        of, title = self.printed.name, self.title
        return of if self.of == normalize_name(title) else f"{of}: {title}"

    @cached_property
    def of(self) -> str:
        """The name of its record, normalized."""
        return normalize_name(self.printed.name)

    @cached_property
    def called(self) -> frozenset[str]:
        """Its label and its title, folded."""
        return frozenset(folded(name) for name in (self.label, self.title))

    def is_called(self, name: str) -> bool:
        """Whether a name is its id, its record's name, its label or its title, not only words of these."""
        wanted = folded(name)
        return wanted in (self.printed.id, self.of) or wanted in self.called

    @cached_property
    def words(self) -> frozenset[str]:
        """The words by which it can be found: those of its record's name, its title and its columns."""
        named = (self.printed.name, self.printed.within or "", self.title, *self.headings)
        return frozenset(_WORD.findall(normalize_name(" ".join(named))))

    def roll(self, random: Random) -> dict[str, Any]:
        """One roll: `roll`, and the `row` that it gives."""
        result = sum(random.randint(1, self.sides) for _ in range(self.count))
        outcome = next(row for row in self.outcomes if row.first <= result <= row.last)
        return {"roll": result, "row": dict(outcome.cells)}


def folded(name: str) -> str:
    """A name as tables are found by: normalized, without the word "table" at its end."""
    return normalize_name(name).removesuffix(_TABLE)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a printed table with dice cannot be rolled on.

    Attributes:
        printed: the table.
        dice: the headings of its columns of results.
        missing, repeated: results of its dice that no row has, and that several rows have.
        impossible: results of its rows that its dice cannot give.

    If its columns are for different dice, the last three are empty.
    """

    printed: PrintedTable
    dice: tuple[str, ...]
    missing: tuple[int, ...] = ()
    repeated: tuple[int, ...] = ()
    impossible: tuple[int, ...] = ()


def fault_of(printed: PrintedTable) -> Fault | None:
    """Why a printed table with dice cannot be rolled on; None if it can, or has no dice."""
    heads = _heads(printed)
    if not heads or dice_tables_of(printed) is not None:
        return None
    names = tuple(dict.fromkeys(printed.columns[place] for place, _ in heads))
    if len({_count_and_sides(dice) for _, dice in heads}) > 1:
        return Fault(printed, names)
    count, sides = _count_and_sides(heads[0][1])
    rows = Counter(result for place, _ in heads for row in _outcomes(printed, place, ()) for result in _span(row))
    possible = range(count, count * sides + 1)
    return Fault(
        printed,
        names,
        missing=tuple(result for result in possible if result not in rows),
        repeated=tuple(result for result in possible if rows[result] > 1),
        impossible=tuple(result for result in sorted(rows) if result not in possible),
    )


def dice_tables_of(printed: PrintedTable) -> tuple[DiceTable, ...] | None:
    """The dice tables in a printed table; None if there are none whose rows cover every result exactly once.

    Columns of dice that say what each is for ("1d100 (13-Card Deck)") give one table each, over the same rows. So do
    rows, if no column is headed by dice but the cells of each row are the results that give the column's outcome.
    """
    heads = _heads(printed)
    places = [place for place, _ in heads]
    tables: list[DiceTable | None] = []
    if not heads:
        tables = _tables_of_rows(printed)
    elif len(heads) > 1 and all(dice["of"] for _, dice in heads):
        others = [place for place in range(len(printed.columns)) if place not in places]
        tables = [_table(printed, dice, _outcomes(printed, place, others), dice["of"]) for place, dice in heads]
    elif len({_count_and_sides(dice) for _, dice in heads}) == 1:
        ends = [*places[1:], len(printed.columns)]
        panels = [_outcomes(printed, place, range(place + 1, end)) for place, end in zip(places, ends, strict=True)]
        tables = [_table(printed, heads[0][1], [outcome for panel in panels for outcome in panel], None)]
    return tuple(table for table in tables if table is not None) or None


def _heads(printed: PrintedTable) -> list[tuple[int, re.Match[str]]]:
    """The columns headed by dice: place and dice."""
    return [(place, dice) for place, name in enumerate(printed.columns) if (dice := _DICE.fullmatch(name))]


def _count_and_sides(dice: re.Match[str]) -> tuple[int, int]:
    return int(dice["count"] or 1), 100 if dice["sides"] == _PERCENT else int(dice["sides"])


def _table(printed: PrintedTable, dice: re.Match[str], outcomes: list[Outcome], of: str | None) -> DiceTable | None:
    """The table of these dice and rows; None if they do not cover every result exactly once."""
    count, sides = _count_and_sides(dice)
    if _covered(outcomes) != list(range(count, count * sides + 1)):
        return None
    return DiceTable(printed, count, sides, tuple(outcomes), tuple(name for name, _ in outcomes[0].cells), of)


def _tables_of_rows(printed: PrintedTable) -> list[DiceTable | None]:
    """A table for each row, if the cells of every row after its name are all results of one die, or empty."""
    name, *columns = printed.columns
    tables: list[DiceTable | None] = []
    for of, *cells in printed.rows:
        found = [(column, cell, _RANGE.fullmatch(cell)) for column, cell in zip(columns, cells, strict=True)]
        outcomes = [_outcome(span, ((name, of), (_OUTCOME, column))) for column, cell, span in found if span]
        covered = _covered(outcomes)
        if any(not span and cell not in _NO_RESULT for _, cell, span in found) or covered != _results_to(covered):
            return []
        tables.append(DiceTable(printed, 1, len(covered), tuple(outcomes), (name,), of))
    return tables if len({table.sides for table in tables if table}) == 1 else []


def _results_to(covered: Sequence[int]) -> list[int] | None:
    """The results of the die with as many sides as there are results; None if there is no such die."""
    return [*range(1, len(covered) + 1)] if len(covered) in _SINGLE_DICE else None


def _covered(outcomes: Iterable[Outcome]) -> list[int]:
    return sorted(result for row in outcomes for result in _span(row))


def _span(row: Outcome) -> range:
    return range(row.first, row.last + 1)


def _outcomes(printed: PrintedTable, place: int, columns: Sequence[int]) -> list[Outcome]:
    """The rows of the column of results at `place`, with the cells of `columns`."""
    found = ((_RANGE.fullmatch(row[place]), row) for row in printed.rows)
    return [
        _outcome(span, tuple((printed.columns[each], row[each]) for each in columns)) for span, row in found if span
    ]


def _outcome(span: re.Match[str], cells: tuple[tuple[str, str], ...]) -> Outcome:
    return Outcome(_result(span["first"]), _result(span["last"] or span["first"]), cells)


def _result(digits: str) -> int:
    """A result of dice; `00` on percentile dice is 100."""
    return 100 if digits == _HUNDRED else int(digits)
