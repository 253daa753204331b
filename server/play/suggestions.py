"""Random encounters that spend as much of a budget of experience points as possible, and never more."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from random import Random

    from server.library.facts import Row

_DRAFTS: Final = 60
"""Encounters drawn for each one suggested."""
_STAT_BLOCKS: Final = (1, 2, 2, 3)
"""Choices for the number of kinds of creatures: the books pair two, and advise against more than three."""
_WORTH_LEADING: Final = 0.5
"""Fraction of the budget that the largest allowed number of the lead creature must be able to spend."""

Encounter = Counter[str]
"""Number of each creature, by id."""
Tie = tuple[str, str]
"""A kind of fact and the fact, which creatures may have in common."""


def suggestions(candidates: Sequence[Row], budget: int, most: int, wanted: int, random: Random) -> Iterator[Encounter]:
    """Up to `wanted` encounters, each led by a different creature.

    Args:
        candidates: the creatures to choose from, with `id`, `name`, `experience_points` and what `_ties` reads;
            and `fit`, above 0, if some fit better than others: twice as much counts like twice as much of the budget.
        budget: experience points that no encounter exceeds.
        most: the maximum number of creatures in an encounter.
        wanted: how many encounters.
        random: the source of randomness; the same state draws the same encounters.
    """
    affordable = [row for row in candidates if 0 < row["experience_points"] <= budget]
    ties = {row["id"]: _ties(row) for row in affordable}
    for _ in range(wanted):
        if not affordable:
            return
        leads = _leads(affordable, budget, most)
        drafts = [_draft(leads, partial(_company, affordable, ties), budget, most, random) for _ in range(_DRAFTS)]
        best = max(drafts, key=_worth)
        led_by = best[0][0]["name"]
        affordable = [row for row in affordable if row["name"] != led_by]
        yield Counter({row["id"]: count for row, count in best})


def _worth(draft: Sequence[tuple[Row, int]]) -> float:
    """A draft's score: how much it spends, weighted by how well its creatures fit."""
    spent = sum(row["experience_points"] * count for row, count in draft)
    return float(spent * fmean(row.get("fit", 1) for row, _ in draft))


def _leads(affordable: Sequence[Row], budget: int, most: int) -> list[list[Row]]:
    """The creatures that may lead, grouped by their experience points, lowest first."""
    of_worth: defaultdict[int, list[Row]] = defaultdict(list)
    for row in affordable:
        of_worth[row["experience_points"]].append(row)
    worth = sorted(of_worth)
    return [of_worth[xp] for xp in worth if xp * most >= budget * _WORTH_LEADING] or [of_worth[worth[-1]]]


def _draft(
    leads: Sequence[Sequence[Row]], company_of: Callable[[Row], list[Row]], budget: int, most: int, random: Random
) -> list[tuple[Row, int]]:
    """One encounter: a creature to lead it, company for it, and as many of each as the budget holds."""
    of_one_worth = random.choice(leads)  # their worth first, as there are many more weak creatures than strong ones
    lead = random.choice(of_one_worth)
    others = random.choice(_STAT_BLOCKS) - 1
    company = company_of(lead) if others else []
    numbers = {lead["id"]: 1}
    kinds = [lead]
    left = budget - lead["experience_points"]
    for row in random.sample(company, min(others, len(company))):
        if row["experience_points"] <= left and len(kinds) < most:
            kinds.append(row)
            numbers[row["id"]] = 1
            left -= row["experience_points"]
    while sum(numbers.values()) < most and (fitting := [row for row in kinds if row["experience_points"] <= left]):
        more = random.choice(fitting)
        numbers[more["id"]] += 1
        left -= more["experience_points"]
    return [(row, numbers[row["id"]]) for row in kinds]


def _company(affordable: Sequence[Row], ties: Mapping[str, frozenset[Tie]], lead: Row) -> list[Row]:
    """The creatures that may fight alongside the lead."""
    its_own = ties[lead["id"]]
    return [row for row in affordable if row is not lead and not its_own.isdisjoint(ties[row["id"]])]


def _ties(row: Row) -> frozenset[Tie]:
    """The facts by which creatures keep company: the same type, group or environment."""
    facts = [("type", row["type"]), ("group", row["group"]), *(("place", where) for where in row["environments"] or ())]
    return frozenset((kind, fact) for kind, fact in facts if fact is not None)
