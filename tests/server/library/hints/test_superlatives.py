"""Superlatives in searches: the SQL statements that they suggest, and that these are correct."""

import re
from typing import Any, Final

import pytest

from server.library.hints.superlatives import declared, superlative_of
from server.library.library import Library
from server.library.requests.filter_types import ValueKind
from server.library.requests.filters import filters_of
from server.library.requests.kinds import KINDS
from server.library.requests.request import Request
from server.tools.registry import tools_of
from server.tools.tool import Tool

FACTS: Final = [
    pytest.param(family, fact, place, id=fact["examples"][place])
    for family, entry in declared().items()
    for fact in entry["facts"]
    for place in (0, 1)
]
EXAMPLE: Final = "the spell with the highest damage"


@pytest.mark.parametrize(("family", "fact", "place"), FACTS)
def test_each_statement_lists_the_extremes(library: Library, family: str, fact: dict[str, Any], place: int):
    superlative = superlative_of(fact["examples"][place].upper(), family)
    assert superlative is not None
    assert (superlative.value, superlative.descending) == (fact["value"], place == 0)
    found = library.query(superlative.statement(None, {}, None), 100)["rows"]
    everything = f"SELECT {fact['value']} FROM {declared_table(family)} WHERE {fact['value']} IS NOT NULL ORDER BY 1"
    values = [row[0] for row in library.query(everything, 500)["rows"]]
    assert found
    assert [row[1] for row in found] == sorted((row[1] for row in found), reverse=superlative.descending)
    if not superlative.descending:
        assert found[0][1] == values[0]


def declared_table(family: str) -> str:
    return next(iter(KINDS[family].values())).table.name


@pytest.mark.parametrize("family", sorted(declared()))
def test_each_filter_and_kind_becomes_a_condition(library: Library, family: str):
    superlative = superlative_of(declared()[family]["facts"][0]["examples"][0], family)
    assert superlative is not None
    for each in filters_of(family):
        values: dict[ValueKind, tuple[Any, ...]] = {ValueKind.BOOLEAN: (True, False), ValueKind.ATTUNEMENT: (True, "x")}
        known = library.values(each)[:2] if each.kind in {ValueKind.CLOSED, ValueKind.TEXT} else (1,)
        for value in values.get(each.kind, known):
            statement = superlative.statement(None, {each: value}, {"srd-2014", "srd-2024"})
            assert library.query(statement, 5)["columns"][0] == "name", statement
    for kind in KINDS[family]:
        if kind not in {None, "all"}:
            statement = superlative.statement(kind, {}, None)
            assert declared()[family].get("kinds", {}).get(kind, "entity_type IN") in statement
            assert library.query(statement, 5)["rows"]


@pytest.mark.parametrize(
    ("query", "family"),
    [
        ("a spell that deals more damage", "spell"),
        ("the strongest door", "all"),
        ("highest level slot", "rule"),
        ("light armor", "equipment"),
        ("breakfast for a giant", "creature"),
        ("bite that lowers your max hp", "creature"),
        ("the weakest of us lies in the cellar with a rat at his throat, what bit him", "creature"),
    ],
)
def test_other_words_are_not_superlatives(query: str, family: str):
    assert superlative_of(query, family) is None


def statement_of(message: str | None) -> str | None:
    said = re.search(r'query\(sql="([^"]+)"\)', message or "")
    return said[1] if said else None


def test_the_statement_has_the_filters_of_the_search(library: Library):
    asked = Request(
        "creature", search="lowest CR undead", filters={"size": "medium"}, documents=("2024",), can_query=True
    )
    statement = statement_of(library.find(asked)["message"])
    assert statement is not None
    for condition in ("type = 'undead'", "size = 'medium'", "document_key IN ('srd-2024')"):
        assert condition in statement
    rows = library.query(statement, 5)["rows"]
    assert rows
    assert {key for *_, key in rows} == {"srd-2024"}


def test_the_statement_is_suggested_only_if_query_is_offered(library: Library):
    def search(*toolsets: str) -> Tool:
        return next(tool for tool in tools_of(toolsets) if tool.name == "search_spell")

    assert statement_of(search("search", "query").call(library, {"search": EXAMPLE})["message"])
    assert not statement_of(search("search").call(library, {"search": EXAMPLE})["message"])
