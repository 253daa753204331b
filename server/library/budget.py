"""The response budget: as many records as fit in the form asked for, the rest in a shorter one; none is cut inside."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from server.library.records import Record

    Render = Callable[[Sequence[int]], list[Record]]

_TRUNCATED: Final = {"truncated": True}
_BATCH: Final = 10
"""Full records rendered together: a page of stat blocks takes about two batches, a page of rules one."""


@dataclass(frozen=True, slots=True)
class FittedPage:
    """A page of records.

    Attributes:
        records: those that fit.
        full: how many of them, from the top, have the detail asked for.
    """

    records: list[Record]
    full: int


def length(value: object) -> int:
    """Characters of a value as JSON, including the separator after it."""
    return len(json.dumps(value, ensure_ascii=False)) + 2


def fit(rows: Sequence[int], room: int, forms: Sequence[Render]) -> FittedPage:
    """Render a page into `room` characters; a page of a single record may be longer.

    All records get the same form, the longest in which all of them fit; from the top, as many as there is room for get
    the next longer one. If not all fit even in the shortest form, the page ends early.

    Args:
        rows: catalogue rows of the entities.
        room: characters of JSON.
        forms: render the entities, from the shortest form to the one asked for.
    """
    if len(rows) == 1:
        return FittedPage(forms[-1](rows), full=1)
    for base in reversed(range(len(forms) - 1)):
        records = [record | _TRUNCATED for record in forms[base](rows)]
        left = room - sum(map(length, records))
        if left >= 0:
            asked = base + 2 == len(forms)
            longer = _lengthened(records, rows, left, forms[base + 1], {} if asked else _TRUNCATED)
            return FittedPage(longer + records[len(longer) :], full=len(longer) if asked else 0)
    return _cut_short(forms[0](rows), room, {} if len(forms) == 1 else _TRUNCATED)


def _lengthened(records: Sequence[Record], rows: Sequence[int], room: int, form: Render, mark: Record) -> list[Record]:
    """As many of the records, from the top, in a longer form as `room` more characters allow."""
    longer: list[Record] = []
    while len(longer) < len(records):
        for record in form(rows[len(longer) : len(longer) + _BATCH]):
            marked = record | mark
            room -= length(marked) - length(records[len(longer)])
            if room < 0:
                return longer
            longer.append(marked)
    return longer


def _cut_short(records: Sequence[Record], room: int, mark: Record) -> FittedPage:
    """As many records as fit, at least one so that paging advances."""
    kept: list[Record] = []
    for record in records:
        room -= length(record | mark)
        if kept and room < 0:
            break
        kept.append(record | mark)
    return FittedPage(kept, full=0 if mark else len(kept))
