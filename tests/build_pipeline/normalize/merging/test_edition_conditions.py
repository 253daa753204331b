"""Conditions, which belong to the rules that a document is made for."""

from __future__ import annotations

import pytest

from build_pipeline.normalize.merging.documents import DocumentMeta
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.merging.edition_conditions import keep_conditions_of_rules
from build_pipeline.normalize.merging.merge import Entity


@pytest.mark.parametrize(
    ("system", "expected"),
    [("5e-2014", ["prone"]), ("a5e", ["prone", "slowed"])],
)
def test_slowed_is_a_condition_only_in_level_up(system: str, expected: list[str]) -> None:
    draft = Draft("open5e_v2", ("open5e_v2/newt",), "creature", "red-book", "Newt")
    newt = Entity([draft], "red-book", {"inflicts": ["prone", "slowed", "diseased"]})
    keep_conditions_of_rules([newt], {"red-book": DocumentMeta("red-book", "Red Book", game_system=system)})
    assert newt.facts["inflicts"] == expected
