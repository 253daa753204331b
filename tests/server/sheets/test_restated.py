"""Descriptions that only repeat a record's facts, which a sheet does not print."""

import pytest

from server.sheets.restated import without_restatement

FLAIL = {
    "entity_type": "weapon",
    "name": "Flail",
    "weapon_category": "martial",
    "damage_dice": "1d8",
    "damage_type": "bludgeoning",
    "properties": [{"name": "reach", "detail": None}],
}


@pytest.mark.parametrize(
    ("description", "entity_type", "is_printed"),
    [
        ("A martial weapon that deals 1d8 bludgeoning damage. Properties: reach.", "weapon", False),
        ("A martial weapon that deals 1d8 bludgeoning damage and hums.", "weapon", True),
        ("A martial weapon that deals 1d10 bludgeoning damage.", "weapon", True),
        ("A martial weapon that deals 1d8 bludgeoning damage.", "rule", True),
        (None, "weapon", False),
    ],
)
def test_only_descriptions_that_add_something_are_printed(description, entity_type, is_printed):
    record = FLAIL | {"entity_type": entity_type, "description": description}
    left = without_restatement(record)
    assert bool(left.get("description")) == is_printed
    assert left | {"description": description} == record
