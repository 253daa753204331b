"""SQL queries: one SELECT over what is served, bounded, with errors that say what would be right."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

from benchmarks.hostile_queries.statements import statements
from server.dataset.schema import ENTITY_TABLES, TABLE_OF
from server.dataset.tables.columns import Table
from server.library.sql.engine import QueryError, SqlEngine
from tests.support.queries import ENDLESS, ROOM, outcome, refusal

LONG = " AND ".join(f"name <> 'Élan of Ash {number}'" for number in range(20))

MAY_BE_ANSWERED = {"fence", "long statements", "nesting", "patterns", "recursion", "products"}
"""What hostile statements ask for that has a harmless answer."""


def test_queries_count_group_and_order(engine: SqlEngine) -> None:
    found = engine.run("SELECT name, level FROM spells WHERE level >= 3 ORDER BY level DESC, name", 50, ROOM)
    assert found.columns == ["name", "level"]
    assert all(level >= 3 for _, level in found.rows)
    assert not found.truncated
    (count,) = engine.run("WITH s AS (SELECT * FROM spells) SELECT count(*) FROM s", 50, ROOM).rows
    assert count[0] >= len(found.rows)


def test_queries_read_structs_and_lists_and_join_tables(engine: SqlEngine) -> None:
    ((count, first),) = engine.run("SELECT len(classes), classes[1] FROM spells WHERE len(classes) > 0", 1, ROOM).rows
    assert count >= 1
    assert isinstance(first, str)
    for function in ("c -> c = 'wizard'", "lambda c: c = 'wizard'"):
        listed = f"SELECT count(*) FROM spells WHERE len(list_filter(classes, {function})) > 0"
        assert engine.run(listed, 1, ROOM).rows[0][0] >= 1
    assert engine.run("SELECT components.verbal FROM spells", 1, ROOM).columns == ["verbal"]
    joined = "SELECT s.document_key, d.document_name FROM spells s JOIN documents d USING (document_key)"
    rows = engine.run(joined, 100, ROOM)
    assert rows.documents == sorted({row[0] for row in rows.rows})


def test_a_document_has_one_row_however_many_sources_it_has(engine: SqlEngine, tiny_folder: Path) -> None:
    of_sources = pl.read_parquet(tiny_folder / "documents.parquet")
    assert of_sources["document_key"].is_duplicated().any()
    joined = "SELECT count(*) FROM spells JOIN documents USING (document_key)"
    assert engine.run(joined, 1, ROOM).rows == engine.run("SELECT count(*) FROM spells", 1, ROOM).rows
    told = "SELECT sum(list_sum(list_transform(sources, s -> s.entity_count))) FROM documents"
    assert engine.run(told, 1, ROOM).rows == [[of_sources["entity_count"].sum()]]


def test_tags_are_a_table(tmp_path: Path) -> None:
    ids = ["spell/hearth/fireball", "spell/srd-2014/fireball"]
    tags = {
        "entity_id": ids,
        "tag": ["area-damage"] * 2,
        "phrase": ["hurts many"] * 2,
        "evidence": ["each creature"] * 2,
    }
    pl.DataFrame(tags).write_parquet(tmp_path / "tags.parquet")
    limited = SqlEngine(tmp_path, {"hearth"})
    assert limited.run("SELECT entity_id FROM tags WHERE tag = 'area-damage'", 5, ROOM).rows == [
        ["spell/hearth/fireball"]
    ]
    limited.close()


def test_links_can_be_followed_both_ways(engine: SqlEngine) -> None:
    of_fireball = "SELECT id FROM creatures WHERE list_contains(links, 'spell/hearth/fireball')"
    assert engine.run(of_fireball, 9, ROOM).rows == [["creature/hearth/hearth-imp"]]
    of_imp = "SELECT s.name FROM (SELECT unnest(links) AS id FROM creatures) JOIN spells s USING (id) ORDER BY ALL"
    assert engine.run(of_imp, 9, ROOM).rows == [["Ember Hush"], ["Fireball"]]


def test_only_published_columns_of_allowed_documents_are_visible(tiny_folder: Path) -> None:
    limited = SqlEngine(tiny_folder, {"srd-2014"})
    for table in ("spells", "creatures", "equipment", "rules", "documents"):
        found = limited.run(f"SELECT DISTINCT document_key FROM {table}", 50, ROOM)
        assert {key for (key,) in found.rows} <= {"srd-2014"}
    assert "provenance" not in limited.run("SELECT * FROM spells", 1, ROOM).columns
    limited.close()


def test_no_column_of_the_allowed_documents_has_an_id_of_another(starter_dataset: Path) -> None:
    ids = re.compile(rf"\b(?:{'|'.join(TABLE_OF)})/([a-z\d-]+)/")
    whole = SqlEngine(starter_dataset)

    def named(opened: SqlEngine, table: Table, document: str) -> set[str]:
        """The documents of the ids in a document's rows of a table."""
        query = f"SELECT * FROM {table.name} WHERE document_key = '{document}'"
        return set(ids.findall(json.dumps(opened.run(query, 10_000, 10 * ROOM).rows)))

    for document in ("srd-2014", "the-lantern-coast"):
        limited = SqlEngine(starter_dataset, {document})
        found = [(named(whole, table, document), named(limited, table, document)) for table in ENTITY_TABLES]
        assert all(inside <= {document} for _, inside in found)
        assert any(outside - {document} for outside, _ in found), "there are references to remove"
        limited.close()
    whole.close()


