"""The statements, by what they try: those written in `statements.json`, and those generated here.

In `statements.json`, `{file}` stands for the path of a file, `{table}` for a table, and `{0}` for what is inserted.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Final

ENVIRONMENT: Final = "LOREKEEPER_HOSTILE_SECRET"
"""An environment variable of the server whose value no answer may contain."""

_WRITTEN: Final[dict[str, list[str]]] = json.loads(Path(__file__).with_name("statements.json").read_text("utf-8"))
_RECURSIONS: Final = tuple(
    f"WITH RECURSIVE n AS ({start} {union} SELECT {step} FROM n{more}) SELECT {asked} FROM n"
    for start, step, asked, more in (
        ("SELECT 1 AS i", "i + 1", "count(*)", ""),
        ("SELECT 'a' AS i", "i || i", "max(len(i))", ""),
        ("SELECT [1] AS i", "i || i", "max(len(i))", ""),
        ("SELECT 1 AS i", "i + 1", "i", ", spells"),
        ("SELECT 1 AS i", "a.i", "count(*)", " a, n b"),
        ("SELECT description AS i FROM creatures", "i || i", "max(len(i))", ""),
        ("SELECT {'a': 1} AS i", "i", "count(*)", ""),
    )
    for union in ("UNION ALL", "UNION")
)
_SEVERAL: Final = tuple(
    f"SELECT 1{gap}{second}"
    for gap in ("; ", ";\n", ";;", "; -- x\n")
    for second in ("DROP TABLE spells", "SELECT * FROM read_text('{file}')", "SET threads = 64", "SELECT 2")
)
_USES_OF_PATTERNS: Final = (
    "SELECT count(*) FROM creatures WHERE regexp_matches(description, {0})",
    "SELECT sum(len(regexp_extract_all(a.description, {0}))) FROM creatures a, spells b",
)
_TABLES: Final = ("spells", "creatures", "equipment", "character_options", "rules")
_PIECES: Final = ("readers", "places", "addresses")


def statements(file: str) -> dict[str, list[str]]:
    """The statements, by what they try.

    Args:
        file: path of a file that no answer may quote.
    """
    quoted = file.replace("'", "''")
    paths = (quoted, "/etc/passwd", "../*", "https://example.org/x.parquet")
    places = _WRITTEN["places"]
    made = {
        "files": [f"SELECT * FROM {reader}('{path}')" for reader, path in product(_WRITTEN["readers"], paths)],
        "tables of files": [p.format(f"'{path}'") for p, path in product(places, (quoted, "/etc/passwd", "*.csv"))],
        "network": [p.format(f"'{address}'") for p, address in product(places[:3], _WRITTEN["addresses"])],
        "recursion": [*_RECURSIONS],
        "patterns": [use.format(f"'{pattern}'") for use, pattern in product(_USES_OF_PATTERNS, _WRITTEN["patterns"])],
        "nesting": _nested(),
        "long statements": _long(),
        "several statements": [*_SEVERAL],
        "fence": [query.replace("{table}", table) for query, table in product(_WRITTEN["fence"], _TABLES)],
    }
    named = {attempt: tried for attempt, tried in _WRITTEN.items() if attempt not in _PIECES} | made
    return {attempt: [each.replace("{file}", quoted) for each in tried] for attempt, tried in named.items()}


def _nested() -> list[str]:
    around = [("(", "1", ")"), ("[", "", "]"), ("(SELECT ", "1", ")"), ("CASE WHEN true THEN ", "1", " END")]
    around += [("NOT ", "true", ""), ("- ", "1", ""), ("lower(", "'a'", ")"), ("{'a': ", "1", "}")]
    found = [f"SELECT {a * depth}{core}{b * depth}" for a, core, b in around for depth in (100, 400)]
    found += [f"SELECT * FROM {'(SELECT * FROM ' * depth}spells{')' * depth}" for depth in (50, 600)]
    twice = ", ".join(f"c{i} AS (SELECT * FROM c{i - 1} a, c{i - 1} b)" for i in range(1, 20))
    found += [f"WITH c0 AS (SELECT {what}), {twice} SELECT * FROM c19" for what in ("1 AS a", "* FROM spells")]
    longer = ", ".join(f"c{i} AS (SELECT d || d AS d FROM c{i - 1})" for i in range(1, 40))
    found.append(f"WITH c0 AS (SELECT description AS d FROM spells), {longer} SELECT max(len(d)) FROM c39")
    return found


def _long() -> list[str]:
    many = [f"SELECT {', '.join(['*'] * 900)} FROM spells"]
    many.append(f"SELECT count(*) FROM {', '.join(f'spells s{i}' for i in range(600))}")
    many.append(f"SELECT 1{' UNION SELECT 1' * 600}")
    many.append(f"SELECT 1{' UNION ALL SELECT id FROM spells' * 250}")
    many.append(f"SELECT count(*) FROM spells WHERE {' AND '.join(['name LIKE $$%a%$$'] * 380)}")
    many.append(f"SELECT count(*) FROM spells WHERE {' OR '.join(['description ILIKE $$%a_b%c%$$'] * 250)}")
    many.append(f"SELECT 1 IN ({', '.join(map(str, range(2000)))})")
    many.append(f"SELECT {'a.' * 4900}b")
    many.append(f'SELECT "{"a" * 9900}"')
    many.append(f"SELECT '{'a' * 9900}'")
    many.append(f"SELECT {'a' * 9000}()")
    many.append(f"SELECT * FROM {'x' * 9000}")
    many.append(f"SELECT 1{' ' * 9900}")
    many.append(f"SELECT 1 -- {'x' * 9900}")
    many.append("x" * 9_999)
    many.append("SELECT 1" * 2_000)
    return many
