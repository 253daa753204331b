"""Conditions on lists that do not mean what they say are answered, and the answer says what they mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from server.library.sql.engine import SqlEngine
from server.library.sql.lists import list_columns, misread
from server.library.sql.messages import misread as told
from server.library.sql.statement import Tables, checked
from tests.support.queries import ROOM

NAMES = ["creatures", "spells", "character_options"]


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    opened = duckdb.connect(config={"lambda_syntax": "ENABLE_SINGLE_ARROW"})
    opened.execute("CREATE TABLE creatures(name VARCHAR, size VARCHAR, traits VARCHAR[], actions VARCHAR[])")
    opened.execute(
        "INSERT INTO creatures VALUES ('a', 'huge', [], ['bite']), ('b', NULL, [], NULL), ('c', '', ['x'], NULL)"
    )
    opened.execute("CREATE TABLE spells(name VARCHAR, level INTEGER)")
    opened.execute("CREATE TABLE character_options(name VARCHAR, features STRUCT(name VARCHAR, level INTEGER)[])")
    yield opened
    opened.close()


def _told(connection: duckdb.DuckDBPyConnection, sql: str) -> list[str]:
    found: list[dict[str, Any]] = misread(
        connection, checked(connection, sql, Tables(connection, NAMES)), list_columns(connection)
    )
    return told(found)


@pytest.mark.parametrize("where", ["traits IS NOT NULL", "c.TRAITS IS NOT NULL AND size = 'huge'"])
def test_who_tests_a_list_for_null_is_told_of_the_empty_ones(connection: duckdb.DuckDBPyConnection, where: str) -> None:
    assert _told(connection, f"SELECT count(*) FROM creatures c WHERE {where}") == [
        "traits IS NOT NULL is also true of 2 empty lists, which are known to be none: len(traits) > 0."
    ]


def test_unknown_lists_are_not_those_known_to_be_none(connection: duckdb.DuckDBPyConnection) -> None:
    assert _told(connection, "SELECT count(*) FROM creatures WHERE traits IS NULL OR traits IS NULL") == [
        "traits IS NULL is true only of unknown lists; 2 are empty, known to be none: len(traits) = 0."
    ]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM creatures WHERE size IS NOT NULL",
        "SELECT name FROM creatures WHERE actions IS NOT NULL",
        "SELECT name FROM creatures WHERE len(traits) > 0",
        "SELECT name FROM (SELECT name, NULL AS traits FROM creatures) WHERE traits IS NULL",
        "WITH creatures AS (SELECT 1 AS traits) SELECT * FROM creatures WHERE traits IS NOT NULL",
        "SELECT c.name FROM character_options c, UNNEST(c.features) AS t(f) WHERE f.level <= 3",
        "SELECT s.name FROM spells s WHERE s.level = 3",
    ],
)
def test_other_conditions_mean_what_they_say(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    assert _told(connection, sql) == []


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT c.name FROM character_options c, UNNEST(c.features) AS t(f) WHERE f.level = 1",
        "SELECT f.name FROM (SELECT unnest(features) AS f FROM character_options) WHERE 2 = f.level",
        "SELECT name FROM character_options WHERE len(list_filter(features, x -> x.level IN (1, 2))) > 0",
    ],
)
def test_the_level_of_a_feature_is_its_first(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    assert _told(connection, sql) == [
        "level of a feature is the first that grants it; all: list_contains(x.levels, …)."
    ]


def test_the_notes_come_with_the_answer(engine: SqlEngine) -> None:
    asked = "SELECT f.name FROM character_options c, UNNEST(c.features) AS t(f) WHERE f.level = 1"
    assert engine.run(asked, 50, ROOM).notes[0].startswith("level of a feature")


def test_values_have_no_unknown_members(engine: SqlEngine) -> None:
    found = engine.run("SELECT {'a': NULL, 'b': [{'c': NULL, 'd': 1}]} AS nested, NULL AS plain", 5, ROOM)
    assert found.rows == [[{"b": [{"d": 1}]}, None]]