def test_what_answers_leave_out_because_their_texts_say_it_can_be_queried(engine: SqlEngine) -> None:
    each = "SELECT name, unnest(saves) AS save FROM creatures"
    of_dexterity = f"SELECT name, save.feature, save.dc FROM ({each}) WHERE list_contains(save.abilities, 'dexterity')"
    assert engine.run(of_dexterity, 9, ROOM).rows == [["Hearth Imp", "Soot Cloud", 11]]


def test_references_to_other_documents_keep_their_names(tiny_folder: Path) -> None:
    limited = SqlEngine(tiny_folder, {"hearth"})
    oath = "SELECT subclass_of.name, subclass_of.id, subclass_of.document_key FROM character_options"
    assert limited.run(f"{oath} WHERE name = 'Oath of the Hearth'", 1, ROOM).rows == [["Paladin", None, None]]
    limited.close()


def test_describe_lists_columns_types_and_meanings(engine: SqlEngine) -> None:
    found = engine.run("Describe spells;", 50, ROOM)
    rows = {name: (kind, meaning) for name, kind, meaning in found.rows}
    assert rows["level"] == ("INTEGER", "Spell level; 0 is a cantrip.")
    assert rows["classes"][0] == "VARCHAR[]"
    assert rows["components"][0].startswith("STRUCT(verbal BOOLEAN, ")
    assert "Did you mean spells?" in refusal(engine, "describe spels")


