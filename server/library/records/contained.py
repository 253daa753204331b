"""Rules of a page whose text stands whole in that of a rule above them on the same page: nobody reads it twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.dataset.schema import RULES
from server.library.records.budget import TRUNCATED, fit, rendered_apart

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from server.dataset.record import Record
    from server.library.catalogue import Catalogue
    from server.library.records.budget import FittedPage, Render
    from server.library.records.chapters import Chapters


def contained(
    rows: Sequence[int], catalogue: Catalogue, chapters: Chapters, *, without: Collection[int]
) -> dict[int, int]:
    """The rules whose text stands whole in that of another rule of the page → that rule, the highest in the book.

    The first record of a page, which fits best, is never among them.

    Args:
        rows: catalogue rows of the page.
        catalogue: the entities.
        chapters: which rule is part of which.
        without: rows of which the page shows less than the whole.
    """
    part = catalogue.part_of(RULES)
    texts = part.frame["description"]
    shown = set(rows).difference(without)
    found: dict[int, int] = {}
    for row in rows[1:]:
        for above in chapters.above(row):
            if row in shown and above in shown and texts[row - part.start] in texts[above - part.start]:
                found[row] = above
                break
    return found


def fit_once(
    rows: Sequence[int], room: int, forms: Sequence[Render], contained: Mapping[int, int]
) -> tuple[FittedPage, dict[int, int]]:
    """A page as `budget.fit` has it, but with `contained` rules as summaries that are marked as `truncated`.

    They are in full, as all others, if a rule that has their text is itself shortened for lack of room.

    Args:
        rows: catalogue rows of the page.
        room: characters of JSON.
        forms: as for `fit`.
        contained: rule → the rule of the page that has its text, as from `contained`.

    Returns:
        The page, and number of a shortened record in it → number of the record that has its text, from 1.
    """
    if not contained:
        return fit(rows, room, forms), {}
    *shorter, full = forms
    page = fit(rows, room, [*shorter, _shortening(contained, full, shorter[-1])])
    numbers = {row: number for number, row in enumerate(rows, 1)}
    if any(numbers[above] > page.full for above in contained.values()):
        return fit(rows, room, forms), {}
    return page, {numbers[row]: numbers[above] for row, above in contained.items() if numbers[row] <= page.full}


def _shortening(contained: Mapping[int, int], full: Render, summary: Render) -> Render:
    """A function that renders contained rules as summaries, and all other records in full."""

    def shortened(rows: Sequence[int]) -> list[Record]:
        return [record | TRUNCATED for record in summary(rows)]

    return lambda rows: rendered_apart(rows, contained, shortened, full)
