"""Tables to roll on: which of the printed tables have a column of dice results, and what a roll gives."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from server.dataset.names import normalize_name

if TYPE_CHECKING:
    from random import Random

    from server.library.printed_tables import PrintedTable

_DICE: Final = re.compile(r"(?:dice:\s*)?(?P<count>\d*)\s?d\s?(?P<sides>\d+)", re.IGNORECASE)
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
        """Names of the columns beside that of the results."""
        return tuple(name for name, _ in self.cells)


@dataclass(frozen=True)
class DiceTable:
    """A printed table with a column of dice results; two such columns side by side are one table in two panels.

    Attributes:
        printed: the table.
        count, sides: the dice.
        outcomes: its rows, which together cover every result of the dice once.
    """

    printed: PrintedTable
    count: int
    sides: int
    outcomes: tuple[Outcome, ...]

    @property
    def dice(self) -> str:
        """As books write it: `1d100`."""
        return f"{self.count}d{self.sides}"

    @cached_property
    def title(self) -> str:
        """Its title; without one what its columns are headed, or the record's name."""
        headed = ", ".join(dict.fromkeys(filter(None, self.outcomes[0].columns)))
        return self.printed.title or headed or self.printed.name

    @cached_property
    def label(self) -> str:
        """What names it among all tables: `Acolyte: Flaw`; the title alone where that is the record's name."""
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

    @cached_property
    def words(self) -> frozenset[str]:
        """The words by which it can be asked for: of its record's name, its title and its columns."""
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


def dice_table(printed: PrintedTable) -> DiceTable | None:
    """A printed table as one to roll on; None if it is none, or if its rows do not cover every result once."""
    panels = [(place, dice) for place, name in enumerate(printed.columns) if (dice := _DICE.fullmatch(name))]
    if not panels or len({(int(dice["count"] or 1), dice["sides"]) for _, dice in panels}) > 1:
        return None
    places = [place for place, _ in panels]
    outcomes = tuple(
        outcome
        for start, stop in zip(places, [*places[1:], len(printed.columns)], strict=True)
        for outcome in _outcomes(printed, start, stop)
    )
    count, sides = int(panels[0][1]["count"] or 1), int(panels[0][1]["sides"])
    covered = sorted(result for row in outcomes for result in range(row.first, row.last + 1))
    if covered != list(range(count, count * sides + 1)):
        return None
    return DiceTable(printed, count, sides, outcomes)


def _outcomes(printed: PrintedTable, start: int, stop: int) -> list[Outcome]:
    """The rows of a panel: its column of results at `start`, what they give up to `stop`."""
    names = printed.columns[start + 1 : stop]
    found = ((_RANGE.fullmatch(row[start]), row[start + 1 : stop]) for row in printed.rows)
    return [
        Outcome(_result(span["first"]), _result(span["last"] or span["first"]), tuple(zip(names, cells, strict=True)))
        for span, cells in found
        if span
    ]


def _result(digits: str) -> int:
    """A result of dice; `00` of percentile dice is 100."""
    return 100 if digits == _HUNDRED else int(digits)
