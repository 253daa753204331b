"""Precedence of sources: their order, columns that a later one wins, and the source in the provenance."""

from __future__ import annotations

from typing import Any

import pytest

from build_pipeline.normalize.merging.authority import Authority, Wins
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.merging.family import Family
from build_pipeline.normalize.merging.merge import Entity, merge

SPEAKS_ALONE = Wins(("spells.classes",), "it prints the class lists", documents=("red-book",))


def draft(source: str, document: str = "red-book", **facts: Any) -> Draft:
    return Draft(source, (f"{source}/spells/spark",), "spell", document, "Spark", facts=facts)


def one(*drafts: Draft, wins: Wins | None = None, **rules: Any) -> Entity:
    authority = Authority(("book", "first", "second"), {"second": [wins] if wins else []})
    (entity,) = merge(drafts, Family("spells", lambda _type, _facts: {}, rules), authority)
    return entity


def test_each_fact_comes_from_the_best_source_that_has_it() -> None:
    entity = one(draft("second", level=3, school="evocation"), draft("first", level=2), draft("book", level=None))
    assert entity.facts == {"level": 2, "school": "evocation"}
    assert entity.drafts[0].source == "book"
    assert entity.filled == {"level": "first", "school": "second"}


def test_a_source_that_wins_a_column_replaces_the_others() -> None:
    def union(first: list[str], second: list[str]) -> list[str]:
        return sorted({*first, *second})

    drafts = (draft("first", classes=["cleric"], level=1), draft("second", classes=["wizard"], level=2))
    assert one(*drafts, classes=union).facts["classes"] == ["cleric", "wizard"]
    entity = one(*drafts, wins=SPEAKS_ALONE, classes=union)
    assert entity.facts == {"classes": ["wizard"], "level": 1}
    assert entity.filled == {"classes": "second"}


def test_it_wins_only_where_it_has_a_value_and_in_its_documents() -> None:
    assert one(draft("first", classes=["bard"]), draft("second"), wins=SPEAKS_ALONE).facts["classes"] == ["bard"]
    elsewhere = (draft("first", "blue-book", classes=["bard"]), draft("second", "blue-book", classes=["wizard"]))
    assert one(*elsewhere, wins=SPEAKS_ALONE).facts["classes"] == ["bard"]
    everywhere = Wins(("spells.classes",), "it prints the class lists")
    assert one(*elsewhere, wins=everywhere).facts["classes"] == ["wizard"]


def test_an_unknown_source_is_named() -> None:
    with pytest.raises(ValueError, match="unknown source 'tavern'; the sources are book, first, second"):
        one(draft("tavern"))
