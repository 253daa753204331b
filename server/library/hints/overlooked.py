"""What a filter leaves out although it may be meant: values with a condition, and unknown facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from server.library import messages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.library.arrays import Mask
    from server.library.finder import Narrowed
    from server.library.requests.filter_types import Filter
    from server.library.selection import Selection

_FEW: Final = 10
"""Most results of which unknown facts are told: whoever gets more has enough to choose from."""


def overlooked(within: Narrowed, selection: Selection) -> Iterator[str]:
    """Sentences on the entities that pass all other filters, and this one only if it is read more widely."""
    passing = int(np.count_nonzero(within.passing))
    for declared, value in within.filters.items():
        if declared.conditional:
            count, texts = selection.conditional(declared, value, _others(within, selection, declared))
            if count:
                yield messages.conditional(declared, value, count, texts)
        if declared.sparse and 0 < passing <= _FEW:
            unknown = np.count_nonzero(_others(within, selection, declared) & selection.unknown(declared))
            if unknown:
                yield messages.unknown_fact(declared, int(unknown))


def _others(within: Narrowed, selection: Selection, declared: Filter) -> Mask:
    """The entities that pass all filters but one, which they fail, bool[catalogue size]."""
    rest = {other: value for other, value in within.filters.items() if other is not declared}
    others: Mask = np.logical_and.reduce([within.candidates, ~within.passing, *selection.masks(rest).values()])
    return others
