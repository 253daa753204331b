"""The spells of subclasses, from the tables in their features."""

import pytest

from build_pipeline.normalize.text.subclass_spells import subclass_spells

BY_CLASS_LEVEL = """You always have these.

| Warden Level | Spells |
|---|---|
| 3rd | *fog*, *bog* (reeds only) |
| 5th | *rain*, |
"""
BY_SPELL_LEVEL = """
| Spell Level | Reed Oath Spells | Salt Spells |
|---|---|---|
| 1st | *fog* | *tide* |
"""
BY_LAND = """**Marsh**

| Warden Level | Circle Spells |
|---|---|
| 3 | *Bog* |

**Shore**

| Warden Level | Circle Spells |
|---|---|
| 3 | *Tide* |
"""
OF_SLOTS = """
| Warden Level | Cantrips Known | Spells Known | 1st |
|---|---|---|---|
| 3rd | 2 | 3 | 2 |
"""


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (BY_CLASS_LEVEL, [("fog", None, 3, None), ("bog", None, 3, None), ("rain", None, 5, None)]),
        (BY_SPELL_LEVEL, [("fog", 1, None, None), ("tide", 1, None, "Salt")]),
        (BY_LAND, [("Bog", None, 3, "Marsh"), ("Tide", None, 3, "Shore")]),
        (OF_SLOTS, []),
        ("You cast *fog*.", []),
    ],
)
def test_spells_with_the_level_that_the_table_gives(
    text: str, rows: list[tuple[str, int | None, int | None, str | None]]
) -> None:
    found = subclass_spells("Reed Oaths", [{"description": text}])
    assert [(row["name"], row["level"], row["class_level"], row["choice"]) for row in found] == rows
    assert all(row["id"] is None for row in found)
