"""Level tables of homebrew classes. As in OrcPub, spell slots follow from the class's caster type."""

from __future__ import annotations

import math
from typing import Final

from build_pipeline.normalize.character_options.progressions import FULL_CASTER_SLOTS, LEVELS, Row
from build_pipeline.normalize.homebrew.items import Item, mapping, within
from build_pipeline.normalize.homebrew.sentences import by_number
from build_pipeline.normalize.text.numerals import ordinal
from build_pipeline.snapshot.orcbrew.field_types import whole

_GAINS: Final = (("cantrips-known", "Cantrips Known"), ("spells-known", "Spells Known"))


def progression(item: Item) -> list[Row] | None:
    """The level table of a class or spellcasting subclass: cantrips and spells known (cumulative) and spell slots."""
    casting = mapping(item.fields.get("spellcasting"))
    gains = {
        name: {n: within(count, 0, 99) or 0 for n, count in by_number(casting.get(field))} for field, name in _GAINS
    }
    factor = whole(casting.get("level-factor")) or 0
    rows = [
        {
            "level": level,
            "proficiency_bonus": 2 + (level - 1) // 4,
            "features": [],
            "columns": [
                *(
                    {"name": name, "value": str(known)}
                    for name, counts in gains.items()
                    if (known := sum(count for gained, count in counts.items() if gained <= level))
                ),
                *({"name": f"Spell Slots {ordinal(n)}", "value": s} for n, s in enumerate(_slots(factor, level), 1)),
            ],
        }
        for level in LEVELS
    ]
    return rows if item.kind == "classes" else [row for row in rows if row["columns"]] or None


def _slots(factor: int, level: int) -> str:
    """Spell slots of a full (1), half (2) or third (3) caster at a class level.

    >>> _slots(1, 3), _slots(2, 1), _slots(2, 5), _slots(3, 20)
    ('42', '', '42', '4331')
    """
    if factor not in {1, 2, 3} or level < factor:
        return ""
    caster_level = math.ceil(level / factor)
    return FULL_CASTER_SLOTS[caster_level - 1]
