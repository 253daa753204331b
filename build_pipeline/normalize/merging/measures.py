"""Numbers for what other columns say in words or dice, so that readers can compare and add them up.

They are computed last, from merged and corrected facts, and so never contradict them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import polars as pl

from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.normalize.text.dice import dealt_at_once, mean
from build_pipeline.normalize.text.measures import feet, minutes
from server.dataset.schema import ACTION, CREATURES, EQUIPMENT, SPELLS, TABLE_OF


def _of_all_at_once(dice: str, description: str | None) -> float:
    return sum(map(mean, dealt_at_once(description or "", dice)))


MEASURES: Final[dict[str, dict[str, tuple[tuple[str, ...], Callable[..., int | float | None]]]]] = {
    SPELLS.name: {
        "range_feet": (("range",), feet),
        "duration_minutes": (("duration",), minutes),
        "damage_average": (("damage_dice", "description"), _of_all_at_once),
    },
    EQUIPMENT.name: {
        "damage_average": (("damage_dice",), mean),
        "versatile_average": (("versatile_dice",), mean),
    },
}
"""Table → column → the columns that it is computed from, the first of which must be known, and the function."""

_ACTIONS: Final = [column.name for column in CREATURES.columns if column.dtype == pl.List(ACTION)]


def add_measures(entities: Iterable[Entity]) -> None:
    """Set every column of `MEASURES`, and the average of each roll of damage of attacks and saving throws."""
    for entity in entities:
        measured = _measured(entity, entity.facts)
        entity.facts |= measured
        entity.from_text |= measured.keys()
        for roll in _rolls(entity.facts):
            roll["average"] = None if roll["dice"] is None else mean(roll["dice"])


def immeasurable(entity: Entity, column: str, value: Any) -> str | None:
    """Why no number could be computed if a column had this value; None if one could be, or none is needed."""
    facts = {column: value}
    try:
        _measured(entity, facts)
        for roll in _rolls(facts):
            mean(roll["dice"])
    except ValueError as error:
        return f"{column}: {error}"
    return None


def _measured(entity: Entity, facts: Mapping[str, Any]) -> dict[str, int | float | None]:
    """The columns of `MEASURES`, computed from facts of an entity."""
    told = MEASURES.get(TABLE_OF[entity.entity_type].name, {})
    return {
        column: None if facts.get(origins[0]) is None else measure(*map(facts.get, origins))
        for column, (origins, measure) in told.items()
    }


def _rolls(facts: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for save in facts.get("saves") or ():
        yield from save["damage"]
    for column in _ACTIONS:
        for action in facts.get(column) or ():
            for attack in action.get("attacks") or ():
                yield from attack.get("damage") or ()
