"""Queries of the SQL tests, and their outcomes."""

import json

import pytest

from server.library.sql.engine import QueryError, SqlEngine

ROOM = 60_000
ENDLESS = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def refusal(engine: SqlEngine, query: str) -> str:
    with pytest.raises(QueryError) as error:
        engine.run(query, 10, ROOM)
    assert error.value.parameter == "sql"
    return str(error.value)


def outcome(engine: SqlEngine, query: str) -> tuple[str, str]:
    """The rows as JSON, and the reason if there are none."""
    try:
        return json.dumps(engine.run(query, 50, ROOM).rows), ""
    except QueryError as error:
        return "", str(error)
