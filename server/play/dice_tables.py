"""Dice tables: the printed tables with a column of dice results, and rolls on them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from server.dataset.names import normalize_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from server.library.printed_tables import PrintedTable

_DICE: Final = re.compile(r"(?:dice:\s*)?(?P<count>\d*)\s?d\s?(?P<sides>\d+)(?:\s*\((?P<of>[^()]+)\))?", re.IGNORECASE)
_RANGE: Final = re.compile(r"(?P<first>\d{1,3})(?:\s*[–—-]\s*(?P<last>\d{1,3}))?")
_WORD: Final = re.compile(r"\w+")
_HUNDRED: Final = "00"
_TABLE: Final = " table"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row of a dice table: the results from `first` to `last` give `cells`, each a column's name and its value."""

    first: int
    last: int
    cells: tuple[tuple[str, str], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns other than that of the results."""
        return tuple(name for name, _ in self.cells)


@dataclass(frozen=True)
class DiceTable:
    """A printed table with a column of dice results; two such columns side by side are one table in two panels.

    Attributes:
        printed: the table.
        count, sides: the dice.
        outcomes: its rows, which together cover every result of the dice once.
        of_column: what its column of results is for, if the printed table has several.
    """

    printed: PrintedTable
    count: int
    sides: int
    outcomes: tuple[Outcome, ...]
    of_column: str | None = None

    @property
    def dice(self) -> str:
        """The dice as books write them: `1d100`."""
        return f"{self.count}d{self.sides}"

    @cached_property
    def title(self) -> str:
        """The printed title; without one, the headings of its columns, or the record's name."""
        headed = ", ".join(dict.fromkeys(filter(None, self.outcomes[0].columns)))
        title = self.printed.title or headed or self.printed.name
        return f"{title} ({self.of_column})" if self.of_column else title

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
        """Its label and its title, normalized."""
        return frozenset(without_table(normalize_name(name)) for name in (self.label, self.title))

    def is_called(self, name: str) -> bool:
        """Whether a name, normalized, is its id, its record's name, its label or its title."""
        return name in (self.printed.id, self.of) or name in self.called

    @cached_property
    def words(self) -> frozenset[str]:
        """The words by which it can be found: those of its record's name, its title and its columns."""
        named = (self.printed.name, self.printed.within or "", self.title, *self.outcomes[0].columns)
        return frozenset(_WORD.findall(normalize_name(" ".join(named))))

    def roll(self, random: Random) -> dict[str, Any]:
        """One roll: `roll`, and the `row` that it gives."""
        result = sum(random.randint(1, self.sides) for _ in range(self.count))
        outcome = next(row for row in self.outcomes if row.first <= result <= row.last)
        return {"roll": result, "row": dict(outcome.cells)}


def without_table(name: str) -> str:
    """A normalized name without the word "table" at its end."""
    return name.removesuffix(_TABLE)


def has_dice(printed: PrintedTable) -> bool:
    """Whether the heading of one of its columns is dice."""
    return any(_DICE.fullmatch(name) for name in printed.columns)


def dice_tables_of(printed: PrintedTable) -> tuple[DiceTable, ...] | None:
    """The dice tables in a printed table; None if there are none whose rows cover every result exactly once.

    Columns of dice that say what each is for ("1d100 (13-Card Deck)") give one table each, over the same rows.
    """
    found = [(place, dice) for place, name in enumerate(printed.columns) if (dice := _DICE.fullmatch(name))]
    places = [place for place, _ in found]
    if len(found) > 1 and all(dice["of"] for _, dice in found):
        others = [place for place in range(len(printed.columns)) if place not in places]
        tables = [_table(printed, dice, _outcomes(printed, place, others), dice["of"]) for place, dice in found]
    elif len({(int(dice["count"] or 1), dice["sides"]) for _, dice in found}) == 1:
        ends = [*places[1:], len(printed.columns)]
        panels = [_outcomes(printed, place, range(place + 1, end)) for place, end in zip(places, ends, strict=True)]
        tables = [_table(printed, found[0][1], [outcome for panel in panels for outcome in panel], None)]
    else:
        return None
    return tuple(table for table in tables if table is not None) or None


def _table(printed: PrintedTable, dice: re.Match[str], outcomes: list[Outcome], of: str | None) -> DiceTable | None:
    """The table of these dice and rows; None if they do not cover every result exactly once."""
    count, sides = int(dice["count"] or 1), int(dice["sides"])
    covered = sorted(result for row in outcomes for result in range(row.first, row.last + 1))
    if covered != list(range(count, count * sides + 1)):
        return None
    return DiceTable(printed, count, sides, tuple(outcomes), of)


def _outcomes(printed: PrintedTable, place: int, columns: Sequence[int]) -> list[Outcome]:
    """The rows of the column of results at `place`, with the cells of `columns`."""
    found = ((_RANGE.fullmatch(row[place]), row) for row in printed.rows)
    return [
        Outcome(
            _result(span["first"]),
            _result(span["last"] or span["first"]),
            tuple((printed.columns[each], row[each]) for each in columns),
        )
        for span, row in found
        if span
    ]


def _result(digits: str) -> int:
    """A result of dice; `00` on percentile dice is 100."""
    return 100 if digits == _HUNDRED else int(digits)
