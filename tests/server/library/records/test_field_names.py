"""Fields by the names that people give them."""

import pytest

from server.library.library import Library
from server.library.records.field_names import may_name_fields
from server.library.requests.request import Request


@pytest.mark.parametrize(
    ("family", "name", "asked", "fields"),
    [
        ("creature", "Ancient Red Dragon", "fly speed", "speed.fly"),
        ("creature", "Ancient Red Dragon", "swimming speed", "speed"),  # it has none: all of its speeds say so
        ("creature", "Ancient Red Dragon", "strength score", "ability_scores.strength"),
        ("creature", "Ancient Red Dragon", "strength", "ability_scores.strength"),  # and no saving throw of that name
        ("creature", "Ancient Red Dragon", "damage immune", "damage_immunities"),
        ("spell", "Fireball", "area effect", "area_of_effect"),
        (
            "spell",
            "Fireball",
            "material",
            "components.material, components.material_description, components.material_consumed",
        ),
    ],
)
def test_a_name_means_fields_that_have_a_value(
    library: Library, family: str, name: str, asked: str, fields: str
) -> None:
    found = library.find(Request(family, name=name, part=asked))["results"]
    assert {record["part"] for record in found} == {fields}


def test_words_that_may_name_fields() -> None:
    assert may_name_fields(["plate", "ac"])
    assert may_name_fields(["dagger", "price"])
    assert not may_name_fields(["the", "haunted", "of", "mill"])
