"""Rolls of dice as players write them: `2d6+3`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from server.dataset.names import normalize_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

MOST_DICE: Final = 100
"""Maximum number of dice in an expression."""
MOST_SIDES: Final = 1_000

_PERCENT: Final = "%"
_TERM: Final = re.compile(r"(?P<sign>[+-]?) ?(?:(?P<count>\d{0,5})d(?P<sides>\d{1,5}|%)|(?P<number>\d{1,5})) ?")


@dataclass(frozen=True, slots=True)
class Term:
    """A part of an expression: `count` dice with `sides`, or the number `count` if `sides` is None; `sign` 1 or -1."""

    sign: int
    count: int
    sides: int | None

    @property
    def written(self) -> str:
        """The term without its sign: `2d6`."""
        return str(self.count) if self.sides is None else f"{self.count}d{self.sides}"


def dice_in(text: str) -> tuple[Term, ...] | None:
    """The terms of a text that is a sum of dice and whole numbers; None if it is not.

    >>> [term.written for term in dice_in("d20 + 2d4 - 1") or ()]
    ['1d20', '2d4', '1']
    """
    expression = normalize_name(text)
    terms: list[Term] = []
    place = 0
    while place < len(expression):
        found = _TERM.match(expression, place)
        if not found or (terms and not found["sign"]):
            return None
        terms.append(_term(found))
        place = found.end()
    return tuple(terms) if any(term.sides is not None for term in terms) else None


def can_be_rolled(terms: Sequence[Term]) -> bool:
    """Whether an expression is within `MOST_DICE` and `MOST_SIDES`, and every die has a side."""
    dice = [term for term in terms if term.sides is not None]
    return sum(term.count for term in dice) <= MOST_DICE and all(1 <= (term.sides or 0) <= MOST_SIDES for term in dice)


def written(terms: Sequence[Term]) -> str:
    """The expression: `2d6 + 3`."""
    first, *others = terms
    signed = [f" {'+' if term.sign > 0 else '-'} {term.written}" for term in others]
    return f"{'-' if first.sign < 0 else ''}{first.written}{''.join(signed)}"


def rolled_dice(terms: Sequence[Term], random: Random) -> dict[str, Any]:
    """One roll: its `dice`, the sum as `roll`, and as `row` the result of each die, by the dice."""
    thrown = [
        [term.count] if term.sides is None else [random.randint(1, term.sides) for _ in range(term.count)]
        for term in terms
    ]
    of_dice = [(term.written, each) for term, each in zip(terms, thrown, strict=True) if term.sides is not None]
    row: dict[str, str] = {}
    for dice, each in of_dice:
        row[dice] = ", ".join(filter(None, (row.get(dice), *map(str, each))))
    return {
        "dice": written(terms),
        "roll": sum(term.sign * sum(each) for term, each in zip(terms, thrown, strict=True)),
        "row": row,
    }


def _term(found: re.Match[str]) -> Term:
    sign = -1 if found["sign"] == "-" else 1
    if found["number"] is not None:
        return Term(sign, int(found["number"]), None)
    return Term(sign, int(found["count"] or 1), 100 if found["sides"] == _PERCENT else int(found["sides"]))
