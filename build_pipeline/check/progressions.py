"""Rules for class tables: twenty levels, spell slots, proficiency bonus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from build_pipeline.check.rule import Rule, Verdict, World
from build_pipeline.normalize.character_options.progressions import FULL_CASTER_SLOTS, LEVELS
from build_pipeline.tables import Record


def _levels(record: Record, _world: World) -> Iterator[Verdict]:
    rows = record.get("progression")
    if record["entity_type"] == "class" and rows:
        found = [row["level"] for row in rows]
        yield None if found == list(LEVELS) else f"the table has levels {found}"


def _bonus(record: Record, _world: World) -> Iterator[Verdict]:
    for row in record.get("progression") or ():
        bonus = row.get("proficiency_bonus")
        if bonus is not None:
            expected = 2 + (row["level"] - 1) // 4
            yield None if bonus == expected else f"level {row['level']}: proficiency bonus {bonus}, not {expected}"


def _slots(record: Record, _world: World) -> Iterator[Verdict]:
    if record["entity_type"] != "class" or (record.get("caster_type") or "").lower() != "full":
        return
    for row in record.get("progression") or ():
        printed = [c["value"] for c in row.get("columns") or () if c["name"].startswith("Spell Slots")]
        if printed and row["level"] in LEVELS:  # other levels break the rule `twenty-levels`
            slots = "".join(value for value in printed if (value or "").isdigit() and value != "0")
            expected = FULL_CASTER_SLOTS[row["level"] - 1]
            yield None if slots == expected else f"level {row['level']}: slots {slots}, not {expected}"


def _feature_levels(record: Record, _world: World) -> Iterator[Verdict]:
    for feature in record.get("features") or ():
        level = feature.get("level")
        if level is not None:
            yield None if level in LEVELS else f"{feature['name']} at level {level}"


RULES: Final = (
    Rule("twenty-levels", "A class table has each level from 1 to 20 once.", "character_options", _levels),
    Rule("class-proficiency-bonus", "The proficiency bonus matches the level.", "character_options", _bonus),
    Rule("spell-slots", "A full caster has the spell slots that the rules give.", "character_options", _slots),
    Rule("feature-levels", "Features come at levels 1 to 20.", "character_options", _feature_levels),
)
