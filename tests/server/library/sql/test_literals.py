"""Texts in a query that no row has are named, whatever aliases the query uses."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pytest

from server.library.sql.engine import SqlEngine
from server.library.sql.literals import absent
from server.library.sql.statement import Tables, checked
from tests.support.queries import ROOM


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("document_key = 'SRD-5e'", ["No row has document_key 'SRD-5e': there is 'srd-2014'."]),
        ("s.document_key = '2024'", ["No row has document_key '2024': there is 'srd-2024'."]),
        ("school IN ('evocation', 'Evocation')", ["No row has school 'Evocation': there is 'evocation'."]),
        ("list_contains(classes, 'Wizard')", ["No row has classes 'Wizard': there is 'wizard'."]),
        (
            "name = 'Fire Ball'",
            ["No row has name 'Fire Ball': there is 'Fireball', 'Delayed Blast Fireball', 'Fire Bolt'."],
        ),
        ("name = 'Fireball' OR name <> 'Fireball'", []),
        ("lower(name) = 'fireball'", []),
    ],
)
def test_a_text_that_no_row_has_is_named_with_existing_ones(engine: SqlEngine, where: str, says: list[str]) -> None:
    found = engine.run(f"SELECT name FROM spells s WHERE {where}", 50, ROOM)
    assert found.notes[: len(says)] == says
    assert found.rows or says


def test_many_texts_cost_no_more_than_a_few(engine: SqlEngine) -> None:
    names = ", ".join(f"'No Such Spell {number}'" for number in range(300))
    found = engine.run(f"SELECT name FROM spells WHERE name IN ('Fireball', {names})", 50, ROOM)
    assert found.rows
    assert len(found.notes) == 5


def test_a_column_alias_is_not_a_column_of_the_dataset(engine: SqlEngine) -> None:
    renamed = "SELECT school FROM (SELECT name AS school FROM spells) WHERE school = 'Fireball'"
    assert engine.run(renamed, 5, ROOM).notes == []


def test_a_subquery_named_like_a_table_is_not_the_table(engine: SqlEngine) -> None:
    found = engine.run("WITH Spells(name) AS (SELECT 'x') SELECT * FROM spells WHERE name = 'x'", 5, ROOM)
    assert (found.rows, found.notes) == ([["x"]], [])


def test_no_more_columns_are_read_once_enough_texts_are_named() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE spells AS SELECT 'Fireball' AS name")
    connection.execute("CREATE VIEW creatures AS SELECT error('was read')::VARCHAR AS size")
    compared = "SELECT 1 FROM spells, creatures WHERE name IN ('a', 'b', 'c', 'd', 'e') AND size = 'x'"
    parsed = checked(connection, compared, Tables(connection, ["spells", "creatures"]))
    columns = {"spells": {"name": False}, "creatures": {"size": False}}
    assert [each["text"] for each in absent(connection, parsed, columns)] == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    "tables",
    [
        "spells WHERE school",
        "Spells WHERE School",
        "spells s WHERE s.school",
        "spells S WHERE s.school",
        "SPELLS AS s WHERE S.SCHOOL",
        "spells a JOIN spells b USING (id) WHERE a.school",
        "spells a JOIN spells b USING (id) WHERE b.school",
    ],
)
def test_a_text_is_looked_up_whatever_the_table_alias(engine: SqlEngine, tables: str) -> None:
    notes = engine.run(f"SELECT id FROM {tables} = 'evocaton'", 5, ROOM).notes
    assert notes == ["No row has school 'evocaton': there is 'evocation'."]


def test_a_text_is_looked_up_in_its_table(engine: SqlEngine) -> None:
    joined = "SELECT s.id FROM spells s JOIN creatures c USING (document_key) WHERE s.name = 'Scout'"
    assert engine.run(joined, 5, ROOM).notes[0].startswith("No row has name 'Scout'")
    assert engine.run(joined.replace("s.name", "c.name"), 5, ROOM).rows


def test_a_column_alias_in_capitals_is_not_a_column_of_the_dataset(engine: SqlEngine) -> None:
    renamed = "SELECT school FROM (SELECT name AS School FROM spells) WHERE school = 'Fireball'"
    assert engine.run(renamed, 5, ROOM).notes == []


def test_a_column_may_be_named_like_an_sql_keyword(engine: SqlEngine) -> None:
    found = engine.run("""SELECT name FROM creatures WHERE "group" = 'Dragons'""", 5, ROOM)
    assert found.rows == []
    assert engine.run("SELECT 1", 1, ROOM).rows == [[1]]


def test_an_unknown_book_is_named_even_without_documents_or_aliases(tiny_folder: Path, tmp_path: Path) -> None:
    pl.read_parquet(tiny_folder / "spells.parquet").write_parquet(tmp_path / "spells.parquet")
    documents = pl.read_parquet(tiny_folder / "documents.parquet").drop("aliases")
    for known in (documents.clear(), documents):
        known.write_parquet(tmp_path / "documents.parquet")
        opened = SqlEngine(tmp_path)
        notes = opened.run("SELECT id FROM spells WHERE document_key = '2014'", 5, ROOM).notes
        opened.close()
        assert notes[0].startswith("No row has document_key '2014': there is 'srd-2014'")
