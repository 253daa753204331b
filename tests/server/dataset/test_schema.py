"""The pinned schema: a change must be deliberate, and the error says whether SCHEMA_VERSION must be raised.

`schema.txt` is written by `pytest tests/server/dataset/test_schema.py --snapshot-update`, which refuses to pin a change
that is incompatible with other servers or datasets of the same schema version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from server.dataset.index.vectors import VECTORS
from server.dataset.migrations import MIGRATIONS, introduced_in
from server.dataset.schema import PUBLISHED_TABLES, SCHEMA_VERSION, SPEED, SPELLS
from server.dataset.tables.columns import Column, PolarsType, Table

PINNED = Path(__file__).with_name("schema.txt")
TABLE = "(table)"


def lines(tables: Iterable[Table]) -> list[str]:
    """A line per table, column and struct member: path, type, and whether it is required."""
    return [line for table in tables for line in _lines(table)]


def _lines(table: Table) -> Iterator[str]:
    yield _line(table.name, TABLE, required=not table.optional)
    for column in table.columns:
        for path, dtype in _leaves(f"{table.name}.{column.name}", column.dtype):
            yield _line(path, dtype, required=column.required and "." not in path.removeprefix(f"{table.name}."))


def _leaves(path: str, dtype: PolarsType) -> Iterator[tuple[str, str]]:
    if isinstance(dtype, pl.List):
        yield from _leaves(f"{path}[]", dtype.inner)
    elif isinstance(dtype, pl.Struct):
        yield path, "Struct"
        for field in dtype.fields:
            yield from _leaves(f"{path}.{field.name}", field.dtype)
    else:
        yield path, str(dtype)


def _line(path: str, kind: str, *, required: bool) -> str:
    return f"{path} {kind}{' required' * required}"


def pin(tables: Iterable[Table]) -> str:
    body = "\n".join(lines(tables))
    fingerprint = hashlib.sha256(body.encode()).hexdigest()
    return f"schema version {SCHEMA_VERSION}\nsha256 {fingerprint}\n\n{body}\n"


def unbearable(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The lines whose addition or removal needs another schema version."""
    gone = sorted(set(before) - set(after))
    known_tables = {line.split()[0] for line in before if TABLE in line}
    added = [line for line in after if line not in before and line.endswith(" required")]
    needed = [line for line in added if TABLE in line or line.partition(".")[0] in known_tables]
    return [f"- {line}" for line in gone] + [f"+ {line}" for line in needed]


def verdict(pinned: str, tables: Sequence[Table]) -> str | None:
    """What to do about a schema that differs from the pinned one; None if it does not, or the version was raised."""
    head, _, body = pinned.partition("\n\n")
    if head.splitlines()[0] != f"schema version {SCHEMA_VERSION}":
        return None
    changed = unbearable(body.splitlines(), lines(tables))
    if not changed:
        return None
    return (
        "Older datasets lack, or older servers need, what these lines say: raise SCHEMA_VERSION in "
        "server/dataset/schema.py, or leave them as they are and add an optional column instead.\n" + "\n".join(changed)
    )


def unlisted(pinned: str, tables: Sequence[Table]) -> list[str]:
    """Paths that are new since the schema was pinned, and that no revision in `migrations.py` lists."""
    before = pinned.splitlines()
    new = [line.split()[0] for line in lines(tables) if line not in before]
    return [path for path in new if introduced_in(path) == MIGRATIONS[0].revision]


def test_the_schema_is_the_pinned_one(pytestconfig: pytest.Config):
    tables = (*PUBLISHED_TABLES, VECTORS)
    pinned = PINNED.read_text(encoding="utf-8")
    if problem := verdict(pinned, tables):
        pytest.fail(problem, pytrace=False)
    if new := unlisted(pinned, tables):
        pytest.fail(f"add a revision to server/dataset/migrations.py that lists {', '.join(new)}", pytrace=False)
    if pytestconfig.getoption("update_snapshots"):
        PINNED.write_text(pin(tables), encoding="utf-8")
    assert PINNED.read_text(encoding="utf-8") == pin(tables), (
        "The schema has grown in a way that older and newer servers bear: SCHEMA_VERSION stays. Look at the difference "
        "and pin it with --snapshot-update."
    )


def spells(*columns: Column, without: str = "", **rest: bool) -> Table:
    kept = tuple(column for column in SPELLS.columns if column.name != without)
    return replace(SPELLS, columns=(*kept, *columns), **rest)


MOVES = Column("moves", SPEED, "")
OMENS = Table("omens", "", (), (Column("id", pl.String, "", required=True),), optional=True)
WIDER_SPEED = pl.Struct([*SPEED.fields, pl.Field("teleport", pl.Int32)])


@pytest.mark.parametrize(
    ("before", "after", "needs"),
    [
        ([spells()], [spells(Column("echo", pl.String, ""))], []),
        ([spells()], [spells(), OMENS], []),
        ([spells(MOVES)], [spells(replace(MOVES, dtype=WIDER_SPEED))], []),
        ([spells(MOVES)], [spells(replace(MOVES, doc="Otherwise said.", summary=True))], []),
        ([spells()], [replace(SPELLS, columns=SPELLS.columns[::-1])], []),
        ([spells()], [spells(Column("echo", pl.String, "", required=True))], ["+ spells.echo String required"]),
        ([spells()], [spells(), replace(OMENS, optional=False)], ["+ omens (table) required"]),
        ([spells()], [spells(without="level")], ["- spells.level Int32"]),
        ([spells(), OMENS], [spells()], ["- omens (table)", "- omens.id String required"]),
        ([spells(MOVES)], [spells(replace(MOVES, dtype=pl.List(SPEED)))], ["- spells.moves Struct"]),
        ([spells(MOVES)], [spells(replace(MOVES, required=True))], ["- spells.moves Struct"]),
        (
            [spells()],
            [spells(Column("level", pl.Int64, ""), without="level")],
            ["- spells.level Int32"],
        ),
        (
            [spells()],
            [spells(Column("slug", pl.String, ""), without="slug")],
            ["- spells.slug String required"],
        ),
    ],
)
def test_incompatible_changes_need_another_schema_version(before, after, needs):
    changed = unbearable(lines(before), lines(after))
    assert changed[: len(needs)] == needs
    assert bool(changed) == bool(needs)
    assert bool(verdict(pin(before), after)) == bool(needs)


@pytest.mark.parametrize("table", PUBLISHED_TABLES, ids=lambda table: table.name)
def test_numbers_have_a_unit(table: Table):
    numbers = [column.name for column in table.columns if column.dtype.is_numeric()]
    assert [name for name in numbers if not table.column(name).unit] == []


def test_a_new_path_must_be_listed_in_a_revision():
    assert unlisted(pin([spells()]), [spells(Column("echo", pl.String, ""))]) == ["spells.echo"]
    listed = pin([spells(without="range_feet")])
    assert unlisted(listed, [spells()]) == []


def test_a_raised_version_allows_any_change():
    raised = pin([spells()]).replace(f"schema version {SCHEMA_VERSION}", f"schema version {SCHEMA_VERSION - 1}")
    assert verdict(raised, [spells(without="level")]) is None
