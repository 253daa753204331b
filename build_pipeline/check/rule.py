"""`Rule`: a test of every record of a table, with a verdict on each fact it applies to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from build_pipeline.normalize.books.witnesses import Witness
from build_pipeline.normalize.merging.corrections import Correction
from build_pipeline.tables import Record
from server.dataset.passages import NAMED_COLUMNS


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact that breaks a rule, for rules that distinguish a record's facts.

    Attributes:
        fact: the path of the fact, as in `corrections.toml`.
        message: what is wrong with it.
        reason: why it is right anyway, if the rule knows.
    """

    fact: str
    message: str
    reason: str | None = None


Verdict = str | Difference | None
"""Result for one fact: what is wrong with it, or None if it is right."""

Test = Callable[[Record, "World"], Iterable[Verdict]]
"""Verdicts on a record's facts; empty if the rule does not apply to it."""

EVERY_TABLE: Final = ""


@dataclass(frozen=True)
class Evidence:
    """What the records were made from, for rules that compare them with it.

    Attributes:
        witnesses: what the conversions of the books state.
        corrections: the facts set by hand.
        problems: what the snapshot and the normalisers could not use, as {raw, reason}.
    """

    witnesses: Sequence[Witness] = ()
    corrections: Sequence[Correction] = ()
    problems: Sequence[Mapping[str, str]] = ()

    def correction_of(self, entity: str, fact: str) -> str | None:
        """The evidence of the correction that set a fact, or something that contains it; None if there is none."""
        for correction in self.corrections:
            inside = fact.startswith((f"{correction.column}.", f"{correction.column}["))
            if correction.entity == entity and (inside or fact == correction.column):
                return f"corrected: {correction.evidence}"
        return None


@dataclass(frozen=True)
class World:
    """All records, for rules that compare several.

    Attributes:
        tables: table → records.
        evidence: what they were made from.
        by_id: id → record.
    """

    tables: Mapping[str, list[Record]]
    evidence: Evidence = Evidence()
    by_id: dict[str, Record] = field(init=False)

    def __post_init__(self) -> None:
        records = (r for name, rows in self.tables.items() if name != "documents" for r in rows if "id" in r)
        object.__setattr__(self, "by_id", {str(record["id"]): record for record in records})


class AnyRule(Protocol):
    """The interface of every rule."""

    @property
    def name(self) -> str:
        """A few hyphenated words in lower case, referred to by exceptions."""

    @property
    def meaning(self) -> str:
        """What must hold, in one sentence."""

    def verdicts(self, world: World) -> Iterator[tuple[str, Verdict]]:
        """(Entity id, verdict) for every fact the rule applies to."""


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


def texts(record: Record) -> Iterator[tuple[str, str]]:
    """(Location, text) of all prose in a record."""
    for column in ("description", "higher_level", "legendary_description", "starting_equipment"):
        if record.get(column):
            yield column, record[column]
    for column in NAMED_COLUMNS:
        for part in record.get(column) or ():
            if part.get("description"):
                yield f"{column} {part['name']}", part["description"]
