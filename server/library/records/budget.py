"""The response budget: as many records as fit in the requested form, the rest in a shorter one; no record is cut.

Computed answers, which are not pages of records, get the longest form that fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from server.library.message import Message
from server.library.records.json_text import json_length

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from server.dataset.record import Record

    Render = Callable[[Sequence[int]], list[Record]]

TRUNCATED: Final = {"truncated": True}
"""Marks records in a shorter form than the requested one."""
_BATCH: Final = 10
"""Full records rendered together: a page of stat blocks takes about two batches, a page of rules one."""


@dataclass(frozen=True, slots=True)
class FittedPage:
    """A page of records.

    Attributes:
        records: those that fit.
        full: how many of them, from the top, have the requested detail.
    """

    records: list[Record]
    full: int


class Shorter(NamedTuple):
    """A shorter form of results: `of` turns a result into it, `told` is what the message says about it."""

    of: Callable[[Any], Any]
    told: str


def in_longest_form(
    envelope: Callable[[Sequence[Any], str | None], Record],
    results: Sequence[Any],
    forms: Sequence[Shorter],
    fewer: str,
    room: int,
) -> Record:
    """An answer in the longest form that has at most `room` characters of JSON; a single result may be longer.

    Args:
        envelope: (results, what the message says about their form) → the answer.
        results: in full.
        forms: each shorter than the one before; if the last is still too long, as many results as fit are kept.
        fewer: a sentence on how to get fewer results.
        room: characters of JSON.
    """
    answer = envelope(results, None)
    for form in forms:
        if json_length(answer) <= room:
            return answer
        results = [form.of(result) for result in results]
        answer = envelope(results, form.told)
    kept = len(results)
    while json_length(answer) > room and kept > 1:
        kept -= 1
        told = Message(f"The answer ends early, after {kept} of {len(results)} results. ", fewer)
        answer = envelope(results[:kept], told)
    return answer


def fit(rows: Sequence[int], room: int, forms: Sequence[Render]) -> FittedPage:
    """Render a page into `room` characters; a single record in its shortest form may be longer.

    All records get the longest form in which all of them fit; then, from the top, as many as there is room for get the
    requested form. If not all fit even in the shortest form, the page ends early.

    Args:
        rows: catalogue rows of the entities.
        room: characters of JSON.
        forms: functions that render the entities, from the shortest form to the requested one.
    """
    *shorter, asked = forms
    if len(rows) == 1:
        records = asked(rows)
        if not shorter or sum(map(json_length, records)) <= room:
            return FittedPage(records, full=1)
    elif (all_of_them := _all(rows, room, asked)) is not None:
        return FittedPage(all_of_them, full=len(rows))
    for form in reversed(shorter):
        records = [record | TRUNCATED for record in form(rows)]
        left = room - sum(map(json_length, records))
        if left >= 0:
            whole = _lengthened(records, rows, left, asked)
            return FittedPage(whole + records[len(whole) :], full=len(whole))
    return _cut_short(forms[0](rows), room, TRUNCATED if shorter else {})


def rendered_apart(rows: Sequence[int], apart: Collection[int], of_apart: Render, of_others: Render) -> list[Record]:
    """Records in the order of their rows, those of the rows `apart` rendered by a function of their own."""
    some, others = [row for row in rows if row in apart], [row for row in rows if row not in apart]
    records = dict(zip([*some, *others], [*of_apart(some), *of_others(others)], strict=True))
    return [records[row] for row in rows]


def _all(rows: Sequence[int], room: int, asked: Render) -> list[Record] | None:
    """All records in the requested form; None if they do not fit, which is rare."""
    records: list[Record] = []
    for start in range(0, len(rows), _BATCH):
        batch = asked(rows[start : start + _BATCH])
        room -= sum(map(json_length, batch))
        if room < 0:
            return None
        records += batch
    return records


def _lengthened(records: Sequence[Record], rows: Sequence[int], room: int, asked: Render) -> list[Record]:
    """As many records, from the top, in the requested form as `room` more characters allow."""
    whole: list[Record] = []
    while len(whole) < len(records):
        for record in asked(rows[len(whole) : len(whole) + _BATCH]):
            room -= json_length(record) - json_length(records[len(whole)])
            if room < 0:
                return whole
            whole.append(record)
    return whole


def _cut_short(records: Sequence[Record], room: int, mark: Record) -> FittedPage:
    """As many records as fit, at least one so that paging advances."""
    kept: list[Record] = []
    for record in records:
        room -= json_length(record | mark)
        if kept and room < 0:
            break
        kept.append(record | mark)
    return FittedPage(kept, full=0 if mark else len(kept))
