"""Encounters drawn by lot that spend a budget of experience points as far as they can, and never more."""

from __future__ import annotations

from collections import Counter
from statistics import fmean
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from server.library.facts import Row

_DRAFTS: Final = 60
"""Encounters drawn for each that is suggested."""
_STAT_BLOCKS: Final = (1, 2, 2, 3)
"""How many kinds of creatures a draft has, by lot: the books pair two, and advise against more than three."""
_WORTH_LEADING: Final = 0.5
"""Part of the budget that as many of the first creature as may fight must be able to spend."""

Encounter = Counter[str]
"""Number of each creature, by id."""


def suggestions(candidates: Sequence[Row], budget: int, most: int, wanted: int, random: Random) -> Iterator[Encounter]:
    """Up to `wanted` encounters, each led by another creature.

    Args:
        candidates: the creatures to choose from, with `id`, `name`, `experience_points` and what `_go_together` reads;
            and `place` if some fit better than others: the best has 0.
        budget: experience points that no encounter exceeds.
        most: creatures that an encounter has at most.
        wanted: how many encounters.
        random: what decides; the same state draws the same encounters.
    """
    affordable = [row for row in candidates if 0 < row["experience_points"] <= budget]
    for _ in range(wanted):
        if not affordable:
            return
        drafts = [_draft(affordable, budget, most, random) for _ in range(_DRAFTS)]
        best = max(drafts, key=lambda draft: _worth(draft, budget))
        led_by = best[0][0]["name"]
        affordable = [row for row in affordable if row["name"] != led_by]
        yield Counter({row["id"]: count for row, count in best})


def _worth(draft: Sequence[tuple[Row, int]], budget: int) -> tuple[int, float, int]:
    """What makes a draft better: tenths of the budget spent, then how well its creatures fit, then all spent."""
    spent = sum(row["experience_points"] * count for row, count in draft)
    place = fmean(row.get("place", 0) for row, _ in draft)
    return spent * 10 // budget, -place, spent


def _draft(affordable: Sequence[Row], budget: int, most: int, random: Random) -> list[tuple[Row, int]]:
    """One encounter: a creature to lead it, company for it, and as many of each as the budget holds."""
    worth = sorted({row["experience_points"] for row in affordable})
    leading = [xp for xp in worth if xp * most >= budget * _WORTH_LEADING] or worth[-1:]
    each = random.choice(leading)  # first the worth, as there are many more weak creatures than strong ones
    lead = random.choice([row for row in affordable if row["experience_points"] == each])
    company = [row for row in affordable if row is not lead and _go_together(lead, row)]
    others = random.choice(_STAT_BLOCKS) - 1
    numbers = {lead["id"]: 1}
    kinds = [lead]
    left = budget - each
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


def _go_together(one: Row, other: Row) -> bool:
    """Whether two creatures may keep company: of one type, listed in one group, or living in the same place."""
    shared = set(one["environments"] or ()) & set(other["environments"] or ())
    return bool(shared) or any(one[fact] is not None and one[fact] == other[fact] for fact in ("type", "group"))
