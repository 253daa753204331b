"""The revisions of the schema and what each added."""

from __future__ import annotations

import pytest

from server.dataset.migrations import MIGRATIONS, introduced_in
from server.dataset.schema import ENTITY_TABLES, PUBLISHED_TABLES, SCHEMA_VERSION


def paths() -> set[str]:
    return {f"{table.name}.{column.name}" for table in PUBLISHED_TABLES for column in table.columns}


def test_revisions_increase_up_to_the_schema_version() -> None:
    numbers = [tuple(map(int, migration.revision.split("."))) for migration in MIGRATIONS]
    assert numbers == sorted(set(numbers))
    assert numbers[-1][0] == SCHEMA_VERSION


@pytest.mark.parametrize("migration", MIGRATIONS, ids=lambda migration: migration.revision)
def test_added_columns_exist(migration) -> None:
    tables = {table.name for table in PUBLISHED_TABLES}
    for added in migration.added:
        table, _, column = added.replace("[]", "").partition(".")
        for name in [each.name for each in ENTITY_TABLES] if table == "*" else [table]:
            assert name in tables
            assert not column or f"{name}.{column.partition('.')[0]}" in paths(), added


@pytest.mark.parametrize(
    ("path", "revision"),
    [
        ("spells.name", "1.0"),
        ("spells.provenance", "1.0"),
        ("rules.provenance.corrected", "1.1"),
        ("character_options.options", "1.2"),
        ("tags", "1.3"),
        ("tags.evidence", "1.3"),
        ("equipment.charges.roll", "1.4"),
        ("rules.tables[].rows", "1.4"),
        ("creatures.links", "1.5"),
        ("spells.range_feet", "1.7"),
        ("spells.range", "1.0"),
        ("creatures.actions[].attacks[].damage[].average", "1.7"),
        ("creatures.actions[].attacks[].damage[].dice", "1.0"),
    ],
)
def test_each_path_is_listed_under_the_revision_that_added_it(path: str, revision: str) -> None:
    assert introduced_in(path) == revision