def test_a_statement_that_almost_describes_a_table_is_read_in_linear_time(engine: SqlEngine) -> None:
    """Anything slower would exceed the test's time limit, and block other calls meanwhile."""
    assert "syntax error" in refusal(engine, f"describe spells{' ' * 300_000}!")


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("SELECT nmae FROM spells", "There is no column 'nmae' (line 1, column 8). Similar names: spells.name"),
        ("SELECT s.nmae FROM spells s", "There is no column 'nmae' (line 1, column 8). Similar names: spells.name"),
        ("SELECT * EXCLUDE (nmae) FROM spells", "There is no column 'nmae'. Similar names: spells.name"),
        ("SELECT spell.name FROM spells", "There is no table 'spell' (line 1, column 8). Did you mean spells?"),
        ("SELECT speed.flying FROM creatures", "There is no member 'flying'. Similar names: creatures.speed.fly."),
        ("SELECT c.speed.flying FROM creatures c", "There is no member 'flying'. Similar names: creatures.speed.fly."),
        ("SELECT actions[1].nmae FROM creatures", "Similar names: creatures.actions[].name"),
        ("SELECT actions.name FROM creatures", "It is a list: list_transform(actions, x -> x.name), or x.name after"),
        ("SELECT classes.name FROM spells", "It is a list of values: list_contains(classes, …)"),
        ("SELECT name.first FROM spells", 'from expression "name"'),
        ("SELECT name\nFROM spells WHERE lvel = 3", "(line 2, column 19)"),
        (f"SELECT name\nFROM spells WHERE {LONG} AND lvel = 3", f"(line 2, column {24 + len(LONG)})"),
        (f"SELECT name FROM spells WHERE {LONG} AND OR", f"(line 1, column {36 + len(LONG)})"),
        (f"SELECT name FROM spells WHERE {LONG} AND level < 'third'", f"(line 1, column {44 + len(LONG)})"),
        ("SELECT * FROM spels", "There is no table 'spels' (line 1, column 15). Did you mean spells?"),
        ("SELEC name", 'syntax error at or near "SELEC" (line 1'),
        ("SELECT 1; SELECT 2", "Write one statement; there are 2."),
        ("", "Write one statement; there are 0."),
        (
            "SELECT name FROM creatures WHERE challenge_rating = '1/4'",
            "(line 1, column 53). Numbers are plain: ",
        ),
        (
            "SELECT name FROM spells WHERE classes = 'wizard'",
            "classes is a list of values: list_contains(classes, 'wizard').",
        ),
        (
            "SELECT name FROM spells WHERE classes LIKE '%Wizard%'",
            "classes is a list of values: len(list_filter(classes, x -> x ILIKE '%Wizard%')) > 0.",
        ),
        (
            "SELECT name FROM equipment WHERE properties = 'Finesse'",
            "properties is a list of entries: list_contains(list_transform(properties, x -> lower(x.name)), 'finesse')",
        ),
        ("SELECT hp FROM creatures", "Similar names: creatures.hit_points."),
        ("SELECT cr FROM creatures", "Similar names: creatures.challenge_rating."),
        ("SELECT price FROM equipment", "Similar names: equipment.cost_gp."),
        ("SELECT document FROM spells", "Similar names: spells.document_key, "),
        ("SELECT * FROM magic_items", "equipment has them: WHERE entity_type = 'magic-item'. The tables: documents,"),
        ("SELECT * FROM feats", "character_options has them: WHERE entity_type = 'feat'."),
        ("SELECT * FROM classes", "character_options has them: WHERE entity_type = 'class'."),
        ("SELECT * FROM monsters", "Did you mean creatures?"),
        ("INSERT INTO spells SELECT * FROM spells", "Only SELECT (or WITH … SELECT) is allowed, not INSERT"),
        ("DROP TABLE spells", "not DROP"),
        ("COPY spells TO 'stolen.csv'", "not COPY"),
        ("ATTACH 'other.db'", "not ATTACH"),
        ("SET enable_external_access = true", "not SET"),
        ("INSTALL httpfs", "not LOAD or INSTALL"),
        ("PIVOT spells ON level USING count(*)", "not PIVOT"),
        ("WITH x AS (DELETE FROM spells RETURNING *) SELECT * FROM x", "not DELETE"),
        ("SHOW TABLES", "The tables: documents, spells"),
        (
            "SELECT * FROM read_csv('/etc/hosts')",
            "read_csv() is not available (line 1, column 15): queries read only the dataset's tables",
        ),
        ("SELECT * FROM '/etc/hosts'", "There is no table '/etc/hosts' (line 1, column 15). The tables:"),
        ("SELECT name,\n  cuont(*) FROM spells", "cuont() is not available (line 2, column 3)"),
        ("SELECT list(n) FROM (SELECT unnest(range(100000000)) AS n)", "range() is not available"),
        ('SELECT "repeat"(name, 2000000000) FROM spells', "repeat() is not available"),
        ("SELECT current_user", "current_user() is not available"),
        ("SELECT * FROM duckdb_tables, (WITH duckdb_tables AS (SELECT 1) SELECT 1)", "no table 'duckdb_tables'"),
        ("WITH x AS (SELECT 1) SELECT * FROM main.x", "no table 'main.x' (line 1, column 36)"),
        ('SELECT * FROM "main.spells"', "no table 'main.spells'"),
        ("SELECT " + "(" * 2000 + "1" + ")" * 2000, "nested too deeply"),
        ("SELECT " + "x" * 500, "There is no column '" + "x" * 120 + "…' (line 1, column 8)."),
    ],
)
def test_invalid_statements_are_refused_with_the_reason(engine: SqlEngine, query: str, says: str) -> None:
    assert says in refusal(engine, query)


@pytest.mark.parametrize(
    ("where", "remedy"),
    [
        (among.format(where), remedy)
        for among in (
            "document_key = 'srd-2014' AND {} AND type <> 'beast'",
            "{} AND size IN ('huge', 'gargantuan')",
            "{}",
        )
        for where, remedy in (
            ("list_contains(actions, 'Bite')", "list_contains(list_transform(actions, x -> lower(x.name)), 'bite')"),
            ("'Bite' IN actions", "list_contains(list_transform(actions, x -> lower(x.name)), 'bite')"),
            ("'Bite' = ANY(actions)", "list_contains(list_transform(actions, x -> lower(x.name)), 'bite')"),
            ("actions <> 'Bite'", "list_contains(list_transform(actions, x -> lower(x.name)), 'bite')"),
            ("actions LIKE 'Bite'", "list_contains(list_transform(actions, x -> lower(x.name)), 'bite')"),
            ("lower(c.actions) = 'bite'", "list_contains(list_transform(actions, x -> lower(x.name)), 'bite')"),
            ("actions ILIKE '%Hunter''s%'", "len(list_filter(actions, x -> x.name ILIKE '%Hunter''s%')) > 0"),
            ("damage_immunities = 'Fire'", "list_contains(damage_immunities, 'fire')"),
            ("damage_immunities IN ('Fire', 'Cold')", "list_contains(damage_immunities, 'fire')"),
        )
    ],
)
def test_a_list_compared_with_a_text_is_answered_with_how_to_look_for_that_text(
    engine: SqlEngine, where: str, remedy: str
) -> None:
    said = refusal(engine, f"SELECT name, 'Claw', traits FROM creatures c WHERE {where}")
    assert said.endswith(f": {remedy}.")
    engine.run(f"SELECT name FROM creatures c WHERE {remedy}", 50, ROOM)


