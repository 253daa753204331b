"""Rules that compare the finished records with the text of the books, whatever the merge did.

Every fact that the main text states must be in the record. The second conversion of each book is another witness; it
has errors of its own, so only its facts are compared, not its wording.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from build_pipeline.check.comparison import RecordComparison
from build_pipeline.check.rule import Difference, Verdict, World
from build_pipeline.normalize.books.witnesses import Witness
from build_pipeline.tables import Record
from server.dataset.names import normalize_name
from server.dataset.schema import TABLE_OF

_SHOWN: Final = 80
"""Characters of a value in a message."""


@dataclass(frozen=True, slots=True)
class BookRule:
    """A rule that the records of a table agree with a conversion of their book.

    Attributes:
        name: as `Rule.name`.
        meaning: as `Rule.meaning`.
        table: the table.
        second: whether it compares with the second conversions instead of the main texts.
    """

    name: str
    meaning: str
    table: str
    second: bool

    def verdicts(self, world: World) -> Iterator[tuple[str, Verdict]]:
        """(Entity id, verdict) for every fact that a conversion states."""
        heard = [witness for witness in world.evidence.witnesses if self._hears(witness)]
        shelf = _Shelf(world.tables.get(self.table, ()) if heard else ())
        comparison = RecordComparison(world.by_id, loosely=self.second)
        for witness in heard:
            draft = witness.draft
            record = shelf.record_of(witness)
            if record is None:
                lost = f"{draft.entity_type}/{draft.document_key}/{draft.name}"
                yield lost, Difference("", f"{witness.conversion} has it, the dataset does not")
                continue
            for fact in comparison.facts(draft.facts, record):
                if fact.witnessed == fact.here:
                    yield record["id"], None
                else:
                    message = f"{fact.path}: {_short(fact.witnessed)} in {witness.conversion}, {_short(fact.here)} here"
                    yield (
                        record["id"],
                        Difference(fact.path, message, world.evidence.correction_of(record["id"], fact.path)),
                    )

    def _hears(self, witness: Witness) -> bool:
        return witness.is_second == self.second and TABLE_OF[witness.draft.entity_type].name == self.table


class _Shelf:
    """The records of a table, by raw object and by name."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._by_raw: dict[tuple[str, str], list[Record]] = defaultdict(list)
        self._by_name: dict[tuple[str, str, str], list[Record]] = defaultdict(list)
        for record in records:
            kind = record["entity_type"]
            for raw in record["provenance"]["raw"]:
                self._by_raw[kind, raw].append(record)
            for name in _names(record):
                self._by_name[kind, record["document_key"], name].append(record)

    def record_of(self, witness: Witness) -> Record | None:
        """The record that a witness describes, found by its raw object, or by its name for a second conversion."""
        draft = witness.draft
        name = normalize_name(draft.name)
        if witness.is_second:
            return next(iter(self._by_name[draft.entity_type, draft.document_key, name]), None)
        candidates = self._by_raw[draft.entity_type, draft.raw[0]]
        return next((record for record in candidates if name in _names(record)), next(iter(candidates), None))


def _names(record: Record) -> set[str]:
    return {normalize_name(record["name"]), *map(normalize_name, record["keys"])}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


RULES: Final = (
    BookRule("book-creatures", "Stat blocks are as the book prints them.", "creatures", second=False),
    BookRule("book-spells", "Spells are as the book prints them.", "spells", second=False),
    BookRule("book-equipment", "Mundane and magic items are as the book prints them.", "equipment", second=False),
    BookRule("book-classes", "Classes are as the book prints them.", "character_options", second=False),
    BookRule("second-creatures", "The books' second conversions agree on stat blocks.", "creatures", second=True),
    BookRule("second-spells", "The books' second conversions agree on spells.", "spells", second=True),
    BookRule("second-equipment", "The books' second conversions agree on items.", "equipment", second=True),
    BookRule(
        "second-classes", "The books' second conversions agree on class tables.", "character_options", second=True
    ),
)
