"""The response budget: as many full records as fit, the rest as summaries, and never a cut one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from server.library.records import Record

    Render = Callable[[Sequence[int]], list[Record]]

_AT_ONCE = 10
"""Full records rendered in one go: a page of stat blocks needs about two goes, a page of rules one."""


@dataclass(frozen=True, slots=True)
class Page:
    """The records of a page.

    Attributes:
        records: those that fit.
        full: how many of them, from the top, are as full as asked.
    """

    records: list[Record]
    full: int


def length(value: Any) -> int:
    """Characters of a value as JSON, with the comma after it."""
    return len(json.dumps(value, ensure_ascii=False)) + 2


def fit(numbers: Sequence[int], room: int, summaries: Render, full: Render | None) -> Page:
    """Render a page into `room` characters.

    `full` is None where summaries were asked for. A page of a single record is never cut, whatever its length.
    """
    if len(numbers) == 1:
        return Page((full or summaries)(numbers), full=1)
    records = summaries(numbers)
    sizes = [length(record) for record in records]
    if sum(sizes) > room:
        return _bare(records, room)
    if full is None:
        return Page(records, full=len(records))
    room -= sum(sizes) + len(records) * length({"truncated": True})
    done = 0
    while done < len(records):
        for record in full(numbers[done : done + _AT_ONCE]):
            room -= length(record) - sizes[done]
            if room < 0:
                return Page(records[:done] + [r | {"truncated": True} for r in records[done:]], full=done)
            records[done] = record
            done += 1
    return Page(records, full=done)


def _bare(records: list[Record], room: int) -> Page:
    """Summaries without description, as many as fit; at least one, so that paging goes on."""
    kept: list[Record] = []
    for record in records:
        bare = record | {"description": None, "truncated": True}
        room -= length(bare)
        if kept and room < 0:
            break
        kept.append(bare)
    return Page(kept, full=0)
