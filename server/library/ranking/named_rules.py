"""Rules that a query names in full among other words: the short rest of "what do I recover on a short rest"."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from server.dataset.index.terms import longest_runs, terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.library.arrays import Floats, Rows

NAMED: Final = 0.3
"""Score of a rule that a query names: enough to come before its siblings, not before what the query asks about."""


class NamedRules:
    """The rules of a catalogue by their names; names of one word are too often ordinary words."""

    def __init__(self, folded_names: Sequence[str], rules: Rows) -> None:
        """Index the rules, int64[n] catalogue rows; `folded_names` are those of the whole catalogue."""
        self._size = len(folded_names)
        self._rows: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for row in rules.tolist():
            if len(name := tuple(terms(folded_names[row]))) > 1:
                self._rows[name].append(row)
        self._longest = max(map(len, self._rows), default=0)

    def scores(self, query: str) -> Floats:
        """`NAMED` for the rules that a query names, 0 for all else: float64[catalogue size]."""
        scores = np.zeros(self._size)
        for _, _, name in longest_runs(terms(query), self._longest, lambda run: run if run in self._rows else None):
            scores[self._rows[name]] = NAMED
        return scores
