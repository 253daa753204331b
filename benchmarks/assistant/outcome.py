"""The result of a call, reduced to what grading needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from server.dataset.names import slugify


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a call.

    Attributes:
        ids: ids of the records in order, each followed by those of its variants; for `list_documents`, the keys.
        total: number of records that match; None for a query.
        rows: the rows of a query.
        refused: whether the call was refused.
    """

    ids: tuple[str, ...] = ()
    total: int | None = None
    rows: tuple[tuple[Any, ...], ...] = ()
    refused: bool = False

    @classmethod
    def of(cls, answer: Mapping[str, Any] | None) -> Outcome:
        """The outcome of a call with this structured answer, which is None if it was refused."""
        if answer is None:
            return cls(refused=True)
        if "rows" in answer:
            return cls(rows=tuple(tuple(row) for row in answer["rows"]))
        records = answer["results"]
        return cls(ids=tuple(key for record in records for key in _ids(record)), total=answer["total"])

    def holds(self, returns: tuple[str, ...], number: float | None, *, exactly: bool) -> bool:
        """Whether it returned these records, and nothing else if `exactly`, and counted this number."""
        if self.refused:
            return False
        if number is not None and number not in self._numbers():
            return False
        if self.total is None:
            return self._rows_hold(returns, exactly=exactly)
        return set(returns) <= set(self.ids) and (not exactly or self.total == len(set(returns)))

    def _numbers(self) -> set[float]:
        if self.total is not None:
            return {self.total}
        return {cell for row in self.rows for cell in row if isinstance(cell, int | float)}

    def _rows_hold(self, returns: tuple[str, ...], *, exactly: bool) -> bool:
        """Whether the rows name these records, by id or by name; a name stands for all records that have it."""
        wanted: dict[str, set[str]] = {}
        for record in returns:
            for key in (record, record.rpartition("/")[2]):
                wanted.setdefault(key, set()).add(record)
        named = [{record for cell in row for key in _keys(cell) for record in wanted.get(key, ())} for row in self.rows]
        if exactly and not all(named):
            return False
        return not set(returns) - set().union(*named)


def _ids(record: Mapping[str, Any]) -> Iterator[str]:
    yield record.get("id") or record["document_key"]
    if variants := record.get("variants"):
        for document, name in product(variants["documents"], variants["names"]):
            yield f"{record['entity_type']}/{document}/{slugify(name)}"


def _keys(cell: Any) -> tuple[str, ...]:
    return (cell, slugify(cell)) if isinstance(cell, str) else ()