@pytest.mark.parametrize("query", statements("")["own tables by names of subqueries"])
def test_a_subquerys_name_gives_no_access_to_other_schemas(engine: SqlEngine, query: str) -> None:
    assert "There is no table '" in refusal(engine, query)


def test_a_table_may_be_named_with_its_schema_and_a_subquery_with_dots(engine: SqlEngine) -> None:
    count = engine.run("SELECT count(*) FROM spells", 1, ROOM).rows
    assert engine.run("SELECT count(*) FROM Main.Spells", 1, ROOM).rows == count
    assert engine.run('WITH "a.b" AS (SELECT * FROM spells) SELECT count(*) FROM "A.B"', 1, ROOM).rows == count


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [1.0, 1.5])
def test_a_query_is_stopped_in_time(tiny_folder: Path, seconds: float) -> None:
    hasty = SqlEngine(tiny_folder, seconds=seconds)
    assert f"was stopped, since a call may take {seconds:g} seconds in all" in refusal(hasty, ENDLESS)
    hasty.close()


@pytest.mark.slow
def test_hostile_statements_get_nothing(tiny_folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.csv"
    kept.write_text("words\nmy own words\n")
    limited = SqlEngine(tiny_folder, {"srd-2014"}, seconds=1.0)
    for attempt, tried in statements(str(kept)).items():
        for query in {tried[0], tried[len(tried) // 2], tried[-1]}:
            got, refused = outcome(limited, query)
            assert got or len(refused) > 20, query
            assert not got or attempt in MAY_BE_ANSWERED, query
            assert "my own words" not in got
            assert "/hearth/" not in got
    assert limited.run("SELECT count(*) FROM spells", 1, ROOM).rows[0][0] > 0
    limited.close()


def test_rows_and_characters_are_limited(engine: SqlEngine) -> None:
    everything = "SELECT * FROM spells ORDER BY id"
    few = engine.run(everything, 2, ROOM)
    assert len(few.rows) == 2
    assert few.truncated
    assert "more than 2 rows" in few.notes[0]
    narrow = engine.run("SELECT id FROM spells ORDER BY id", 50, 60)
    assert len(narrow.rows) == 1
    assert narrow.truncated
    assert "room for 1 rows" in narrow.notes[0]
    with pytest.raises(QueryError, match="A single row is longer than the 10 characters"):
        engine.run(everything, 50, 10)


def test_columns_that_an_older_dataset_lacks_are_null(tiny_folder: Path, tmp_path: Path) -> None:
    creatures = pl.read_parquet(tiny_folder / "creatures.parquet")
    walking = pl.col("speed").struct.field("walk")
    older = creatures.drop("skills").with_columns(
        pl.when(pl.col("speed").is_not_null()).then(pl.struct(walking)).alias("speed")
    )
    older.write_parquet(tmp_path / "creatures.parquet")
    opened = SqlEngine(tmp_path)
    found = opened.run("SELECT skills.stealth, speed.walk, speed.fly FROM creatures WHERE name = 'Scout'", 5, ROOM)
    assert found.rows == [[None, 30, None]]
    assert opened.run("SELECT count(*), max(level) FROM spells", 5, ROOM).rows == [[0, None]]
    opened.close()


def test_values_are_json_values(engine: SqlEngine) -> None:
    values = "'nan'::DOUBLE, 'inf'::DOUBLE, 1.5::DECIMAL(2, 1), {'a': [1, NULL]}, TRUE, 'x'::BLOB"
    assert engine.run(f"SELECT {values}", 1, ROOM).rows == [[None, None, 1.5, {"a": [1, None]}, True, "b'x'"]]


def test_several_threads_may_query_at_once(engine: SqlEngine) -> None:
    queries = [f"SELECT name FROM spells ORDER BY name LIMIT {n % 5 + 1}" for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda query: engine.run(query, 50, ROOM).rows, queries))
    assert [len(rows) for rows in answers] == [n % 5 + 1 for n in range(40)]
