"""Why a request found nothing, and what to change: worked out only when it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from server.library import messages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from server.library.catalogue import Mask
    from server.library.filter_types import Filter
    from server.library.names import NameIndex
    from server.library.request import FilterValue, Request
    from server.library.scope import Scope
    from server.library.selection import Selection
    from server.library.shelf import Choice


def why_empty(
    *,
    request: Request,
    scope: Scope,
    given: Mapping[Filter, FilterValue],
    masks: Mapping[Filter, Mask],
    shelved: Mask,
    choice: Choice | None,
    names: NameIndex,
    selection: Selection,
) -> Iterator[str]:
    """Sentences: what was asked, values that do not exist, filters that make no sense, the filter to drop.

    `shelved` are the entities of the kind and documents asked for, `masks` those that pass each filter. Everything
    said comes from the documents asked for, but for how many others hold.
    """
    entries = [e for e in request.documents or () if choice is not None and e not in choice.unknown]
    yield messages.nothing_matches(scope.noun, given, entries, request.name)

    def found(passing: Mask) -> Mask:
        if request.name is None:
            return passing
        mask = np.zeros_like(passing)
        mask[names.find(request.name, [group & passing for group in scope.groups]).numbers] = True
        return mask

    finds, wrong = {}, []
    for declared, value in given.items():
        others = [mask for f, mask in masks.items() if f is not declared]
        rest = found(np.logical_and.reduce([shelved, *others]))
        counts = selection.counts(declared, rest)
        if declared.only and scope.kind not in declared.only:
            wrong.append(messages.only_for(declared))
        elif not selection.knows(declared, value):
            present = counts or selection.counts(declared, shelved)
            wrong.append(messages.unknown_value(declared, value, [v for v, _ in present]))
        elif rest.any():
            finds[declared] = (int(rest.sum()), counts)
    yield from wrong
    if finds:
        yield messages.drop_one(finds)
    elif entries and (anywhere := found(np.logical_and.reduce([scope.inside, *masks.values()]))).any():
        yield messages.drop_documents(int(anywhere.sum()))
    elif not wrong and len(given) > 1 and found(shelved).any():
        yield messages.DROP_SEVERAL
    yield from _of_other_kinds(request, scope, names)


def _of_other_kinds(request: Request, scope: Scope, names: NameIndex) -> Iterator[str]:
    """Where else the name is found; only where all documents were asked."""
    if not (request.name and scope.parameter and request.documents is None):
        return
    found = {token: names.find(request.name, [mask]) for token, mask in scope.siblings.items()}
    counts = {token: len(hits.numbers) for token, hits in found.items() if hits.exact}
    if counts:
        yield messages.other_kinds(scope.parameter, counts)
