"""The columns of a class's level table that a feature refers to."""

from typing import Any

import pytest

from server.sheets.classes import columns_of

PROGRESSION: list[dict[str, Any]] = [
    {"level": 1, "columns": [{"name": "Cantrips Known", "value": "2"}]},
    {"level": 2, "columns": [{"name": "Cantrips Known", "value": "2"}, {"name": "Spells Known", "value": "3"}]},
    {"level": 3, "columns": None},
    {"level": 4, "columns": [{"name": "Cantrips Known", "value": "3"}, {"name": "Spells Known", "value": "4"}]},
]
CANTRIPS = {"Cantrips Known": "2 at level 1, 3 at 4"}
SPELLS = {"Spells Known": "3 at level 2, 4 at 4"}


@pytest.mark.parametrize(
    ("name", "text", "columns"),
    [
        ("Cantrips Known", None, CANTRIPS),
        ("Tricks", "The Cantrips Known column says how many, the Spells Known column which.", CANTRIPS | SPELLS),
        ("Spells", "As the Spells Known column says.", SPELLS),
        ("Spells", "The Spells Known column of the table says when you learn more.", SPELLS),
        ("Spells", "You know three spells; a column of smoke rises.", {}),
        ("Unspells Known", "", {}),
    ],
)
def test_columns_are_those_with_the_name_or_named_in_the_text(
    name: str, text: str | None, columns: dict[str, str]
) -> None:
    assert columns_of({"name": name, "description": text}, PROGRESSION) == columns
