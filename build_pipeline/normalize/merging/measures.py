"""Numbers that repeat in another form what a column says in words or dice, so that readers can compare and add up.

They are worked out last, from what merging and corrections have settled, and so never disagree with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import polars as pl

from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.normalize.text.dice import mean
from build_pipeline.normalize.text.measures import feet, minutes
from server.dataset.schema import ACTION, CREATURES, EQUIPMENT, SPELLS, TABLE_OF

MEASURES: Final[dict[str, dict[str, tuple[str, Callable[[str], int | float | None]]]]] = {
    SPELLS.name: {
        "range_feet": ("range", feet),
        "duration_minutes": ("duration", minutes),
        "damage_average": ("damage_dice", mean),
    },
    EQUIPMENT.name: {
        "damage_average": ("damage_dice", mean),
        "versatile_average": ("versatile_dice", mean),
    },
}
"""Table → column → the column it is worked out from, and how."""

_ACTIONS: Final = [column.name for column in CREATURES.columns if column.dtype == pl.List(ACTION)]


def add_measures(entities: Iterable[Entity]) -> None:
    """Set every column of `MEASURES`, and the average of each roll of an attack's damage."""
    for entity in entities:
        for column, (origin, measure) in MEASURES.get(TABLE_OF[entity.entity_type].name, {}).items():
            told = entity.facts.get(origin)
            entity.facts[column] = None if told is None else measure(told)
            entity.from_text.add(column)
        for roll in _rolls(entity.facts):
            roll["average"] = None if roll["dice"] is None else mean(roll["dice"])


def _rolls(facts: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for column in _ACTIONS:
        for action in facts.get(column) or ():
            for attack in action.get("attacks") or ():
                yield from attack.get("damage") or ()
