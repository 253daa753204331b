"""Why a request found nothing, and what to change: worked out only if it did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from server.dataset.names import normalize_name
from server.library import messages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from server.library.arrays import Mask
    from server.library.filter_types import Filter
    from server.library.hits import Hits
    from server.library.name_index import NameIndex
    from server.library.parts import Parts
    from server.library.request import FilterValue, Request
    from server.library.scope import Scope
    from server.library.selection import Selection


@dataclass(frozen=True, slots=True)
class Outcome:
    """A request that found nothing, with the sets of entities that it went through.

    Attributes:
        request: the request.
        scope: the kind of entities asked for.
        filters: the filters given, with their values.
        passing: bool[catalogue size] for each filter: which entities pass it.
        candidates: bool[catalogue size]: the entities of the scope in the documents asked for, before any filter.
        documents: the entries of `documents` that stand for some document.
    """

    request: Request
    scope: Scope
    filters: Mapping[Filter, FilterValue]
    passing: Mapping[Filter, Mask]
    candidates: Mask
    documents: Sequence[str]


class EmptyResults:
    """Explains empty results. Beyond the documents asked for, it tells only how many results there would be."""

    def __init__(self, names: NameIndex, selection: Selection, parts: Parts) -> None:
        self._names = names
        self._selection = selection
        self._parts = parts

    def explain(self, outcome: Outcome) -> Iterator[str]:
        """Sentences: what was asked, filters that cannot match anything, what to leave out, where else to look."""
        unmatchable = {f: reason for f in outcome.filters if (reason := self._why_unmatchable(outcome, f))}
        if (
            len(outcome.filters) != 1 or not unmatchable or outcome.request.names or outcome.documents
        ):  # else it says that
            yield messages.nothing_matches(
                outcome.scope.noun, outcome.filters, outcome.documents, outcome.request.names
            )
        yield from unmatchable.values()
        if alternatives := self._without_one_filter(outcome, unmatchable):
            yield messages.drop_one(alternatives)
        elif (elsewhere := self._in_other_documents(outcome)) is not None:
            holders = self._documents_of_names(outcome, elsewhere)
            one_name = len(outcome.request.names) == 1
            yield messages.drop_documents(int(elsewhere.sum()), holders, is_named=one_name)
        elif owners := self._have_it_as_a_part(outcome):
            yield messages.is_part_of(str(outcome.request.name), owners)
        elif self._lacks_names(outcome):
            yield messages.NOWHERE
        elif not unmatchable and len(outcome.filters) > 1 and self._matches(outcome, outcome.candidates).any():
            yield messages.DROP_SEVERAL
        if counts := self._of_other_kinds(outcome):
            yield messages.other_kinds(str(outcome.scope.parameter), counts)

    def suggest(self, outcome: Outcome, hits: Hits) -> list[str]:
        """A sentence on the hits' suggestions; if no similar name passes the filters, those that there are without."""
        if hits.suggestions:
            return [messages.see_suggestions(hits.suggestions)]
        request = outcome.request
        if isinstance(request.name, str) and outcome.filters:
            found = self._names.similar(request.name, outcome.candidates)
            # Of the name itself without the filters it is told already.
            if normalize_name(request.name) not in map(normalize_name, found):
                hits.suggestions = found
        return [messages.without_filters(hits.suggestions)] if hits.suggestions else []

    def _why_unmatchable(self, outcome: Outcome, declared: Filter) -> str | None:
        """Why a filter matches nothing whatever else is asked; None if it might match."""
        value = outcome.filters[declared]
        if _is_misplaced(outcome, declared):
            return messages.only_for(declared)
        if self._selection.knows(declared, value):
            return None
        present = self._selection.counts(declared, self._without(outcome, declared))
        present = present or self._selection.counts(declared, outcome.candidates)
        return messages.unknown_value(declared, value, [v for v, _ in present])

    def _without_one_filter(
        self, outcome: Outcome, unmatchable: Mapping[Filter, str]
    ) -> dict[Filter, tuple[int, list[tuple[str, int]]]]:
        """For each filter without which there are results: how many, and their values with counts."""
        rest = {f: self._without(outcome, f) for f in outcome.filters if f not in unmatchable}
        return {f: (int(mask.sum()), self._selection.counts(f, mask)) for f, mask in rest.items() if mask.any()}

    def _in_other_documents(self, outcome: Outcome) -> Mask | None:
        """The results that there are in all documents of the library; None if there are none."""
        if not outcome.documents:
            return None
        anywhere = np.logical_and.reduce([outcome.scope.inside, *outcome.passing.values()])
        matches = self._matches(outcome, anywhere)
        return matches if matches.any() else None

    def _documents_of_names(self, outcome: Outcome, elsewhere: Mask) -> dict[str, list[str]]:
        """Each name asked for that exists elsewhere → keys of the documents that have it."""
        groups = [group & elsewhere for group in outcome.scope.groups]
        found = {name: self._names.find(name, groups) for name in outcome.request.names}
        return {name: self._names.documents_of(matches) for name, matches in found.items() if matches.exact}

    def _have_it_as_a_part(self, outcome: Outcome) -> list[str]:
        """The names of those of which the only name asked for is a part."""
        request = outcome.request
        is_whole = isinstance(request.name, str) and request.part is None
        return self._parts.owners(str(request.name), outcome.candidates) if is_whole else []

    def _lacks_names(self, outcome: Outcome) -> bool:
        """Whether nothing in the library, of whatever kind, has one of the names asked for."""
        if not outcome.request.names:
            return False
        everything = np.ones_like(outcome.candidates)
        return not any(len(self._names.find(name, [everything]).rows) for name in outcome.request.names)

    def _of_other_kinds(self, outcome: Outcome) -> dict[str, int]:
        """Kinds that have the exact name, with their number; only if all documents were searched."""
        request, scope = outcome.request, outcome.scope
        if not (isinstance(request.name, str) and scope.parameter and request.documents is None):
            return {}
        found = {token: self._names.find(request.name, [mask]) for token, mask in scope.siblings.items()}
        return {token: len(matches.rows) for token, matches in found.items() if matches.exact}

    def _without(self, outcome: Outcome, declared: Filter) -> Mask:
        """What the request finds without one of its filters."""
        others = [mask for other, mask in outcome.passing.items() if other is not declared]
        return self._matches(outcome, np.logical_and.reduce([outcome.candidates, *others]))

    def _matches(self, outcome: Outcome, passing: Mask) -> Mask:
        """Of the entities those that the names asked for stand for; all of them without a name."""
        if outcome.request.name is None:
            return passing
        mask = np.zeros_like(passing)
        for name in outcome.request.names:
            mask[self._names.find(name, [group & passing for group in outcome.scope.groups]).rows] = True
        return mask


def _is_misplaced(outcome: Outcome, declared: Filter) -> bool:
    """Whether a filter makes no sense for the kind asked for."""
    return bool(declared.only) and outcome.scope.kind is not None and outcome.scope.kind not in declared.only
