"""`Rule`: a test of every record of a table, with a verdict on each fact it applies to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from build_pipeline.tables import Record

Verdict = str | None
"""Result for one fact: what is wrong with it, or None if it is right."""

Test = Callable[[Record, "World"], Iterable[Verdict]]
"""Verdicts on a record's facts; empty if the rule does not apply to it."""

EVERY_TABLE: Final = ""


@dataclass(frozen=True)
class World:
    """All records, for rules that compare several.

    Attributes:
        tables: table → records.
        by_id: id → record.
    """

    tables: Mapping[str, list[Record]]
    by_id: dict[str, Record] = field(init=False)

    def __post_init__(self) -> None:
        records = (r for name, rows in self.tables.items() if name != "documents" for r in rows if "id" in r)
        object.__setattr__(self, "by_id", {str(record["id"]): record for record in records})

    def named(self, entity_type: str, document_key: str) -> dict[str, Record]:
        """Name → record, for one entity type and document."""
        return {
            record["name"]: record
            for record in self.by_id.values()
            if record["entity_type"] == entity_type and record["document_key"] == document_key
        }


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that every record must satisfy.

    Attributes:
        name: a few hyphenated words in lower case, referred to by exceptions.
        meaning: what must hold, in one sentence.
        table: the table it applies to; `EVERY_TABLE` for all.
        test: the verdicts on a record.
    """

    name: str
    meaning: str
    table: str
    test: Test

    def verdicts(self, world: World) -> Iterator[tuple[str, Verdict]]:
        """(Entity id, verdict) for every fact the rule applies to."""
        tables = [self.table] if self.table else [name for name in world.tables if name != "documents"]
        for name in tables:
            for record in world.tables.get(name, ()):
                for verdict in self.test(record, world):
                    yield str(record.get("id", name)), verdict


def parts(record: Record, *columns: str) -> Iterator[Mapping[str, Any]]:
    """The members of a record's lists of named texts (traits, actions, features…)."""
    for column in columns:
        yield from record.get(column) or ()


TEXT_COLUMNS: Final = (
    "traits", "actions", "bonus_actions", "reactions", "legendary_actions", "lair_actions", "features", "benefits",
)  # fmt: skip


def texts(record: Record) -> Iterator[tuple[str, str]]:
    """(Location, text) of all prose in a record."""
    for column in ("description", "higher_level", "legendary_description", "starting_equipment"):
        if record.get(column):
            yield column, record[column]
    for column in TEXT_COLUMNS:
        for part in record.get(column) or ():
            if part.get("description"):
                yield f"{column} {part['name']}", part["description"]
