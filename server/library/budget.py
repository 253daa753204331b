"""The response budget: as many full records as fit, the rest as summaries; no record is cut in the middle."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from server.library.records import Record

    Render = Callable[[Sequence[int]], list[Record]]

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


def length(value: Any) -> int:
    """Characters of a value as JSON, including the separator after it."""
    return len(json.dumps(value, ensure_ascii=False)) + 2


def fit(rows: Sequence[int], room: int, summaries: Render, full: Render | None) -> FittedPage:
    """Render a page into `room` characters; a page of a single record may be longer.

    Args:
        rows: catalogue rows of the entities.
        room: characters of JSON.
        summaries: renders summaries.
        full: renders full records; None if summaries were asked for.
    """
    if len(rows) == 1:
        return FittedPage((full or summaries)(rows), full=1)
    records = _without_quotes(summaries(rows), room)
    sizes = [length(record) for record in records]
    if sum(sizes) > room:
        return _bare(records, room)
    if full is None:
        return FittedPage(records, full=len(records))
    room -= sum(sizes) + len(records) * length({"truncated": True})
    done = 0
    while done < len(records):
        for record in full(rows[done : done + _BATCH]):
            room -= length(record) - sizes[done]
            if room < 0:
                return FittedPage(records[:done] + [r | {"truncated": True} for r in records[done:]], full=done)
            records[done] = record
            done += 1
    return FittedPage(records, full=done)


def _without_quotes(records: list[Record], room: int) -> list[Record]:
    """The summaries; if they exceed the room, from the last up without the sentence that matched."""
    excess = sum(length(record) for record in records) - room
    kept = list(records)
    for place in reversed(range(len(kept))):
        if excess > 0 and "matched" in kept[place]:
            excess -= length({"matched": kept[place]["matched"]}) - length({})
            kept[place] = {name: value for name, value in kept[place].items() if name != "matched"}
    return kept


def _bare(records: list[Record], room: int) -> FittedPage:
    """As many summaries without description as fit, at least one so that paging advances."""
    kept: list[Record] = []
    for record in records:
        bare = record | {"description": None, "truncated": True}
        room -= length(bare)
        if kept and room < 0:
            break
        kept.append(bare)
    return FittedPage(kept, full=0)
