"""Rows that only refer to another creature's row and have its effects."""

from __future__ import annotations

import pytest

from build_pipeline.normalize.creatures.inherited import add_inherited_effects
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.merging.merge import Entity

SPRAY = "Acid rain in a 15-foot cone: whoever stands there makes a DC 11 CON save or is poisoned for a minute."


def creature(name: str, text: str, document: str = "pond", row: str = "Spray") -> Entity:
    rows = [{"name": row, "description": text}]
    return Entity([Draft("brew", (f"brew/{name}",), "creature", document, name)], document, facts={"traits": rows})


@pytest.mark.parametrize(
    ("text", "inflicted", "dc", "feet"),
    [
        ("As the **young newt**, except it is a 50-foot cone, and the save DC is 18.", ["poisoned"], 18, 50),
        ("As the newt.", ["poisoned"], 11, 15),
        ("As young newt, with DC 9 CON save.", ["poisoned"], 9, 15),
        ("As newt but save DC 12.", ["poisoned"], 12, 15),
        ("As the **toad**.", [], None, None),
        ("As the newt sprays, it hums.", [], None, None),
    ],
)
def test_effects_come_from_the_row_referred_to(text, inflicted, dc, feet):
    elder = creature("Elder Newt", text)
    add_inherited_effects([creature("Young Newt", SPRAY), creature("Very Young Newt", "It naps."), elder])
    assert elder.facts.get("inflicts", []) == inflicted
    assert elder.facts.get("save_dc") == dc
    saves = elder.facts.get("saves", [])
    assert [(save["section"], save["feature"], save["area_of_effect"]["size"]) for save in saves] == (
        [("traits", "Spray", feet)] if feet else []
    )
    assert elder.facts["traits"][0]["description"] == text


@pytest.mark.parametrize("other", [{"document": "lake"}, {"row": "Croak"}])
def test_rows_of_other_books_or_names_are_not_referred_to(other):
    elder = creature("Elder Newt", "As the newt.")
    add_inherited_effects([creature("Young Newt", SPRAY, **other), elder])
    assert elder.facts["inflicts"] == []
